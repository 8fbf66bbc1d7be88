"""What the next cycle does with the head of a queue, and what of that is in doubt.

Source: Kueue v0.19; "cycle" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/why/test_turns.py``.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.choices import Possible
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.cycle.possible import possible_cycles, possible_rounds
from kubectl_fairshare.schedulers.kueue.cycle.refusal import workloads_left_out
from kubectl_fairshare.schedulers.kueue.explain.cycle import first_tree_doubts, heads_not_given
from kubectl_fairshare.schedulers.kueue.explain.doubts import plan_gaps
from kubectl_fairshare.schedulers.kueue.explain.past_usage import head_doubts, victim_doubts
from kubectl_fairshare.schedulers.kueue.explain.planning import outcome_of
from kubectl_fairshare.schedulers.kueue.explain.position import earlier_preemptors
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Fact, Step

_ALL: Final = -1


class CycleTurn(NamedTuple):
    """What the next cycles do with a workload. If that is nothing, ``before`` are those that get something first.

    ``entry`` is that of the cycle that decides, counted from 1: the first in which it gets something, else the first.
    None: no cycle considers it, since another one of its shape was refused, or since ``blocker`` keeps its queue, which
    ``blocker_preempts`` says to wait for others to leave.
    ``ends`` is the number of different ends that ties allow for it; ``all_ends``: every tie was followed. ``doubts``
    are gaps of the other heads, and of the order of all. ``rest`` is the state after the last cycle that changed
    something, None if only one cycle is known. ``later``: it gets in once what was evicted for others has left.
    ``stops`` is why the manager dies in the last cycle that is known.
    """

    entry: ProcessedHead | None
    before: tuple[Fact, ...]
    ends: int = 1
    all_ends: bool = True
    doubts: tuple[Gap, ...] = ()
    cycle: int = 1
    rest: State | None = None
    blocker: Pending | None = None
    blocker_preempts: bool = False
    later: bool = False
    stops: Step | None = None

    @property
    def admits(self) -> bool:
        """Whether the workload gets quota, or others leave for it."""
        return self.entry is not None and _gets_something(self.entry)

    @property
    def is_of_next_cycle(self) -> bool:
        """Whether the next cycle decides, and not a later one that goes on with the flavors."""
        return self.cycle == 1 and self.entry is not None and not self.entry.nomination.goes_on

    @property
    def leaving(self) -> tuple[Target, ...]:
        """The workloads that leave for it."""
        return self.entry.targets if self.entry is not None and self.entry.preempts else ()


class _Round(NamedTuple):
    """The next cycle of some heads: the ways that ties allow, and the gaps of each head and of their order."""

    ways: Possible[CycleRun]
    entries: tuple[Mapping[ObjectKey, ProcessedHead], ...]
    of_order: tuple[Gap, ...]
    of_heads: Mapping[ObjectKey, tuple[Gap, ...]]


class Turns:
    """The next cycle for every head; ``queues`` as ``waiting`` gives them.

    Heads of other trees do not affect a head, unless they share nodes, or one workload is admitted at a time.
    """

    def __init__(self, state: State, queues: Mapping[str, Sequence[Pending]]) -> None:
        self._state = state
        self._queues = queues
        self._rounds: dict[int, _Round] = {}
        self._rounds_by_root: dict[int, _Round] = {}

    @cached_property
    def earlier(self) -> tuple[Gap, ...]:
        """The gaps of workloads that their queues may take first, as others left for them once."""
        return tuple(earlier_preemptors(self._state, self._queues))

    @cached_property
    def absent(self) -> tuple[Gap, ...]:
        """What the input lacks of workloads that are in no queue for that reason: they may be heads of any."""
        return tuple(heads_not_given(workloads_left_out(self._state)))

    def of(self, workload: Pending, queue: int) -> CycleTurn | None:
        """The turn of a workload of the ClusterQueue; None if the cycle considers another one of its queue.

        A workload that lost a node has a turn, too.
        """
        found = self._round(self._state.forest.root(queue))
        mine = found.entries[0].get(workload.key)
        if mine is None:
            return None
        before = () if _gets_something(mine) else takewhile(lambda e: e is not mine, found.ways.results[0].entries)
        facts = (Fact(Place(e.nomination.workload.key), None) for e in before if _gets_something(e))
        each = (entries.get(workload.key) for entries in found.entries)
        ends = {(entry.status, entry.reason, entry.law) for entry in each if entry is not None}
        others = (gap for key, gaps in found.of_heads.items() if key != workload.key for gap in gaps)
        doubts = tuple(dict.fromkeys((*found.of_order, *others)))
        return CycleTurn(mine, tuple(facts), len(ends), found.ways.complete, doubts)

    def _round(self, root: int) -> _Round:
        if root not in self._rounds_by_root:
            self._rounds_by_root[root] = self._new_round(root)
        return self._rounds_by_root[root]

    def _new_round(self, root: int) -> _Round:
        below = {self._state.forest.nodes[n].name for n in self._state.forest.queues_below(root)}
        tree = _ALL if self.is_shared(below) else root
        if tree not in self._rounds:
            heads = [w for name, (w, *_) in self._queues.items() if name in below]
            whole = tree == _ALL
            ways = possible_cycles(self._state) if whole else possible_rounds(self._state, heads)
            run = ways.results[0]
            entries = tuple(map(_by_workload, ways.results))
            self._rounds[tree] = _Round(ways, entries, tuple(self._of_order(run)), dict(self._of_heads(run)))
        return self._rounds[tree]

    def is_shared(self, queues: Collection[str]) -> bool:
        """Whether heads of other trees, or workloads that ask for a place again, can affect a head of these queues."""
        kueue = self._state.kueue
        specs = (kueue.cluster_queues[name] for name in queues)
        names = {flavor for queue in specs for group in queue.groups for flavor in group.flavors}
        placed = any(kueue.flavors[name].topology for name in names if name in kueue.flavors)
        return placed or bool(kueue.second_pass) or self._state.configuration.block_admission

    def _of_order(self, run: CycleRun) -> Iterator[Gap]:
        """Who the heads are, and of which tree is first."""
        yield from first_tree_doubts(self._state, run)
        queues = {cluster_key("ClusterQueue", entry.nomination.cluster_queue) for entry in run.entries}
        yield from (gap for gap in head_doubts(self._state) if gap.places[0].object in queues)
        yield from self.of_order({key.name for key in queues})

    def of_order(self, names: Collection[str]) -> Iterator[Gap]:
        """What the input does not say of which workloads of some ClusterQueues are tried first."""
        yield from self.absent
        yield from (gap for gap in self.earlier if gap.subject in names)

    def _of_heads(self, run: CycleRun) -> Iterator[tuple[ObjectKey, tuple[Gap, ...]]]:
        """What is not certain of each head."""
        for found in (entry.nomination for entry in run.entries if entry.nomination.queue is not None):
            gaps = (*plan_gaps(self._state, found, outcome_of(self._state, found)), *victim_doubts(self._state, found))
            touching = tuple(gap for gap in gaps if gap.touches)
            if touching:
                yield found.workload.key, touching


def _gets_something(entry: ProcessedHead) -> bool:
    return entry.status is HeadStatus.ASSUMED or entry.preempts


def _by_workload(run: CycleRun) -> dict[ObjectKey, ProcessedHead]:
    return {entry.nomination.workload.key: entry for entry in run.entries}
