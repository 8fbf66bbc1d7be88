"""Fair sharing preemption: take from whoever borrows most for its weight, as far as shares allow.

Problem: make room for a workload so that no cohort ends up further above its share than the one it
takes from. Greedy by share is not exact (a large target may make earlier ones unnecessary), hence the
putting back at the end. Source: KEP-1714; "fair preemption" in ``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise

from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.preemption.course import Course, Passage
from kubectl_fairshare.schedulers.kueue.preemption.departures import Departures
from kubectl_fairshare.schedulers.kueue.preemption.targets import (
    Candidates,
    Patience,
    PreemptionReason,
    Preemptor,
    SearchResult,
    Target,
    Trial,
    put_back,
)
from kubectl_fairshare.schedulers.kueue.preemption.walk import Remaining, Walk
from kubectl_fairshare.schedulers.kueue.tree.headroom import Countdown, Headroom
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger, Share
from kubectl_fairshare.schedulers.kueue.tree.reach import within_quota
from kubectl_fairshare.schedulers.kueue.tree.state import State


class _FairSearch:
    """One search for one asker.

    ``ledger`` is without the targets so far, ``asked`` also holds the asker. Both are values that are
    replaced, never changed. Who leaves does not change who has been added, unless some usage has become
    unlimited: then workloads leave a ledger that holds the asker from the start, as they do in Kueue.
    """

    def __init__(self, state: State, asker: Preemptor, departures: Departures) -> None:
        self.state = state
        self.asker = asker
        self.departures = departures
        self.candidates = Candidates(state, asker)
        self.path = state.forest.path(asker.queue)
        self.room = Headroom(state.forest, asker.queue, asker.usage)
        self.asked = state.ledger.added(asker.queue, asker.usage)
        self.inside = self.room.overflows(state.ledger)
        self.ledger = self.asked if self.inside else state.ledger
        self.entitled = within_quota(self.asked, asker.queue, asker.short)
        self.targets: list[Target] = []
        self.trials: list[Trial] = []
        self.retry: dict[int, list[Holder]] = {}
        self.ties: list[tuple[int, ...]] = []
        self.fits = False
        self.patience = Patience(state, self.room, self._queues)
        self._below = {above: below for below, above in pairwise(self.path)}

    def run(self) -> SearchResult:
        """The whole search."""
        strategies = self.state.configuration.strategies or ()
        fitting = self._first_pass(strategies[0])
        if not fitting and len(strategies) > 1 and not self.patience.lost:
            walk = Walk(self.state.forest, self.asker.queue, lambda queue: self.retry.get(queue, ()))
            fitting = self._pass(walk, self._second_rule, Countdown(self.room, self.ledger, inside=self.inside))
        trials, ties = tuple(self.trials), tuple(dict.fromkeys(self.ties))
        if not fitting:
            candidates = bool(trials) or any(True for q in self._queues() for _ in self._candidates(q))
            return SearchResult(trials=trials, ties=ties, hopeless=self.patience.lost, candidates=candidates)
        without_asker = self.ledger.removed(self.asker.queue, self.asker.usage) if self.inside else self.ledger
        needed, spared, left = put_back(without_asker, self.room, self.targets)
        return SearchResult(tuple(needed), trials, tuple(spared), ties, left=None if self.inside else left)

    def _first_pass(self, strategy: str) -> bool:
        """Follows an earlier search as far as possible, then walks on; whether the asker fits in the end."""
        missing = Countdown(self.room, self.ledger, inside=self.inside)
        for course in self.departures.courses:
            self._follow(course, missing)
            if self.fits or self.patience.lost:
                return self.fits
            if self.targets:
                break
        gone = Counter(target.queue for target in self.targets)
        walk = Walk(self.state.forest, self.asker.queue, lambda q: islice(self._candidates(q), gone[q], None))
        return self._pass(walk, self._first_rule(strategy), missing, None if gone else self._new_course())

    def _new_course(self) -> Course | None:
        """The course of this search, for later ones to follow; none where the asker has nothing below the root."""
        if self.inside or len(self.path) == 1:
            return None
        course = Course(self.asker.short, self.entitled)
        self.departures.courses.append(course)
        return course

    def _follow(self, course: Course, missing: Countdown) -> None:
        """Takes what an earlier search took, up to the first step at which this one would go elsewhere."""
        if self.inside or len(self.path) == 1 or course.entitled != self.entitled:
            return
        mine = self.asked.share(self.path[-2])
        for target, before, left, looked_at, ties in course.passages:
            holder, queue, law, _, at, _, theirs = target.trial
            refuses = law is Law.S2A and theirs is not None and mine[:2] > theirs[:2]
            if refuses or mine[:2] >= before[:2] or any(self._differs(q, course) for q in looked_at):
                return
            trial = Trial(holder, queue, law, True, at, None if at is None else mine, theirs)
            self.trials.append(trial)
            self.targets.append(Target(holder, queue, target.reason, trial))
            self.ties += ties
            self.ledger = left
            if self._ends(missing):
                return

    def _differs(self, queue: int, course: Course) -> bool:
        """Whether this search has other candidates in a queue than the one that went the course."""
        may = self._may_be_asked(queue)
        might = queue == self.asker.queue or not within_quota(self.state.ledger, queue, course.short)
        if not may or not might:
            return may != might
        lacks, lacked = self.asker.short.isdisjoint, course.short.isdisjoint
        return any(lacks(h.usage) != lacked(h.usage) for h in self.state.holders.of(queue))

    def _ends(self, missing: Countdown) -> bool:
        """Whether the search is over with the target taken last: the asker fits, or all hope is lost."""
        self.fits = missing.ends(self.targets[-1].holder.usage, self.ledger)
        return self.fits or self.patience.is_lost()

    def _may_be_asked(self, queue: int) -> bool:
        """The asker's queue, and every queue of the tree that borrows on a short flavor-resource, may."""
        return queue == self.asker.queue or not within_quota(self.state.ledger, queue, self.asker.short)

    def _queues(self) -> Iterator[int]:
        return (q for q in self.state.forest.queues_below(self.path[-1]) if self._may_be_asked(q))

    def _candidates(self, queue: int) -> Iterable[Holder]:
        return self.candidates.of(queue) if self._may_be_asked(queue) else ()

    def _pass(
        self,
        walk: Walk,
        visit: Callable[[Remaining, int], bool],
        missing: Countdown,
        course: Course | None = None,
    ) -> bool:
        """Takes targets until the asker fits; whether it came to that. Notes the ``course`` while others may follow."""
        looked, ties = 0, 0
        while (queue := walk.next_queue(self.ledger, self.asked)) is not None:
            ledger, tried = self.ledger, len(self.trials)
            taken = visit(walk.remaining(queue), queue)
            if course is not None:
                alone = taken and len(self.trials) == tried + 1 and self._is_apart(queue)
                if alone and all(self.path[-2] not in tie for tie in walk.ties[ties:]):
                    side = self.state.forest.path(queue)[-2]
                    fresh = walk.looked_at(looked)
                    step = Passage(self.targets[-1], ledger.share(side), self.ledger, fresh, tuple(walk.ties[ties:]))
                    course.passages.append(step)
                    looked, ties = looked + len(fresh), len(walk.ties)
                else:
                    course = None
            if taken and self._ends(missing):
                break
        self.ties += walk.ties
        return self.fits

    def _first_rule(self, strategy: str) -> Callable[[Remaining, int], bool]:
        def visit(rest: Remaining, queue: int) -> bool:
            if queue == self.asker.queue:
                return self._take(rest.take(), queue, PreemptionReason.IN_CLUSTER_QUEUE, Law.IN_QUEUE_PRIORITY)
            if self.entitled:
                return self._take(rest.take(), queue, PreemptionReason.RECLAMATION, Law.ENTITLED)
            if strategy == FINAL_SHARE:
                return self._take_by_final_share(rest, queue)
            return self._take_by_initial_share(rest, queue)

        return visit

    def _second_rule(self, rest: Remaining, queue: int) -> bool:
        holder = rest.take()
        rest.drop()
        at, mine, theirs = self._compared(queue)
        taken = mine[:2] < theirs[:2]
        return self._judge(Trial(holder, queue, Law.S2B, taken, at, mine, theirs))

    def _take_by_initial_share(self, rest: Remaining, queue: int) -> bool:
        at, mine, theirs = self._compared(queue)
        taken = mine[:2] < theirs[:2]
        while rest.first is not None:
            holder = rest.take()
            if self._judge(Trial(holder, queue, Law.S2B, taken, at, mine, theirs)):
                return True
            self.retry.setdefault(queue, []).append(holder)
        return False

    def _take_by_final_share(self, rest: Remaining, queue: int) -> bool:
        at, mine, before = self._compared(queue)
        hopeless = mine[:2] > before[:2]  # no candidate raises its own side's share by leaving
        while rest.first is not None:
            holder = rest.take()
            without = self.ledger if hopeless else self.departures.without(self.ledger, queue, holder)
            theirs = without.share(at[1])
            taken = not hopeless and mine[:2] <= theirs[:2]
            if self._judge(Trial(holder, queue, Law.S2A, taken, at, mine, theirs), without):
                return True
            self.retry.setdefault(queue, []).append(holder)
        return False

    def _compared(self, queue: int) -> tuple[tuple[int, int], Share, Share]:
        """The nodes below the lowest common ancestor on both sides, with their shares now."""
        at = self._almost_lca(queue)
        return at, self.asked.share(at[0]), self.ledger.share(at[1])

    def _almost_lca(self, queue: int) -> tuple[int, int]:
        """The children of the lowest common ancestor on the asker's side and on the queue's side."""
        below = queue
        for node in self.state.forest.path(queue):
            mine = self._below.get(node)
            if mine is not None:
                return mine, below
            below = node
        raise LookupError(f"{self.state.forest.nodes[queue].name} is in another tree")

    def _take(self, holder: Holder, queue: int, reason: PreemptionReason, law: Law) -> bool:
        trial = Trial(holder, queue, law, taken=True)
        self.trials.append(trial)
        self._remove(Target(holder, queue, reason, trial), self.departures.without(self.ledger, queue, holder))
        return True

    def _judge(self, trial: Trial, without: Ledger | None = None) -> bool:
        """Takes the candidate if the trial says so; ``without`` is the ledger without it, where it is known already."""
        self.trials.append(trial)
        if trial.taken:
            left = without or self.departures.without(self.ledger, trial.queue, trial.holder)
            self._remove(Target(trial.holder, trial.queue, PreemptionReason.FAIR_SHARING, trial), left)
        return trial.taken

    def _remove(self, target: Target, left: Ledger) -> None:
        self.targets.append(target)
        self.ledger = left
        if self.inside:
            self.asked = left
        elif not self._is_apart(target.queue):
            self.asked = left.added(self.asker.queue, self.asker.usage)

    def _is_apart(self, queue: int) -> bool:
        """Whether the queue has nothing in common with the asker but the root."""
        return self.state.forest.path(queue)[-2:-1] != self.path[-2:-1]


def fair_targets(state: State, asker: Preemptor, departures: Departures) -> SearchResult:
    """The targets under fair sharing."""
    return _FairSearch(state, asker, departures).run()
