"""What a change of policy is judged by, in the form that all schedulers' answers share: rights, and work at risk.

Tested in ``tests/unit/policy/test_diff_elsewhere.py``.
"""

from collections.abc import Sequence, Set
from typing import NamedTuple

from kubectl_fairshare.answers.answer import Amount, Stated
from kubectl_fairshare.answers.documents import AnswerPart
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import field


class Entitlement(AnswerPart, frozen=True):
    """What a queue has a right to; null is a figure that it does not have, of ``most`` no bound.

    No running work counts. ``guaranteed`` is the queue's own, ``entitled`` what it gets when all queues ask for more
    than there is, ``most`` what it can ever hold.
    """

    DOCUMENT = ("guaranteed", "entitled", "most")
    queue: ObjectKey
    resource: str
    pool: str
    guaranteed: Stated | None = None
    entitled: Stated | None = None
    most: Stated | None = None


def at_most(amount: Amount | None, bound: Amount | None) -> Amount | None:
    """The amount, or what bounds it if that is less: a queue never holds what a limit or the nodes do not allow."""
    return bound if amount is not None and bound is not None and bound.value < amount.value else amount


class PossiblePreemptor(NamedTuple):
    """A queue whose workloads may preempt a running one. ``law`` names the rule, ``rule`` is it in a few words."""

    queue: str
    law: str
    rule: str


def fall(used: int, own: int, amount: int) -> int:
    """How far a queue that uses more than its own falls below that, once a workload with the amount has left; or 0."""
    return max(0, own - (used - amount)) if used > own else 0


class Exposure(AnswerPart, frozen=True):
    """A running workload, what it holds, and how far its queue, where it borrows, is below its own quota without it.

    ``pods`` is how many pods run, as far as that is known, otherwise 1.
    """

    DOCUMENT = ("key", "pods", "holds", "left_below")
    key: ObjectKey = field(name="object")
    queue: str
    priority: int
    holds: tuple[Amount, ...]
    borrows: bool
    takers: Set[PossiblePreemptor] = frozenset()
    """Who may take what it holds; it is safe where there are none."""
    pods: int = 1
    left_below: tuple[Amount, ...] = field(name="belowOwnQuotaWithout", default=())


class Exposures(NamedTuple):
    """All running workloads, sorted by key. ``doubt`` is why who may take them is not certain, in a clause."""

    found: Sequence[Exposure]
    doubt: str = ""
