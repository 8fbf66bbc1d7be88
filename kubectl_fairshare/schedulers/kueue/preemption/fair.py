"""Fair sharing preemption: preempt in the queue that borrows most for its weight, as far as shares allow.

Problem: make room for a workload so that no cohort ends up further above its share than the one with the victims.
Greedy by share is not exact (a large target may make earlier ones unnecessary), so unnecessary targets are put back
at the end. Source: KEP-1714; "fair preemption" in ``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import Final

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.choices import Choices
from kubectl_fairshare.schedulers.kueue.laws import (
    Law,
    NewShare,
    OldShare,
    PreemptionReason,
    Preemptor,
    PreemptorShare,
    SchedulerCrashError,
    s2a,
    s2b,
)
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.preemption.feasibility import Feasibility
from kubectl_fairshare.schedulers.kueue.preemption.queue_ordering import QueueOrdering, Remaining
from kubectl_fairshare.schedulers.kueue.preemption.replay import Left, Replay, RouteStep, repeated
from kubectl_fairshare.schedulers.kueue.preemption.targets import (
    Candidates,
    Grounds,
    MakeGrounds,
    SearchResult,
    Target,
    Trial,
    has_place,
    may_be_asked,
    put_back,
    put_back_where_placed,
)
from kubectl_fairshare.schedulers.kueue.tree.headroom import Countdown, Headroom
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State

_REASONS: Final = {
    Law.IN_QUEUE_PRIORITY: PreemptionReason.IN_CLUSTER_QUEUE,
    Law.ENTITLED: PreemptionReason.RECLAMATION,
    Law.S2A: PreemptionReason.FAIR_SHARING,
    Law.S2B: PreemptionReason.FAIR_SHARING,
}


def fair_targets(
    state: State, preemptor: Preemptor, replay: Replay, grounds: MakeGrounds | None = None
) -> SearchResult:
    """The targets under fair sharing; ``grounds`` makes the nodes as they are before the search.

    Raises ``SchedulerCrashError`` in releases in which Kueue then looks for a cohort that the queue does not have.
    """
    search = FairSearch(state, preemptor, replay, None if grounds is None else grounds()).run()
    runs_out = search.candidates and not search.targets and state.forest.nodes[preemptor.queue].parent is None
    if runs_out and state.configuration.release.crashes_without_cohort:
        raise SchedulerCrashError
    if not state.chance.fixed:
        state.chance.note(lambda: tuple(target.holder.key for target in search.targets))
    return search


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


class FairSearch:
    """One search for one preemptor.

    ``ledger`` is without the targets so far, ``asked`` is the same with the preemptor. Both are values that are
    replaced, never changed. The order of additions and removals does not matter unless some usage becomes unlimited:
    then targets leave a ledger that has the preemptor from the start, as in Kueue (``inside``).
    """

    def __init__(self, state: State, preemptor: Preemptor, replay: Replay, grounds: Grounds | None) -> None:
        self.state = state
        self.preemptor = preemptor
        self.replay = replay
        self.grounds = grounds
        self.candidates = Candidates(state, preemptor)
        self.path = state.forest.path(preemptor.queue)
        self.room = Headroom(state.forest, preemptor.queue, preemptor.usage)
        self.asked = state.ledger.plus(preemptor.queue, preemptor.usage)
        self.inside = self.room.overflows(state.ledger)
        self.ledger = self.asked if self.inside else state.ledger
        self.entitled = self.asked.is_within(preemptor.queue, preemptor.short)
        self.targets: list[Target] = []
        self.lefts: list[Left] = []
        self.trials: list[Trial] = []
        self.retry: dict[int, list[Holder]] = {}
        self._refusals: dict[tuple[tuple[FlavorResource, int], ...], Trial] = {}
        self.ties: list[tuple[int, ...]] = []
        self.fits = False
        self.second = False
        self.missing = Countdown(self.room, self.ledger, inside=self.inside)
        self.ample = self.missing.over
        self.feasibility = Feasibility(state, self.room, partial(_queues, state, preemptor, self.path[-1]))
        self._below = {above: below for below, above in pairwise(self.path)}
        self._trail = _SearchTrail(state.chance)

    def run(self) -> SearchResult:
        """The whole search."""
        strategies = self.state.configuration.strategies or ()
        if not (self.replay.only_targets and self.feasibility.is_lost_at_once()):
            self._first_pass(Law.S2A if strategies[0] == FINAL_SHARE else Law.S2B)
        if not self.fits and len(strategies) > 1 and not self.feasibility.lost:
            self._second_pass()
        trials, ties = tuple(self.trials), tuple(dict.fromkeys(self.ties))
        if not self.fits:
            candidates = bool(trials) or any(True for q in self.feasibility.queues() for _ in self._candidates(q))
            ledger = self.ledger
            came_to = None if self.inside else lambda: ledger
            hopeless = self.feasibility.lost
            return SearchResult(trials=trials, ties=ties, hopeless=hopeless, candidates=candidates, came_to=came_to)
        preemptor = self.preemptor
        alone = self.ledger.minus(preemptor.queue, preemptor.usage) if self.inside else self.ledger
        needed, spared, left = (
            put_back_where_placed(self.state.ledger, self.targets, self.grounds)
            if self.ample and self.grounds is not None
            else put_back(alone, self.room, self.targets, self.grounds)
        )
        left_known = None if self.inside else left
        return SearchResult(tuple(needed), trials, tuple(spared), ties, left=left_known, came_to=lambda: alone)

    def _candidates(self, queue: int) -> Iterable[Holder]:
        return self.candidates.of(queue) if may_be_asked(self.state, self.preemptor, queue) else ()

    def _first_pass(self, strategy: Law) -> None:
        """Visits queue after queue, and takes from each the first candidate that the law allows."""

        def visit(rest: Remaining, queue: int) -> bool:
            law = self._first_law(queue, strategy)
            self._refusals.clear()
            while rest.first is not None:
                holder = rest.take()
                if self._try(holder, queue, law):
                    return True
                refused = [holder, *self._refused_too(rest)]
                self.retry.setdefault(queue, []).extend(refused)
            return False

        plain = not self.inside and len(self.path) > 1 and self.state.chance.fixed
        if plain and self._follow():
            return
        gone = Counter(target.queue for target in self.targets)
        ordering = self._ordering(lambda queue: islice(self._candidates(queue), gone[queue], None))
        self._walk(ordering, visit)
        if plain:
            self.replay.remember(self, ordering.looked_at())

    def _follow(self) -> bool:
        """Takes the targets of an earlier search that this one takes too; returns whether the search is over."""
        steps, at = self.replay.steps(self), 0
        while at < len(steps):
            end = at + 1 if self.grounds is not None else self._next_look(steps, at)
            self._take_all(steps[at:end])
            if self._is_over():
                return True
            at = end
        return False

    def _next_look(self, steps: Sequence[RouteStep], at: int) -> int:
        """How many steps are taken when the search may be over; those from ``at`` on but the last are counted off."""
        most = min(len(steps) - 1 - at, self.feasibility.silent)
        found = self.missing.count_off(steps[i].target.holder.usage for i in range(at, at + most))
        self.feasibility.count(found)
        return at + found + 1

    def _take_all(self, steps: Sequence[RouteStep]) -> None:
        mine = self.replay.share_of(self)
        for step in steps:
            self.ties += step.ties
            target = repeated(step.target, mine)
            self.trials.append(target.trial)
            self.targets.append(target)
            self.lefts.append(Left(step.left, len(self.ties)))
            if self.grounds is not None:
                self.grounds.leave(target.holder)
        self.ledger = steps[-1].left

    def _first_law(self, queue: int, strategy: Law) -> Law:
        if queue == self.preemptor.queue:
            return Law.IN_QUEUE_PRIORITY
        return Law.ENTITLED if self.entitled else strategy

    def _second_pass(self) -> None:
        """Tries the candidates that failed the first strategy again by S2-b, one for each queue."""

        def visit(rest: Remaining, queue: int) -> bool:
            holder = rest.take()
            rest.drop()
            return self._try(holder, queue, Law.S2B)

        self.second = True
        self.missing = Countdown(self.room, self.ledger, inside=self.inside)
        self._walk(self._ordering(lambda queue: self.retry.get(queue, ())), visit)

    def _ordering(self, candidates: Callable[[int], Iterable[Holder]]) -> QueueOrdering:
        by_share = self.state.configuration.release.borrowing_by_share
        return QueueOrdering(
            self.state.forest, self.preemptor.queue, candidates, self.ties, self._choose, by_share=by_share
        )

    def _choose(self, cohorts: Sequence[int]) -> int:
        """One of several cohorts with equal shares. What was taken, and in which order, decides what follows.

        The cohorts belong to the situation: one without candidates is left without anything taken or tried.
        """

        def situation() -> Hashable:
            usage = tuple(sorted(self.preemptor.usage.items()))
            asked = self.state.chance.number("asked", (self.preemptor.queue, usage, self.preemptor.short))
            return cohorts, asked, self._trail.taken(self.targets), self._trail.tried(self.trials), self.second

        return self.state.chance.pick(len(cohorts), situation)

    def _walk(self, ordering: QueueOrdering, visit: Callable[[Remaining, int], bool]) -> None:
        """Visits queues until the preemptor fits, or until no candidates are left."""
        while (queue := ordering.next_queue(self.ledger, self.asked)) is not None:
            if visit(ordering.remaining(queue), queue) and self._is_over():
                break

    def _is_over(self) -> bool:
        """Whether the search is over after the last target: the preemptor fits, or can no longer fit."""
        self.fits = self.missing.ends(self.targets[-1].holder.usage, lambda: self.ledger) and has_place(self.grounds)
        return self.fits or self.feasibility.is_lost()

    def _try(self, holder: Holder, queue: int, law: Law) -> bool:
        """Takes the candidate if the law allows it."""
        if law in (Law.S2A, Law.S2B):
            trial, left = self._share_trial(holder, queue, law)
        else:
            trial, left = Trial(holder, queue, law, taken=True), None
        self.trials.append(trial)
        if trial.taken:
            self._remove(Target(holder, queue, _REASONS[law], trial), left or self.ledger.minus(queue, holder.usage))
        return trial.taken

    def _refused_too(self, rest: Remaining) -> Sequence[Holder]:
        """The queue's other candidates if shares refuse all of them, whatever they hold, as they refused the last one.

        Only for speed: one by one, each gets the same trial. A search that fails examines all candidates.
        """
        last = self.trials[-1]
        mine, at = last.mine, last.at
        if mine is None or at is None or (last.law is Law.S2A and mine.order <= self.ledger.share(at[1]).order):
            return ()
        others = rest.take_all()
        self.trials += [Trial(other, last.queue, last.law, False, at, mine, last.theirs) for other in others]
        return others

    def _share_trial(self, holder: Holder, queue: int, law: Law) -> tuple[Trial, Ledger | None]:
        """The trial by shares, and the ledger without the candidate if the law needs it."""
        at = self._almost_lca(queue)
        mine, old = PreemptorShare(self.asked.share(at[0])), OldShare(self.ledger.share(at[1]))
        if law is Law.S2B:
            return Trial(holder, queue, law, s2b(mine, old), at, mine, old), None
        if mine.order > old.order:  # the share of a side does not rise when a candidate leaves
            return Trial(holder, queue, law, False, at, mine, old), None
        usage = tuple(holder.usage.items())
        if (known := self._refusals.get(usage)) is not None:  # of one queue, while nothing leaves
            return replace(known, holder=holder), None
        left = self.ledger.minus(queue, holder.usage)
        new = NewShare(left.share(at[1]))
        trial = Trial(holder, queue, law, s2a(mine, new), at, mine, new)
        if not trial.taken:
            self._refusals[usage] = trial
        return trial, left

    def _almost_lca(self, queue: int) -> tuple[int, int]:
        """The children of the lowest common ancestor on the preemptor's side and on the queue's side."""
        below = queue
        for node in self.state.forest.path(queue):
            mine = self._below.get(node)
            if mine is not None:
                return mine, below
            below = node
        raise LookupError(f"{self.state.forest.nodes[queue].name} is in another tree")

    def _remove(self, target: Target, left: Ledger) -> None:
        self.targets.append(target)
        if self.grounds is not None:
            self.grounds.leave(target.holder)
        self.lefts.append(Left(left, len(self.ties)))
        self.ledger = left
        if self.inside:
            self.asked = left
        elif self.state.forest.path(target.queue)[-2:-1] == self.path[-2:-1]:  # they share a cohort below the root
            self.asked = left.plus(self.preemptor.queue, self.preemptor.usage)


def _queues(state: State, preemptor: Preemptor, root: int) -> Iterator[int]:
    """The queues that the preemptor may ask; without the search, so that nothing keeps that after its end."""
    return (queue for queue in state.forest.queues_below(root) if may_be_asked(state, preemptor, queue))
