"""The figures of a whole state: those of each quota, and their sums. Types only.

Tested in ``tests/unit/schedulers/elasticquota/explain/test_shares.py``.
"""

from collections.abc import Mapping
from enum import StrEnum

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota
from kubectl_fairshare.schedulers.elasticquota.model.scaled import cut


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
    """The tightest bound of ResourceQuotas on one resource: its amount, its place, its name there."""

    value: int
    place: Place
    name: str


class StatusUsed(Value, frozen=True):
    """``status.used`` of one resource that differs from ``used``, and the amount that each cause explains."""

    value: int
    causes: tuple[tuple[StatusCause, int], ...]


class Figures(Value, frozen=True):
    """One resource of one quota, in the scheduler's units (cpu in millicores).

    None in ``max``, ``own_headroom`` or ``hard`` means no bound. ``pool_headroom`` is what all quotas together have
    left; ``reachable`` is the most that this quota can use now. A headroom can be negative.
    """

    min: int
    max: int | None
    bounded: Bounded
    hard: Ceiling | None
    used: int
    pool_headroom: int
    status: StatusUsed | None = None

    @property
    def borrowed(self) -> int:
        """What is used above the minimum."""
        return cut(max(0, self.used - self.min))

    @property
    def lendable(self) -> int:
        """The unused part of the minimum: others may use it until this quota needs it."""
        return cut(max(0, self.min - self.used))

    @property
    def own_headroom(self) -> int | None:
        """What is left up to the maximum."""
        return None if self.max is None else cut(self.max - self.used)

    @property
    def reachable(self) -> int:
        """The most that the quota can use while the others keep their use."""
        reach = cut(self.used + self.pool_headroom)
        return reach if self.max is None else min(self.max, reach)


class QuotaReport(Value, frozen=True):
    """One quota. ``dropped`` are names that the scheduler ignores; ``others`` are further quotas of the namespace.

    ``scoped`` are the ResourceQuotas of the namespace that limit only some of its pods.
    """

    quota: ElasticQuota
    figures: Mapping[str, Figures]
    running: int
    pending: int
    dropped: tuple[str, ...] = ()
    others: tuple[ObjectKey, ...] = ()
    scoped: tuple[str, ...] = ()


class Sums(Value, frozen=True):
    """One resource over all quotas, and what the nodes have of it.

    ``allocatable`` is the sum over schedulable nodes, None without nodes. ``outside`` is the part that pods in
    namespaces without a quota use; no quota can reclaim it.
    """

    min: int
    used: int
    allocatable: int | None
    outside: int

    @property
    def stranded(self) -> int | None:
        """What no quota can use, as all quotas together use at most their minima. Negative: the nodes have less."""
        return None if self.allocatable is None else cut(self.allocatable - self.outside - self.min)


class QuotaTable(Value, frozen=True):
    """All quotas by namespace, and the sums by resource. ``nodes`` counts all nodes, then the schedulable ones."""

    quotas: tuple[QuotaReport, ...]
    sums: Mapping[str, Sums]
    resources: tuple[str, ...]
    nodes: tuple[int, int]
    unquoted: int
    skipped: Mapping[str, int]
    fidelity: Fidelity
