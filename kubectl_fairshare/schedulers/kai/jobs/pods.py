"""A Pod as KAI-Scheduler reads it: phase, gang, requests, position in the order.

Amounts of the containers of a kind are added exactly and rounded up once, as Kubernetes quantities are.
Source: KAI-Scheduler v0.17; "kai requests" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.pod_surroundings import Surroundings, completed_spec
from kubectl_fairshare.jobs.requests import Arithmetic, InitList, RequestLaw, of_containers
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.quantity import nano, native
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.jobs.gpus import Tally, devices, mig_gpus, shared, whole
from kubectl_fairshare.schedulers.kai.jobs.webhook import with_runtime
from kubectl_fairshare.schedulers.kai.model.kinds import HELPERS, KUBEFLOW_MASTERS, POD_GROUP, RAY_HEAD
from kubectl_fairshare.schedulers.kai.model.objects import (
    DEFAULT_SCHEDULER,
    BindRequest,
    Charge,
    GpuKind,
    GpuRequest,
    Phase,
    Pod,
    Rank,
)
from kubectl_fairshare.schedulers.kai.model.pod_admission import DEFAULT_RUNTIME

_SUB_GROUP: Final = "kai.scheduler/subgroup-name"
_PRIORITY: Final = "kai.scheduler/task-priority"
_SHARED_GPU: Final = "runai-gpu-group"
_KUBEFLOW: Final = "training.kubeflow.org/job-role"
_RAY: Final = "ray.io/node-type"
REQUEST_LAW: Final = RequestLaw(whole=False, sidecars_peak=False)
"""How a pod adds up: ``getPodResourceRequest``."""
_ENDED: Final = {"Succeeded": Phase.SUCCEEDED, "Failed": Phase.FAILED}
_NANO: Final = 10**9
_LATEST: Final = (1 << 63) - 1
_MILLI: Final = 10**6


def pod_of(
    key: ObjectKey,
    data: JsonObject,
    bound: Mapping[tuple[str, str], BindRequest],
    scheduler: str = DEFAULT_SCHEDULER,
    *,
    complete: Surroundings | None = None,
    runtime: str = DEFAULT_RUNTIME,
) -> Pod:
    """The pod. ``bound`` is what a BindRequest has chosen, by namespace and name of the pod.

    ``complete`` is what completes a pod that no API server has seen yet; None for one that a server has. ``runtime`` is
    the RuntimeClass that KAI's webhook gives to new pods with parts of GPUs. Raises ``ValueError``, ``TypeError`` or
    ``AttributeError`` for fields of another type than a pod's.
    """
    metadata, spec, status = data.get("metadata") or {}, data.get("spec") or {}, data.get("status") or {}
    labels, annotations = metadata.get("labels") or {}, metadata.get("annotations") or {}
    chosen = bound.get((key.namespace, key.name))
    helper = labels.get("app") in HELPERS
    foreign = not helper and (spec.get("schedulerName") or "default-scheduler") != scheduler
    if complete is not None and not foreign:
        spec = with_runtime(spec, annotations, runtime, complete)
    added = () if complete is None else tuple(complete.added(spec, key.namespace, taken=False))
    if complete is not None:
        spec = completed_spec(spec, key.namespace, complete)
        data = {**data, "spec": spec}
    charge, gpu = _requests(spec, annotations)
    uid = str(metadata.get("uid") or f"{key.namespace}/{key.name}")
    return Pod(
        key=key,
        uid=uid,
        group=_text(annotations.get(POD_GROUP)),
        sub_group=_text(labels.get(_SUB_GROUP)),
        node=_text(spec.get("nodeName")) or (chosen.node if chosen is not None else ""),
        phase=_phase(metadata, spec, status, chosen is not None),
        request=charge,
        gpu=gpu,
        rank=_rank(metadata, labels, uid),
        foreign=foreign,
        claims=bool(spec.get("resourceClaims")),
        added=added,
        groups=(() if chosen is None else chosen.groups) or tuple(_shared_gpus(labels)),
        raw=data,
    )


def _shared_gpus(labels: JsonObject) -> Iterator[str]:
    """The shared GPUs in the labels, one for each device: KAI looks for several only next to the label of one."""
    if _SHARED_GPU in labels:
        yield _text(labels[_SHARED_GPU])
        yield from sorted(_text(value) for name, value in labels.items() if name.startswith(f"{_SHARED_GPU}/"))


def resized(pod: Pod, data: JsonObject) -> Pod:
    """The pod with other requests, as ``data`` has them, and all else that was read of it."""
    spec, annotations = data.get("spec") or {}, (data.get("metadata") or {}).get("annotations") or {}
    charge, gpu = _requests(spec, annotations)
    return replace(pod, request=charge, gpu=gpu, raw=data)


def _text(value: Json) -> str:
    if value is not None and not isinstance(value, str):
        raise ValueError(f"`{str(value)[:64]}` must be text")
    return value or ""


def _phase(metadata: JsonObject, spec: JsonObject, status: JsonObject, chosen: bool) -> Phase:
    phase = status.get("phase", "Pending")
    if phase == "Running":
        return Phase.RELEASING if metadata.get("deletionTimestamp") else Phase.RUNNING
    if phase != "Pending":
        return _ENDED.get(phase, Phase.UNKNOWN)
    if metadata.get("deletionTimestamp"):
        return Phase.RELEASING
    if spec.get("nodeName"):
        return Phase.BOUND
    if chosen:
        return Phase.BINDING
    return Phase.GATED if spec.get("schedulingGates") else Phase.PENDING


def _rank(metadata: JsonObject, labels: JsonObject, uid: str) -> Rank:
    stated, priority = 2, 0
    if (text := labels.get(_PRIORITY)) is not None:
        stated, priority = 1, 0
        number = whole(text)
        if number is not None:
            stated, priority = 0, -number
    master = labels.get(_KUBEFLOW) in KUBEFLOW_MASTERS
    created = metadata.get("creationTimestamp")
    moment = nanoseconds(created) if created else _LATEST  # a new pod is younger than all that exist
    return Rank(not master, labels.get(_RAY) != RAY_HEAD, stated, priority, moment, uid)


class _Counted(NamedTuple):
    """A resource list as KAI adds it: cpu in thousandths, memory in bytes, GPUs."""

    cpu: int
    memory: int
    gpus: Tally


def _requests(spec: JsonObject, annotations: JsonObject) -> tuple[Charge, GpuRequest]:
    """The pod's request: containers and sidecars, or the peak during its start; plus overhead."""
    cpu, memory, tally = _containers(spec.get("containers") or ())
    starting = spec.get("initContainers")
    if starting:
        init = (InitList(_counted(_listed(each)), each.get("restartPolicy") == "Always") for each in starting)
        cpu, memory, tally = of_containers([_Counted(cpu, memory, tally)], init, _COUNTED, REQUEST_LAW)
    overhead = spec.get("overhead")
    if overhead:
        cpu += _cpu(overhead)
        memory += _memory(overhead)
    mig = mig_gpus(tally.mig)
    gpu = shared(tally, annotations)
    whole = gpu.kind in (GpuKind.WHOLE, GpuKind.MIG)
    asked = tally.gpus if whole else _portion(gpu)
    return Charge(float(min(cpu, UNLIMITED)), float(min(memory, UNLIMITED)), asked, mig), gpu


def _counted(requests: JsonObject) -> _Counted:
    gpus = Tally({name: native(value) for name, value in requests.items()})
    return _Counted(_cpu(requests), _memory(requests), gpus)


def _plus(a: _Counted, b: _Counted) -> _Counted:
    return _Counted(a.cpu + b.cpu, a.memory + b.memory, a.gpus.plus(b.gpus))


def _largest(a: _Counted, b: _Counted) -> _Counted:
    return _Counted(max(a.cpu, b.cpu), max(a.memory, b.memory), a.gpus.raised_to(b.gpus))


_COUNTED: Final = Arithmetic(_Counted(0, 0, Tally({})), _plus, _largest)


def _portion(gpu: GpuRequest) -> float:
    """The GPUs of a shared request that are known without a node: those of a fraction; memory counts as 0."""
    return devices(gpu.portion, gpu.devices)


def _containers(containers: Iterable[Json]) -> _Counted:
    sums: dict[str, int] = {}
    for container in containers:
        for name, value in _listed(container).items():
            sums[name] = sums.get(name, 0) + nano(native(value))
    cpu = -(-sums.pop("cpu", 0) // _MILLI)
    memory = -(-sums.pop("memory", 0) // _NANO)
    return _Counted(cpu, memory, Tally({name: min(-(-value // _NANO), UNLIMITED) for name, value in sums.items()}))


def _listed(container: JsonObject) -> JsonObject:
    resources = container.get("resources")
    return (resources.get("requests") or {}) if resources else {}


def _cpu(requests: JsonObject) -> int:
    return -(-nano(native(requests.get("cpu"))) // _MILLI)


def _memory(requests: JsonObject) -> int:
    return -(-nano(native(requests.get("memory"))) // _NANO)
