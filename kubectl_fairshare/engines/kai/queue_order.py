"""Which of two sibling queues comes first: eight keys, the first that differs decides.

Source: KAI-Scheduler v0.17, "kai order" in ``docs/laws.md``.
"""

from enum import IntEnum
from typing import NamedTuple

from kubectl_fairshare.engines.kai.amounts import plus, within
from kubectl_fairshare.engines.kai.session import Standing
from kubectl_fairshare.model.kai import NOTHING, UNLIMITED, Resources

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


class Side(NamedTuple):
    """A queue as it is compared: with the job that it would place next, or with ``left`` of it after its victims."""

    standing: Standing
    job: Resources = NOTHING
    left: Resources | None = None


class Ranked(NamedTuple):
    """Whether the left side comes first, and what decided."""

    first: bool
    key: Key


def ranked(total: Resources, left: Side, right: Side) -> Ranked:
    """Whether ``left`` comes before ``right``. Two of the same age are each said to come after the other."""
    for key, (mine, theirs) in (
        (Key.OVER_UTILISED, (over_utilised(left.standing), over_utilised(right.standing))),
        (Key.STARVED, (not starved(left), not starved(right))),
        (Key.PRIORITY, (-left.standing.queue.priority, -right.standing.queue.priority)),
        (Key.NO_SHARE, (takes_without_share(left), takes_without_share(right))),
    ):
        if mine != theirs:
            return Ranked(mine < theirs, key)
    return _by_size(total, left, right)


def _by_size(total: Resources, left: Side, right: Side) -> Ranked:
    mine, theirs = dominant_with(left, total), dominant_with(right, total)
    if mine != theirs:
        return Ranked(mine < theirs, Key.DOMINANT_WITH)
    mine = dominant(left.standing, left.standing.allocated, total)
    theirs = dominant(right.standing, right.standing.allocated, total)
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
    bounds, held = side.standing.allocatable, side.standing.allocated
    return any(bounds[r] == 0 and held[r] + side.job[r] > 0 for r in range(3))


def dominant_with(side: Side, total: Resources) -> float:
    """The dominant share with the job, or without the victims."""
    held = plus(side.standing.allocated, side.job) if side.left is None else side.left
    return dominant(side.standing, held, total)


def dominant(standing: Standing, held: Resources, total: Resources) -> float:
    """The largest part that ``held`` is of what the queue may hold; of the cluster where that is unlimited."""
    largest = 0.0
    bounds = standing.allocatable
    for r in range(3):
        bound = total[r] if bounds[r] == UNLIMITED else bounds[r]
        largest = max(largest, held[r] * _NO_SHARE_FACTOR if bound == 0 else held[r] / bound)
    return largest
