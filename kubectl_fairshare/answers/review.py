"""What a change of policy is judged by, in the form that all schedulers' answers share: rights, and work at risk.

Tested in ``tests/unit/policy/test_diff_elsewhere.py``.
"""

from collections.abc import Sequence, Set
from typing import NamedTuple

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value


class Entitlement(Value, frozen=True):
    """What one queue has a right to, of one resource in one pool; no running work counts.

    ``guaranteed`` is the queue's own, ``entitled`` what it gets when all queues ask for more than there is, ``most``
    what it can ever hold. None is a figure that the scheduler does not have; ``most`` is None if nothing bounds it.
    """

    queue: ObjectKey
    resource: str
    pool: str
    guaranteed: Amount | None = None
    entitled: Amount | None = None
    most: Amount | None = None


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


class Exposure(Value, frozen=True):
    """A running workload, what it holds, and who may take that from it; it is safe where ``takers`` is empty.

    ``pods`` is how many pods run, as far as that is known, otherwise 1. ``borrows``: its queue holds more than its own;
    ``left_below`` is how far it falls below its own without the workload.
    """

    key: ObjectKey
    queue: str
    priority: int
    holds: tuple[Amount, ...]
    borrows: bool
    takers: Set[PossiblePreemptor] = frozenset()
    pods: int = 1
    left_below: tuple[Amount, ...] = ()


class Exposures(NamedTuple):
    """All running workloads, sorted by key. ``doubt`` is why who may take them is not certain, in a clause."""

    found: Sequence[Exposure]
    doubt: str = ""
