"""Room on the nodes: the idle total, and whether a pod fits on a node. The nodes of pods are not decided here.

Why a total is not enough: four nodes with one idle GPU each, and a pod of four. The total suffices, and the pod fits
nowhere; each size of pod must fit some node alone.
Source: ``IsTaskAllocatable`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/node_info/node_info.go.
Tested in ``tests/unit/schedulers/kai/explain/test_planning.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.node_demand import BarredNodes, NodeDemand, barrier, in_service, read_demand
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import Taint
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.model.amounts import plus
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, RESOURCES, GpuKind, Node, Pod, Resources
from kubectl_fairshare.schedulers.kai.release import is_first
from kubectl_fairshare.schedulers.kai.session.gangs import USED, GangPod
from kubectl_fairshare.schedulers.kai.session.held import memory_share, occupied
from kubectl_fairshare.schedulers.kai.session.session import Session

PARTS = frozenset({GpuKind.FRACTION, GpuKind.MEMORY})
"""The kinds of requests for parts of GPUs."""


class IdleRoom(Value, frozen=True):
    """The idle amounts of the ready nodes of the shard, in total and on each node."""

    idle: Resources
    by_node: tuple[tuple[str, Resources], ...]


def room_of(session: Session) -> IdleRoom:
    """The room on the nodes of a session."""
    left = {name: list(node.allocatable) for name, node in session.nodes.items() if node.unready is None}
    counted: set[tuple[str, str]] = set()
    for pod in session.state.pods:
        if pod.phase in USED and pod.node in left:
            for r, amount in enumerate(occupied(pod, session.nodes[pod.node])):
                left[pod.node][r] -= amount
            devices = () if is_first(session.state.release) else {(pod.node, device) for device in pod.devices}
            # A device that several pods use holds one GPU; v0.17.0 counts it for each.
            left[pod.node][2] += len(counted.intersection(devices))
            counted.update(devices)
    total = [0.0] * 3
    for amounts in left.values():
        for r in range(3):
            # A node that is overdrawn takes nothing from the others.
            total[r] += max(amounts[r], 0.0)
    return IdleRoom(Resources(*total), tuple((name, Resources(*amounts)) for name, amounts in sorted(left.items())))


class Space:
    """Room that grows while pods leave, for ``tasks`` that together request ``wanted``."""

    __slots__ = ("_by_node", "_homeless", "_idle", "_nodes", "_wanted")

    def __init__(self, session: Session, room: IdleRoom, tasks: Iterable[GangPod], wanted: Resources) -> None:
        self._nodes, self._wanted, self._idle = session.nodes, wanted, room.idle
        self._by_node: dict[str, Resources] = dict(room.by_node)
        # One pod for each size: equal pods fit on the same nodes.
        self._homeless = {(task.pod.request, task.pod.gpu): task for task in tasks}
        for name in self._by_node:
            self._house(name)

    def _house(self, name: str) -> None:
        """Removes the pods that fit on a node."""
        node = self._nodes[name]
        for size, task in list(self._homeless.items()):
            if node.devices and task.pod.gpu.kind in PARTS:
                continue
            if fits(wanted_on(task.pod, node), self._by_node[name]):
                del self._homeless[size]

    def free(self, tasks: Iterable[GangPod]) -> None:
        """Adds the room of pods that leave."""
        for task in tasks:
            before = self._by_node.get(task.pod.node)
            if before is not None:
                after = plus(before, task.accepted.total)
                self._by_node[task.pod.node] = after
                self._idle = Resources(
                    *(i + max(a, 0.0) - max(b, 0.0) for i, a, b in zip(self._idle, after, before, strict=True))
                )
                self._house(task.pod.node)

    @property
    def enough(self) -> bool:
        """Whether the total is enough, and each pod alone fits on a node."""
        return not self._homeless and fits(self._wanted, self._idle)

    @property
    def homeless(self) -> tuple[GangPod, ...]:
        """Pods that fit on no node alone; one of several equal pods."""
        return tuple(self._homeless.values())


def fits(wanted: Resources, there: Resources) -> bool:
    """Whether no wanted amount is more than what is there."""
    return wanted[0] <= there[0] and wanted[1] <= there[1] and wanted[2] <= there[2]


def wanted_on(pod: Pod, node: Node) -> Resources:
    """The request of a pod on a node, with GPU memory as a part of its GPUs."""
    total = pod.request.total
    if pod.gpu.kind is GpuKind.MEMORY:
        return total._replace(gpu=total.gpu + memory_share(pod.gpu, node.gpu_memory))
    return total


class Misfits(Value, frozen=True):
    """Pods that are larger than every node, and a resource of which each node has less than one of them asks for.

    ``asked`` and ``most``, which is that of the largest node, are in KAI's units; ``resource`` is empty for none.
    """

    names: tuple[str, ...] = ()
    resource: str = ""
    asked: float = 0.0
    most: float = 0.0

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self.names)


def misfits(session: Session, tasks: Iterable[GangPod]) -> Misfits:
    """Pods that are larger than every empty node; nodes that are cordoned or not ready count, as that passes."""
    known, nodes = list(tasks), session.nodes
    sizes = {(task.pod.request, task.pod.gpu) for task in _homeless(session, nodes, known)}
    large = [task for task in known if (task.pod.request, task.pod.gpu) in sizes]
    found = Misfits(tuple(task.name for task in large))
    for r, resource in reversed([*enumerate(RESOURCES)]):
        asked = max((task.pod.request.total[r] for task in large), default=0.0)
        most = max((node.allocatable[r] for node in nodes.values()), default=0.0)
        if asked > most:
            return replace(found, resource=resource, asked=asked, most=most)
    return found


def barred(session: Session, tasks: Iterable[GangPod]) -> BarredNodes | None:
    """The nodes that are large enough for a pod, and never take it; None if each pod may use one, once in service."""
    served = {name: in_service(LabelledMachine(node)) for name, node in session.nodes.items()}
    for task in {(task.pod.request, task.pod.gpu, _demand(task)): task for task in tasks}.values():
        large = [name for name in served if not _homeless(session, [name], [task])]
        found = {name: barrier(_demand(task), served[name]) for name in large}
        barriers = [each for each in found.values() if each is not None]
        if large and len(barriers) == len(large):
            return BarredNodes(tuple(large), barriers[0], roomy=False)
    return None


def _demand(task: GangPod) -> NodeDemand:
    return read_demand(Field(task.pod.key, ("spec",), task.pod.raw.get("spec")))


def _homeless(session: Session, nodes: Iterable[str], tasks: Iterable[GangPod]) -> tuple[GangPod, ...]:
    """The pods that fit on none of these nodes while they are empty; one of several equal pods."""
    empty = tuple((name, session.nodes[name].allocatable) for name in nodes)
    return Space(session, IdleRoom(NOTHING, empty), tasks, NOTHING).homeless


class LabelledMachine:
    """A node as what keeps pods off it, whatever is free."""

    def __init__(self, node: Node) -> None:
        self.name, root = node.name, Field(node.key or ObjectKey("", "Node", "", node.name), (), node.raw)
        self.labels = root.at("metadata", "labels").texts()
        self.taints = tuple(map(_taint, root.at("spec", "taints").entries()))
        self.unschedulable = root.at("spec", "unschedulable").flag()


def _taint(of: Field) -> Taint:
    return Taint(of.at("key").text(), of.at("value").text(), of.at("effect").text())
