"""Smaller requests with which a pod is placed, one resource at a time.

Tested in ``tests/unit/schedulers/koordinator/test_explain.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import largest
from kubectl_fairshare.schedulers.koordinator.explain.trying import helps, remedy_of
from kubectl_fairshare.schedulers.koordinator.model.amounts import exact, whole
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, is_placed, schedule
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, with_pods
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, Remedy, RemedyChange


def smaller_requests(state: State, attempt: PodAttempt) -> Iterator[Remedy]:
    """The largest request of one resource with which the pod is placed without preemption, then a larger one with it.

    Its other requests stay.
    """
    pod = attempt.pod
    for resource in sorted(pod.bare):
        own = whole(resource, pod.bare[resource])
        if own > 1 and whole(resource, pod.charged.get(resource, 0)) >= own:
            yield from _largest(state, attempt, resource)


def _largest(state: State, attempt: PodAttempt, resource: str) -> Iterator[Remedy]:
    pod, room = attempt.pod, _room(state, attempt, resource)
    asked = whole(resource, pod.charged.get(resource, 0))

    def tried(amount: int) -> tuple[State, PodAttempt]:
        less = _less(pod, resource, exact(resource, asked - amount))
        others = [less if other.key == pod.key else other for other in state.source.pods]
        changed = with_pods(state, others)
        return changed, schedule(changed, less, attempt.demand)

    def fits(amount: int) -> bool:
        changed, found = tried(amount)
        return is_placed(changed, found) and found.end is not CycleEnd.PREEMPT

    least, most = asked - whole(resource, pod.bare[resource]) + 1, asked - 1
    now = largest(least, most, fits, room)
    after = largest(least if now is None else now + 1, most, lambda amount: helps(*tried(amount)), room)
    for amount in (now, after):
        if amount is not None:
            changed, found = tried(amount)
            change = RemedyChange(ChangeKind.REQUEST, None, resource, asked, amount)
            yield remedy_of(changed, [change], found)


def _room(state: State, attempt: PodAttempt, resource: str) -> set[int]:
    """What nodes and quotas have left of a resource: where its largest request may be."""
    left = {
        whole(resource, node.allocatable.get(resource, 0)) - state.loads[name].requested.get(resource, 0)
        for name, node in state.nodes.items()
    }
    tests = [test for test in (attempt.gate.refusal,) if test is not None and resource in test.limit]
    return left | {whole(resource, test.limit[resource] - test.used.get(resource, 0)) for test in tests}


def _less(pod: Pod, resource: str, by: int) -> Pod:
    amounts = ({**each, resource: each[resource] - by} for each in (pod.request, pod.charged, pod.bare))
    request, charged, bare = amounts
    return replace(pod, request=request, charged=charged, bare=bare)
