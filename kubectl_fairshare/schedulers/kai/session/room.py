"""Room on the nodes: the idle total, and whether a pod fits on a node. The nodes of pods are not decided here.

Tested in ``tests/unit/schedulers/kai/explain/test_planning.py``.
"""

from collections.abc import Iterable, Mapping

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.model.amounts import plus
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, GpuKind, Node, Pod, Resources
from kubectl_fairshare.schedulers.kai.release import is_first
from kubectl_fairshare.schedulers.kai.session.gangs import USED, GangPod
from kubectl_fairshare.schedulers.kai.session.held import accepted, memory_share
from kubectl_fairshare.schedulers.kai.session.session import Session

_PARTS = frozenset({GpuKind.FRACTION, GpuKind.MEMORY})


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
            for r, amount in enumerate(accepted(pod, session.nodes[pod.node]).total):
                left[pod.node][r] -= amount
            devices = () if is_first(session.state.release) else {(pod.node, device) for device in pod.devices}
            left[pod.node][2] += len(counted.intersection(devices))
            counted.update(devices)
    total = [0.0] * 3
    for amounts in left.values():
        for r in range(3):
            total[r] += max(amounts[r], 0.0)
    return IdleRoom(Resources(*total), tuple((name, Resources(*amounts)) for name, amounts in sorted(left.items())))


class Space:
    """Room that grows while pods leave, for ``tasks`` that together request ``wanted``."""

    __slots__ = ("_by_node", "_homeless", "_idle", "_nodes", "_wanted")

    def __init__(self, session: Session, room: IdleRoom, tasks: Iterable[GangPod], wanted: Resources) -> None:
        self._nodes, self._wanted, self._idle = session.nodes, wanted, room.idle
        self._by_node: dict[str, Resources] = dict(room.by_node)
        self._homeless = {(task.pod.request, task.pod.gpu): task for task in tasks}
        for name in self._by_node:
            self._house(name)

    def _house(self, name: str) -> None:
        """Removes the pods that fit on a node."""
        node = self._nodes[name]
        for size, task in list(self._homeless.items()):
            if node.devices and task.pod.gpu.kind in _PARTS:
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


def misfits(session: Session, tasks: Iterable[GangPod]) -> tuple[str, ...]:
    """Pods that are larger than every empty node; empty if no node is ready."""
    empty: Mapping[str, Resources] = {n: node.allocatable for n, node in session.nodes.items() if node.unready is None}
    known = list(tasks) if empty else []
    space = Space(session, IdleRoom(NOTHING, tuple(empty.items())), known, NOTHING)
    sizes = {(task.pod.request, task.pod.gpu) for task in space.homeless}
    return tuple(task.name for task in known if (task.pod.request, task.pod.gpu) in sizes)
