"""Changes that would place a pod; each one is simulated, and listed only if it helps.

The tests of quotas are strict inequalities, so a raise is tried exactly where a test changes its result. If one
resource alone is raised, one unit less is not enough.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from heapq import heappop, heappush
from typing import Final, NamedTuple

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.deletion import deletion
from kubectl_fairshare.schedulers.elasticquota.explain.trying import helps, remedy_of
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import PODS, Excess, Vector, is_sound, vector_from
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, with_node, with_quota
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, Remedy, RemedyChange
from kubectl_fairshare.schedulers.kubescheduler.remedies import (
    PodRetrial,
    of_higher_class,
    preempting,
    smaller_request,
    uncordoned,
)

_MOST_TRIES: Final = 16


def remedies(state: State, attempt: Attempt, written: Place) -> tuple[Remedy, ...]:
    """The changes that would place the pod written at ``written``; empty if it is placed.

    Without nodes, the changes that let the quotas admit it.
    """
    if is_placed(state.nodes, attempt):
        return ()
    retrial = _retrial(state, attempt)
    found = (
        *uncordoned(retrial),
        *preempting(retrial, written),
        *_of_quota(state, attempt),
        *of_higher_class(retrial, written, _rivals(state, attempt), state.source.priorities),
        *_smaller_requests(retrial),
        *deletion(state, attempt),
    )
    return tuple(found)


def _retrial(state: State, attempt: Attempt) -> PodRetrial:
    def with_changed(node: Node) -> tuple[State, Attempt]:
        changed = with_node(state, node)
        return changed, schedule(changed, attempt.pod, attempt.demand)

    return PodRetrial(
        state,
        attempt,
        # A waiting pod is in no sum, so the state is the same.
        with_pod=lambda pod: (state, schedule(state, pod, attempt.demand)),
        with_node=with_changed,
        helps=helps,
        remedy=remedy_of,
    )


def _of_quota(state: State, attempt: Attempt) -> Iterator[Remedy]:
    """A higher maximum or minimum: few amounts before many, and the smallest raise of each."""
    if not attempt.gate.quoted:
        return
    quota = state.source.quotas[attempt.pod.namespace]
    seen: set[_Raise] = set()
    to_try: list[_Raise] = []
    base, before, raised = state, attempt, _Raise()
    for _ in range(_MOST_TRIES):
        for further in (_within_max(quota, more) for more in _raises(base, before, raised)):
            if further not in seen:
                seen.add(further)
                heappush(to_try, further)
        if not to_try:
            return
        raised = heappop(to_try)
        base = with_quota(state, _wider(quota, raised))
        before = schedule(base, attempt.pod, attempt.demand)
        if helps(base, before):
            yield remedy_of(base, _changes(quota, raised), before)
            return


class _Raise(NamedTuple):
    """Amounts to raise, with their new values; ordered by their number, then by their size."""

    size: int = 0
    amounts: tuple[tuple[int, ChangeKind, str], ...] = ()

    def with_(self, kind: ChangeKind, excesses: Iterable[Excess]) -> "_Raise":
        """This raise, plus what is missing in amounts of ``kind``."""
        held = {(k, r): after for after, k, r in self.amounts}
        held |= {(kind, e.resource): e.bound + e.more for e in excesses}
        return _Raise(len(held), tuple(sorted((after, k, r) for (k, r), after in held.items())))


def _raises(state: State, attempt: Attempt, so_far: _Raise) -> Iterator[_Raise]:
    """The raises at which a test changes its result, on top of ``so_far``.

    They let the pod pass now, bring it within its minimum, or let it pass once the pods of one node are evicted.
    """
    gate, ledger = attempt.gate, state.ledger
    own = ledger.quotas[attempt.pod.namespace].least
    found = {(t.exceeded, t.excesses) for t in attempt.trials.values() if t.exceeded is not None}
    if not gate.admits:
        found.add((gate.law, gate.excesses))
    for law, excesses in sorted(found):
        if law is Law.OVER_MAX:
            yield so_far.with_(ChangeKind.MAX, excesses)
        else:
            short = (Excess(e.resource, e.more, own.of(e.resource), own.of(e.resource)) for e in excesses)
            yield so_far.with_(ChangeKind.MIN, short)
    if excesses := ledger.beyond_min_with(attempt.pod.namespace, gate.in_quota):
        yield so_far.with_(ChangeKind.MIN, excesses)


def _within_max(quota: ElasticQuota, raised: _Raise) -> _Raise:
    """The raise with every maximum that would be below its minimum and was not, which E001 and E002 report.

    A written amount beyond 64 bits was not, whatever it counts as.
    """
    wider = _wider(quota, raised)
    sound = {r for r, written in quota.written_max.items() if is_sound(r, written)}
    new = (r for _, kind, r in raised.amounts if kind is ChangeKind.MIN or r not in sound)
    least = {r: (wider.least.of(r), wider.bound(r)) for r in new}
    lifted = (Excess(r, 0, v, v) for r, (v, most) in least.items() if most is not None and v > most)
    return raised.with_(ChangeKind.MAX, lifted)


def _wider(quota: ElasticQuota, raised: _Raise) -> ElasticQuota:
    """The quota with the raised amounts."""
    for kind in (ChangeKind.MIN, ChangeKind.MAX):
        held = quota.least if kind is ChangeKind.MIN else quota.most
        more = {r: after for after, k, r in raised.amounts if k is kind}
        if more:
            amounts = vector_from({**{r: held.of(r) for r in held.listed()}, **more})
            quota = replace(quota, min=amounts) if kind is ChangeKind.MIN else replace(quota, max=amounts)
    return quota


def _changes(quota: ElasticQuota, raised: _Raise) -> Iterator[RemedyChange]:
    """The changes to fields as the user writes them, by field and resource."""
    for after, kind, resource in sorted(raised.amounts, key=lambda amount: amount[1:]):
        is_min = kind is ChangeKind.MIN
        held, written = (quota.least, quota.written_min) if is_min else (quota.most, quota.written_max)
        before = held.of(resource) if resource in written else None
        yield RemedyChange(kind, quota.place(kind.value, resource), resource, before, after, quota=quota.namespace)


def _rivals(state: State, attempt: Attempt) -> Iterator[int]:
    """The priorities of the pods that it could preempt."""
    pod, ledger = attempt.pod, state.ledger
    there: Iterable[Pod] = (p for pods in state.pods.values() for p in pods) if pod.preempts else ()
    for other in there:
        if other.namespace == pod.namespace if attempt.gate.quoted else not ledger.has(other.namespace):
            yield other.priority


def _smaller_requests(of: PodRetrial) -> Iterator[Remedy]:
    """Smaller requests of one resource each.

    A resource that counts otherwise in the quota than on a node, as a sidecar's does, is left out: a single amount
    cannot say what to write.
    """
    pod: Pod = of.attempt.pod
    for resource in sorted(pod.bare.listed()):
        asked, own = pod.charge.of(resource), pod.bare.of(resource)
        if own > 1 and resource != PODS and asked == pod.request.of(resource):
            less = partial(with_less, pod, resource)
            yield from smaller_request(of, resource, asked, own, less, _room(of.state, pod, resource))


def _room(state: State, pod: Pod, resource: str) -> set[int]:
    """What nodes and quotas have left of a resource."""
    nodes = {n.allocatable.of(resource) - state.loads[name].requested.of(resource) for name, n in state.nodes.items()}
    quota = state.source.quotas.get(pod.namespace)
    if quota is None:
        return nodes
    bound, used = quota.bound(resource), state.ledger.used(pod.namespace).of(resource)
    left = {state.ledger.pool.of(resource) - state.ledger.total.of(resource)}
    return nodes | left | ({bound - used} if bound is not None else set())


def with_less(pod: Pod, resource: str, by: int) -> Pod:
    """The pod with a request of so much less."""
    charge, request, bare = (_reduced(each, resource, by) for each in (pod.charge, pod.request, pod.bare))
    return replace(pod, charge=charge, request=request, bare=bare)


def _reduced(of: Vector, resource: str, by: int) -> Vector:
    return vector_from({r: of.of(r) - (by if r == resource else 0) for r in of.listed()})
