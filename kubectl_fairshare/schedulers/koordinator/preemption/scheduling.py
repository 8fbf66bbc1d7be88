"""One scheduling cycle of Koordinator's plugin ElasticQuota for one pod.

Why not trust the trial on a node: it compares with the limit from before, and the limit is divided anew once the
victims have left.
Source: https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/plugin.go,
``PreFilter`` and ``PostFilter``.
"""

from collections.abc import Iterable

from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.nodes.fit import asked_of_nodes, filter_result
from kubectl_fairshare.schedulers.koordinator.preemption.gate import GateStatus, QuotaGate, quota_gate
from kubectl_fairshare.schedulers.koordinator.preemption.victims import PreemptionQuestion, PreemptionTrial, trial
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, with_pods
from kubectl_fairshare.schedulers.kubescheduler.cycle import CycleAttempt, CycleOfPlugin, cycle
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult


class PodAttempt(CycleAttempt[Pod, QuotaGate, PreemptionTrial], frozen=True):
    """Everything that one cycle finds."""


def schedule(state: State, pod: Pod, demand: NodeDemand | None = None) -> PodAttempt:
    """The effect of one scheduling cycle on the pod."""
    wanted = demand or state.source.demands.get(pod.key) or NodeDemand()
    gate = quota_gate(state, pod)
    # An error ends the cycle before PostFilter: no preemption is tried.
    if gate.status is GateStatus.ERROR:
        return PodAttempt(pod, wanted, gate)
    search = PreemptionQuestion(state, pod, wanted, gate.quota)

    def is_awaited(leaving: Pod) -> bool:
        return state.quota_of[leaving.key].quota == gate.quota and leaving.priority < pod.priority

    plugin = CycleOfPlugin(
        laws=Law,
        nodes=state.nodes,
        pods=state.pods,
        filtered=lambda: _filtered(state, pod, wanted),
        makes_room=is_awaited,
        trial=lambda name: trial(search, name),
    )
    return cycle(PodAttempt, pod, wanted, gate, plugin)


def _filtered(state: State, pod: Pod, demand: NodeDemand) -> dict[str, FilterResult]:
    """The filters' verdict on every node."""
    loads, asked, peers = state.loads, asked_of_nodes(pod), state.peers
    nodes = state.nodes.items()
    return {name: filter_result(pod, demand, node, loads[name], peers(pod, name), asked) for name, node in nodes}


def is_refused_after(state: State, attempt: PodAttempt, victims: Iterable[Pod]) -> bool:
    """Whether the quotas reject the pod even after the eviction of its victims."""
    gone = {pod.key for pod in victims}
    # The limit is divided anew: fewer requests may leave the quota less runtime than the trial took for granted.
    after = with_pods(state, [pod for pod in state.source.pods if pod.key not in gone])
    return not quota_gate(after, attempt.pod).admits
