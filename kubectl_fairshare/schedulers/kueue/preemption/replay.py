"""Replay: a later search for the same workload reuses the steps of an earlier one while both are equal.

Only for speed: a reader of the laws may skip this module, and every answer is the same without it. Kueue searches for
each flavor and resource and for the whole workload, up to seven times, and these searches mostly take the same
workloads in the same order. The line "its searches, each alone, to replayed, large" of ``python -m tests.bench``
shows the gain.

The order of queues depends on the preemptor in two ways: through the candidates, and through the shares on its own
path. If a search took every candidate that it examined, from queues that share only the root with the preemptor, the
next search need not walk: it checks that these two dependencies lead to the same steps.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Final, NamedTuple, Protocol

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.laws import Law, NewShare, Preemptor, PreemptorShare, Share, s2a
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target, Trial, may_be_asked
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State

_LONGER: Final = 32
"""Targets more that a search takes than the one it followed, so that it is worth keeping."""


class Left(NamedTuple):
    """The state of a search after a target: the ledger without it, and the number of ties so far."""

    ledger: Ledger
    ties: int


class _Step(NamedTuple):
    """A target, the share of its side below the root before it left, the ledger without it, and the ties before it."""

    target: Target
    before: Share
    left: Ledger
    ties: tuple[tuple[int, ...], ...]


class _Route(NamedTuple):
    """The steps of one search from its start; ``queues`` are all whose candidates it examined."""

    short: frozenset[FlavorResource]
    entitled: bool
    queues: tuple[int, ...]
    steps: tuple[_Step, ...]


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
        steps: list[_Step] = []
        noted = 0
        for target, left, trial in zip(search.targets, search.lefts, search.trials, strict=False):
            side, ties = forest.path(target.queue)[-2], tuple(search.ties[noted : left.ties])
            if not trial.taken or side == mine or any(mine in tie for tie in ties):
                break
            steps.append(_Step(target, ledger.share(side), left.ledger, ties))
            ledger, noted = left
        return _Route(search.preemptor.short, search.entitled, tuple(dict.fromkeys(queues)), tuple(steps))

    def steps(self, search: ReplayedSearch) -> Iterator[tuple[Target, Ledger, tuple[tuple[int, ...], ...]]]:
        """The targets of an earlier search that this one takes too, each with the ledger without it, and ties."""
        mine = PreemptorShare(search.asked.share(search.state.forest.path(search.preemptor.queue)[-2]))
        self._followed = None
        for route in self._routes:
            if not route.steps or route.entitled != search.entitled or not _repeats(route.steps[0], mine):
                continue
            if not any(_differs(search, route.short, queue) for queue in route.queues):
                self._followed = route
                yield from (
                    _for_share(step, mine) for step in takewhile(lambda step: _repeats(step, mine), route.steps)
                )
                return


def _repeats(step: _Step, mine: PreemptorShare) -> bool:
    """Whether a preemptor whose side has the share ``mine`` reaches the same candidate and takes it."""
    law, theirs = step.target.trial.law, step.target.trial.theirs
    refuses = law is Law.S2A and theirs is not None and not s2a(mine, NewShare(theirs))
    return mine.order < step.before.order and not refuses  # S2-b compares the same two shares


def _for_share(step: _Step, mine: PreemptorShare) -> tuple[Target, Ledger, tuple[tuple[int, ...], ...]]:
    holder, queue, law, taken, at, _, theirs = step.target.trial
    trial = Trial(holder, queue, law, taken, at, None if at is None else mine, theirs)
    return Target(holder, queue, step.target.reason, trial), step.left, step.ties


def _differs(search: ReplayedSearch, short: frozenset[FlavorResource], queue: int) -> bool:
    """Whether the search has other candidates in a queue than a search for ``short``."""
    state, preemptor = search.state, search.preemptor
    may = may_be_asked(state, preemptor, queue)
    might = may_be_asked(state, replace(preemptor, short=short), queue)
    if not may or not might:
        return may != might
    lacks, lacked = preemptor.short.isdisjoint, short.isdisjoint
    return any(lacks(h.usage) != lacked(h.usage) for h in state.holders.in_no_order(queue))
