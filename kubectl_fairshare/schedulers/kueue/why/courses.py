"""What the next cycles do with each workload that waits, and what of that is in doubt: one play for each tree.

Tested in ``tests/unit/schedulers/kueue/why/test_courses.py``.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, takewhile
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.choices import Possible
from kubectl_fairshare.schedulers.kueue.cycle.course import (
    DecidedEntry,
    PlayResult,
    Setting,
    played,
    possible_courses,
    state_after,
)
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus
from kubectl_fairshare.schedulers.kueue.cycle.nominations import Nominations
from kubectl_fairshare.schedulers.kueue.cycle.play import Play, Watch
from kubectl_fairshare.schedulers.kueue.cycle.queues import rank
from kubectl_fairshare.schedulers.kueue.cycle.stopping import is_deadly, may_stop
from kubectl_fairshare.schedulers.kueue.explain.cycle import run_doubts
from kubectl_fairshare.schedulers.kueue.explain.doubts import plan_gaps
from kubectl_fairshare.schedulers.kueue.explain.past_usage import play_doubts
from kubectl_fairshare.schedulers.kueue.explain.planning import outcome_of
from kubectl_fairshare.schedulers.kueue.explain.position import order_gap
from kubectl_fairshare.schedulers.kueue.gaps import LATER_CYCLES, REPEATED_SCAN
from kubectl_fairshare.schedulers.kueue.jobs import Context, pending_of
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.why.turns import CycleTurn, Turns
from kubectl_fairshare.trace import Fact

_MOST_BEFORE: Final = 3
"""The most workloads that are named as those that get in first."""


class _Doubt(NamedTuple):
    """A gap of one cycle, of the workload ``key``; None if it is of the cycle itself."""

    cycle: int
    key: ObjectKey | None
    gap: Gap


class _TreePlays(NamedTuple):
    """The courses of the workloads of some queues, the first one shown, and their doubts in order."""

    ways: Possible[PlayResult]
    doubts: Sequence[_Doubt]
    takers: Mapping[FlavorResource | None, Sequence[tuple[ObjectKey, DecidedEntry]]]
    """Those that get something, in order: all of them, and those that get some of one flavor and resource."""


class Courses:
    """The courses of all trees; ``queues`` as ``waiting`` gives them, ``turns`` the next cycle of each head.

    ``nominations`` are those that are known of the state.
    Trees that share nodes have one course. Second passes, and waitForPodsReady.blockAdmission, are played no further
    than one cycle.
    """

    def __init__(
        self, state: State, queues: Mapping[str, Sequence[Pending]], turns: Turns, nominations: Nominations
    ) -> None:
        self._state = state
        self._nominations = nominations
        self._queues = queues
        self._turns = turns
        self._plays: dict[frozenset[str], _TreePlays] = {}
        self._names_by_root: dict[int, frozenset[str]] = {}
        self._orders: dict[frozenset[str], tuple[Gap, ...]] = {}
        self._queue_of = {w.key: name for name, queue in queues.items() for w in queue}
        self.is_played = not state.kueue.second_pass and not state.configuration.block_admission

    def of(self, workload: Pending, queue: int, pairs: Collection[FlavorResource]) -> CycleTurn | None:
        """The turn of a workload that waits in the ClusterQueue; None if it is in no queue.

        ``pairs`` are those that it wants: the workloads that take some of them before it are named.
        """
        name = self._state.forest.nodes[queue].name
        if self._queue_of.get(workload.key) != name:
            return None
        found = self._of_tree(queue)
        course, key = found.ways.results[0], workload.key
        turn = course.turns.get(key)
        certain = found.ways.complete or (turn is not None and turn.cycle < course.tied_from)
        ends = {_end(each, key) for each in found.ways.results}
        of_order = self._turns.of_order(self._names(queue))
        doubts = tuple(dict.fromkeys((*of_order, *_doubts(found, key, turn))))
        gains = turn is not None and turn.gains
        before = () if gains else tuple(_facts(found.takers, turn, pairs))
        considered = turn is not None or key in course.aside
        blocker = None if considered else course.heads.get(name)
        of_blocker = None if blocker is None else course.turns.get(blocker.key)
        return CycleTurn(
            None if turn is None else turn.entry,
            before,
            len(ends),
            certain,
            doubts,
            cycle=0 if turn is None else turn.cycle,
            rest=course.rest,
            blocker=blocker,
            blocker_preempts=of_blocker is not None and (of_blocker.gains or of_blocker.entry.deferred),
            later=key in course.later,
            stops=course.stops,
        )

    def later_gaps(self, workload: Pending, queue: int | None) -> Iterator[Gap]:
        """What is not known of a workload that no head of the next cycle is, where later cycles are not played."""
        if self.is_played or queue is None or self._turns.of(workload, queue) is not None:
            return
        again = bool(self._state.kueue.second_pass)
        case = "a workload asks for a place again" if again else "waitForPodsReady.blockAdmission is on"
        yield Gap(LATER_CYCLES, (), touches=True, subject=case)

    def is_order_free(self, queue: int) -> bool:
        """Whether the workloads of the tree all get in, and the same way in every order.

        Each takes the first flavor that is tried, without victims: all of them fit together, and so each fits after
        any others. A flavor that is good enough although it borrows stays so when more is borrowed.
        """
        course = self._of_tree(queue).ways.results[0]
        waiting = sum(len(self._queues.get(name, ())) for name in self._names(queue))
        gainers = [turn for _, turn in course.gainers()]
        return len(gainers) == waiting and all(map(self._takes_the_first, gainers))

    def open_orders(self, queue: int) -> tuple[Gap, ...]:
        """The gaps of the ClusterQueues that are decided with this one, where the input does not say an order."""
        names = self._names(queue)
        if names not in self._orders:
            queues = ((name, self._queues[name]) for name in sorted(names & self._queues.keys()))
            found = ((name, rivals) for name, queue in queues if (rivals := _unordered(self._state, name, queue)))
            self._orders[names] = tuple(order_gap(name, rivals) for name, rivals in found)
        return self._orders[names]

    def _takes_the_first(self, turn: DecidedEntry) -> bool:
        found = turn.entry.nomination
        if turn.entry.status is not HeadStatus.ASSUMED or found.placements or found.assignment is None:
            return False
        stops = self._state.kueue.cluster_queues[found.cluster_queue].fungibility.when_can_borrow == "MayStopSearch"
        return stops and all(len(pod_set.attempts) < 2 for pod_set in found.assignment.pod_sets)

    def _names(self, queue: int) -> frozenset[str]:
        """The ClusterQueues whose workloads the cycles decide together."""
        forest = self._state.forest
        root = forest.root(queue)
        if root not in self._names_by_root:
            below = {forest.nodes[n].name for n in forest.queues_below(root)}
            together = self._is_stopped or self._turns.is_shared(below)
            self._names_by_root[root] = frozenset(self._queues if together else below)
        return self._names_by_root[root]

    @cached_property
    def _is_stopped(self) -> bool:
        """Whether the manager dies in some cycle: that ends the cycles of all trees."""
        if not may_stop(self._state):
            return False
        deadly = (name for name in self._queues if is_deadly(self._state, name))
        return any(played(self._setting(frozenset((name,)))).stops is not None for name in deadly)

    def _of_tree(self, queue: int) -> _TreePlays:
        names = self._names(queue)
        if names not in self._plays:
            self._plays[names] = self._play(names)
        return self._plays[names]

    def _play(self, names: frozenset[str]) -> _TreePlays:
        doubts: dict[tuple[ObjectKey | None, Gap], _Doubt] = {}

        def watch(play: Play, state: State, run: CycleRun) -> None:
            for key, gap in chain(_of_cycle(play, state, run), _of_heads(state, run)):
                doubts.setdefault((key, gap), _Doubt(play.cycles, key, gap))

        ways = possible_courses(self._setting(names, watch))
        takers: dict[FlavorResource | None, list[tuple[ObjectKey, DecidedEntry]]] = {None: []}
        for key, turn in ways.results[0].gainers():
            for pair in (None, *sorted(_wanted(turn))):
                takers.setdefault(pair, []).append((key, turn))
        return _TreePlays(ways, tuple(doubts.values()), takers)

    def _setting(self, names: frozenset[str], watch: Watch | None = None) -> Setting:
        queues = {name: queue for name, queue in self._queues.items() if name in names}
        return Setting(self._state, queues, self._again, watch, self._nominations)

    def left_for(self, turn: CycleTurn, queue: int) -> State | None:
        """The state that those before a workload leave for it: after the cycle that decides, otherwise in the end."""
        if turn.rest is None or turn.entry is None:
            return turn.rest
        return state_after(self._setting(self._names(queue)), turn.cycle)

    def _again(self, holder: Holder) -> Pending | None:
        """A workload of the input that was evicted, as it queues again."""
        snapshot = self._state.snapshot
        return pending_of(snapshot.manifests[holder.key], snapshot.part(Context))


def _unordered(state: State, name: str, queue: Sequence[Pending]) -> tuple[Pending, ...]:
    """The first workloads of a queue of which the input does not say who precedes whom; empty if there are none."""
    alike: dict[tuple[float | bool | int, ...], list[Pending]] = {}
    for workload in (w for w in queue if w.undated or not w.uid):
        alike.setdefault((workload.undated, *rank(state, name, workload)), []).append(workload)
    return next((tuple(rivals) for rivals in alike.values() if len(rivals) > 1), ())


def _end(course: PlayResult, key: ObjectKey) -> tuple[object, ...]:
    turn = course.turns.get(key)
    if turn is None:
        return (key in course.aside, key in course.later)
    return turn.gains, turn.entry.status, turn.entry.reason, turn.entry.law


def _doubts(found: _TreePlays, key: ObjectKey, turn: DecidedEntry | None) -> Iterator[Gap]:
    """The gaps of the cycles up to that of the turn, but for those of the workload itself."""
    course = found.ways.results[0]
    last = turn.cycle if turn is not None else None
    yield from (d.gap for d in found.doubts if d.key != key and (last is None or d.cycle <= last))
    if not course.stable or (course.repeats_from and last is not None and last > course.repeats_from):
        yield from REPEATED_SCAN


def _facts(
    takers: Mapping[FlavorResource | None, Sequence[tuple[ObjectKey, DecidedEntry]]],
    turn: DecidedEntry | None,
    pairs: Collection[FlavorResource],
) -> Iterator[Fact]:
    """The first that get something before the turn, of what the workload wants if any of them do."""
    last = turn.order if turn is not None and _ends_in_its_cycle(turn) else None

    def before(pair: FlavorResource | None) -> Iterator[ObjectKey]:
        earlier = takewhile(lambda each: last is None or each[1].order < last, takers.get(pair, ()))
        return (key for key, _ in islice(earlier, _MOST_BEFORE))

    rivals = dict.fromkeys(key for pair in sorted(pairs) for key in before(pair))
    yield from (Fact(Place(key), None) for key in islice(rivals or before(None), _MOST_BEFORE))


def _ends_in_its_cycle(turn: DecidedEntry) -> bool:
    """Whether what its cycle took before it decides, and no later cycle."""
    return turn.entry.law is not None or (turn.cycle == 1 and not turn.entry.nomination.goes_on)


def _wanted(turn: DecidedEntry) -> Mapping[FlavorResource, int]:
    assignment = turn.entry.nomination.assignment
    return {} if assignment is None else assignment.usage


def _of_cycle(play: Play, state: State, run: CycleRun) -> Iterator[tuple[None, Gap]]:
    """What a cycle leaves in doubt for all: who its heads are, an order of victims that is not in the input."""
    gaps = (*run_doubts(state, run), *play_doubts(state, play))
    yield from ((None, gap) for gap in gaps if gap.touches)


def _of_heads(state: State, run: CycleRun) -> Iterator[tuple[ObjectKey, Gap]]:
    """What is not certain of each head."""
    for found in (entry.nomination for entry in run.entries if entry.nomination.queue is not None):
        gaps = plan_gaps(state, found, outcome_of(state, found))
        yield from ((found.workload.key, gap) for gap in gaps if gap.touches)
