"""What a policy has room for. Data only.

Tested in ``tests/unit/policy/test_capacity.py``.
"""

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import Value


class Room(Value, frozen=True):
    """The largest workload of one kind: ``size`` gets in, and one unit more does not, because of what ``binds``.

    ``victims`` are the queues whose work goes for it. ``size`` is None if nothing bounds it, of value 0 if not even
    one unit gets in. ``smaller`` are then amounts with which one unit of the shape that was asked about does, each in
    place of what the shape has of that resource, and the largest.
    """

    size: Amount | None
    binds: str = ""
    victims: tuple[str, ...] = ()
    smaller: tuple[Amount, ...] = ()


class CapacityRow(Value, frozen=True):
    """One queue's room for one resource in one pool: now, after preemption, and with nothing else there.

    ``preempting`` is None if it was not asked for. ``copies`` is how many workloads of one unit get in now,
    one after another; ``more_copies``: more do, and were not counted. None if it was not asked for.
    """

    queue: str
    pool: str
    resource: str
    now: Room
    preempting: Room | None
    ever: Room
    copies: int | None
    more_copies: bool = False


class Promise(Value, frozen=True):
    """What all quotas promise of one resource, and what the nodes have; None without Nodes. ``of`` is what is added."""

    resource: str
    quotas: Amount
    of: str
    nodes: Amount | None = None


class QuotaRaise(Value, frozen=True):
    """A queue's own quota of one resource, as it is and as it would have to be; ``more`` is the difference."""

    now: Amount
    then: Amount
    more: Amount


class BacklogRow(Value, frozen=True):
    """The smallest raises of a queue's own quota in one pool with which a backlog runs.

    ``raises`` is empty if it runs as things are, None if no raise is enough, because of what ``binds``. Without
    ``preempting`` no other work is preempted for it. No raise can be one unit less.
    """

    queue: str
    pool: str
    preempting: bool
    raises: tuple[QuotaRaise, ...] | None
    binds: str = ""


class CapacityAnswer(Value, frozen=True):
    """The answer to ``capacity``. ``unit`` is the size that everything is counted in, by resource."""

    scheduler: str
    fidelity: Fidelity
    unit: tuple[Amount, ...]
    rows: tuple[CapacityRow, ...]
    promises: tuple[Promise, ...]
    notes: tuple[str, ...] = ()
    backlog: tuple[BacklogRow, ...] = ()
