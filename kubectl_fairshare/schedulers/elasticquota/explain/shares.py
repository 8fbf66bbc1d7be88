"""Each quota's balance in every resource. There are no weights and no fair shares: the first to ask borrows.

Source: scheduler-plugins' CapacityScheduling; Kubernetes' ResourceQuota for its bounds.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.counts import NO_WORK, QueueCounts, QueueWork, total_counts
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import (
    Bounded,
    Ceiling,
    ExplainedAmount,
    QuotaReport,
    QuotaResourceFigures,
    QuotaTable,
    StatusCause,
    StatusUsed,
    Sums,
)
from kubectl_fairshare.schedulers.elasticquota.gaps import state_gaps
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, Hard, Pod
from kubectl_fairshare.schedulers.elasticquota.model.scaled import cut
from kubectl_fairshare.schedulers.elasticquota.model.vector import (
    CPU,
    FIXED,
    MEMORY,
    PODS,
    STORAGE,
    ZERO,
    Vector,
    amount,
    is_held,
    minus,
    plus,
)
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.manifests.creation import Creation, unknown_creation

_NATIVE: Final = (CPU, MEMORY, STORAGE)


def shares(state: State, skipped: Mapping[str, int], created: Creation = unknown_creation) -> QuotaTable:
    """The figures of every quota, and the sums over all quotas."""
    source = state.source
    by_namespace: dict[str, list[Pod]] = {namespace: [] for namespace in source.quotas}
    outside = ZERO
    unquoted = 0
    for pod in source.pods:
        if pod.namespace in by_namespace:
            by_namespace[pod.namespace].append(pod)
        elif pod.node:
            unquoted += 1
            outside = plus(outside, pod.request) if pod.node in source.nodes else outside
    resources = _resources(state)
    reports = tuple(
        _quota(state, source.quotas[namespace], pods, resources, created) for namespace, pods in by_namespace.items()
    )
    schedulable = [node for node in source.nodes.values() if not node.unschedulable]
    allocatable = ZERO
    for node in schedulable:
        allocatable = plus(allocatable, node.allocatable)
    given = allocatable if source.nodes else None
    sums = {r: _sums(state, r, given, outside) for r in resources}
    counts = (len(source.nodes), len(schedulable))
    return QuotaTable(reports, sums, resources, counts, unquoted, skipped, state_gaps(state, figures=True))


def _sums(state: State, resource: str, given: Vector | None, outside: Vector) -> Sums:
    least, other = state.ledger.pool.of(resource), outside.of(resource)
    total = None if given is None else given.of(resource)
    stranded = None if total is None else cut(total - other - least)
    return Sums(resource, least, state.ledger.total.of(resource), total, other, stranded)


def _resources(state: State) -> tuple[str, ...]:
    """The resources that a quota names or uses: the standard ones first, the others by name."""
    named = {r for q in state.source.quotas.values() for r in (*q.written_min, *q.written_max) if is_held(r)}
    named |= {r for r in state.ledger.total.listed() if state.ledger.total.of(r)}
    return (*(r for r in FIXED if r in named), *sorted(named.difference(FIXED)))


def _quota(
    state: State, quota: ElasticQuota, pods: Sequence[Pod], resources: tuple[str, ...], created: Creation
) -> QuotaReport:
    placed = [pod for pod in pods if pod.node]
    there = [h for h in state.source.hards if h.key.namespace == quota.namespace]
    hards = [h for h in there if not h.scoped]
    counted = _controller_counts(placed)
    written = {**quota.written_min, **quota.written_max}
    return QuotaReport(
        quota,
        {r: _figures(state, quota, r, hards, counted) for r in resources},
        counts=total_counts(NO_WORK, (QueueCounts.of(_work(pod, created)) for pod in pods)),
        dropped=tuple(sorted(r for r in written if not is_held(r))),
        others=tuple(q.key for q in state.source.others.get(quota.namespace, ())),
        scoped=tuple(h.key.name for h in there if h.scoped),
    )


def _work(pod: Pod, created: Creation) -> QueueWork:
    return QueueWork(bool(pod.node), not pod.node, None if pod.node else created(pod.key))


def _figures(
    state: State, quota: ElasticQuota, resource: str, hards: Iterable[Hard], counted: tuple[Vector, Vector]
) -> QuotaResourceFigures:
    ledger = state.ledger
    least, most, used = quota.least.of(resource), quota.bound(resource), ledger.used(quota.namespace).of(resource)
    left = cut(ledger.pool.of(resource) - ledger.total.of(resource))
    reach = cut(used + left)
    return QuotaResourceFigures(
        resource,
        min=least,
        max=most,
        bounded=max_kind(quota, resource),
        hard=ceiling(hards, resource),
        used=used,
        borrowed=cut(max(0, used - least)),
        lendable=cut(max(0, least - used)),
        own_headroom=None if most is None else cut(most - used),
        pool_headroom=left,
        reachable=reach if most is None else min(most, reach),
        status=_status_used(quota, resource, used, counted),
        min_place=quota.place("min", resource),
        max_place=quota.place("max", resource),
    )


def max_kind(quota: ElasticQuota, resource: str) -> Bounded:
    """The origin of the maximum of a resource."""
    if quota.max is None:
        return Bounded.MAX_ABSENT
    if resource in quota.written_max:
        return Bounded.LISTED
    return Bounded.MISSING_IS_ZERO if resource in FIXED else Bounded.MISSING_IS_UNBOUNDED


def ceiling(hards: Iterable[Hard], resource: str) -> Ceiling | None:
    """The tightest bound of ResourceQuotas on what the pods of a namespace request; None without one."""
    found = [
        Ceiling(amount(resource, value), name, Place(hard.key, (*hard.path, name)))
        for hard in hards
        for name, value in hard.bounds.items()
        if requested_as(name) == resource
    ]
    return min(found, key=lambda c: (c.value, c.name), default=None)


def requested_as(name: str) -> str | None:
    """The resource whose requests a name in a ResourceQuota limits; None for a name that limits something else.

    ``cpu`` means ``requests.cpu`` there; extended resources have the prefix ``requests.`` only.
    """
    if name in _NATIVE or name.startswith("hugepages-"):
        return name
    return name.removeprefix("requests.") if name.startswith("requests.") and name != f"requests.{PODS}" else None


def _controller_counts(placed: Iterable[Pod]) -> tuple[Vector, Vector]:
    """What the controller adds up, and the overhead of the same pods, which it omits."""
    counted, overhead = ZERO, ZERO
    for pod in placed:
        if pod.running:
            counted = plus(counted, pod.bare)
            overhead = plus(overhead, minus(pod.charge, pod.bare))
    return counted, overhead


def _status_used(quota: ElasticQuota, resource: str, used: int, counted: tuple[Vector, Vector]) -> StatusUsed | None:
    if quota.status_used is None:
        return None
    value = quota.status_used.get(resource, 0)
    if value == used:
        return None
    controller, overhead = (vector.of(resource) for vector in counted)
    causes = (
        (StatusCause.NOT_RUNNING, cut(used - controller - overhead)),
        (StatusCause.OVERHEAD, overhead),
        (StatusCause.STALE, cut(controller - value)),
    )
    return StatusUsed(value, tuple(ExplainedAmount(cause, by) for cause, by in causes if by))
