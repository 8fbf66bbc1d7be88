"""A search under fair sharing from its start to its targets: the law of ``fair``, and what makes it fast.

The law examines candidates one by one; this module stops it when the preemptor fits, and puts unnecessary targets back.
Five things only save time: steps of an earlier search (``replay``), the end of a search in vain (``feasibility``), or
of one that shares show to be in vain (``foresight``), checks of quota only when enough has left (``Countdown``), and
candidates that are refused as one before them (``KnownRefusals``). Every target is the same without them;
``python -m tests.bench.without`` prints what each buys.
Why the law does not stop itself: the largest size that gets in (``alike``) is found by letting the same search go on
past the size that is asked for.
Source: ``fairPreemptions`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption.go.
Tested in ``tests/unit/schedulers/kueue/preemption/test_fair.py``.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

from kubectl_fairshare.schedulers.choices import FIRST, Choices
from kubectl_fairshare.schedulers.kueue.laws import Law, Preemptor, SchedulerCrashError
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.preemption.fair import CandidatesOf, Compared, FairSearch
from kubectl_fairshare.schedulers.kueue.preemption.feasibility import Feasibility
from kubectl_fairshare.schedulers.kueue.preemption.foresight import Foresight
from kubectl_fairshare.schedulers.kueue.preemption.queue_ordering import Choose, QueueOrdering
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.preemption.targets import (
    Examination,
    Grounds,
    LedgerWithout,
    MakeGrounds,
    SearchResult,
    Target,
    Trial,
    has_place,
    may_be_asked,
    put_back,
    put_back_where_placed,
)
from kubectl_fairshare.schedulers.kueue.tree.headroom import Countdown
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State

W = TypeVar("W", bound=QueueOrdering)
_REFUSALS: Final = 16
"""The number of refusals in a row after which it is worth a look whether any candidate is left that may be taken."""


def fair_targets(
    state: State, preemptor: Preemptor, replay: Replay, grounds: MakeGrounds | None = None
) -> SearchResult:
    """The targets under fair sharing; ``grounds`` makes the nodes as they are before the search.

    Raises ``SchedulerCrashError`` in releases in which Kueue then looks for a cohort that the queue does not have.
    """
    found = _search(state, preemptor, replay, grounds)
    alone = state.configuration.release.crashes_without_cohort and state.forest.nodes[preemptor.queue].parent is None
    # In these releases Kueue goes on to the cohort's walk once such a queue has no candidate left, and dies of the
    # cohort that is missing.
    if alone and not found.targets and found.examined.candidates:
        raise SchedulerCrashError
    if not state.chance.fixed:
        state.chance.note(lambda: tuple(target.holder.key for target in found.targets))
    return found


def _search(state: State, preemptor: Preemptor, replay: Replay, grounds: MakeGrounds | None) -> SearchResult:
    search = FairSearch(state, preemptor)
    if replay.is_brief:
        # What ends by the targets of an earlier search needs no foresight, which takes longer than a few targets.
        repeated = _TargetSearch(search, replay, None if grounds is None else grounds()).repeated()
        if repeated is not None:
            return repeated
        search = FairSearch(state, preemptor)
    met: tuple[tuple[int, ...], ...] = ()
    again = None if grounds is not None else partial(_looked_again, preemptor)
    foresight = Foresight(search)
    if replay.only_targets or not foresight.fails():
        begun = _TargetSearch(search, replay, None if grounds is None else grounds())
        found = begun.run()
        if found is not None:
            return found
        met, again = begun.ties, None  # in another order of candidates it may not be known to fail
    look = partial(_looked_in_vain, state, preemptor, replay, grounds)
    # What it would have tried is looked up only if a screen asks: a search in vain may have ten thousand trials.
    return SearchResult(look=look, foreseen=True, met=met, again=again, ground=foresight.ground)


def _looked_again(preemptor: Preemptor, state: State) -> Examination:
    return _looked_in_vain(state, preemptor, Replay(), None)


def _looked_in_vain(state: State, preemptor: Preemptor, replay: Replay, grounds: MakeGrounds | None) -> Examination:
    """What a search examines that fails whatever chance decides: so with the first choices."""
    search = FairSearch(state.with_chance(FIRST), preemptor)
    return _TargetSearch(search, replay, None if grounds is None else grounds()).whole().examined


def hopelessness(search: FairSearch) -> Feasibility:
    """Whether a search can still succeed."""
    return Feasibility(search.state, search.room, partial(_queues, search.state, search.preemptor, search.path[-1]))


class _TargetSearch:
    """One search until the preemptor fits."""

    def __init__(self, search: FairSearch, replay: Replay, grounds: Grounds | None) -> None:
        self._search = search
        self._replay = replay
        self._grounds = grounds
        self._ties: list[tuple[int, ...]] = []
        self._feasibility = hopelessness(self._search)
        # Checked without the preemptor's own usage, which the shares include: Kueue takes it out for each check.
        self._missing = Countdown(self._search.room, self._search.ledger, inside=self._search.inside)
        self._ample = self._missing.over
        self._trail = _SearchTrail(search.state.chance)
        self._fits = False
        self._refused = 0

    def run(self) -> SearchResult | None:
        """The search; None once it is foreseen to fail, whatever else it would examine."""
        if not (self._replay.only_targets and self._is_in_vain()) and self._look(foreseeing=True):
            return None
        return self._found() if self._fits else self._in_vain()

    def repeated(self) -> SearchResult | None:
        """The search if it ends with targets of an earlier one; None otherwise, and then it is to be made anew."""
        for target in self._replay.route(self._search, self._ties).follow():
            if self._is_over(target):
                return self._found() if self._fits else None
        return None

    def whole(self) -> SearchResult:
        """The whole search, also one in vain."""
        self._look(foreseeing=False)
        return self._found() if self._fits else self._in_vain()

    @property
    def ties(self) -> tuple[tuple[int, ...], ...]:
        """The nodes between which Kueue's choice was not defined so far."""
        return tuple(dict.fromkeys(self._ties))

    def _is_in_vain(self) -> bool:
        """Whether the search is known to fail before its first candidate."""
        self._feasibility.lost = Foresight(self._search).fails()
        return self._feasibility.lost or self._feasibility.is_lost_at_once()

    def _look(self, *, foreseeing: bool) -> bool:
        """Takes targets until the preemptor fits, or can no longer fit; returns whether that is foreseen."""
        search, route, foreseen = self._search, self._replay.route(self._search, self._ties), False
        for target in route.follow():
            if self._is_over(target):
                return False
        for trial in search.examine(self._walk, route.candidates, KnownRefusals(search)):
            if trial.taken:
                self._refused = 0
                route.note()
                if self._is_over(search.targets[-1]):
                    break
            elif foreseeing and self._foresees():
                foreseen = True
                break
        route.remember()
        return foreseen

    def _foresees(self) -> bool:
        """Whether the search fails, seen after some refusals in a row."""
        self._refused += 1
        # Exactly once, so that the look itself costs nothing in a search that goes on for long.
        return self._refused == _REFUSALS and self._search.state.chance.fixed and Foresight(self._search).fails()

    def _is_over(self, target: Target) -> bool:
        """Whether the search is over once the target has left."""
        if self._grounds is not None:
            self._grounds.leave(target.holder)
        enough = self._missing.ends(target.holder.usage, lambda: self._search.ledger)
        self._fits = enough and has_place(self._grounds)
        return self._fits or self._feasibility.is_lost()

    def _in_vain(self) -> SearchResult:
        search, trials, queues = self._search, tuple(self._search.trials), self._feasibility.queues
        failed = Examination(
            trials,
            self.ties,
            self._feasibility.lost,
            candidates=bool(trials) or any(True for queue in queues() for _ in search.candidates(queue)),
            came_to=None if search.inside else LedgerWithout(search.state.ledger, tuple(search.targets)),
            read=tuple(search.read),
        )
        return SearchResult(look=failed)

    def _found(self) -> SearchResult:
        search, preemptor = self._search, self._search.preemptor
        # Kueue puts back after it has taken out the preemptor's usage, as the last check did.
        alone = search.ledger.minus(preemptor.queue, preemptor.usage) if search.inside else search.ledger
        needed, spared, left = (
            put_back_where_placed(search.state.ledger, search.targets, self._grounds)
            if self._ample and self._grounds is not None
            else put_back(alone, search.room, search.targets, self._grounds)
        )
        taken = tuple(search.targets)
        came_to = LedgerWithout(alone, ()) if search.inside else LedgerWithout(search.state.ledger, taken)
        examined = Examination(tuple(search.trials), self.ties, came_to=came_to, read=tuple(search.read))
        kept = tuple(needed) if spared else taken
        return SearchResult(kept, tuple(spared), None if search.inside else left, examined)

    def _walk(self, candidates: CandidatesOf) -> QueueOrdering:
        return fair_walk(QueueOrdering, self._search, candidates, self._ties, self._choose)

    def _choose(self, cohorts: Sequence[int]) -> int:
        """One of several cohorts with equal shares. What was taken, and in which order, decides what follows.

        The cohorts belong to the situation: one without candidates is left without anything taken or tried.
        """
        search, chance = self._search, self._search.state.chance

        def situation() -> Hashable:
            usage = tuple(sorted(search.preemptor.usage.items()))
            asked = chance.number("asked", (search.preemptor.queue, usage, search.preemptor.short))
            return cohorts, asked, self._trail.taken(search.targets), self._trail.tried(search.trials), search.second

        return chance.pick(len(cohorts), situation)


class KnownRefusals:
    """The law's comparison of shares, made once for candidates of a queue that it refuses while nothing leaves.

    If it did not look at what the candidate holds, it refuses all; otherwise those that hold the same.
    """

    def __init__(self, search: FairSearch) -> None:
        self._search = search
        self._about: tuple[int, Law, Ledger] | None = None
        self._all: Trial | None = None
        self._by_usage: dict[tuple[tuple[FlavorResource, int], ...], Trial] = {}

    def __call__(self, holder: Holder, queue: int, law: Law) -> Compared:
        """As ``FairSearch.by_shares``."""
        ledger = self._search.ledger
        if self._about is None or self._about[2] is not ledger or self._about[:2] != (queue, law):
            self._about, self._all = (queue, law, ledger), None
            self._by_usage.clear()
        if self._all is None:
            usage = tuple(holder.usage.items())
            known = self._by_usage.get(usage)
            if known is None:
                return self._compared(holder, queue, law, usage)
        else:
            known = self._all
        return Trial(holder, queue, law, False, known.at, known.mine, known.theirs), None

    def _compared(
        self, holder: Holder, queue: int, law: Law, usage: tuple[tuple[FlavorResource, int], ...]
    ) -> Compared:
        compared = trial, left = self._search.by_shares(holder, queue, law)
        if not trial.taken:
            if left is None:
                self._all = trial
            self._by_usage[usage] = trial
        return compared


class _SearchTrail:
    """What a search has taken, in order, and what it has tried, in no order: both as numbers, brought up to date."""

    def __init__(self, chance: Choices) -> None:
        self._chance = chance
        self._taken = self._taken_of = self._tried = self._tried_of = 0

    def taken(self, targets: Sequence[Target]) -> int:
        """The number of the list of targets."""
        for target in targets[self._taken_of :]:
            self._taken = 1 + self._chance.number("taken", (self._taken, target.holder.key))
        self._taken_of = len(targets)
        return self._taken

    def tried(self, trials: Sequence[Trial]) -> int:
        """The set of trials: a bit for each."""
        for trial in trials[self._tried_of :]:
            self._tried |= 1 << self._chance.number("tried", (trial.holder.key, trial.law))
        self._tried_of = len(trials)
        return self._tried


def fair_walk(
    make: type[W], search: FairSearch, candidates: CandidatesOf, ties: list[tuple[int, ...]], choose: Choose
) -> W:
    """A walk of the search over the queues that have some candidates."""
    by_share = search.state.configuration.release.borrowing_by_share
    return make(search.state.forest, search.preemptor.queue, candidates, ties, choose, by_share=by_share)


def _queues(state: State, preemptor: Preemptor, root: int) -> Iterator[int]:
    """The queues that the preemptor may ask; without the search, so that nothing keeps that after its end."""
    return (queue for queue in state.forest.queues_below(root) if may_be_asked(state, preemptor, queue))
