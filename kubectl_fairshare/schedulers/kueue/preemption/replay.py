"""Replay: a later search for the same workload reuses the steps of an earlier one while both are equal.

Only for speed: a reader of the laws may skip this module, and every answer is the same without it. Kueue searches for
each flavor and resource and for the whole workload, up to seven times, and these searches mostly take the same
workloads in the same order. ``python -m tests.bench.without`` prints what it buys of whole commands, and the line "its
searches, each alone, to replayed, large" of ``python -m tests.bench`` of searches.

The order of queues depends on the preemptor in two ways: through the candidates, and through the shares on its own
path. If a search took every candidate that it examined, from queues that share only the root with the preemptor, the
next search need not walk: it checks that these two dependencies lead to the same steps. Counter-example: the first
search is for GPUs, the second for cpu, and one queue has a workload without GPUs. That is a candidate of the second
search alone, and changes which queue is next from then on; so this one walks.
Source: ``SimulatePreemption`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption_oracle.go makes the searches.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final

from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.laws import Law, NewShare, Preemptor, PreemptorShare, Share, s2a
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.preemption.fair import FairSearch
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target, Trial, may_be_asked
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State

_LONGER: Final = 32
"""Targets more that a search takes than the one it followed, so that it is worth keeping."""
_BRIEF: Final = 16
"""Targets that are taken faster than it is seen whether a search is in vain."""
_ORDER: Final = attrgetter("order")


class Left(Value, frozen=True):
    """The state of a search after a target: the ledger without it, and the number of ties so far."""

    ledger: Ledger
    ties: int


class RouteStep(Value, frozen=True):
    """A target, the ledger without it, and the ties before it.

    ``before`` is the least share of the sides below the root that this target and those before it had before they left,
    ``without`` the least that a side had without its target, where S2-a compares it.
    """

    target: Target
    before: Share
    without: Share | None
    left: Ledger
    ties: tuple[tuple[int, ...], ...]


class _Route(Value, frozen=True):
    """The steps of one search from its start; ``queues`` are all whose candidates it examined."""

    short: frozenset[FlavorResource]
    entitled: bool
    queues: tuple[int, ...]
    steps: tuple[RouteStep, ...]


class Replay:
    """The routes of the searches for one workload, which they share.

    ``only_targets``: what a search in vain has tried is not shown, so that it may end before its first candidate.
    """

    def __init__(self, *, only_targets: bool = False) -> None:
        self.only_targets = only_targets
        self._routes: list[_Route] = []

    @property
    def is_brief(self) -> bool:
        """Whether there are routes, all of few steps."""
        return 0 < max((len(route.steps) for route in self._routes), default=0) <= _BRIEF

    def route(self, search: FairSearch, ties: list[tuple[int, ...]]) -> "SearchRoute":
        """The route of a search that begins; ``ties`` are those that it meets."""
        return SearchRoute(self, search, ties)

    def followed_by(self, search: FairSearch) -> _Route | None:
        """The first known route whose start the search takes too."""
        mine = share_of(search)
        for route in self._routes:
            if not route.steps or route.entitled != search.entitled or not _repeats(route.steps[0], mine):
                continue
            followed = replace(search.preemptor, short=route.short)
            if not any(_differs(search.state, search.preemptor, followed, queue) for queue in route.queues):
                return route
        return None

    def keep(self, route: _Route, instead_of: _Route | None) -> None:
        """Keeps a route, in the place of a shorter one."""
        if instead_of is None:
            self._routes.append(route)
        elif len(route.steps) > len(instead_of.steps):
            self._routes[self._routes.index(instead_of)] = route


class SearchRoute:
    """The steps of one search: those that it follows, then its own."""

    def __init__(self, replay: Replay, search: FairSearch, ties: list[tuple[int, ...]]) -> None:
        self._replay = replay
        self._search = search
        self._ties = ties
        self._lefts: list[Left] = []
        self._queues: list[int] = []
        self._gone: Counter[int] = Counter()
        self._followed: _Route | None = None
        # One of several equal cohorts may be taken in another way each time, and a ledger that has the preemptor in it
        # is of one preemptor: such a search neither follows nor is followed.
        self._is_plain = not search.inside and len(search.path) > 1 and search.state.chance.first

    def follow(self) -> Iterator[Target]:
        """Takes the targets of an earlier search that this one takes too, one by one, if it does not end before."""
        search = self._search
        self._followed = self._replay.followed_by(search) if self._is_plain else None
        if self._followed is None:
            return
        search.read.update(self._followed.queues)
        mine, steps = share_of(search), self._followed.steps
        for step in islice(steps, bisect_left(steps, True, key=lambda step: not _repeats(step, mine))):
            self._ties += step.ties
            target = repeated(step.target, mine)
            search.trials.append(target.trial)
            search.take(target, step.left)
            self._gone[target.queue] += 1
            self.note()
            yield target

    def candidates(self, queue: int) -> Iterable[Holder]:
        """The queue's candidates that are left; the route took every one that it examined."""
        self._queues.append(queue)
        return islice(self._search.candidates(queue), self._gone[queue], None)

    def note(self) -> None:
        """Notes the state of the search after a target."""
        self._lefts.append(Left(self._search.ledger, len(self._ties)))

    def remember(self) -> None:
        """Keeps the start of a search. One that is not much longer than what it followed adds nothing."""
        known = self._followed
        if self._is_plain and (known is None or len(self._search.targets) >= len(known.steps) + _LONGER):
            self._replay.keep(self._own(() if known is None else known.queues), known)

    def _own(self, queues: Sequence[int]) -> _Route:
        search = self._search
        forest, ledger = search.state.forest, search.state.ledger
        mine = forest.path(search.preemptor.queue)[-2]
        steps: list[RouteStep] = []
        before = without = None
        noted = 0
        for target, left, trial in zip(search.targets, self._lefts, search.trials, strict=False):
            side, ties = forest.path(target.queue)[-2], tuple(self._ties[noted : left.ties])
            # From a target on the preemptor's own side on, its share has changed, and the next search has another one
            # there.
            if not trial.taken or side == mine or any(mine in tie for tie in ties):
                break
            before = _least(before, ledger.share(side))
            # Entitled targets and S2-b compare no share without the candidate.
            if trial.law is Law.S2A and trial.theirs is not None:
                without = _least(without, trial.theirs)
            steps.append(RouteStep(target, before, without, left.ledger, ties))
            ledger, noted = left.ledger, left.ties
        examined = tuple(dict.fromkeys((*queues, *self._queues)))
        return _Route(search.preemptor.short, search.entitled, examined, tuple(steps))


def share_of(search: FairSearch) -> PreemptorShare:
    """The share of the preemptor's side below the root, with the preemptor."""
    return PreemptorShare(search.asked.share(search.path[-2]))


def _least(least: Share | None, other: Share) -> Share:
    return other if least is None else min(least, other, key=_ORDER)


def _repeats(step: RouteStep, mine: PreemptorShare) -> bool:
    """Whether a preemptor whose side has the share ``mine`` reaches the same candidates so far, and takes them."""
    refuses = step.without is not None and not s2a(mine, NewShare(step.without))
    # Strictly: with equal shares a queue of the preemptor's side might have come first.
    return mine.order < step.before.order and not refuses  # S2-b compares the same two shares


def repeated(target: Target, mine: PreemptorShare) -> Target:
    """The target of a search in which the preemptor's side has the share ``mine``."""
    t = target.trial
    trial = Trial(t.holder, t.queue, t.law, t.taken, t.at, None if t.at is None else mine, t.theirs)
    return Target(t.holder, t.queue, target.reason, trial)


def _differs(state: State, preemptor: Preemptor, followed: Preemptor, queue: int) -> bool:
    """Whether a search has other candidates in a queue than the one for the preemptor that it follows."""
    may = may_be_asked(state, preemptor, queue)
    might = may_be_asked(state, followed, queue)
    if not may or not might:
        return may != might
    lacks, lacked = preemptor.short.isdisjoint, followed.short.isdisjoint
    return any(lacks(usage) != lacked(usage) for usage in state.holders.usages(queue))
