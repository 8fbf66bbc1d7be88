"""Nodes as placement sees them: every resource by name, labels, taints, and what keeps pods away.

A vector holds an amount of each resource: cpu in thousandths, memory in bytes, GPUs, pods, then the others by name.
A node that states its amounts without a number of pods takes none.
Example: a node says it has 8 GPUs in its label and 7 allocatable, as one is broken. What is idle is counted of 7, what
shared devices are compared with is 8.
Source: ``NewNodeInfo`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/node_info/node_info.go; "kai solver" in
``docs/laws.md``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Final

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.quantity import native, units
from kubectl_fairshare.model.selectors import Taint
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.jobs.gpus import MIG_PREFIX, whole
from kubectl_fairshare.schedulers.kai.model.objects import Node, Pod

Vector = tuple[float, ...]
CPU: Final = 0
MEMORY: Final = 1
GPU: Final = 2
PODS: Final = 3
_CORE: Final = ("cpu", "memory", "gpu", "pods")
_GPU_COUNT: Final = "nvidia.com/gpu.count"
_GPU_MEMORY: Final = "nvidia.com/gpu.memory"
_MIG_ENABLED: Final = "node-role.kubernetes.io/mig-enabled"
_TRUE: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_PRESSURES: Final = ("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable")


class Machine(Value, frozen=True):
    """A node. ``gpus`` is how many GPUs it says it has, ``memory`` MiB of each, ``synced`` whether it states this.

    ``refusals`` are the conditions that keep every pod away; ``unmodelled`` names features of its GPUs that are
    not decided here. ``devices``: its GPUs are devices (DRA), of which no pod gets a part. ``counts_once``: a device
    that several pods use counts once.
    """

    name: str
    allocatable: Vector
    gpus: int
    memory: int
    synced: bool
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    refusals: tuple[str, ...]
    unmodelled: tuple[str, ...] = ()
    devices: bool = False
    counts_once: bool = True

    @property
    def ready(self) -> bool:
        """Whether it takes pods at all."""
        return not self.refusals


def resource_names(nodes: Iterable[Node], pods: Iterable[Pod]) -> tuple[str, ...]:
    """The resources of a vector: those of nodes and of requests, GPUs of all vendors as one."""
    found: set[str] = set()
    for node in nodes:
        found.update(_allocatable(node))
    for pod in pods:
        spec = pod.raw.get("spec") or {}
        for container in (*(spec.get("initContainers") or ()), *(spec.get("containers") or ())):
            found.update((container.get("resources") or {}).get("requests") or ())
    others = {name for name in found if not _is_gpu(name) and not name.startswith(MIG_PREFIX)}
    return (*_CORE, *sorted(others - set(_CORE)))


def _is_gpu(name: str) -> bool:
    return name.endswith("gpu")


def machine_of(node: Node, names: Sequence[str]) -> Machine:
    """The node with amounts of the resources ``names``."""
    raw = _allocatable(node)
    labels = (node.raw.get("metadata") or {}).get("labels") or {}
    amounts = [node.allocatable.cpu, node.allocatable.memory, node.allocatable.gpu]
    missing = {} if raw else {"pods": inf}
    amounts += [float(units(raw[name])) if name in raw else missing.get(name, 0.0) for name in names[PODS:]]
    return Machine(
        name=node.name,
        allocatable=tuple(amounts),
        gpus=named_gpus(node),
        memory=node.gpu_memory,
        synced=whole(labels.get(_GPU_MEMORY) or "") is not None,
        labels=labels,
        taints=tuple(_taints(node)),
        refusals=tuple(_refusals(node)),
        unmodelled=tuple(_unmodelled(raw, labels)),
        devices=node.devices > 0,
    )


def named_gpus(node: Node) -> int:
    """How many GPUs the node says it has: by its label, otherwise all that it has. As many pods can share one each."""
    labels = (node.raw.get("metadata") or {}).get("labels") or {}
    count = whole(labels.get(_GPU_COUNT) or "")
    return int(node.allocatable.gpu) if count is None else count


def _allocatable(node: Node) -> Mapping[str, Json]:
    written = (node.raw.get("status") or {}).get("allocatable") or {}
    return {name: native(value) for name, value in written.items()}


def _taints(node: Node) -> Iterator[Taint]:
    for taint in (node.raw.get("spec") or {}).get("taints") or ():
        yield Taint(taint.get("key") or "", taint.get("value") or "", taint.get("effect") or "")


def _refusals(node: Node) -> Iterator[str]:
    """What the node's conditions say against every pod, in KAI's words."""
    if (node.raw.get("spec") or {}).get("unschedulable"):
        yield "node is unschedulable"
    for condition in (node.raw.get("status") or {}).get("conditions") or ():
        kind, status = condition.get("type"), condition.get("status")
        if kind == "Ready" and status != "True":
            yield "node has NotReady condition"
        if kind in _PRESSURES and status != "False":
            yield f"node has {kind} condition"


def _unmodelled(raw: Mapping[str, Json], labels: Mapping[str, str]) -> Iterator[str]:
    sliced = any(name.startswith(MIG_PREFIX) and units(value) for name, value in raw.items())
    if sliced or labels.get(_MIG_ENABLED) in _TRUE:
        yield "MIG"
