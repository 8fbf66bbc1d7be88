"""Room on the nodes, added up: what is idle, and whether a pod fits anywhere. Where pods go is not decided here."""

from collections.abc import Iterable
from dataclasses import dataclass

from kubectl_fairshare.engines.kai.gangs import USED, Task
from kubectl_fairshare.engines.kai.held import accepted
from kubectl_fairshare.engines.kai.session import Session
from kubectl_fairshare.model.kai import Resources


@dataclass(frozen=True, slots=True)
class Room:
    """What no pod holds on the ready nodes of the shard, in all and on each node."""

    idle: Resources
    by_node: tuple[tuple[str, Resources], ...]

    def takes(self, amounts: Resources) -> bool:
        """Whether that much is idle in all."""
        return all(wanted <= idle for wanted, idle in zip(amounts, self.idle, strict=True))


def room_of(session: Session) -> Room:
    """The room on the nodes of a session."""
    left = {name: list(node.allocatable) for name, node in session.nodes.items() if node.unready is None}
    for pod in session.state.pods:
        if pod.phase in USED and pod.node in left:
            for r, amount in enumerate(accepted(pod, session.nodes[pod.node]).total):
                left[pod.node][r] -= amount
    total = [0.0] * 3
    for amounts in left.values():
        for r in range(3):
            total[r] += max(amounts[r], 0.0)
    return Room(Resources(*total), tuple((name, Resources(*amounts)) for name, amounts in sorted(left.items())))


def misfits(session: Session, tasks: Iterable[Task]) -> tuple[str, ...]:
    """Pods that are larger than every node would be if it were empty."""
    sizes = [node.allocatable for node in session.nodes.values() if node.unready is None]
    found = []
    for task in tasks:
        wanted = task.pod.request.total
        if not any(all(w <= s for w, s in zip(wanted, size, strict=True)) for size in sizes):
            found.append(task.name)
    return tuple(found)
