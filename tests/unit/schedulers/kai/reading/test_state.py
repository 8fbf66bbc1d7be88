"""KAI's objects are read as the scheduler reads them."""

from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.jobs.context import SYSTEM_CLASSES
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kai.jobs.groups import submission_of
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Resources

GROUPS = {"Queue": "scheduling.run.ai", "PodGroup": "scheduling.run.ai", "BindRequest": "scheduling.run.ai"}
GROUPS |= {"SchedulingShard": "kai.scheduler", "Config": "kai.scheduler", "PriorityClass": "scheduling.k8s.io"}
GROUPS |= {"ResourceSlice": "resource.k8s.io", "DeviceClass": "resource.k8s.io"}
MINUTE = 60 * 10**9


def manifest(kind: str, name: str, spec: Any = None, **fields: Any) -> Manifest:
    metadata = {"name": name, "resourceVersion": "1", **fields.pop("metadata", {})}
    namespace = "ns" if kind in ("PodGroup", "Pod", "BindRequest") else ""
    data = {"kind": kind, "metadata": metadata, **({} if spec is None else {"spec": spec}), **fields}
    return Manifest(ObjectKey(GROUPS.get(kind, ""), kind, namespace, name), "v1", data, Origin("in", 0))


def state(*manifests: Manifest) -> KaiState:
    return assemble(manifests, known_schedulers()).snapshot.part(KaiState)


def test_what_a_queue_leaves_out_is_zero() -> None:
    found = state(manifest("Queue", "q")).queues["q"]
    assert (found.quota, found.limit, found.weight) == (Resources(0, 0, 0),) * 3
    assert (found.priority, found.parent, found.stated) == (100, "", False)


def test_memory_is_in_millions_of_bytes_and_any_negative_amount_is_unlimited() -> None:
    bounds = {"cpu": {"quota": -5}, "memory": {"quota": 2, "limit": -0.5}}
    found = state(manifest("Queue", "q", {"resources": bounds})).queues["q"]
    assert (found.quota, found.limit) == (Resources(-5, 2e6, 0), Resources(0, -1, 0))


def test_min_runtimes_of_a_queue_are_spans() -> None:
    found = state(manifest("Queue", "q", {"reclaimMinRuntime": "1m", "preemptMinRuntime": "0s"})).queues["q"]
    assert (found.reclaim_min_runtime, found.preempt_min_runtime) == (MINUTE, 0)


@pytest.mark.parametrize(
    ("spec", "k", "multiplier"),
    [
        ({}, 1.0, 1.0),
        ({"kValue": 0.5}, 0.5, 1.0),
        ({"kValue": -1}, 0.0, 1.0),
        ({"kValue": 2, "plugins": {"proportion": {"arguments": {}}}}, 1.0, 1.0),
        ({"plugins": {"proportion": {"arguments": {"kValue": "many"}}}}, 1.0, 1.0),
        ({"plugins": {"proportion": {"arguments": {"relcaimerSaturationMultiplier": "1.5"}}}}, 1.0, 1.5),
        ({"plugins": {"proportion": {"arguments": {"relcaimerSaturationMultiplier": "0.5"}}}}, 1.0, 1.0),
        ({"plugins": {"proportion": {"arguments": {"reclaimerUtilizationMultiplier": "3"}}}}, 1.0, 1.0),
    ],
)
def test_arguments_of_a_plugin_replace_what_the_shard_says(spec: Any, k: float, multiplier: float) -> None:
    shard = state(manifest("SchedulingShard", "s", spec)).shard
    assert (shard.k, shard.multiplier) == (k, multiplier)


def test_min_runtimes_of_a_shard_know_days() -> None:
    shard = state(manifest("SchedulingShard", "s", {"minRuntime": {"reclaimMinRuntime": "1d1m"}})).shard
    assert shard.reclaim_min_runtime == 1441 * MINUTE
    bad = {"minRuntime": {"reclaimMinRuntime": "-5m", "preemptMinRuntime": "soon"}}
    shard = state(manifest("SchedulingShard", "s", bad)).shard
    assert (shard.reclaim_min_runtime, shard.preempt_min_runtime) == (0, 0)


def test_flags_are_read_as_go_reads_them() -> None:
    args = {"full-hierarchy-fairness": "F", "allow-consolidating-reclaim": "maybe", "restrict-node-scheduling": "1"}
    shard = state(manifest("SchedulingShard", "s", {"args": args})).shard
    assert (shard.full_hierarchy, shard.consolidating, shard.restricted) == (False, True, True)


def test_the_shard_without_a_pool_is_meant() -> None:
    pools = [manifest("SchedulingShard", "a", {"partitionLabelValue": "p"}), manifest("SchedulingShard", "b", {})]
    assert state(*pools).shard.name == "b"
    assert state(pools[0]).shard.pool == "p"


@pytest.mark.parametrize(("label", "memory"), [("81559", 81500), ("85899345920", 81900), ("soon", 100), (None, 100)])
def test_gpu_memory_is_cut_to_hundreds_of_mebibytes(label: str | None, memory: int) -> None:
    labels = {} if label is None else {"nvidia.com/gpu.memory": label}
    found = state(manifest("Queue", "q"), manifest("Node", "n", metadata={"labels": labels})).nodes[0]
    assert found.gpu_memory == memory


def test_gpus_of_a_node_are_devices_slices_and_in_thousandths_those_of_other_vendors() -> None:
    def gpus(**allocatable: Any) -> float:
        names = {
            name.replace("__", "/").replace("_", ".").replace("mig.", "mig-"): v for name, v in allocatable.items()
        }
        return (
            state(manifest("Queue", "q"), manifest("Node", "n", status={"allocatable": names})).nodes[0].allocatable.gpu
        )

    assert gpus(nvidia_com__gpu="8", amd_com__gpu="2") == 10
    assert gpus(nvidia_com__mig_2g_10gb="3") == 6
    assert gpus(intel_com__gpu="2") == 2000


def slice_of(name: str, driver: str, count: int, **spec: Any) -> Manifest:
    devices = [{"name": f"d{i}"} for i in range(count)]
    return manifest("ResourceSlice", name, {"driver": driver, "devices": devices, "nodeName": "n", **spec})


def test_devices_of_gpu_drivers_are_gpus_of_the_node_that_they_name() -> None:
    found = state(
        manifest("Queue", "q"),
        manifest("Node", "n", status={"allocatable": {"nvidia.com/gpu": "1"}}),
        slice_of("a", "gpu.nvidia.com", 2),
        slice_of("b", "Vendor-GPU", 1),
        slice_of("c", "nic.example.com", 4),
        slice_of("d", "gpu.nvidia.com", 4, nodeName="other"),
        slice_of("e", "gpu.nvidia.com", 4, allNodes=True),
    )
    (node,) = found.nodes
    assert (node.allocatable.gpu, node.devices) == (4, 3)


@pytest.mark.parametrize(
    ("conditions", "unready"),
    [
        ([{"type": "Ready", "status": "True"}], None),
        ([{"type": "Ready", "status": "Unknown"}], "Ready"),
        ([{"type": "Ready", "status": "True"}, {"type": "DiskPressure", "status": "True"}], "DiskPressure"),
    ],
)
def test_a_node_that_is_not_ready_says_why(conditions: Any, unready: str | None) -> None:
    found = state(manifest("Queue", "q"), manifest("Node", "n", status={"conditions": conditions}))
    assert found.nodes[0].unready == unready
    cordoned = state(manifest("Queue", "q"), manifest("Node", "n", {"unschedulable": True}))
    assert cordoned.nodes[0].unready == "unschedulable"


def test_the_config_names_scheduler_and_pool_label() -> None:
    config = manifest("Config", "c", {"global": {"schedulerName": "mine", "nodePoolLabelKey": "pool"}})
    pod = manifest("Pod", "p", {"schedulerName": "mine"})
    found = state(config, pod, manifest("Queue", "q", metadata={"labels": {"pool": "x"}}))
    assert (found.pool_label, found.pods[0].foreign, found.queues["q"].pool) == ("pool", False, "x")


def test_a_bind_request_that_failed_for_good_places_nothing() -> None:
    request = {"podName": "p", "selectedNode": "n", "backoffLimit": 2}
    pod = manifest("Pod", "p")
    failed = {"phase": "Failed", "failedAttempts": 2}
    assert state(pod, manifest("BindRequest", "b", request, status=failed)).pods[0].node == ""
    failed["failedAttempts"] = 1
    assert state(pod, manifest("BindRequest", "b", request, status=failed)).pods[0].node == "n"


def test_the_default_priority_is_that_of_the_global_default_class() -> None:
    classes = [manifest("PriorityClass", "a", value=7), manifest("PriorityClass", "b", value=9, globalDefault=True)]
    found = state(manifest("Queue", "q"), *classes).priorities
    assert found.values == {"a": 7, "b": 9, **SYSTEM_CLASSES}
    assert (found.default, found.default_name) == (9, "b")
    assert state(manifest("Queue", "q"), classes[0]).priorities.default == 50


def test_pods_are_not_read_where_nothing_is_kais() -> None:
    assert state(manifest("Pod", "p")) == KaiState()


@pytest.mark.parametrize(
    "broken",
    [
        manifest("Queue", "q", {"resources": {"gpu": {"quota": "many"}}}),
        manifest("Queue", "q", {"reclaimMinRuntime": "1d"}),
        manifest("PodGroup", "g", {"minMember": "two"}),
        manifest("SchedulingShard", "s", {"plugins": []}),
        manifest("Config", "c", {"global": 1}),
    ],
)
def test_a_field_of_another_type_is_a_problem_at_its_object(broken: Manifest) -> None:
    with pytest.raises(FairshareError):
        state(broken)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"containers": [{"resources": {"requests": {"cpu": "x"}}}]}, "`x` is not a quantity"),
        ({"containers": [None]}, r"`spec.containers\[0\]` must be an object, not null"),
        ({"affinity": {"podAffinity": []}}, "`spec.affinity.podAffinity` must be an object, not a list"),
        ({"resourceClaims": [5]}, r"`spec.resourceClaims\[0\]` must be an object, not `5`"),
    ],
)
def test_a_field_of_a_pod_that_a_session_reads_later_is_a_problem(spec: dict[str, Any], said: str) -> None:
    with pytest.raises(FairshareError, match=said):
        state(manifest("Queue", "q"), manifest("Pod", "p", spec))


def chain(length: int) -> list[Manifest]:
    return [
        manifest("Queue", f"q{i:04}", {"parentQueue": f"q{i + 1:04}"} if i < length else {}) for i in range(length + 1)
    ]


def test_a_chain_of_queues_without_end_is_refused() -> None:
    assert len(state(*chain(200)).queues) == 201
    with pytest.raises(FairshareError, match="Queue q0000 has more than 200 queues above it"):
        state(*chain(201))


def test_sub_groups_without_end_are_refused() -> None:
    groups = [{"name": f"s{i}", "parent": f"s{i + 1}"} for i in range(300)] + [{"name": "s300"}]
    with pytest.raises(FairshareError, match="sub-groups have more than 200"):
        state(manifest("PodGroup", "g", {"subGroups": groups}))


def test_the_last_scheduling_condition_has_the_highest_number_wherever_it_is() -> None:
    numbers = (("a", "2"), ("b", "10"), ("c", "x"), ("d", "10"))
    conditions = [{"nodePool": pool, "transitionID": number} for pool, number in numbers]
    (found,) = state(manifest("PodGroup", "g", status={"schedulingConditions": conditions})).pod_groups
    assert found.condition_pool == "b"


def test_what_a_bind_request_has_chosen_is_read_until_it_has_failed_for_good() -> None:
    spec = {"podName": "p", "selectedNode": "n", "selectedGPUGroups": ["g", "h"], "backoffLimit": 2}
    for status, node, groups in (({}, "n", ("g", "h")), ({"phase": "Failed", "failedAttempts": 2}, "", ())):
        (pod,) = state(manifest("Pod", "p"), manifest("BindRequest", "b", spec, status=status)).pods
        assert (pod.node, pod.groups) == (node, groups)


def test_devices_and_the_label_of_reservation_pods_are_noticed() -> None:
    classes = [
        manifest("DeviceClass", name, spec) for name, spec in (("x", {"extendedResourceName": "a/b"}), ("y", {}))
    ]
    label = {"binder": {"resourceReservation": {"appLabel": "mine"}}}
    found = state(*classes, manifest("Config", "kai-config", label))
    assert found.device_resources == {"a/b"}
    assert [place.path for place in found.settings] == [("spec", "binder", "resourceReservation", "appLabel")]


def test_jobs_name_their_queue_by_the_label_that_the_config_names() -> None:
    assert state(manifest("Queue", "q")).queue_label == "kai.scheduler/queue"
    config = manifest("Config", "kai-config", {"global": {"queueLabelKey": "team/queue"}})
    found = state(config)
    spec = {"template": {"spec": {"schedulerName": "kai-scheduler", "containers": [{"name": "c"}]}}}
    for label, queue in (("team/queue", "q"), ("kai.scheduler/queue", "default-queue")):
        key = ObjectKey("batch", "Job", "ns", "j")
        data = {"metadata": {"name": "j", "namespace": "ns", "labels": {label: "q"}}, "spec": spec}
        assert submission_of(Manifest(key, "v1", data, Origin("in", 0)), found).group.queue == queue
