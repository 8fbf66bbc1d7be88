"""The gangs that KAI makes of the kinds of jobs of other controllers."""

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.pod_surroundings import Surroundings
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission, membership, submission_of
from kubectl_fairshare.schedulers.kai.jobs.pods import pod_of
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, KindDefault, PodGroup, PriorityClasses

POD = {"spec": {"containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": 1}}}]}}
GROUPS = {
    "JobSet": "jobset.x-k8s.io/v1alpha2",
    "LeaderWorkerSet": "leaderworkerset.x-k8s.io/v1",
    "PodCliqueSet": "grove.io/v1alpha1",
    "TrainJob": "trainer.kubeflow.org/v1alpha1",
}


def manifest(kind: str, spec: Any, api: str = "", **metadata: Any) -> Manifest:
    api = api or GROUPS.get(kind, "ray.io/v1" if kind.startswith("Ray") else "kubeflow.org/v1")
    group, _, version = api.rpartition("/")
    data = {"apiVersion": api, "kind": kind, "metadata": {"name": "j", "namespace": "ns", **metadata}, "spec": spec}
    return Manifest(ObjectKey(group, kind, "ns", "j"), version, data, Origin("in", 0))


def made(kind: str, spec: Any, api: str = "", **metadata: Any) -> Submission:
    state = KaiState(priorities=PriorityClasses({"train": 50, "build": 100}))
    return submission_of(manifest(kind, spec, api, **metadata), state)


def reason(found: Submission) -> tuple[bool, str]:
    assert found.group.ungrouped is not None
    assert found.pods == ()
    return found.group.ungrouped.modelled, found.group.ungrouped.reason


def sub_groups(found: Submission) -> list[tuple[str, str | None, int | None, int | None]]:
    return [(one.name, one.parent, one.min_member, one.min_sub_group) for one in found.group.sub_groups]


def pods(found: Submission) -> list[tuple[str, str]]:
    return [(pod.key.name, pod.sub_group) for pod in found.pods]


def replicas(**counts: int | None) -> dict[str, Any]:
    return {name: {"template": POD} | ({} if n is None else {"replicas": n}) for name, n in counts.items()}


def test_a_pytorch_job_has_a_group_of_the_master_and_one_of_the_workers() -> None:
    found = made("PyTorchJob", {"pytorchReplicaSpecs": replicas(Master=1, Worker=2)})
    assert found.group.name == "pg-j"
    assert sub_groups(found) == [("master", None, 1, None), ("worker", None, 2, None)]
    assert pods(found) == [("j-master-0", "master"), ("j-worker-0", "worker"), ("j-worker-1", "worker")]
    assert [pod.rank.kubeflow for pod in found.pods] == [False, True, True], "the master comes first"
    assert [pod.request.cpu for pod in found.pods] == [0, 50, 50], "workers wait for the master in an init container"


def test_an_elastic_pytorch_job_starts_with_fewer_workers() -> None:
    elastic = {"pytorchReplicaSpecs": replicas(Worker=4), "elasticPolicy": {"minReplicas": 2}}
    found = made("PyTorchJob", elastic)
    assert (sub_groups(found), len(found.pods)) == ([("worker", None, 2, None)], 4)
    found = made("PyTorchJob", {**elastic, "runPolicy": {"schedulingPolicy": {"minAvailable": 3}}})
    assert sub_groups(found) == [("worker", None, 3, None)]


def test_a_master_of_an_unknown_number_has_no_group() -> None:
    policy = {"schedulingPolicy": {"minAvailable": 2}}
    found = made("PyTorchJob", {"pytorchReplicaSpecs": replicas(Master=None, Worker=1), "runPolicy": policy})
    assert sub_groups(found) == [("worker", None, 2, None)]
    assert pods(found) == [("j-master-0", ""), ("j-worker-0", "worker")]


@pytest.mark.parametrize(
    ("kind", "field", "counts", "leads"),
    [
        ("TFJob", "tfReplicaSpecs", {"PS": 1, "Worker": 2}, "j-worker-0"),
        ("TFJob", "tfReplicaSpecs", {"Chief": 1, "Worker": 2}, "j-chief-0"),
        ("XGBoostJob", "xgbReplicaSpecs", {"Master": 1, "Worker": 2}, "j-master-0"),
        ("JAXJob", "jaxReplicaSpecs", {"Worker": 3}, "j-worker-0"),
        ("MPIJob", "mpiReplicaSpecs", {"Launcher": 1, "Worker": 2}, "j-launcher-0"),
    ],
)
def test_other_training_jobs_start_with_all_pods(kind: str, field: str, counts: Any, leads: str) -> None:
    found = made(kind, {field: replicas(**counts)})
    assert (found.group.min_member, len(found.pods), found.group.sub_groups) == (3, 3, ())
    assert [pod.key.name for pod in found.pods if not pod.rank.kubeflow] == [leads]


@pytest.mark.parametrize(
    ("kind", "field", "counts", "text"),
    [
        ("TFJob", "tfReplicaSpecs", {"Worker": None}, "Worker replicas is not set"),
        ("PyTorchJob", "pytorchReplicaSpecs", {"Worker": 0}, "Worker replicas is 0"),
        ("XGBoostJob", "xgbReplicaSpecs", {"Worker": 1}, "needs Master replicas"),
    ],
)
def test_the_grouper_fails_for_a_job_without_numbers(kind: str, field: str, counts: Any, text: str) -> None:
    modelled, why = reason(made(kind, {field: replicas(**counts)}))
    assert modelled
    assert text in why


def test_a_launcher_that_waits_for_its_workers_is_not_there_yet() -> None:
    spec = {"mpiReplicaSpecs": replicas(Launcher=1, Worker=2), "launcherCreationPolicy": "WaitForWorkersReady"}
    found = made("MPIJob", spec, "kubeflow.org/v2beta1")
    assert (found.group.min_member, [name for name, _ in pods(found)]) == (2, ["j-worker-0", "j-worker-1"])


def test_a_launcher_that_waits_needs_a_number() -> None:
    policy = {"schedulingPolicy": {"minAvailable": 2}}
    spec = {"mpiReplicaSpecs": replicas(Launcher=None, Worker=2), "runPolicy": policy}
    assert made("MPIJob", spec).group.min_member == 2
    modelled, why = reason(made("MPIJob", {**spec, "launcherCreationPolicy": "WaitForWorkersReady"}))
    assert (modelled, "Launcher replicas" in why) == (True, True)


def test_a_notebook_is_one_pod_of_the_class_build() -> None:
    found = made("Notebook", {"template": POD}, "kubeflow.org/v1beta1")
    assert (found.group.priority_class, len(found.pods)) == ("build", 1)


def test_a_pod_of_a_stateful_set_has_a_volume_for_each_claim() -> None:
    claims = [{"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"]}}]
    (plain,) = made("StatefulSet", {"template": POD}, "apps/v1").pods
    (pod,) = made("StatefulSet", {"template": POD, "volumeClaimTemplates": claims}, "apps/v1").pods
    claimed = {"name": "data", "persistentVolumeClaim": {"claimName": "data-j-xxxxx"}}
    assert (plain.raw["spec"].get("volumes"), pod.raw["spec"]["volumes"]) == (None, [claimed])


def test_segments_are_not_guessed() -> None:
    specs = replicas(Worker=4)
    specs["Worker"]["template"] = {**POD, "metadata": {"annotations": {"kai.scheduler/segment-size": "2"}}}
    modelled, why = reason(made("PyTorchJob", {"pytorchReplicaSpecs": specs}))
    assert (modelled, "segments" in why) == (False, True)


def cluster(**group: Any) -> dict[str, Any]:
    return {"headGroupSpec": {"template": POD}, "workerGroupSpecs": [{"groupName": "w", "template": POD, **group}]}


def test_a_ray_cluster_has_a_group_of_the_head_and_one_of_each_kind_of_worker() -> None:
    found = made("RayCluster", cluster(replicas=3, minReplicas=2))
    assert sub_groups(found) == [("headgroup", None, 1, None), ("w", None, 2, None)]
    assert pods(found) == [("j-head-0", "headgroup"), *((f"j-w-{i}", "w") for i in range(3))]
    assert [pod.rank.ray for pod in found.pods] == [False, True, True, True], "the head comes first"
    assert [pod.request.cpu for pod in found.pods] == [0, 200, 200, 200], "workers wait for the head"


def test_a_worker_group_without_replicas_is_left_out() -> None:
    assert sub_groups(made("RayCluster", cluster())) == [("headgroup", None, 1, None)]
    modelled, why = reason(made("RayCluster", cluster(minReplicas=1)))
    assert (modelled, "minReplicas 1 is above replicas 0" in why) == (True, True)


def test_ray_jobs_and_services_are_their_clusters() -> None:
    scaled = {**cluster(replicas=1), "enableInTreeAutoscaling": True}
    found = made("RayJob", {"rayClusterSpec": scaled}, labels={"ray.io/priority-class-name": "build"})
    assert (len(found.pods), found.group.priority_class) == (2, "build")
    assert found.pods[0].request.cpu == 500, "the autoscaler runs beside the head"
    assert len(made("RayService", {"rayClusterConfig": cluster(replicas=1, numOfHosts=2)}).pods) == 3
    assert not reason(made("RayJob", {"clusterSelector": {"ray.io/cluster": "x"}, "rayClusterSpec": cluster()}))[0]


@pytest.mark.parametrize("name", ["gpu_workers", "GPU", "headgroup"])
def test_a_name_of_workers_that_no_sub_group_can_have_keeps_a_ray_cluster_from_starting(name: str) -> None:
    modelled, why = reason(made("RayCluster", cluster(replicas=1, groupName=name)))
    assert modelled
    assert "KAI cannot create its PodGroup: spec.subGroups[1].name" in why


def test_an_empty_label_of_ray_is_no_priority_class() -> None:
    label = "ray.io/priority-class-name"
    assert made("RayCluster", cluster(), labels={label: ""}).group.priority_class == ""
    assert made("RayCluster", cluster(), labels={label: "gone"}).group.priority_class == "gone"
    assert made("RayCluster", cluster()).group.priority_class == "train"


def job_set(order: str = "AnyOrder", **annotations: str) -> Submission:
    jobs = [
        {"name": "driver", "template": {"spec": {"template": POD}}},
        {"name": "w", "replicas": 2, "template": {"spec": {"parallelism": 2, "template": POD}}},
    ]
    spec = {"replicatedJobs": jobs, "startupPolicy": {"startupPolicyOrder": order}}
    return made("JobSet", spec, annotations=annotations)


def test_a_job_set_has_a_group_for_each_replica_of_each_job() -> None:
    found = job_set()
    assert (found.group.min_member, found.group.min_sub_group) == (None, 2)
    assert sub_groups(found) == [
        ("driver", None, None, 1),
        ("driver-replica-0", "driver", 1, None),
        ("w", None, None, 2),
        ("w-replica-0", "w", 2, None),
        ("w-replica-1", "w", 2, None),
    ]
    assert [group for _, group in pods(found)] == ["driver-replica-0", *["w-replica-0"] * 2, *["w-replica-1"] * 2]


def test_a_job_set_in_order_starts_with_its_first_job() -> None:
    found = job_set("InOrder")
    assert (found.group.min_sub_group, [group for _, group in pods(found)]) == (1, ["driver-replica-0"])


def test_an_annotation_lowers_the_minimum_of_a_job_set() -> None:
    assert job_set(**{"kai.scheduler/batch-min-member": "1"}).group.min_sub_group == 1
    assert job_set(**{"kai.scheduler/batch-min-member": "9"}).group.min_sub_group == 2
    assert reason(job_set(**{"kai.scheduler/batch-min-member": "0"}))[0]


def replicated(**entry: Any) -> Any:
    return {"replicatedJobs": [{"name": "w", "template": {"spec": {"template": POD}}, **entry}]}


def test_a_job_set_of_no_replicas_has_a_pod_group_that_kai_rejects() -> None:
    assert "without children has no minSubGroup" in reason(made("JobSet", replicated(replicas=0)))[1]


def test_an_empty_minimum_of_a_replica_is_none() -> None:
    template = {"metadata": {"annotations": {"kai.scheduler/batch-min-member": ""}}, "spec": {"template": POD}}
    assert sub_groups(made("JobSet", replicated(template=template)))[1] == ("w-replica-0", "w", 1, None)


def test_a_leader_worker_set_has_a_pod_group_for_each_group() -> None:
    template = {"size": 3, "workerTemplate": POD}
    found = made("LeaderWorkerSet", {"replicas": 4, "leaderWorkerTemplate": template})
    assert (found.group.name, found.group.copies, found.group.min_member) == ("pg-j-group-0", 4, 3)
    assert sub_groups(found) == [("leader", None, 1, None), ("workers", None, 2, None)]
    assert [group for _, group in pods(found)] == ["leader", "workers", "workers"]
    assert not reason(made("LeaderWorkerSet", {"startupPolicy": "LeaderReady", "leaderWorkerTemplate": template}))[0]


def test_a_pod_clique_set_has_a_group_for_each_clique() -> None:
    cliques = [
        {"name": "front", "spec": {"replicas": 2, "minAvailable": 1, "podSpec": POD["spec"]}},
        {"name": "prefill", "spec": {"replicas": 2, "podSpec": POD["spec"]}},
    ]
    scaling = [{"name": "sg", "cliqueNames": ["prefill"], "replicas": 3, "minAvailable": 2}]
    found = made("PodCliqueSet", {"template": {"cliques": cliques, "podCliqueScalingGroups": scaling}})
    assert (found.group.name, found.group.min_member, found.group.copies) == ("pg-j-0", 5, 2)
    assert sub_groups(found) == [
        ("j-0-front", None, 1, None),
        ("j-0-sg-0-prefill", None, 2, None),
        ("j-0-sg-1-prefill", None, 2, None),
    ]
    assert len(found.pods) == 6
    label = {"kai.scheduler/preemptibility": "no"}
    modelled, why = reason(made("PodCliqueSet", {"template": {"cliques": cliques}}, labels=label))
    assert (modelled, "preemptibility is `no`" in why) == (True, True)


RUNTIME = """
mlPolicy: {numNodes: 1, torch: {}}
template:
  metadata: {labels: {kai.scheduler/queue: other}}
  spec:
    replicatedJobs:
    - name: node
      template:
        metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
        spec: {template: {spec: {containers: [{name: node}]}}}
"""


def train_job(runtime: str, defaults: Mapping[str, KindDefault] | None = None, /, **spec: Any) -> Submission:
    name = ObjectKey("trainer.kubeflow.org", "ClusterTrainingRuntime", "", "torch")
    found = Manifest(name, "v1alpha1", {"spec": yaml.safe_load(runtime)}, Origin("in", 0))
    classes = PriorityClasses({"train": 50, "build": 100})
    state = KaiState(priorities=classes, defaults=defaults or {}, runtimes={name: root_of(found)})
    job = manifest("TrainJob", {"runtimeRef": {"name": "torch"}, **spec}, labels={"kai.scheduler/queue": "team"})
    return submission_of(job, state)


def test_a_train_job_is_the_job_set_of_its_runtime() -> None:
    resources = {"limits": {"nvidia.com/gpu": 2}}
    found = train_job(RUNTIME, trainer={"numNodes": 3, "resourcesPerNode": resources})
    assert sub_groups(found) == [("node", None, None, 1), ("node-replica-0", "node", 3, None)]
    assert [pod.request.gpu for pod in found.pods] == [2, 2, 2]
    assert found.group.queue == "other", "a label of the runtime comes before that of the TrainJob"


def test_labels_in_the_spec_of_a_train_job_are_those_of_its_job_set() -> None:
    found = train_job(RUNTIME, labels={"kai.scheduler/queue": "mine"})
    assert found.group.queue == "mine"
    found = train_job(RUNTIME, annotations={"kai.scheduler/preemption-delay": "1s"})
    assert (found.group.queue, found.group.preemption_delay) == ("other", 10**9)
    assert train_job(RUNTIME.replace("kai.scheduler/queue", "x")).group.queue == "team"


def test_the_defaults_of_a_train_job_come_before_its_labels() -> None:
    defaults = {"TrainJob": KindDefault("build", "non-preemptible"), "JobSet": KindDefault("train", "preemptible")}
    plain = train_job(RUNTIME, defaults).group
    assert (plain.priority_class, plain.preemptible) == ("build", False)
    labelled = train_job(RUNTIME, defaults, labels={"priorityClassName": "train"}).group
    assert (labelled.priority_class, labelled.preemptible) == ("train", False)
    below = train_job(RUNTIME, {"JobSet": defaults["JobSet"], "TrainJob": KindDefault("gone", "")}).group
    assert (below.priority_class, below.preemptible) == ("train", True)


def test_a_train_job_is_not_guessed() -> None:
    assert "not in the input" in reason(train_job(RUNTIME, runtimeRef={"name": "jax"}))[1]
    assert not reason(train_job(RUNTIME, runtimePatches=[{"manager": "m"}]))[0]
    assert not reason(train_job(RUNTIME.replace("torch: {}", "mpi: {}")))[0]


def test_roles_that_disagree_are_not_guessed() -> None:
    specs = replicas(Master=1, Worker=1)
    specs["Worker"]["template"] = {**POD, "metadata": {"labels": {"kai.scheduler/queue": "b"}}}
    modelled, why = reason(made("PyTorchJob", {"pytorchReplicaSpecs": specs}))
    assert (modelled, "differ in queue" in why) == (False, True)


def test_other_versions_of_a_kind_are_not_guessed() -> None:
    assert not reason(made("JobSet", {"replicatedJobs": [{"template": POD}]}, "jobset.x-k8s.io/v1"))[0]


def test_pods_are_in_the_group_that_their_labels_name() -> None:
    found = made("RayCluster", cluster(replicas=1))
    again = pod_of(found.pods[1].key, found.pods[1].raw, {}, complete=Surroundings())
    assert (again.group, again.sub_group) == (found.group.name, "w")


SKIP = {"kai.scheduler/skip-podgrouper": "true"}


def skipped(**annotations: str) -> Manifest:
    template = {**POD, "metadata": {"annotations": annotations, "labels": {"kai.scheduler/subgroup-name": "rack"}}}
    return manifest("Job", {"parallelism": 2, "template": template}, "batch/v1", annotations=SKIP)


def test_a_job_that_the_grouper_skips_is_in_the_group_that_its_pods_name() -> None:
    job = skipped(**{"pod-group-name": "whole"})
    found = membership(job, KaiState())
    assert found is not None
    assert (found.group, [pod.sub_group for pod in found.pods]) == ("whole", ["rack", "rack"])
    whole = PodGroup(ObjectKey("scheduling.run.ai", "PodGroup", "ns", "whole"), "q", 0)
    planned = submission_of(job, KaiState(pod_groups=(whole,)))
    assert (planned.group, len(planned.pods)) == (whole, 2)
    assert "`whole`, which is not in the input" in reason(submission_of(job, KaiState(complete=False)))[1]
    assert "`whole` does not exist" in reason(submission_of(job, KaiState()))[1]


def test_a_job_that_the_grouper_skips_needs_a_group() -> None:
    assert reason(submission_of(skipped(), KaiState()))[0]
    assert membership(skipped(), KaiState()) is None
    assert membership(manifest("Service", {}, "v1"), KaiState()) is None


@pytest.mark.parametrize("above", ["CronJob", "its Job", "TrainJob"])
def test_any_owner_can_keep_the_grouper_away(above: str) -> None:
    if above == "CronJob":
        found = made("CronJob", {"jobTemplate": {"spec": {"template": POD}}}, "batch/v1", annotations=SKIP)
    elif above == "its Job":
        found = made("JobSet", replicated(template={"metadata": {"annotations": SKIP}, "spec": {"template": POD}}))
    else:
        found = train_job(RUNTIME, annotations=SKIP)
    assert reason(found) == (True, reason(submission_of(skipped(), KaiState()))[1])


def test_pods_that_the_grouper_skips_in_part_are_not_guessed() -> None:
    specs = replicas(Master=1, Worker=1)
    specs["Worker"]["template"] = {**POD, "metadata": {"annotations": SKIP}}
    modelled, why = reason(made("PyTorchJob", {"pytorchReplicaSpecs": specs}))
    assert (modelled, "some pods only" in why) == (False, True)


def test_a_skipped_job_without_pods_is_not_guessed() -> None:
    assert reason(made("JobSet", replicated(replicas=0), annotations=SKIP)) == (False, "a job without pods")


def test_an_empty_size_of_segments_is_not_guessed() -> None:
    empty = {"kai.scheduler/segment-size": ""}
    found = made("LeaderWorkerSet", {"leaderWorkerTemplate": {"size": 2, "workerTemplate": POD}}, annotations=empty)
    assert not reason(found)[0]
