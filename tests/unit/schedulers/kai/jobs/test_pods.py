"""A Pod as KAI-Scheduler sees it."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import summarized
from kubectl_fairshare.jobs.pod_surroundings import Surroundings
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kai.jobs.pods import pod_of
from kubectl_fairshare.schedulers.kai.model.objects import BindRequest, Charge, GpuKind, Phase, Pod

KEY = ObjectKey("", "Pod", "ns", "p")


def read(spec: dict[str, Any] | None = None, *, complete: bool = False, **metadata: Any) -> Pod:
    data = {"metadata": metadata, "spec": {"schedulerName": "kai-scheduler", **(spec or {})}}
    return pod_of(
        KEY, data, {("ns", "chosen"): BindRequest("n", ("g",))}, complete=Surroundings() if complete else None
    )


def container(**requests: Any) -> dict[str, Any]:
    return {"resources": {"requests": {name.replace("__", "/").replace("_", "."): v for name, v in requests.items()}}}


def test_containers_are_added_exactly_and_rounded_once() -> None:
    found = read({"containers": [container(cpu="0.1m", memory="0.5"), container(cpu="0.1m", memory="0.5")]})
    assert found.request == Charge(1.0, 1.0, 0.0)


def test_sidecars_add_to_the_containers_and_to_later_init_containers() -> None:
    init = [{**container(cpu=1), "restartPolicy": "Always"}, container(cpu=4)]
    assert read({"containers": [container(cpu=2)], "initContainers": init}).request.cpu == 5000
    assert read({"containers": [container(cpu=5)], "initContainers": init}).request.cpu == 6000


def test_overhead_comes_on_top() -> None:
    assert read({"containers": [container(cpu=1)], "overhead": {"cpu": "250m"}}).request.cpu == 1250


def test_whole_gpus_of_containers_add_up_and_init_containers_raise_them() -> None:
    gpu = {"resources": {"requests": {"nvidia.com/gpu": "1"}}}
    more = {"resources": {"requests": {"nvidia.com/gpu": "4"}}}
    found = read({"containers": [gpu, gpu], "initContainers": [more]})
    assert (found.request.gpu, found.gpu.devices, found.gpu.kind) == (4, 4, GpuKind.WHOLE)


def test_mig_slices_count_for_their_size() -> None:
    mig = {"resources": {"requests": {"nvidia.com/mig-2g.10gb": 2, "nvidia.com/mig-1g.5gb": 1}}}
    found = read({"containers": [mig]})
    assert (found.request.gpu, found.request.mig, found.gpu.kind) == (0, 5, GpuKind.MIG)


@pytest.mark.parametrize(
    ("annotations", "kind", "devices", "gpus"),
    [
        ({"gpu-fraction": "0.5"}, GpuKind.FRACTION, 1, 0.5),
        ({"gpu-fraction": "0.333"}, GpuKind.FRACTION, 1, 0.33),
        ({"gpu-fraction": "0.005"}, GpuKind.FRACTION, 1, 0.01),
        ({"gpu-fraction": "0.5", "gpu-fraction-num-devices": "3"}, GpuKind.FRACTION, 3, 1.5),
        ({"gpu-fraction": "1.5"}, GpuKind.WHOLE, 0, 0),
        ({"gpu-fraction": "half"}, GpuKind.WHOLE, 0, 0),
        ({"gpu-memory": "4096"}, GpuKind.MEMORY, 1, 0),
        ({"gpu-memory": "4096", "gpu-fraction": "0.5"}, GpuKind.FRACTION, 1, 0.5),
        ({"gpu-memory": "0"}, GpuKind.WHOLE, 0, 0),
    ],
)
def test_annotations_ask_for_a_part_of_a_gpu(
    annotations: dict[str, str], kind: GpuKind, devices: int, gpus: float
) -> None:
    found = read({"containers": []}, annotations=annotations)
    assert (found.gpu.kind, found.gpu.devices, found.request.gpu) == (kind, devices, gpus)


@pytest.mark.parametrize(
    ("spec", "status", "metadata", "phase"),
    [
        ({}, {}, {}, Phase.PENDING),
        ({"schedulingGates": [{"name": "g"}]}, {}, {}, Phase.GATED),
        ({"nodeName": "n"}, {"phase": "Pending"}, {}, Phase.BOUND),
        ({"nodeName": "n"}, {"phase": "Running"}, {}, Phase.RUNNING),
        ({"nodeName": "n"}, {"phase": "Running"}, {"deletionTimestamp": "2026-01-01T00:00:00Z"}, Phase.RELEASING),
        ({}, {"phase": "Succeeded"}, {}, Phase.SUCCEEDED),
        ({}, {"phase": "Strange"}, {}, Phase.UNKNOWN),
    ],
)
def test_the_phase_is_kais(spec: Any, status: Any, metadata: Any, phase: Phase) -> None:
    assert pod_of(KEY, {"metadata": metadata, "spec": spec, "status": status}, {}).phase is phase


def test_a_bind_request_places_a_pod() -> None:
    found = pod_of(KEY._replace(name="chosen"), {}, {("ns", "chosen"): BindRequest("n", ("g",))})
    assert (found.phase, found.node, found.groups) == (Phase.BINDING, "n", ("g",))


def test_limits_are_requests_until_an_api_server_has_seen_the_pod() -> None:
    one = {"resources": {"limits": {"cpu": "2"}}}
    assert read({"containers": [one]}, complete=True).request.cpu == 2000
    assert read({"containers": [one]}).request.cpu == 0


def test_helpers_of_kai_are_no_strangers() -> None:
    assert not read({"schedulerName": "other"}, labels={"app": "kai-resource-reservation"}).foreign
    assert read({"schedulerName": "other"}).foreign
    assert not read().foreign


def test_masters_and_stated_priorities_come_first() -> None:
    labels = [
        {"training.kubeflow.org/job-role": "master"},
        {"ray.io/node-type": "head"},
        {"kai.scheduler/task-priority": "7"},
        {"kai.scheduler/task-priority": "-7"},
        {"kai.scheduler/task-priority": "much"},
        {},
    ]
    ranks = [read(labels=one).rank for one in labels]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(ranks)


def test_a_new_pod_is_completed_as_an_api_server_does_it() -> None:
    item = {"type": "Container", "default": {"memory": "2Gi"}, "defaultRequest": {"memory": "1Gi"}}
    limits = summarized([Field(KEY, (), {"spec": {"limits": [item]}})])
    context = PodContext({KEY.namespace: limits}, {"vm": {"cpu": 10**9}})
    around = Surroundings(context, placing=frozenset({"vm"}))
    container = {"name": "c", "resources": {"limits": {"cpu": "1", "rdma/hca": "1"}}}
    data = {"metadata": {}, "spec": {"containers": [container], "runtimeClassName": "vm"}}
    new, stored = pod_of(KEY, data, {}, complete=around), pod_of(KEY, data, {})
    assert (new.request.cpu, new.request.memory, new.added) == (2000, 2**30, ("RuntimeClassScheduling",))
    assert new.raw["spec"]["containers"][0]["resources"]["requests"]["rdma/hca"] == "1"
    assert (stored.request.cpu, stored.request.memory, stored.added) == (0, 0, ())
