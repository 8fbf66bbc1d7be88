"""The pods that the over-use revoker evicts from a quota that has used more than its runtime for long enough.

It runs only with ``monitorAllQuotas``. Its sums keep only the resources of the last pod that it took.
Counter-example to evicting until the quota is within its runtime: a quota of runtime 4 cpu and 8Gi uses 5 cpu and 9Gi,
and its least important pod requests 1 cpu and no memory. Once that is taken, memory is compared no more, and the quota
stays at 9Gi.
Source:
https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/quota_overuse_revoke.go,
``getToRevokePodList``.
"""

from collections.abc import Sequence

from kubectl_fairshare.schedulers.koordinator.model.amounts import beyond, masked, minus, plus
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT, SYSTEM
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.importance import least_first


def is_over(state: State, quota: str) -> bool:
    """Whether a quota uses more than its runtime."""
    # Strictly above, in the resources that the runtime lists: equal is not over-used.
    return bool(beyond(state.sums(quota).used, state.runtime(quota)))


def over_used(state: State) -> tuple[str, ...]:
    """The quotas that use more than their runtime, and that the revoker watches."""
    return tuple(name for name in state.quotas if name not in (ROOT, SYSTEM) and is_over(state, name))


def own_pods(state: State, quota: str) -> list[Pod]:
    """The placed pods of a quota that count."""
    return [p for p in state.source.pods if p.node and not p.ignored and state.quota_of[p.key].quota == quota]


def revoked(state: State, quota: str, pods: Sequence[Pod] | None = None) -> tuple[Pod, ...]:
    """The pods that the revoker evicts, in its order. ``pods`` are its own ones, equal ones in the order to use."""
    runtime, used = state.runtime(quota), state.sums(quota).used
    taken: list[Pod] = []
    # The same order as the scheduler's sort by "not more important": of equal pods the last comes first.
    for pod in least_first(own_pods(state, quota) if pods is None else pods):
        if not beyond(used, runtime):
            break
        if pod.preemptible:
            # The scheduler's own bug: resources that this pod does not request fall out of the sum.
            used = masked(minus(used, pod.charge), pod.charge)
            taken.append(pod)
    if beyond(used, runtime):
        # All preemptible pods are not enough: all of them leave, and none is given back.
        return tuple(taken)
    victims = []
    for pod in reversed(taken):
        used = masked(plus(used, pod.charge), pod.charge)
        if beyond(used, runtime):
            # Not masked here: what was added a line above is taken back in all of its resources.
            used = minus(used, pod.charge)
            victims.append(pod)
    return tuple(victims)
