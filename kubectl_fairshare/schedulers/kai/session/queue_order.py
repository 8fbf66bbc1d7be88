"""Which of two sibling queues comes first: eight keys, of which the first difference decides.

Why not the smaller dominant share first: queue a holds 90 % of its share and stays within its quota with its next job,
b holds 10 % and does not. a comes first, as quota is guaranteed and share is not.
Source: ``GetQueueOrderResult`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/plugins/proportion/queue_order/queue_order.go; "kai
order" in ``docs/laws.md``.
"""

from enum import IntEnum
from typing import NamedTuple

from kubectl_fairshare.schedulers.kai.fairness import dominant_share, over_utilised, starved, takes_without_share
from kubectl_fairshare.schedulers.kai.model.amounts import plus, within
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, Resources
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes


class OrderKey(IntEnum):
    """The deciding key, in this order."""

    OVER_UTILISED = 1
    STARVED = 2
    PRIORITY = 3
    NO_SHARE = 4
    DOMINANT_WITH = 5
    DOMINANT = 6
    ALLOCATABLE = 7
    AGE = 8


_FIRST = (OrderKey.OVER_UTILISED, OrderKey.STARVED, OrderKey.PRIORITY, OrderKey.NO_SHARE)


class Contender:
    """A queue in comparisons: with the job that it would place next, or with what is ``left`` of it after its victims.

    Results of one comparison are kept for the next.
    """

    __slots__ = ("_alone", "_first", "_with", "job", "left", "standing")

    def __init__(self, standing: QueueAttributes, job: Resources = NOTHING, left: Resources | None = None) -> None:
        self.standing, self.job, self.left = standing, job, left
        self._first: tuple[bool, bool, int, bool] | None = None
        self._with: float | None = None
        self._alone: float | None = None

    def first_keys(self) -> tuple[bool, bool, int, bool]:
        """The first four keys; the smaller comes first."""
        if self._first is None:
            known, queue = self.standing, self.standing.queue
            self._first = (
                over_utilised(known.allocated, known.fair_share),
                not starved(known.allocated, self.job, queue.quota),
                -queue.priority,
                takes_without_share(known.allocated, self.job, known.allocatable),
            )
        return self._first

    def dominant_with(self, total: Resources) -> float:
        """The dominant share with the job, or without the victims."""
        if self._with is None:
            held = plus(self.standing.allocated, self.job) if self.left is None else self.left
            self._with = dominant_share(held, self.standing.allocatable, total)
        return self._with

    def dominant(self, total: Resources) -> float:
        """The present dominant share."""
        if self._alone is None:
            self._alone = dominant_share(self.standing.allocated, self.standing.allocatable, total)
        return self._alone


class Ranked(NamedTuple):
    """Whether the left side comes first, and the deciding key."""

    first: bool
    key: OrderKey


def ranked(total: Resources, left: Contender, right: Contender) -> Ranked:
    """Whether ``left`` comes before ``right``. Two equally old ones each come after the other."""
    mine, theirs = left.first_keys(), right.first_keys()
    if mine != theirs:
        place = next(i for i in range(len(mine)) if mine[i] != theirs[i])
        return Ranked(mine < theirs, _FIRST[place])
    return _by_size(total, left, right)


def is_tie(left: Contender, right: Contender) -> bool:
    """Whether two queues that differ in nothing but age are as old, or neither may hold as much as the other.

    Then each comes after the other, or three of them may each come after the next.
    """
    ours, other = left.standing.allocatable, right.standing.allocatable
    return left.standing.queue.created == right.standing.queue.created or not within(ours, other)


def _by_size(total: Resources, left: Contender, right: Contender) -> Ranked:
    mine, theirs = left.dominant_with(total), right.dominant_with(total)
    if mine != theirs:
        return Ranked(mine < theirs, OrderKey.DOMINANT_WITH)
    mine, theirs = left.dominant(total), right.dominant(total)
    if mine != theirs:
        return Ranked(mine < theirs, OrderKey.DOMINANT)
    ours, other = left.standing.allocatable, right.standing.allocatable
    # Neither may be within the other, with two resources; then age decides.
    up, down = within(ours, other), within(other, ours)
    if up != down:
        return Ranked(up, OrderKey.ALLOCATABLE)
    # Of one age the left one is not first: each comes after the other, and the heap's moves decide.
    return Ranked(left.standing.queue.created < right.standing.queue.created, OrderKey.AGE)
