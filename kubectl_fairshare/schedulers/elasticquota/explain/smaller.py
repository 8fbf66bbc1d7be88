"""Smaller requests with which a pod is placed without preemption, one resource at a time.

Tested in ``tests/unit/schedulers/elasticquota/explain/test_remedies.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import largest
from kubectl_fairshare.schedulers.elasticquota.explain.decision import ChangeKind, Remedy, RemedyChange
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import PODS, Vector, vector_from
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, CycleEnd, places, schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State


def smaller_requests(state: State, attempt: Attempt) -> Iterator[Remedy]:
    """The largest request of one resource with which the pod is placed; its other requests stay."""
    pod = attempt.asker.pod
    for resource in sorted(pod.bare.listed()):
        asked, own = pod.charge.of(resource), pod.bare.of(resource)
        if own <= 1 or resource == PODS:
            continue

        def tried(amount: int, resource: str = resource, asked: int = asked) -> Attempt:
            return schedule(state, with_less(pod, resource, asked - amount), attempt.asker.demand)

        def fits(amount: int) -> bool:
            found = tried(amount)
            return places(state, found) and found.course is not CycleEnd.PREEMPT

        amount = largest(asked - own + 1, asked - 1, fits, _room(state, pod, resource))
        if amount is not None:
            change = RemedyChange(ChangeKind.REQUEST, None, resource, asked, amount)
            yield Remedy((change,), CycleEnd.SCHEDULABLE, tried(amount).feasible, 0)


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
