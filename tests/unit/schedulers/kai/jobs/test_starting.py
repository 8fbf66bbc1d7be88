"""Which jobs make no pods now, and what their pods are."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.schedulers.kai.jobs.kinds.starting import foreign_manager, is_scaled_down, is_suspended
from tests.unit.schedulers.kai.jobs.test_kinds import POD, made, manifest, reason, replicas

ONE = {"name": "w", "replicas": 1, "template": {"spec": {"template": POD}}}
HEAD = {"headGroupSpec": {"template": POD}}
TRAINING = {"pytorchReplicaSpecs": replicas(Worker=1)}
OWN = {"JobSet": "jobset.sigs.k8s.io/jobset-controller", "RayCluster": "ray.io/kuberay-operator"}


def root(kind: str, spec: dict[str, Any]) -> Field:
    return root_of(manifest(kind, spec))


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("JobSet", {"replicatedJobs": [ONE], "suspend": True}),
        ("PyTorchJob", {**TRAINING, "runPolicy": {"suspend": True}}),
        ("MPIJob", {"mpiReplicaSpecs": replicas(Launcher=1, Worker=1), "runPolicy": {"suspend": True}}),
        ("RayCluster", {**HEAD, "suspend": True}),
        ("RayJob", {"rayClusterSpec": HEAD, "suspend": True}),
        ("RayJob", {"rayClusterSpec": {**HEAD, "suspend": True}}),
        ("RayService", {"rayClusterConfig": {**HEAD, "suspend": True}}),
        ("TrainJob", {"runtimeRef": {"name": "r"}, "suspend": True}),
    ],
)
def test_a_suspended_job_makes_no_pods(kind: str, spec: dict[str, Any]) -> None:
    assert is_suspended(root(kind, spec))
    assert not is_suspended(root(kind, {name: each for name, each in spec.items() if name == "replicatedJobs"}))


def test_jobs_that_want_no_pods_have_none() -> None:
    none = {**ONE, "template": {"spec": {"parallelism": 0, "template": POD}}}
    assert reason(made("JobSet", {"replicatedJobs": [none]})) == (True, "it wants no pods, so none is created")
    assert is_scaled_down(root("LeaderWorkerSet", {"replicas": 0}))
    assert not is_scaled_down(root("LeaderWorkerSet", {}))
    assert not is_scaled_down(root("JobSet", {"replicas": 0}))


@pytest.mark.parametrize("kind", ["JobSet", "RayCluster", "PyTorchJob"])
def test_another_controller_is_named(kind: str) -> None:
    def manager(name: str) -> Field | None:
        asked = {"managedBy": name}
        return foreign_manager(root(kind, {"runPolicy": asked} if kind == "PyTorchJob" else asked))

    found = manager("kueue.x-k8s.io/multikueue")
    assert found is not None
    assert (found.path[-1], found.text()) == ("managedBy", "kueue.x-k8s.io/multikueue")
    assert manager(OWN.get(kind, "kubeflow.org/training-operator")) is manager("") is None


def test_claims_of_a_job_are_volumes_of_its_pods() -> None:
    claims = [{"metadata": {"name": "data"}, "spec": {}}]
    group = {"leaderWorkerTemplate": {"workerTemplate": POD, "size": 2, "volumeClaimTemplates": claims}}
    jobs = {"replicatedJobs": [ONE], "volumeClaimPolicies": [{"templates": claims}]}
    for found in (made("LeaderWorkerSet", group), made("JobSet", jobs)):
        assert [pod.raw["spec"]["volumes"][0]["name"] for pod in found.pods] == ["data"] * len(found.pods)
        assert all("persistentVolumeClaim" in pod.raw["spec"]["volumes"][0] for pod in found.pods)
