"""The total requests of the pods of a set.

Apart from the search, so that lint rules that only add up load none of it.
Why a pod set without pods keeps 0 when a workload shrinks: of 4 pods 4 can be reclaimed, so it asks for nothing; scaled
down in proportion it would ask for pods again.
Source: ``totalRequestsFromPodSets``, ``ScaledTo`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/workload/workload.go and ``fillPodSetSizesForSearchIndex`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/flavorassigner/podset_reducer.go.
Tested in ``tests/unit/schedulers/kueue/flavors/test_search.py``.
"""

from collections.abc import Iterable, Mapping

from kubectl_fairshare.model.amounts import WrappingAmount, add, bounded_amount, clamped
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet, PodSetAdmission


def total_requests(queue: ClusterQueue, pod_set: PodSet, count: int, *, exact: bool = False) -> dict[str, int]:
    """The total requests of ``count`` pods of the set, with ``pods`` if the queue covers it."""
    totals = {r: clamped(amount * count, exact=exact) for r, amount in pod_set.requests.items()}
    # Only then: in a queue without quota for pods nothing counts them, and an uncovered resource would be a misfit.
    if covers(queue, "pods"):
        totals["pods"] = count
    return totals


def sum_of(requests: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """What several pod sets request together, by resource."""
    total: dict[str, int] = {}
    for request in requests:
        for resource, amount in request.items():
            total[resource] = add(total.get(resource, 0), amount)
    return total


def total_with(assumed: int, request: int, *, saturates: bool) -> int:
    """What earlier pod sets got and what one requests; plain 64-bit integers wrap, or end at the largest one."""
    total = add(assumed, request)
    # Exact and bounded amounts saturate by themselves.
    if saturates and total.__class__ is WrappingAmount:
        return WrappingAmount(bounded_amount(int(assumed) + int(request)))
    return total


def held_requests(queue: ClusterQueue, admitted: PodSetAdmission) -> dict[str, int]:
    """The total requests of a pod set that holds quota, with ``pods`` if the queue covers it."""
    requests = dict(admitted.requests)
    if covers(queue, "pods"):
        requests["pods"] = admitted.count
    return requests


def covers(queue: ClusterQueue, resource: str) -> bool:
    """Whether a resource group of the queue covers the resource."""
    return any(resource in group.covered for group in queue.groups)


def current_counts(pod_sets: Iterable[PodSet], *, clamped: bool = True) -> tuple[int, ...]:
    """Pods that still need quota, per pod set: count − reclaimable, at least 0 if ``clamped``."""
    return tuple(p.count - (min(p.count, p.reclaimable) if clamped else p.reclaimable) for p in pod_sets)


def reduced_counts(pod_sets: Iterable[PodSet], step: int, delta: int) -> tuple[int, ...]:
    """Counts with ``step`` of ``delta`` pods left out in proportion; a pod set without pods stays at 0."""
    return tuple(
        0
        if p.count <= p.reclaimable
        # Rounded down, as the pods that are left out: Kueue divides integers before it subtracts.
        else p.count - (p.count - (p.count if p.min_count is None else p.min_count)) * step // delta
        for p in pod_sets
    )
