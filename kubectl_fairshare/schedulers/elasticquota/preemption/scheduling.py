"""One scheduling cycle for one pod: quotas, nodes, and preemption if it is needed.

Why not look at nodes first: a pod that the quotas reject is tried on no node, so the nodes that preemption may use are
all of them, even those with room.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/capacity_scheduling.go,
``PreFilter`` and ``PostFilter``;
https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/preemption/preemption.go, ``Preempt``.
Tested in ``tests/unit/schedulers/elasticquota/preemption/test_victims.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.jobs.node_demand import FilterStatus, NodeDemand
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Incoming, filter_verdict
from kubectl_fairshare.schedulers.elasticquota.preemption.eligibility import Eligibility, eligibility
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import Gate, QuotaVerdict, gate
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import NodeTrial, attempt
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.choice import NodeChoice, choose
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult


class Attempt(Value, frozen=True):
    """Everything that one cycle finds.

    ``filters`` are empty if the quotas rejected the pod, because then no node is tried. ``trials`` are the nodes on
    which preemption was tried, None if it was not needed or not allowed.
    """

    asker: Incoming
    gate: Gate
    course: CycleEnd
    filters: Mapping[str, FilterResult] = field(default_factory=dict)
    eligibility: Eligibility | None = None
    trials: Mapping[str, NodeTrial] = field(default_factory=dict)
    choice: NodeChoice | None = None

    @property
    def feasible(self) -> tuple[str, ...]:
        """The nodes with room for the pod now; its nominated node comes before all others."""
        found = tuple(name for name, verdict in self.filters.items() if verdict.passed)
        kept = self.asker.pod.nominated
        # The scheduler evaluates the nominated node first, and the others only if that has no room.
        return (kept,) if kept in found else found

    @property
    def preempted_on(self) -> tuple[str, ...]:
        """The nodes that are equally good for preemption, which may be any of them; empty where none takes place."""
        return () if self.choice is None else self.choice.nodes


def places(state: State, attempt: Attempt) -> bool:
    """Whether the pod is placed, now or after preemption; without nodes, whether the quotas admit it."""
    if not state.nodes:
        return attempt.gate.verdict is QuotaVerdict.SUCCESS
    return attempt.course in (CycleEnd.SCHEDULABLE, CycleEnd.PREEMPT)


def schedule(state: State, pod: Pod, demand: NodeDemand | None) -> Attempt:
    """The effect of one scheduling cycle on the pod."""
    asker = state.asker(pod, demand)
    verdict = gate(state.ledger, pod, [p for pods in asker.kept.values() for p in pods])
    filters: dict[str, FilterResult] = {}
    if verdict.verdict is QuotaVerdict.SUCCESS:
        filters = {name: filter_verdict(asker, node, state.loads[name]) for name, node in state.nodes.items()}
        if any(f.passed for f in filters.values()):
            return Attempt(asker, verdict, CycleEnd.SCHEDULABLE, filters)
    may = eligibility(state, pod, verdict, filters)
    if not may.eligible:
        return Attempt(asker, verdict, CycleEnd.NOT_ELIGIBLE, filters, may)
    # All of them: DefaultPreemption tries a tenth, from a random node on; this plugin does not sample.
    potential = [n for n in state.nodes if n not in filters or filters[n].status is FilterStatus.UNSCHEDULABLE]
    trials = {name: attempt(state, asker, verdict, state.nodes[name]) for name in potential}
    candidates = [trial for trial in trials.values() if trial.rejected is None]
    if candidates:
        return Attempt(asker, verdict, CycleEnd.PREEMPT, filters, may, trials, choose(candidates, Law))
    # Only without a candidate: the scheduler drops the errors of some nodes once another node can be used.
    course = CycleEnd.ERROR if any(t.errs for t in trials.values()) else CycleEnd.NO_CANDIDATE
    return Attempt(asker, verdict, course, filters, may, trials)
