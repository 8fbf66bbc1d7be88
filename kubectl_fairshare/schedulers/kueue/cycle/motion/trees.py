"""Trees of ClusterQueues whose decisions do not touch each other, and what each of them waits for.

Quota is shared within a tree alone. Where pods are placed on nodes, trees share these, and form one group.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_fairshare.schedulers.kueue.cycle.motion.lines import QueuedWorkload, WaitingLine
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.cycle.scans import Scans
from kubectl_fairshare.schedulers.kueue.tree.state import State


class TreeGroup:
    """Trees that are decided together. ``version`` counts the changes of their usage.

    ``wakes`` is when workloads that were set aside are eligible again, None if nothing was released: Kueue requeues
    inadmissible workloads in batches, ``requeue_seconds`` after the first release. A cycle on the
    same usage and with the same heads as the last, which changed nothing, changes nothing either: ``last`` names it.
    ``known`` are the nominations of heads on the present usage.
    """

    __slots__ = ("_evicted", "_evicted_at", "cycles", "known", "last", "lines", "scans", "version", "wakes")

    def __init__(self, lines: Sequence[WaitingLine]) -> None:
        self.lines = lines
        self.version = 0
        self.cycles = 0
        self.wakes: int | None = None
        self.last: tuple[int, tuple[str, ...]] | None = None
        self.known: dict[str, Nomination] = {}
        self.scans = Scans()
        self._evicted_at = 0
        self._evicted: set[str] = set()

    def evict(self, unit: str, now: int) -> bool:
        """Notes that a workload is evicted; returns whether it was before at the same moment."""
        if now != self._evicted_at:
            self._evicted_at, self._evicted = now, set()
        again = unit in self._evicted
        self._evicted.add(unit)
        return again

    def change(self) -> None:
        """Usage or quota has changed."""
        self.version += 1
        self.known.clear()

    @property
    def is_waited_in(self) -> bool:
        """Whether some workload waits in these trees."""
        return any(line.count for line in self.lines)

    def wake(self) -> None:
        """Makes all that were set aside eligible."""
        self.wakes = None
        for line in self.lines:
            if line.wake():
                self.last = None

    def waiting(self) -> Iterator[tuple[WaitingLine, QueuedWorkload]]:
        """Everyone that waits, with the ClusterQueue."""
        return ((line, each) for line in self.lines for each in line.all())


def grouped(state: State, lines: Mapping[str, WaitingLine]) -> tuple[TreeGroup, ...]:
    """The lines by tree, or all together where nodes are shared. A line of a cyclic tree is a group of its own."""
    together = any(flavor.topology is not None for flavor in state.kueue.flavors.values())
    found: dict[int, list[WaitingLine]] = {}
    for place, name in enumerate(sorted(lines)):
        queue = state.forest.queue_ids.get(name)
        root = 0 if together else -1 - place if queue is None else state.forest.root(queue)
        found.setdefault(root, []).append(lines[name])
    return tuple(TreeGroup(found[root]) for root in sorted(found))


def renewed(before: State, after: State) -> frozenset[str]:
    """The ClusterQueues of the trees in which a ClusterQueue or Cohort is another one now, or new: Kueue wakes these.

    What all trees share may be others, too: then it is all of them.
    """
    forest, old, new = after.forest, before.kueue, after.kueue
    shared = (old.flavors, old.checks, old.configuration, before.snapshot.namespaces)
    if shared != (new.flavors, new.checks, new.configuration, after.snapshot.namespaces):
        return frozenset(new.cluster_queues)
    queues = {
        forest.root(node) for n, node in forest.queue_ids.items() if _differ(old.cluster_queues, new.cluster_queues, n)
    }
    cohorts = {forest.root(node.id) for node in forest.nodes if _differ(old.cohorts, new.cohorts, node.name)}
    return frozenset(name for name, node in forest.queue_ids.items() if forest.root(node) in queues | cohorts)


def _differ(old: Mapping[str, object], new: Mapping[str, object], name: str) -> bool:
    return old.get(name) != new.get(name)


def group_numbers(state: State, groups: Sequence[TreeGroup]) -> dict[str, int]:
    """The number of each ClusterQueue's group; one without a line, because it is stopped, shares that of its tree."""
    found = {line.name: number for number, group in enumerate(groups) for line in group.lines}
    forest = state.forest
    by_root = {forest.root(node): found[name] for name, node in forest.queue_ids.items() if name in found}
    others = {name: by_root.get(forest.root(node)) for name, node in forest.queue_ids.items() if name not in found}
    return {**{name: number for name, number in others.items() if number is not None}, **found}
