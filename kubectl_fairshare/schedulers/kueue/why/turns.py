"""What the next cycle does with the head of a queue, and what of that is in doubt.

Source: Kueue v0.19; "cycle" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/why/test_turns.py``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.choices import Possible
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.cycle.possible import possible_cycles, possible_rounds
from kubectl_fairshare.schedulers.kueue.explain.cycle import first_tree_doubts
from kubectl_fairshare.schedulers.kueue.explain.doubts import plan_gaps
from kubectl_fairshare.schedulers.kueue.explain.past_usage import head_doubts, victim_doubts
from kubectl_fairshare.schedulers.kueue.explain.planning import outcome_of
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Fact

_ALL: Final = -1


class CycleTurn(NamedTuple):
    """What the next cycle does with a workload, after the workloads ``before`` it that get something.

    ``ends`` is the number of different ends that ties allow for it; ``all_ends``: every tie was followed. ``doubts``
    are gaps of the other heads, and of the order of all.
    """

    entry: ProcessedHead
    before: tuple[Fact, ...]
    ends: int = 1
    all_ends: bool = True
    doubts: tuple[Gap, ...] = ()

    @property
    def admits(self) -> bool:
        """Whether the workload gets quota, or others leave for it."""
        return self.entry.status is HeadStatus.ASSUMED or self.entry.preempts

    @property
    def leaving(self) -> tuple[Target, ...]:
        """The workloads that leave for it."""
        return self.entry.targets if self.entry.preempts else ()


class Turns:
    """The next cycle for every head; ``queues`` as ``waiting`` gives them.

    Heads of other trees do not affect a head, unless they share nodes, or one workload is admitted at a time.
    """

    def __init__(self, state: State, queues: Mapping[str, Sequence[Pending]]) -> None:
        self._state = state
        self._queues = queues
        self._cycles: dict[int, Possible[CycleRun]] = {}

    def of(self, workload: Pending, queue: int) -> CycleTurn | None:
        """The turn of a workload of the ClusterQueue; None if the cycle considers another one of its queue."""
        cycles = self._cycle(queue)
        entries = cycles.results[0].entries
        mine = _entry_of(workload, entries)
        if mine is None:
            return None
        before = (e for e in entries[: entries.index(mine)] if e.status is HeadStatus.ASSUMED or e.preempts)
        each = (_entry_of(workload, run.entries) for run in cycles.results)
        ends = {(entry.status, entry.reason, entry.law) for entry in each if entry is not None}
        facts = tuple(Fact(Place(e.nomination.workload.key), None) for e in before)
        doubts = tuple(dict.fromkeys(self._doubts(cycles.results[0], mine)))
        return CycleTurn(mine, facts, len(ends), cycles.complete, doubts)

    def _cycle(self, queue: int) -> Possible[CycleRun]:
        root = self._state.forest.root(queue)
        below = {self._state.forest.nodes[n].name for n in self._state.forest.queues_below(root)}
        tree = _ALL if self._is_shared(below) else root
        if tree not in self._cycles:
            heads = [w for name, (w, *_) in self._queues.items() if name in below]
            whole = tree == _ALL
            self._cycles[tree] = possible_cycles(self._state) if whole else possible_rounds(self._state, heads)
        return self._cycles[tree]

    def _is_shared(self, queues: set[str]) -> bool:
        """Whether heads of other trees, or workloads that ask for a place again, can affect a head of these queues."""
        kueue = self._state.kueue
        specs = (kueue.cluster_queues[name] for name in queues)
        names = {flavor for queue in specs for group in queue.groups for flavor in group.flavors}
        placed = any(kueue.flavors[name].topology for name in names if name in kueue.flavors)
        return placed or bool(kueue.second_pass) or self._state.configuration.block_admission

    def _doubts(self, run: CycleRun, mine: ProcessedHead) -> Iterator[Gap]:
        """What is not certain of the other heads, of who they are, and of which are first."""
        yield from first_tree_doubts(self._state, run)
        others = {cluster_key("ClusterQueue", e.nomination.cluster_queue) for e in run.entries if e is not mine}
        yield from (gap for gap in head_doubts(self._state) if gap.places[0].object in others)
        for entry in run.entries:
            if entry is not mine and entry.nomination.queue is not None:
                found = entry.nomination
                gaps = (
                    *plan_gaps(self._state, found, outcome_of(self._state, found)),
                    *victim_doubts(self._state, found),
                )
                yield from (gap for gap in gaps if gap.touches)


def _entry_of(workload: Pending, entries: Sequence[ProcessedHead]) -> ProcessedHead | None:
    mine = (e for e in entries if e.nomination.workload.key == workload.key and e.nomination.second is None)
    return next(mine, None)
