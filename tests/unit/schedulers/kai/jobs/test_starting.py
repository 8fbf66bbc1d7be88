"""Jobs of which no pod exists get no PodGroup, and are not planned as if they ran."""

from typing import Any

import pytest

from tests.unit.schedulers.kai.jobs.test_kinds import POD, made, reason, replicas

ONE = {"name": "w", "replicas": 1, "template": {"spec": {"template": POD}}}
HEAD = {"headGroupSpec": {"template": POD}}
TRAINING = {"pytorchReplicaSpecs": replicas(Worker=1)}


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("JobSet", {"replicatedJobs": [ONE], "suspend": True}),
        ("PyTorchJob", {**TRAINING, "runPolicy": {"suspend": True}}),
        ("MPIJob", {"mpiReplicaSpecs": replicas(Launcher=1, Worker=1), "runPolicy": {"suspend": True}}),
        ("RayCluster", {**HEAD, "suspend": True}),
        ("RayJob", {"rayClusterSpec": HEAD, "suspend": True}),
        ("RayJob", {"rayClusterSpec": {**HEAD, "suspend": True}}),
        ("TrainJob", {"runtimeRef": {"name": "r"}, "suspend": True}),
    ],
)
def test_a_suspended_job_has_no_pods(kind: str, spec: dict[str, Any]) -> None:
    assert reason(made(kind, spec)) == (True, "it is suspended, so no pod is created")
    resumed = {name: value for name, value in spec.items() if name != "suspend"}
    assert resumed == spec or kind == "TrainJob" or made(kind, resumed).pods


def test_jobs_that_want_no_pods_have_none() -> None:
    none = {**ONE, "template": {"spec": {"parallelism": 0, "template": POD}}}
    assert reason(made("JobSet", {"replicatedJobs": [none]})) == (True, "it wants no pods, so none is created")
    group = {"leaderWorkerTemplate": {"workerTemplate": POD}}
    assert reason(made("LeaderWorkerSet", {**group, "replicas": 0}))[0]
    assert made("LeaderWorkerSet", group).pods


@pytest.mark.parametrize(
    ("kind", "spec", "own"),
    [
        ("JobSet", {"replicatedJobs": [ONE]}, "jobset.sigs.k8s.io/jobset-controller"),
        ("RayCluster", HEAD, "ray.io/kuberay-operator"),
    ],
)
def test_the_pods_of_another_controller_are_not_known(kind: str, spec: dict[str, Any], own: str) -> None:
    modelled, text = reason(made(kind, {**spec, "managedBy": "kueue.x-k8s.io/multikueue"}))
    assert (modelled, "kueue.x-k8s.io/multikueue" in text) == (False, True)
    assert made(kind, {**spec, "managedBy": own}).pods
    policy = {"managedBy": "kueue.x-k8s.io/multikueue"}
    assert not reason(made("PyTorchJob", {**TRAINING, "runPolicy": policy}))[0]
    assert made("PyTorchJob", {**TRAINING, "runPolicy": {"managedBy": "kubeflow.org/training-operator"}}).pods


def test_claims_of_a_job_are_volumes_of_its_pods() -> None:
    claims = [{"metadata": {"name": "data"}, "spec": {}}]
    group = {"leaderWorkerTemplate": {"workerTemplate": POD, "size": 2, "volumeClaimTemplates": claims}}
    jobs = {"replicatedJobs": [ONE], "volumeClaimPolicies": [{"templates": claims}]}
    for found in (made("LeaderWorkerSet", group), made("JobSet", jobs)):
        assert [pod.raw["spec"]["volumes"][0]["name"] for pod in found.pods] == ["data"] * len(found.pods)
        assert all("persistentVolumeClaim" in pod.raw["spec"]["volumes"][0] for pod in found.pods)
