"""Pods as placement sees them: what they ask for in every resource, and which nodes they accept.

Example: a pod with two containers of 1 GPU asks for 2; one with the annotation ``gpu-fraction: 0.5`` for half of a
device.
Source: ``NewTaskInfo`` in https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/pod_info/pod_info.go;
"kai solver" in ``docs/laws.md``.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.nodes import node_selector, required_affinity, tolerations
from kubectl_fairshare.jobs.requests import AMOUNTS, Amounts, InitList, of_containers
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.quantity import nano, native
from kubectl_fairshare.model.selectors import NodeTerm, Requirement, Toleration
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.jobs.gpus import MIG_PREFIX
from kubectl_fairshare.schedulers.kai.jobs.pods import REQUEST_LAW
from kubectl_fairshare.schedulers.kai.model.objects import (
    DEFAULT_SUB_GROUP,
    GpuKind,
    GpuRequest,
    Pod,
)
from kubectl_fairshare.schedulers.kai.solver.machines import PODS, Vector
from kubectl_fairshare.schedulers.kai.solver.pod_affinity import PodTerms, pod_terms
from kubectl_fairshare.schedulers.kai.solver.statuses import Status

_NANO: Final = 10**9
_IMPLICIT: Final = "deviceclass.resource.kubernetes.io/"
"""Before the name of a DeviceClass: the resource by which Kubernetes lets pods request its devices."""
_TOLERATION: Final = ("key", "operator", "value", "effect")
_ADDED: Final = {
    "LimitRange": "LimitRanges, which reject its pods",
    "RuntimeClassScheduling": "the nodes of its RuntimeClass",
}
Port = tuple[str, str, int]


class Needs(Value, frozen=True):
    """What a pod demands of a node next to room; ``terms`` is None without required node affinity."""

    selector: tuple[Requirement, ...] = ()
    terms: tuple[NodeTerm, ...] | None = None
    tolerations: tuple[Toleration, ...] = ()
    ports: tuple[Port, ...] = ()
    affinity: PodTerms = PodTerms()
    nominated: str = ""

    @property
    def chooses(self) -> bool:
        """Whether it accepts certain nodes only, by their labels."""
        return bool(self.selector) or self.terms is not None


class Task(Value, frozen=True):
    """A pod. ``request`` is what it asks for, GPU memory counted as 0. ``shares``: it uses part of a GPU.

    ``status``, ``node`` and ``groups`` are as the session begins. ``signature`` is what two pods have in common that
    are as hard to place; ``unmodelled`` names its features that are not decided here.
    """

    pod: Pod
    job: str
    sub_group: str
    request: Vector
    needs: Needs
    status: Status
    node: str
    groups: tuple[str, ...]
    reserves: bool
    signature: str
    unmodelled: tuple[str, ...]

    @property
    def uid(self) -> str:
        """The pod's identity."""
        return self.pod.uid

    @property
    def name(self) -> str:
        """The pod's name."""
        return self.pod.key.name

    @property
    def gpu(self) -> GpuRequest:
        """What it asks of GPUs."""
        return self.pod.gpu

    @property
    def shares(self) -> bool:
        """Whether it asks for part of a GPU."""
        return self.pod.gpu.kind in (GpuKind.FRACTION, GpuKind.MEMORY)

    @property
    def wants_gpu(self) -> bool:
        """Whether it asks for any GPU at all."""
        return self.pod.gpu.kind is not GpuKind.WHOLE or self.request[2] > 0


def task_of(pod: Pod, status: Status, node: str, names: Sequence[str]) -> Task:
    """The pod as a task; ``node`` is "" where the shard does not have it."""
    spec = pod.raw.get("spec") or {}
    core = (pod.request.cpu, pod.request.memory, pod.request.gpu, 1.0)
    return Task(
        pod=pod,
        job=pod.group,
        sub_group=pod.sub_group or DEFAULT_SUB_GROUP,
        request=(*core, *_others(spec, names[PODS + 1 :])),
        needs=_needs(pod, spec),
        status=status,
        node=node,
        groups=pod.groups,
        reserves=pod.reserves,
        signature=_signature(spec),
        unmodelled=tuple(_unmodelled(pod, spec)),
    )


def _others(spec: JsonObject, names: Sequence[str]) -> Iterator[float]:
    """The request of every other resource, containers and overhead together, in whole units."""
    if not names:
        return
    containers = (_amounts(each, names) for each in spec.get("containers") or ())
    starting = spec.get("initContainers") or ()
    init = (InitList(_amounts(each, names), each.get("restartPolicy") == "Always") for each in starting)
    overhead = _amounts({"resources": {"requests": spec.get("overhead")}}, names)
    found = AMOUNTS.plus(of_containers(containers, init, AMOUNTS, REQUEST_LAW), overhead)
    yield from (float(-(-found.get(name, 0) // _NANO)) for name in names)


def _amounts(container: JsonObject, names: Sequence[str]) -> Amounts:
    requests = (container.get("resources") or {}).get("requests") or {}
    return {name: nano(native(requests[name])) for name in names if name in requests}


def _needs(pod: Pod, spec: JsonObject) -> Needs:
    field = Field(pod.key, ("spec",), spec)
    return Needs(
        node_selector(field),
        required_affinity(field),
        tolerations(field),
        tuple(sorted(_ports(spec))),
        pod_terms(pod.key.namespace, spec.get("affinity") or {}),
        (pod.raw.get("status") or {}).get("nominatedNodeName") or "",
    )


def _ports(spec: JsonObject) -> Iterator[Port]:
    """The ports of nodes that containers and sidecars take; in the node's network, all that they name."""
    sidecars = (one for one in spec.get("initContainers") or () if one.get("restartPolicy") == "Always")
    for container in (*sidecars, *(spec.get("containers") or ())):
        for port in container.get("ports") or ():
            number = port.get("hostPort") or (port.get("containerPort") if spec.get("hostNetwork") else 0)
            if number:
                yield port.get("protocol") or "TCP", port.get("hostIP") or "0.0.0.0", int(number)


def _signature(spec: JsonObject) -> str:
    """What makes the pod as hard to place as another: amounts are left out, and each port counts by its host port."""
    fields = ("nodeSelector", "affinity", "priorityClassName", "priority", "topologySpreadConstraints")
    tolerated = [[each.get(name) or "" for name in _TOLERATION] for each in spec.get("tolerations") or ()]
    claims = [volume for volume in spec.get("volumes") or () if volume.get("persistentVolumeClaim")]
    containers = (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
    ports = [int(port.get("hostPort") or 0) for container in containers for port in container.get("ports") or ()]
    return repr([*[_sorted(spec.get(name)) for name in fields], tolerated, _sorted(claims), ports])


def _sorted(value: Json) -> Json:
    if isinstance(value, dict):
        return [(key, _sorted(value[key])) for key in sorted(value)]
    return [_sorted(one) for one in value] if isinstance(value, list) else value


def is_sliced_by_annotation(pod: Pod) -> bool:
    """Whether annotations ask for slices of GPUs (legacy MIG): KAI then counts these for the pod, and places none."""
    return any(name.startswith(MIG_PREFIX) for name in (pod.raw.get("metadata") or {}).get("annotations") or {})


def devices_asked(pod: Pod, device_resources: Collection[str]) -> bool:
    """Whether containers request what a DeviceClass provides: then devices decide (DRA)."""
    spec = pod.raw.get("spec") or {}
    containers = (*(spec.get("initContainers") or ()), *(spec.get("containers") or ()))
    names = {name for one in containers for name in (one.get("resources") or {}).get("requests") or {}}
    return any(name in device_resources or name.startswith(_IMPLICIT) for name in names)


def _unmodelled(pod: Pod, spec: JsonObject) -> Iterator[str]:
    if pod.gpu.kind is GpuKind.MIG or is_sliced_by_annotation(pod):
        yield "MIG"
    if pod.claims:
        yield "DRA"
    if any(volume.get("persistentVolumeClaim") or volume.get("ephemeral") for volume in spec.get("volumes") or ()):
        yield "volumes"
    yield from (_ADDED[feature] for feature in pod.added)
    if (spec.get("affinity") or {}) and pod_terms(pod.key.namespace, spec["affinity"]).unmodelled:
        yield "pod affinity over selected namespaces"
