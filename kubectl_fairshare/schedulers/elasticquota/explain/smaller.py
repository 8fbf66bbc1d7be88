"""Smaller requests with which a pod is placed, one resource at a time.

Tested in ``tests/unit/schedulers/elasticquota/explain/test_remedies.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import largest
from kubectl_fairshare.schedulers.elasticquota.explain.trying import helps, remedy_of
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import PODS, Vector, vector_from
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, places, schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, Remedy, RemedyChange


def smaller_requests(state: State, attempt: Attempt) -> Iterator[Remedy]:
    """The largest request of one resource with which the pod is placed without preemption, then a larger one with it.

    Its other requests stay. A resource that counts otherwise in the quota than on a node, as a sidecar's does, is left
    out: a single amount cannot say what to write.
    """
    pod = attempt.asker.pod
    for resource in sorted(pod.bare.listed()):
        one_amount = pod.charge.of(resource) == pod.request.of(resource)
        if pod.bare.of(resource) > 1 and resource != PODS and one_amount:
            yield from _largest(state, attempt, resource)


def _largest(state: State, attempt: Attempt, resource: str) -> Iterator[Remedy]:
    pod = attempt.asker.pod
    asked, room = pod.charge.of(resource), _room(state, pod, resource)

    def tried(amount: int) -> Attempt:
        return schedule(state, with_less(pod, resource, asked - amount), attempt.asker.demand)

    def fits(amount: int) -> bool:
        found = tried(amount)
        return places(state, found) and found.course is not CycleEnd.PREEMPT

    least, most = asked - pod.bare.of(resource) + 1, asked - 1
    now = largest(least, most, fits, room)
    after = largest(least if now is None else now + 1, most, lambda amount: helps(state, tried(amount)), room)
    for amount in (now, after):
        if amount is not None:
            change = RemedyChange(ChangeKind.REQUEST, None, resource, asked, amount)
            yield remedy_of(state, [change], tried(amount))


def _room(state: State, pod: Pod, resource: str) -> set[int]:
    """What nodes and quotas have left of a resource: where its largest request may be."""
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
