"""Which queues may reclaim from the jobs of others: each from which some newcomer could, whatever it asks for.

A newcomer's request counts when fair shares are divided. That of a leaf queue that asks without end changes the levels
of its chain alone, and a queue asks without end if one below it does, whichever that is: each level is divided once for
each of its queues, and rules of two neighbouring queues go for all leaf queues below the first.
Source: KAI-Scheduler v0.17; "kai reclaim" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kai/reclaim/test_exposures.py``.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import PossiblePreemptor
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai import fairness
from kubectl_fairshare.schedulers.kai.division.fair_share import by_parent, level_shares
from kubectl_fairshare.schedulers.kai.division.time_aware import formula_of
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, FairShare, Queue, Requested, Resources
from kubectl_fairshare.schedulers.kai.reclaim.strategies import is_starving
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session

RULES: Final = {
    Law.OVER_QUOTA: "reclaim, within its quota",
    Law.OVER_SHARE: "reclaim, over the fair share",
    Law.IN_QUEUE_PRIORITY: "higher priority in the queue",
}
"""The laws by which jobs lose pods, in a few words."""
_ENDLESS: Final = Requested(Resources(math.inf, math.inf, math.inf))
_LEAST: Final = tuple(
    Requested(Resources(*(amount * (i == r) for i in range(len(RESOURCES))))) for r, amount in enumerate((1, 1, 0.01))
)
"""The smallest newcomers: a millicore, a byte, a hundredth of a GPU."""
_MOST: Final = 25_000
"""Queues, in all the levels that are divided again: less than a second."""


def are_many(queues: Iterable[Queue]) -> bool:
    """Whether there are too many queues next to each other for the request of each newcomer to count."""
    return sum(number**2 for number in Counter(queue.parent for queue in queues).values()) > _MOST


class _Level(NamedTuple):
    """The newcomers of all queues of a level: within quota by the bits of ``_starves``, and within their fair share."""

    names: list[str]
    by_quota: Mapping[int, Preemptors]
    by_share: Preemptors


class Newcomers:
    """The newcomers of all leaf queues of a session.

    Where ``are_many``, shares are those of the session, and a newcomer's queue gets at least its quota.
    """

    def __init__(self, session: Session, numbers: PreemptorNumbers) -> None:
        self._session = session
        self._numbers = numbers
        self._formula = formula_of(session.shard)
        self._many = are_many(standing.queue for standing in session.standings.values())
        self._levels = by_parent(standing.claimant() for standing in session.standings.values())
        self._nothing = numbers.having(0)
        self._divided: dict[str, Mapping[str, FairShare]] = {}
        self._starving: dict[str, int] = {}
        self._giving: dict[str, int] = {}
        self._below: dict[str, tuple[Preemptors, Preemptors]] = {}
        self._known: dict[str, Preemptors] = {}
        self._together: dict[str, _Level] = {}

    def taking_from(self, queue: str) -> Preemptors:
        """The other leaf queues of which a newcomer may reclaim from jobs of the queue, each by its rules."""
        chain = [each.queue.name for each in self._session.chain(queue)]
        return self._from_below(queue).union(map(self._from_beside, chain))

    def _from_below(self, name: str) -> Preemptors:
        """Those below the queue itself, which is then compared with itself."""
        if self._session.is_leaf(name):
            return self._nothing
        within, over = self._leaves(name)
        at_quota = self._starves(name) & self._gives(name)
        return (within if at_quota else self._nothing).union((over,) if self._is_over(name, name) else ())

    def _from_beside(self, name: str) -> Preemptors:
        """Those at or below the queues next to it, with which it is compared."""
        if name not in self._known:
            level = self._level_of(self._session.standings[name].queue.parent)
            gives, (within, over) = self._gives(name), self._leaves(name)
            by_quota = self._nothing.union(found for bits, found in level.by_quota.items() if bits & gives)
            if self._many:
                by_share = level.by_share if self._is_over(name, name) else self._nothing
            else:
                by_share = self._nothing.union(self._leaves(c)[1] for c in level.names if self._is_over(c, name))
            self._known[name] = by_quota.without(within).union((by_share.without(over),))
        return self._known[name]

    def _level_of(self, parent: str) -> "_Level":
        """The newcomers of the queues below a parent, together."""
        if parent not in self._together:
            names = [claimant.name for claimant in self._levels[parent]]
            by_quota: defaultdict[int, list[Preemptors]] = defaultdict(list)
            for name in names:
                by_quota[self._starves(name)].append(self._leaves(name)[0])
            self._together[parent] = _Level(
                names,
                {bits: self._nothing.union(found) for bits, found in by_quota.items()},
                self._nothing.union(self._leaves(name)[1] for name in names),
            )
        return self._together[parent]

    def _is_over(self, ours: str, theirs: str) -> bool:
        """Whether a queue holds more than it may while one next to it asks without end."""
        other = self._session.standings[theirs]
        most = other.may_hold(self._level(ours)[theirs])
        return fairness.maintains_fair_share(other.allocated, most)

    def _starves(self, name: str) -> int:
        """With which of the smallest newcomers a queue stays within its quota, as bits."""
        if name not in self._starving:
            standing = self._session.standings[name]
            self._starving[name] = sum(is_starving(standing, each) << i for i, each in enumerate(_LEAST))
        return self._starving[name]

    def _gives(self, name: str) -> int:
        """To which of the smallest newcomers within its quota a queue gives, as bits."""
        if name not in self._giving:
            standing = self._session.standings[name]
            held, quota = standing.allocated, standing.queue.quota
            self._giving[name] = sum(fairness.gives_for_quota(held, quota, e) << i for i, e in enumerate(_LEAST))
        return self._giving[name]

    def _leaves(self, ours: str) -> tuple[Preemptors, Preemptors]:
        """The leaf queues at or below a queue: by the rest of their quota, and of their fair share."""
        if ours not in self._below:
            starting = self._session.standings[ours]
            able = [
                (name, largest) for name in self._leaves_below(ours) if (largest := self._largest(name)) is not None
            ]
            within = (PossiblePreemptor(name, str(Law.OVER_QUOTA), RULES[Law.OVER_QUOTA]) for name, _ in able)
            above = (
                PossiblePreemptor(name, str(Law.OVER_SHARE), RULES[Law.OVER_SHARE])
                for name, largest in able
                if not is_starving(starting, largest)
            )
            self._below[ours] = self._numbers.set_of(within), self._numbers.set_of(above)
        return self._below[ours]

    def _leaves_below(self, name: str) -> Iterator[str]:
        waiting = [name]
        while waiting:
            each = waiting.pop()
            below = self._levels.get(each, ()) if each else ()
            if not below:
                yield each
            waiting += (claimant.name for claimant in below)

    def _largest(self, name: str) -> Requested | None:
        """The largest request with which a newcomer of a leaf queue may reclaim, what its fair share leaves, if any."""
        leaf = self._session.standings[name]
        share = _quota_at_least(leaf) if self._many else self._level(name)[name]
        if not any(fairness.may_reclaim(leaf.allocated, least, share) for least in _LEAST):
            return None
        pairs = zip(share, leaf.allocated, strict=True)
        return Requested(Resources(*(math.inf if share == UNLIMITED else share - held for share, held in pairs)))

    def _level(self, name: str) -> Mapping[str, FairShare]:
        """The fair shares of a queue that asks without end, and of those next to it."""
        if name not in self._divided:
            for above in reversed(self._session.chain(name)):
                self._divide(above.queue.name, above.queue.parent)
        return self._divided[name]

    def _divide(self, name: str, parent: str) -> None:
        """Divides the level of a queue that asks without end; that of its parent is divided already."""
        if self._many:
            self._divided[name] = self._standing_shares
        elif name not in self._divided:
            amount = self._divided[parent][parent] if parent else self._session.totals.total
            level = [replace(c, request=_ENDLESS) if c.name == name else c for c in self._levels[parent]]
            shares = level_shares(amount, self._formula, level)
            self._divided[name] = {c.name: each for c, each in zip(level, shares, strict=True)}

    @cached_property
    def _standing_shares(self) -> Mapping[str, FairShare]:
        """The fair shares as they are, without a newcomer."""
        return {name: standing.fair_share for name, standing in self._session.standings.items()}


def _quota_at_least(standing: QueueAttributes) -> FairShare:
    """The fair share of a queue, or its quota where that is more."""
    pairs = zip(standing.fair_share, standing.queue.quota, strict=True)
    return FairShare(Resources(*(UNLIMITED if UNLIMITED in pair else max(pair) for pair in pairs)))
