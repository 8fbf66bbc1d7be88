"""Trees of ClusterQueues whose decisions do not touch each other, and what each of them waits for.

Quota is shared within a tree alone. Where pods are placed on nodes, trees share these, and form one group: their heads
are tried in one cycle. What is set aside is still woken by tree, because Kueue does not look at nodes for that.
Example: a workload of one tree ends and frees a node that another tree waits for, too. Kueue wakes the first tree
alone, so the other stays set aside until something of its own is released.
Source: ``requeueWorkloadsCohort`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/queue/inadmissible_workloads.go.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kubectl_fairshare.schedulers.kueue.cycle.lines import QueuedWorkload, WaitingLine
from kubectl_fairshare.schedulers.kueue.cycle.motion.lasting import LastingNominations
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.cycle.scans import Scans
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State


class WakingTree:
    """One tree of ClusterQueues, ``names``, and the ``lines`` of those that keep a queue.

    ``wakes`` is when workloads that were set aside are eligible again, None if nothing was released: Kueue requeues
    inadmissible workloads in batches, ``requeue_seconds`` after the first release, also of one at which none waits.
    """

    __slots__ = ("lines", "names", "wakes")

    def __init__(self, names: Sequence[str], lines: Sequence[WaitingLine]) -> None:
        self.names = names
        self.lines = lines
        self.wakes: int | None = None

    @property
    def is_waited_in(self) -> bool:
        """Whether some workload waits in this tree."""
        return any(line.count for line in self.lines)

    def wake(self) -> bool:
        """Makes all that were set aside eligible; returns whether there were any."""
        self.wakes = None
        woken = [line.wake() for line in self.lines]
        return any(woken)


class TreeGroup:
    """Trees that are decided together. ``version`` counts the changes of their usage.

    A cycle on the same usage and with the same heads as the last, which changed nothing, changes nothing either:
    ``last`` names it. ``known`` are the nominations of heads on the present usage, ``lasting`` those that may outlast
    it.
    """

    __slots__ = ("_evicted", "_evicted_at", "cycles", "known", "last", "lasting", "lines", "scans", "version")

    def __init__(self, trees: Sequence[WakingTree], *, keeps_scan: bool) -> None:
        self.lines = sorted((line for tree in trees for line in tree.lines), key=lambda line: line.name)
        self.version = 0
        self.cycles = 0
        self.last: tuple[int, tuple[str, ...]] | None = None
        self.known: dict[str, Nomination] = {}
        self.lasting = LastingNominations()
        self.scans = Scans(keeps=keeps_scan)
        self._evicted_at = 0
        self._evicted: set[str] = set()

    def evict(self, unit: str, now: int) -> bool:
        """Notes that a workload is evicted; returns whether it was before at the same moment."""
        if now != self._evicted_at:
            self._evicted_at, self._evicted = now, set()
        again = unit in self._evicted
        self._evicted.add(unit)
        return again

    def change(self, state: State, holders: Iterable[Holder]) -> None:
        """What these hold has changed, or that they keep it."""
        self.version += 1
        self.known.clear()
        self.lasting.note_change(state, holders)

    def nominated(self, workload: Pending, state: State) -> Nomination:
        """The nomination of a head on the present usage, which is known from now on."""
        found = self.lasting.again(workload, state)
        if found is None:
            found = nominate(state, workload)
            self.lasting.keep(found, state)
        self.known[workload.uid] = found
        return found

    def waiting(self) -> Iterator[tuple[WaitingLine, QueuedWorkload]]:
        """Everyone that waits, with the ClusterQueue."""
        return ((line, each) for line in self.lines for each in line.all())


def trees_of(state: State, lines: Mapping[str, WaitingLine]) -> tuple[WakingTree, ...]:
    """The trees of all ClusterQueues, with the lines of those that have one. A queue in a cycle of Cohorts is alone."""
    found: dict[int, list[str]] = {}
    for place, name in enumerate(sorted(state.kueue.cluster_queues)):
        queue = state.forest.queue_ids.get(name)
        found.setdefault(-1 - place if queue is None else state.forest.root(queue), []).append(name)
    every = (found[root] for root in sorted(found))
    return tuple(WakingTree(names, [lines[name] for name in names if name in lines]) for names in every)


def grouped(state: State, trees: Sequence[WakingTree]) -> tuple[TreeGroup, ...]:
    """A group for each tree, or one for all where nodes are shared, or where each admission waits for ready pods."""
    keeps_scan, blocks = state.configuration.release.keeps_scan, state.configuration.block_admission
    if blocks or any(flavor.topology is not None for flavor in state.kueue.flavors.values()):
        return (TreeGroup(trees, keeps_scan=keeps_scan),)
    return tuple(TreeGroup((tree,), keeps_scan=keeps_scan) for tree in trees)


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
