"""Where DefaultPreemption, which runs after ElasticQuota, could evict pods of any quota.

It knows no quotas and no label of Koordinator: every pod of a lower priority may be its victim. Its choice is not
reproduced. Source: koordinator v1.8.0, the configuration of its chart; Kubernetes 1.35, ``DefaultPreemption``.
Tested in ``tests/unit/schedulers/koordinator/test_preemption.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.jobs.node_demand import FilterStatus
from kubectl_fairshare.schedulers.koordinator.nodes.fit import filter_result
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import AttemptEnd, PodAttempt
from kubectl_fairshare.schedulers.koordinator.quotas.state import State


def has_default_preemption(state: State) -> bool:
    """Whether DefaultPreemption runs after ElasticQuota in some profile; without a configuration it does."""
    profiles = state.source.profiles
    return profiles is None or not state.source.alone.issuperset(profiles)


def nodes_of_default_preemption(state: State, attempt: PodAttempt) -> Iterator[str]:
    """The nodes with room once all lower priorities are gone, if ElasticQuota admits the pod and finds no victims."""
    pod = attempt.pod
    if attempt.end is not AttemptEnd.NO_CANDIDATE or not attempt.gate.admits or pod.scheduler in state.source.alone:
        return
    for name, result in attempt.filters.items():
        lower = [other for other in state.pods[name] if other.priority < pod.priority]
        if lower and result.status is FilterStatus.UNSCHEDULABLE:
            load = state.loads[name]
            for other in lower:
                load = load.without(other)
            if filter_result(pod, attempt.demand, state.nodes[name], load, state.peers(pod, name)).passed:
                yield name
