"""Smaller sizes of a workload that start now: fewer pods, a smaller request, a lower minimum.

Tested in ``tests/property/test_remedies.py``.
"""

from collections.abc import Callable, Iterator
from functools import partial

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import largest
from kubectl_fairshare.schedulers.kueue.explain.decision import Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.remedies.trying import decision, fits_now
from kubectl_fairshare.schedulers.kueue.flavors.requests import current_counts
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State


def _free(state: State, queue: int, resource: str) -> dict[str, int]:
    """What of a resource is free for the queue in each flavor."""
    pairs = (pair for pair in state.forest.nodes[queue].quotas if pair.resource == resource)
    return {pair.flavor: state.ledger.available(queue, pair) for pair in pairs}


def _room(state: State, queue: int, pod_set: PodSet) -> set[int]:
    """How many pods of the set each flavor has room for, if it serves all their resources and nothing else asks."""
    flavors = {pair.flavor for pair in state.forest.nodes[queue].quotas}
    free = {resource: _free(state, queue, resource) for resource, request in pod_set.requests.items() if request > 0}
    counts = ([free[r].get(flavor, 0) // pod_set.requests[r] for r in free] for flavor in flavors)
    return {min(each) for each in counts if each}


def smaller(state: State, queue: int, workload: Pending) -> Iterator[Remedy]:
    """The most pods, and the largest request per pod, that fit now; each changes one pod set alone."""
    for i, pod_set in enumerate(workload.pod_sets):
        resized = partial(_with_count, workload, i)
        room = _room(state, queue, pod_set)
        count = largest(1, pod_set.count - 1, lambda n, r=resized: fits_now(state, queue, r(n)), room)  # type: ignore[misc]
        if count is not None and count >= (pod_set.min_count or 0):  # a webhook rejects a count below the minimum
            yield from _size_remedy(state, resized, RemedyKind.COUNT, pod_set.count, count, pod_set=pod_set.name)
        for resource, request in sorted(pod_set.requests.items()):
            yield from _smaller_request(state, queue, workload, i, resource, request)


def lower_minimum(state: State, queue: int, workload: Pending) -> Iterator[Remedy]:
    """The largest minimum of partial admission with which the workload starts now."""
    for i, pod_set in enumerate(workload.pod_sets):
        if pod_set.min_count is None:
            continue
        resized = partial(_with_count, workload, i)
        pods = largest(1, pod_set.min_count - 1, lambda n, r=resized: fits_now(state, queue, r(n)))  # type: ignore[misc]
        lowered = _with(workload, i, replace(pod_set, min_count=pods))
        decided = None if pods is None else decision(state, lowered)
        if pods is not None and decided is not None and decided.outcome is Outcome.ADMITTED:
            before, name = pod_set.min_count, pod_set.name
            others = sum(current_counts(workload.pod_sets)) - pod_set.count
            started = (others + pods, others + pod_set.count)
            doubted = decided.doubted
            yield Remedy(
                RemedyKind.MINIMUM, before, pods, Outcome.ADMITTED, 0, pod_set=name, pods=started, doubted=doubted
            )


def _with_count(workload: Pending, i: int, count: int) -> Pending:
    """The workload with ``count`` pods in one pod set, which may no longer shrink."""
    return _with(workload, i, replace(workload.pod_sets[i], count=count, min_count=None))


def _smaller_request(
    state: State, queue: int, workload: Pending, i: int, resource: str, request: int
) -> Iterator[Remedy]:
    pod_set = workload.pod_sets[i]

    def with_request(amount: int) -> Pending:
        occupies = {**pod_set.occupies, resource: amount} if resource in pod_set.occupies else pod_set.occupies
        smaller = replace(pod_set, requests={**pod_set.requests, resource: amount}, occupies=occupies)
        return _with(workload, i, smaller)

    free = {amount // max(1, pod_set.count) for amount in _free(state, queue, resource).values()}
    least = max(1, pod_set.least.get(resource, 1))
    amount = largest(least, request - 1, lambda n: fits_now(state, queue, with_request(n)), free)
    if amount is not None:
        pair = FlavorResource("", resource)
        yield from _size_remedy(
            state, with_request, RemedyKind.REQUEST, request, amount, pair=pair, pod_set=pod_set.name
        )


def _with(workload: Pending, i: int, pod_set: PodSet) -> Pending:
    pod_sets = (*workload.pod_sets[:i], pod_set, *workload.pod_sets[i + 1 :])
    return replace(workload, pod_sets=pod_sets)


def _size_remedy(
    state: State,
    resized: Callable[[int], Pending],
    kind: RemedyKind,
    before: int,
    fitting: int,
    *,
    pair: FlavorResource | None = None,
    pod_set: str | None = None,
) -> Iterator[Remedy]:
    """The change to the largest size that fits now.

    The scan may still choose a flavor in which it preempts: a larger size then does as well, if it has no more victims.
    """
    decided, after = decision(state, resized(fitting)), fitting
    if decided is not None and decided.outcome is Outcome.PREEMPTS:
        most = len(decided.leaving)
        after = largest(fitting, before - 1, lambda n: _victims(state, resized(n), most + 1) <= most) or fitting
        decided = decision(state, resized(after))
    if decided is not None:
        yield Remedy(
            kind,
            before,
            after,
            decided.outcome,
            len(decided.leaving),
            pair=pair,
            pod_set=pod_set,
            leaving=decided.leaving,
            doubted=decided.doubted,
        )


def _victims(state: State, workload: Pending, none: int) -> int:
    """How many are preempted for it; ``none`` if it does not get in."""
    decided = decision(state, workload)
    return none if decided is None else len(decided.leaving)
