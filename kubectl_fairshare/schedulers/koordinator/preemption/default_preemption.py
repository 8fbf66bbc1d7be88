"""Where DefaultPreemption, which runs after ElasticQuota, could evict pods of any quota.

It knows no quotas and no label of Koordinator: every pod of a lower priority may be its victim. Its choice is not
reproduced.
Example: the chart runs DefaultPreemption after ElasticQuota. A pod of priority 9 of a quota without lower pods evicts a
pod of priority 5 of another quota, which ElasticQuota would never do.
Source:
https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go,
``SelectVictimsOnNode``;
https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/plugin.go, ``PostFilter``.
Tested in ``tests/unit/schedulers/koordinator/test_preemption.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.jobs.node_demand import FilterStatus
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.nodes.fit import filter_result
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd


def has_default_preemption(state: State) -> bool:
    """Whether DefaultPreemption runs after ElasticQuota in some profile; without a configuration it does."""
    profiles = state.source.profiles
    return profiles is None or not state.source.alone.issuperset(profiles)


def nodes_of_default_preemption(state: State, attempt: PodAttempt) -> Iterator[str]:
    """The full nodes with room once all lower priorities are gone, if DefaultPreemption runs for the pod.

    It runs even for a pod that the quotas reject, because they are no filter of nodes. A node that has room already
    needs no victim.
    """
    pod = attempt.pod
    if pod.scheduler in state.source.alone:
        return
    if pod.scheduler in state.source.early:
        yield from _nodes_before(state, attempt)
        return
    if not _runs(state, attempt):
        return
    for name, node in state.nodes.items():
        # Most nodes have no lower pod: this one number spares a look at all of their pods.
        if state.lowest[name] >= pod.priority:
            continue
        lower = [other for other in state.pods[name] if other.priority < pod.priority]
        result = attempt.filters.get(name)
        if result is None or result.status is FilterStatus.UNSCHEDULABLE:
            load, peers = state.loads[name], state.peers(pod, name)
            # Rejected by quotas, the pod was tried on no node; one with room already has no victims, and is no
            # candidate.
            if result is None and filter_result(pod, attempt.demand, node, load, peers).passed:
                continue
            for other in lower:
                load = load.without(other)
            if filter_result(pod, attempt.demand, node, load, peers).passed:
                yield name


def _nodes_before(state: State, attempt: PodAttempt) -> Iterator[str]:
    """The nodes with lower priorities, where DefaultPreemption runs first: it evicts, or ends the cycle in an error."""
    pod = attempt.pod
    if pod.preempts and attempt.course not in (CycleEnd.SCHEDULABLE, CycleEnd.NONE):
        yield from (name for name in state.nodes if state.lowest[name] < pod.priority)


def _runs(state: State, attempt: PodAttempt) -> bool:
    """Whether ElasticQuota hands the pod on: it finds no victims, or it waits for one that no scheduler evicts.

    DefaultPreemption waits, too, for a victim of a preemption on the nominated node, of any quota.
    """
    if attempt.course is CycleEnd.NO_CANDIDATE:
        return True
    pod = attempt.pod
    # DefaultPreemption looks for a pod that a preemption evicts, ElasticQuota for any that terminates.
    there = state.pods.get(pod.nominated, ()) if attempt.eligible is Law.VICTIMS_LEAVING else ()
    return bool(there) and not any(other.preempted and other.priority < pod.priority for other in there)
