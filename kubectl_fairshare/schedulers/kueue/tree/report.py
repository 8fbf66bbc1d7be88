"""What is reported of a whole state: the shares of every node, a cycle, a saturation. Types only."""

from collections.abc import Mapping
from dataclasses import field

from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.fidelity import Fidelity
from kubectl_fairshare.schedulers.kueue.cycle.cycle import Round
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending
from kubectl_fairshare.schedulers.kueue.tree.activity import Inactivity
from kubectl_fairshare.schedulers.kueue.tree.ledger import Share
from kubectl_fairshare.schedulers.outcome import Outcome
from kubectl_fairshare.trace import Step


@dataclass(frozen=True, slots=True)
class PairFigures:
    """One flavor-resource at one node, in the resource's units (cpu in milli).

    ``nominal`` is the node's own quota, ``subtree`` what it and all below may use by right, ``usage``
    what is used, ``borrowed`` what of it exceeds ``subtree``, ``lent`` what others use now of the quota
    given here or below (by the convention of ``Loan``; what leaves a cohort counts at it and at those
    below it whose quota it is), ``available`` what could still be taken now
    (may be negative), ``potential`` the most it could ever use. ``place`` is where the quota stands.
    """

    nominal: int
    subtree: int
    local: int
    usage: int
    borrowed: int
    lent: int
    available: int
    potential: int
    borrowing_limit: int | None
    lending_limit: int | None
    place: Place | None


@dataclass(frozen=True, slots=True)
class NodeReport:
    """One Cohort or ClusterQueue with its children.

    ``declared`` is False for an implicit cohort. ``borrowing`` tells whether any flavor-resource
    borrows; ``borrow_path`` are the names of the cohorts, from the parent up, out of which it borrows.
    ``inactive`` tells why a queue is out of service. ``pending`` and ``running`` count workloads of the
    subtree.
    """

    name: str
    kind: str
    declared: bool
    weight: float
    share: Share
    rounded_share: int
    pairs: Mapping[FlavorResource, PairFigures]
    borrow_path: tuple[str, ...]
    inactive: Inactivity | None
    running: int
    pending: int
    children: tuple["NodeReport", ...] = ()


@dataclass(frozen=True, slots=True)
class Loan:
    """What one node could be asked to give back to another: ``amount`` of ``pair`` at ``cohort``.

    Kueue knows balances only. Where a lender is named, it is by convention: at each cohort, from the
    borrower's parent up, unused quota is matched in order, the cohort's own first, then its children's
    by name, to the children that borrow, by name. ``lender`` None is quota that nobody lends: the tree
    as a whole is over its quota. ``lender_kind`` is Cohort or ClusterQueue; borrowers are ClusterQueues.
    """

    pair: FlavorResource
    borrower: str
    lender: str | None
    cohort: str
    amount: int
    lender_kind: str = ""


@dataclass(frozen=True, slots=True)
class UsageLine:
    """Usage of one LocalQueue or one namespace per flavor-resource, with its numbers of workloads."""

    name: str
    cluster_queues: tuple[str, ...]
    usage: Mapping[FlavorResource, int]
    running: int
    pending: int


@dataclass(frozen=True, slots=True)
class ShareTree:
    """All trees, balances, totals and what could not be placed.

    ``cycles`` are the names of cohorts and queues whose ancestry runs into a cycle. ``stray`` are
    workloads that hold quota in a queue that does not exist. ``totals`` maps a flavor-resource to
    nominal and used over all trees.
    """

    fair: bool
    strategies: tuple[str, ...]
    trees: tuple[NodeReport, ...]
    loans: tuple[Loan, ...]
    local_queues: tuple[UsageLine, ...]
    namespaces: tuple[UsageLine, ...]
    totals: Mapping[FlavorResource, tuple[int, int]]
    cycles: tuple[str, ...]
    stray: tuple[str, ...]
    running: int
    pending: int
    skipped: Mapping[str, int]
    fidelity: Fidelity


@dataclass(frozen=True, slots=True)
class Derivation:
    """Each figure of one node, derived term by term; steps rest on the facts that were read."""

    name: str
    kind: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class CycleReport:
    """One scheduling cycle. ``waiting`` maps a ClusterQueue to how many workloads wait in it.

    ``behind`` are workloads that were asked about and not considered, as another one of their queue
    goes first; ``left_out`` are pending workloads that stand in no queue, each with the reason.
    ``outcomes`` tells what becomes of each head, by its key.
    """

    fair: bool
    round: Round
    waiting: Mapping[str, int]
    fidelity: Fidelity
    behind: tuple[tuple[Pending, Pending], ...] = ()
    left_out: tuple[tuple[Pending, Step], ...] = ()
    outcomes: Mapping[ObjectKey, Outcome] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Saturation:
    """What each queue holds once every queue has an endless backlog of unit workloads.

    ``usage`` maps a ClusterQueue to its amount of ``resource``; ``cycles`` is how many cycles it took
    to come to rest. ``units`` are whole workloads per queue, ``pairs`` what they hold of each
    flavor-resource. Where cycles never come to rest, ``period`` of them lead back to the same state
    again and again: ``swings`` maps each queue that moves in them to its least and its most units, and
    the other figures are those at the beginning of such a period. ``without_backlog`` are the queues in
    which nothing can wait. ``bundle`` is 1 when single units came from the first cycle on; where there
    are thousands of them, the first cycles moved bundles of so many, and another course might come to
    rest a few units away.
    """

    resource: str
    shape: Mapping[str, int]
    usage: Mapping[str, int]
    cycles: int
    fidelity: Fidelity
    rests: bool = True
    units: Mapping[str, int] = field(default_factory=dict)
    pairs: Mapping[str, Mapping[FlavorResource, int]] = field(default_factory=dict)
    period: int = 0
    swings: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    without_backlog: tuple[str, ...] = ()
    bundle: int = 1
