"""The figures of a whole state: those of each quota, and their sums. Types only.

Tested in ``tests/unit/schedulers/elasticquota/explain/test_shares.py``.
"""

from collections.abc import Mapping
from enum import StrEnum

from kubectl_fairshare.answers.counts import QueueCounts
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.answers.shares import QueueNode
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota


class Bounded(StrEnum):
    """The origin of a quota's maximum of one resource."""

    LISTED = "listed"
    MAX_ABSENT = "maxAbsent"
    MISSING_IS_ZERO = "missingIsZero"
    MISSING_IS_UNBOUNDED = "missingIsUnbounded"


class StatusCause(StrEnum):
    """Why ``status.used`` differs from what the scheduler counts.

    The controller counts running pods only, and no overhead; STALE is the rest.
    """

    NOT_RUNNING = "notRunning"
    OVERHEAD = "overhead"
    STALE = "stale"


class Ceiling(Value, frozen=True):
    """The tightest bound of the ResourceQuotas without scopes, and the name that they use for the resource."""

    value: Quantity = field(name="amount")
    name: str
    place: Place


class ExplainedAmount(Value, frozen=True):
    """One cause of a difference, and the amount that it explains."""

    cause: StatusCause
    amount: Quantity


class StatusUsed(Value, frozen=True):
    """``status.used``, if it differs from what the scheduler counts, and why."""

    value: Quantity = field(name="amount")
    causes: tuple[ExplainedAmount, ...]


class QuotaResourceFigures(Value, frozen=True, rename="camel"):
    """One resource of one quota. A null bound or headroom means no bound; ``maxIs`` is the origin of the maximum.

    ``borrowed`` is used above the minimum, ``lendable`` the unused part of it, which others may use until this quota
    needs it. ``poolHeadroom`` is what all quotas together have left; ``reachable`` is the most that this quota can use
    while the others keep their use. A headroom can be negative.
    """

    resource: str
    min: Quantity
    max: Quantity | None
    bounded: Bounded = field(name="maxIs")
    hard: Ceiling | None
    used: Quantity
    borrowed: Quantity
    lendable: Quantity
    own_headroom: Quantity | None
    pool_headroom: Quantity
    reachable: Quantity
    status: StatusUsed | None = field(name="statusUsed")
    min_place: Place
    max_place: Place


class QuotaReport(Value, frozen=True):
    """One quota. ``dropped`` are names that the scheduler ignores; ``others`` are further quotas of the namespace.

    ``scoped`` are the ResourceQuotas of the namespace that limit only some of its pods.
    """

    quota: ElasticQuota
    figures: Mapping[str, QuotaResourceFigures]
    counts: QueueCounts
    dropped: tuple[str, ...] = ()
    others: tuple[ObjectKey, ...] = ()
    scoped: tuple[str, ...] = ()


class Sums(Value, frozen=True, rename="camel"):
    """One resource over all quotas; null if the input has no nodes.

    ``allocatable`` is the sum over schedulable nodes. ``outsideQuotas`` is the part that pods in namespaces without a
    quota use; no quota can reclaim it. ``stranded`` is what no quota can use, as all quotas together use at most their
    minima; negative if the nodes have less.
    """

    resource: str
    min: Quantity
    used: Quantity
    allocatable: Quantity | None
    outside: Quantity = field(name="outsideQuotas")
    stranded: Quantity | None


class QuotaTable(Value, frozen=True):
    """All quotas by namespace, and the sums by resource. ``nodes`` counts all nodes, then the schedulable ones."""

    quotas: tuple[QuotaReport, ...]
    sums: Mapping[str, Sums]
    resources: tuple[str, ...]
    nodes: tuple[int, int]
    unquoted: int
    skipped: Mapping[str, int]
    fidelity: Fidelity


class QuotaFigures(Value, frozen=True, rename="camel"):
    """One ElasticQuota. ``dropped`` are names that the scheduler ignores; ``ignored`` are further quotas.

    ``scopedResourceQuotas`` limit only some pods of the namespace and are not in ``hard``.
    """

    namespace: str
    name: str
    placed: int
    waiting: int
    dropped: tuple[str, ...]
    ignored: tuple[str, ...]
    scoped_resource_quotas: tuple[str, ...]


QuotaNode = QueueNode[QuotaFigures, QuotaResourceFigures]


class QuotaShares(Value, frozen=True, rename="camel"):
    """Every ElasticQuota with its figures, and the sums over all."""

    trees: tuple[QuotaNode, ...] = field(name="quotas")
    sums: tuple[Sums, ...]
    nodes: int
    schedulable_nodes: int
    pods_outside_quotas: int
    skipped: Mapping[str, int]
    fidelity: Fidelity
