"""What a policy has room for. Data only.

Tested in ``tests/unit/policy/test_capacity.py``.
"""

from kubectl_fairshare.answers.answer import Amount, Stated
from kubectl_fairshare.answers.documents import AnswerPart
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import field


class Room(AnswerPart, frozen=True):
    """The largest workload of one kind: ``size`` gets in, and one unit more does not, because of what ``binds``.

    ``victims`` are the queues whose work goes for it. ``size`` is null if nothing bounds it, of value 0 if not even
    one unit gets in. ``smaller`` are then amounts with which one unit of the shape that was asked about does, each in
    place of what the shape has of that resource, and the largest.
    """

    size: Stated | None
    binds: str = ""
    victims: tuple[str, ...] = ()
    smaller: tuple[Amount, ...] = ()


class CapacityRow(AnswerPart, frozen=True):
    """One queue's room for one resource in one flavor: now, after preemption, and with nothing else there.

    ``preempting`` is null if it was not asked for. ``copies`` is how many workloads of one unit get in now,
    one after another; ``moreCopies``: more do, and were not counted. Null if it was not asked for.
    """

    queue: str
    pool: str = field(name="flavor")
    resource: str
    now: Room
    preempting: Room | None
    ever: Room
    copies: int | None
    more_copies: bool = False


class Promise(AnswerPart, frozen=True):
    """What all quotas promise of one resource, and what the nodes have; null without Nodes. ``of`` is what is added."""

    DOCUMENT = ("resource", "of", "quotas", "nodes")
    resource: str
    quotas: Stated
    of: str
    nodes: Stated | None = None


class QuotaRaise(AnswerPart, frozen=True):
    """A queue's own quota of one resource, as it is and as it would have to be; ``more`` is the difference."""

    DOCUMENT = ("resource", "now", "then", "more")
    now: Stated
    then: Stated
    more: Stated

    @property
    def resource(self) -> str:
        """The resource of the quota."""
        return self.now.resource


class BacklogRow(AnswerPart, frozen=True):
    """The smallest raises of a queue's own quota in one flavor with which a backlog runs.

    ``raises`` is empty if it runs as things are, null if no raise is enough, because of what ``binds``. Without
    ``preempting`` no other work is preempted for it. No raise can be one unit less.
    """

    queue: str
    pool: str = field(name="flavor")
    preempting: bool
    raises: tuple[QuotaRaise, ...] | None
    binds: str = ""


class CapacityAnswer(AnswerPart, frozen=True):
    """The answer to ``capacity``. ``unit`` is the size that everything is counted in, by resource."""

    DOCUMENT = ("scheduler", "version", "unit", "rows", "promises", "backlog", "fidelity", "notes")
    scheduler: str
    fidelity: Fidelity
    unit: tuple[Amount, ...]
    rows: tuple[CapacityRow, ...] = field(name="queues")
    promises: tuple[Promise, ...]
    notes: tuple[str, ...] = ()
    backlog: tuple[BacklogRow, ...] = ()

    @property
    def version(self) -> str:
        """The release of the scheduler that is reproduced."""
        return self.fidelity.version
