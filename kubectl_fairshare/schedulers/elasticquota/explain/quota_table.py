"""What is reported of a whole state: each quota's figures and their sums. Types only."""

from collections.abc import Mapping
from enum import StrEnum

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota
from kubectl_fairshare.schedulers.elasticquota.model.scaled import cut


class Bounded(StrEnum):
    """How a quota's maximum of one resource comes about."""

    LISTED = "listed"
    MAX_ABSENT = "maxAbsent"
    MISSING_IS_ZERO = "missingIsZero"
    MISSING_IS_UNBOUNDED = "missingIsUnbounded"


class StatusCause(StrEnum):
    """Why ``status.used`` is not what the scheduler counts.

    The controller counts pods that run alone, and no overhead; STALE is what neither explains.
    """

    NOT_RUNNING = "notRunning"
    OVERHEAD = "overhead"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The tightest bound of ResourceQuotas on one resource: its amount, where it stands, and its own name for it."""

    value: int
    place: Place
    name: str


@dataclass(frozen=True, slots=True)
class StatusUsed:
    """``status.used`` of one resource where it differs from ``used``; each cause with the amount it accounts for."""

    value: int
    causes: tuple[tuple[StatusCause, int], ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """One resource of one quota, in the scheduler's units (cpu in milli).

    ``max`` None is no bound, and so are ``own_headroom`` and ``hard``. ``pool_headroom`` is what all quotas
    together have left, shared by all; ``reachable`` the most the quota could use as things are.
    Amounts of headroom may be negative.
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
        """What is used beyond the minimum."""
        return cut(max(0, self.used - self.min))

    @property
    def lendable(self) -> int:
        """What of the minimum is not used: others may use it until it is wanted back."""
        return cut(max(0, self.min - self.used))

    @property
    def own_headroom(self) -> int | None:
        """What is left up to the maximum."""
        return None if self.max is None else cut(self.max - self.used)

    @property
    def reachable(self) -> int:
        """The most that can be used while the others use what they do."""
        reach = cut(self.used + self.pool_headroom)
        return reach if self.max is None else min(self.max, reach)


@dataclass(frozen=True, slots=True)
class QuotaReport:
    """One quota. ``dropped`` are written names that the scheduler does not hold; ``others`` further quotas there.

    ``scoped`` are the ResourceQuotas of the namespace that bound some of its pods only.
    """

    quota: ElasticQuota
    figures: Mapping[str, Figures]
    running: int
    pending: int
    dropped: tuple[str, ...] = ()
    others: tuple[ObjectKey, ...] = ()
    scoped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sums:
    """One resource over all quotas, and what the nodes have of it.

    ``allocatable`` is that of schedulable nodes, None without nodes; ``outside`` is what pods of namespaces without
    a quota take of nodes, which no quota can claim back.
    """

    min: int
    used: int
    allocatable: int | None
    outside: int

    @property
    def stranded(self) -> int | None:
        """What quotas cannot reach, as all together use no more than their minima; negative: promised twice."""
        return None if self.allocatable is None else cut(self.allocatable - self.outside - self.min)


@dataclass(frozen=True, slots=True)
class QuotaTable:
    """All quotas by namespace, and the sums by resource. ``nodes`` counts those given and those schedulable."""

    quotas: tuple[QuotaReport, ...]
    sums: Mapping[str, Sums]
    resources: tuple[str, ...]
    nodes: tuple[int, int]
    unquoted: int
    skipped: Mapping[str, int]
    fidelity: Fidelity
