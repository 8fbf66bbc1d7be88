"""Replay: a later search for the same workload reuses the steps of an earlier one while both are equal.

Only for speed: a reader of the laws may skip this module, and every answer is the same without it. Kueue searches for
each flavor and resource and for the whole workload, up to seven times, and these searches mostly take the same
workloads in the same order. The line "its searches, each alone, to replayed, large" of ``python -m tests.bench``
shows the gain.

The order of queues depends on the preemptor in two ways: through the candidates, and through the shares on its own
path. If a search took every candidate that it examined, from queues that share only the root with the preemptor, the
next search need not walk: it checks that these two dependencies lead to the same steps.
"""

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter
from typing import Final, Protocol

from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.laws import Law, NewShare, Preemptor, PreemptorShare, Share, s2a
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target, Trial, may_be_asked
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State

_LONGER: Final = 32
"""Targets more that a search takes than the one it followed, so that it is worth keeping."""
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


class ReplayedSearch(Protocol):
    """A search as replay sees it; ``lefts`` has its state after each target."""

    state: State
    preemptor: Preemptor
    asked: Ledger
    entitled: bool
    targets: list[Target]
    lefts: list[Left]
    trials: list[Trial]
    ties: list[tuple[int, ...]]


class Replay:
    """The routes of the searches for one workload, which they share.

    ``only_targets``: what a search in vain has tried is not shown, so that it may end before its first candidate.
    """

    def __init__(self, *, only_targets: bool = False) -> None:
        self.only_targets = only_targets
        self._routes: list[_Route] = []
        self._followed: _Route | None = None

    def remember(self, search: ReplayedSearch, queues: tuple[int, ...]) -> None:
        """Keeps the start of a first pass that examined the candidates of ``queues``, and those of what it followed.

        One that is not much longer than what it followed adds nothing.
        """
        known = self._followed
        if known is None:
            self._routes.append(self._route_of(search, queues))
        elif len(search.targets) >= len(known.steps) + _LONGER:
            found = self._route_of(search, (*known.queues, *queues))
            if len(found.steps) > len(known.steps):
                self._routes[self._routes.index(known)] = found

    @staticmethod
    def _route_of(search: ReplayedSearch, queues: tuple[int, ...]) -> _Route:
        forest, ledger = search.state.forest, search.state.ledger
        mine = forest.path(search.preemptor.queue)[-2]
        steps: list[RouteStep] = []
        before = without = None
        noted = 0
        for target, left, trial in zip(search.targets, search.lefts, search.trials, strict=False):
            side, ties = forest.path(target.queue)[-2], tuple(search.ties[noted : left.ties])
            if not trial.taken or side == mine or any(mine in tie for tie in ties):
                break
            before = _least(before, ledger.share(side))
            if trial.law is Law.S2A and trial.theirs is not None:
                without = _least(without, trial.theirs)
            steps.append(RouteStep(target, before, without, left.ledger, ties))
            ledger, noted = left.ledger, left.ties
        return _Route(search.preemptor.short, search.entitled, tuple(dict.fromkeys(queues)), tuple(steps))

    def steps(self, search: ReplayedSearch) -> Sequence[RouteStep]:
        """The steps of an earlier search that this one takes too, if it does not end before."""
        mine = self.share_of(search)
        self._followed = None
        for route in self._routes:
            if not route.steps or route.entitled != search.entitled or not _repeats(route.steps[0], mine):
                continue
            followed = replace(search.preemptor, short=route.short)
            if not any(_differs(search.state, search.preemptor, followed, queue) for queue in route.queues):
                self._followed = route
                return route.steps[: bisect_left(route.steps, True, key=lambda step: not _repeats(step, mine))]
        return ()

    @staticmethod
    def share_of(search: ReplayedSearch) -> PreemptorShare:
        """The share of the preemptor's side below the root, with the preemptor."""
        return PreemptorShare(search.asked.share(search.state.forest.path(search.preemptor.queue)[-2]))


def _least(least: Share | None, other: Share) -> Share:
    return other if least is None else min(least, other, key=_ORDER)


def _repeats(step: RouteStep, mine: PreemptorShare) -> bool:
    """Whether a preemptor whose side has the share ``mine`` reaches the same candidates so far, and takes them."""
    refuses = step.without is not None and not s2a(mine, NewShare(step.without))
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
    return any(lacks(h.usage) != lacked(h.usage) for h in state.holders.in_no_order(queue))
