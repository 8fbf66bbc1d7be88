"""One scheduling cycle for one pod: quotas, nodes, and preemption if it is needed.

Why not look at nodes first: a pod that its quota rejects is tried on no node, so preemption is tried on all of them,
even on those with room.
Source: https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/plugin.go,
``PreFilter`` and ``PostFilter``;
https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/preemption/preemption.go, ``Preempt``.
"""

from collections.abc import Iterable, Mapping

from kubectl_fairshare.jobs.node_demand import FilterStatus, NodeDemand
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.nodes.fit import asked_of_nodes, filter_result
from kubectl_fairshare.schedulers.koordinator.preemption.gate import GateStatus, QuotaGate, quota_gate
from kubectl_fairshare.schedulers.koordinator.preemption.victims import PreemptionQuestion, PreemptionTrial, trial
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, with_pods
from kubectl_fairshare.schedulers.kubescheduler.choice import NodeChoice, choose
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult


class PodAttempt(Value, frozen=True):
    """Everything that one cycle finds.

    ``filters`` are empty if the quotas rejected the pod, because then no node is tried. ``leaving`` is the pod that it
    has to wait for; ``trials`` are the nodes on which preemption was tried.
    """

    pod: Pod
    demand: NodeDemand
    gate: QuotaGate
    end: CycleEnd
    filters: Mapping[str, FilterResult] = field(default_factory=dict)
    eligible: Law | None = None
    leaving: Pod | None = None
    trials: Mapping[str, PreemptionTrial] = field(default_factory=dict)
    choice: NodeChoice | None = None

    @property
    def feasible(self) -> tuple[str, ...]:
        """The nodes with room for the pod now; its nominated node comes before all others."""
        found = tuple(name for name, result in self.filters.items() if result.passed)
        return (self.pod.nominated,) if self.pod.nominated in found else found

    @property
    def preempted_on(self) -> tuple[str, ...]:
        """The nodes that are equally good for preemption, which may be any of them; empty where none takes place."""
        return () if self.choice is None else self.choice.nodes

    @property
    def chosen(self) -> PreemptionTrial | None:
        """The trial of the chosen node; the first by name if several are equal."""
        return None if self.choice is None else self.trials[self.choice.nodes[0]]


def is_placed(state: State, attempt: PodAttempt) -> bool:
    """Whether the pod gets in, now or after preemption; without nodes, whether the quotas admit it."""
    if not state.nodes:
        return attempt.gate.admits
    return attempt.end in (CycleEnd.SCHEDULABLE, CycleEnd.PREEMPT)


def schedule(state: State, pod: Pod, demand: NodeDemand | None = None) -> PodAttempt:
    """The effect of one scheduling cycle on the pod."""
    wanted = demand or state.source.demands.get(pod.key) or NodeDemand()
    gate = quota_gate(state, pod)
    # An error ends the cycle before PostFilter: no preemption is tried.
    if gate.status is GateStatus.ERROR:
        return PodAttempt(pod, wanted, gate, CycleEnd.NONE)
    filters: dict[str, FilterResult] = {}
    if gate.admits:
        filters = _filtered(state, pod, wanted)
        if any(result.passed for result in filters.values()):
            return PodAttempt(pod, wanted, gate, CycleEnd.SCHEDULABLE, filters)
    law, leaving = _eligibility(state, pod, gate, filters)
    if law is not Law.MAY_PREEMPT:
        return PodAttempt(pod, wanted, gate, CycleEnd.NOT_ELIGIBLE, filters, law, leaving)
    # All of them: unlike DefaultPreemption, this plugin has no sample of nodes.
    potential = [n for n in state.nodes if n not in filters or filters[n].status is FilterStatus.UNSCHEDULABLE]
    search = PreemptionQuestion(state, pod, wanted, gate.quota)
    trials = {name: trial(search, name) for name in potential}
    candidates = [each for each in trials.values() if each.rejected is None]
    if candidates:
        return PodAttempt(pod, wanted, gate, CycleEnd.PREEMPT, filters, law, None, trials, choose(candidates, Law))
    # Only without a candidate: the scheduler drops the errors of some nodes once another node can be used.
    end = CycleEnd.ERROR if any(each.errs for each in trials.values()) else CycleEnd.NO_CANDIDATE
    return PodAttempt(pod, wanted, gate, end, filters, law, None, trials)


def _filtered(state: State, pod: Pod, demand: NodeDemand) -> dict[str, FilterResult]:
    """The filters' verdict on every node."""
    loads, asked, peers = state.loads, asked_of_nodes(pod), state.peers
    nodes = state.nodes.items()
    return {name: filter_result(pod, demand, node, loads[name], peers(pod, name), asked) for name, node in nodes}


def _eligibility(
    state: State, pod: Pod, gate: QuotaGate, filters: Mapping[str, FilterResult]
) -> tuple[Law, Pod | None]:
    """Whether the pod can preempt, and the terminating pod on its nominated node that it has to wait for."""
    if not pod.preempts:
        return Law.NEVER_PREEMPTS, None
    node = pod.nominated
    result = filters.get(node)
    if node not in state.nodes or (result is not None and result.status is FilterStatus.UNRESOLVABLE):
        return Law.MAY_PREEMPT, None
    for other in state.pods[node]:
        if other.terminating and state.quota_of[other.key].quota == gate.quota and other.priority < pod.priority:
            return Law.VICTIMS_LEAVING, other
    return Law.MAY_PREEMPT, None


def is_refused_after(state: State, attempt: PodAttempt, victims: Iterable[Pod]) -> bool:
    """Whether the quotas reject the pod even after the eviction of its victims."""
    gone = {pod.key for pod in victims}
    # The limit is divided anew: fewer requests may leave the quota less runtime than the trial took for granted.
    after = with_pods(state, [pod for pod in state.source.pods if pod.key not in gone])
    return not quota_gate(after, attempt.pod).admits
