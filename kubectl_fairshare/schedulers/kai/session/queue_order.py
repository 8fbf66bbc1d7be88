"""Which of two sibling queues comes first: eight keys, the first that differs decides.

Source: KAI-Scheduler v0.17, "kai order" in ``docs/laws.md``.
"""

from enum import IntEnum
from typing import NamedTuple

from kubectl_fairshare.schedulers.kai.division.amounts import plus, within
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, UNLIMITED, Resources
from kubectl_fairshare.schedulers.kai.session.session import Standing

_NO_SHARE_FACTOR = 1000


class Key(IntEnum):
    """What decides, in this order."""

    OVER_UTILISED = 1
    STARVED = 2
    PRIORITY = 3
    NO_SHARE = 4
    DOMINANT_WITH = 5
    DOMINANT = 6
    ALLOCATABLE = 7
    AGE = 8


_FIRST = (Key.OVER_UTILISED, Key.STARVED, Key.PRIORITY, Key.NO_SHARE)


class Side:
    """A queue as it is compared: with the job that it would place next, or with ``left`` of it after its victims.

    What is found out for one comparison is kept for the next.
    """

    __slots__ = ("_alone", "_first", "_with", "job", "left", "standing")

    def __init__(self, standing: Standing, job: Resources = NOTHING, left: Resources | None = None) -> None:
        self.standing, self.job, self.left = standing, job, left
        self._first: tuple[bool, bool, int, bool] | None = None
        self._with: float | None = None
        self._alone: float | None = None

    def first_keys(self) -> tuple[bool, bool, int, bool]:
        """The first four keys; the smaller comes first."""
        if self._first is None:
            low = not starved(self)
            self._first = (over_utilised(self.standing), low, -self.standing.queue.priority, takes_without_share(self))
        return self._first

    def dominant_with(self, total: Resources) -> float:
        """The dominant share with the job, or without the victims."""
        if self._with is None:
            held = plus(self.standing.allocated, self.job) if self.left is None else self.left
            self._with = dominant(self.standing, held, total)
        return self._with

    def dominant(self, total: Resources) -> float:
        """The dominant share as it stands."""
        if self._alone is None:
            self._alone = dominant(self.standing, self.standing.allocated, total)
        return self._alone


class Ranked(NamedTuple):
    """Whether the left side comes first, and what decided."""

    first: bool
    key: Key


def ranked(total: Resources, left: Side, right: Side) -> Ranked:
    """Whether ``left`` comes before ``right``. Two of the same age are each said to come after the other."""
    mine, theirs = left.first_keys(), right.first_keys()
    if mine != theirs:
        place = next(i for i in range(len(mine)) if mine[i] != theirs[i])
        return Ranked(mine < theirs, _FIRST[place])
    return _by_size(total, left, right)


def _by_size(total: Resources, left: Side, right: Side) -> Ranked:
    mine, theirs = left.dominant_with(total), right.dominant_with(total)
    if mine != theirs:
        return Ranked(mine < theirs, Key.DOMINANT_WITH)
    mine, theirs = left.dominant(total), right.dominant(total)
    if mine != theirs:
        return Ranked(mine < theirs, Key.DOMINANT)
    ours, other = left.standing.allocatable, right.standing.allocatable
    up, down = within(ours, other), within(other, ours)
    if up != down:
        return Ranked(up, Key.ALLOCATABLE)
    return Ranked(left.standing.queue.created < right.standing.queue.created, Key.AGE)


def over_utilised(standing: Standing) -> bool:
    """Whether the queue holds more than its fair share in every resource."""
    share, held = standing.fair_share, standing.allocated
    return share[0] < held[0] and share[1] < held[1] and share[2] < held[2]


def starved(side: Side) -> bool:
    """Whether the queue stays within its quota with the job."""
    return within(plus(side.standing.allocated, side.job), side.standing.queue.quota)


def takes_without_share(side: Side) -> bool:
    """Whether the queue would hold some of what it may hold nothing of."""
    bounds, held, job = side.standing.allocatable, side.standing.allocated, side.job
    return (
        (bounds[0] == 0 and held[0] + job[0] > 0)
        or (bounds[1] == 0 and held[1] + job[1] > 0)
        or (bounds[2] == 0 and held[2] + job[2] > 0)
    )


def dominant(standing: Standing, held: Resources, total: Resources) -> float:
    """The largest part that ``held`` is of what the queue may hold; of the cluster where that is unlimited."""
    largest = 0.0
    bounds = standing.allocatable
    for r in range(3):
        bound = total[r] if bounds[r] == UNLIMITED else bounds[r]
        largest = max(largest, held[r] * _NO_SHARE_FACTOR if bound == 0 else held[r] / bound)
    return largest
