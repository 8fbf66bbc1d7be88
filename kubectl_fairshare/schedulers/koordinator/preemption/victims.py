"""The victims of a pod on one node: candidates are removed, the pod is tried, and unneeded victims are put back.

All victims are on the node that the pod would use, even if only its quota keeps it out.
Counter-example to "after its victims leave the pod gets in": the trial compares with the limit from before, but victims
that leave request less, so that the quota's runtime may fall by as much, and the pod is rejected again.
Source: https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/preempt.go,
``SelectVictimsOnNode`` and ``canPreempt``.
"""

from collections.abc import Sequence

from kubectl_fairshare.jobs.node_demand import DisruptionBudget, NodeDemand
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.koordinator.laws import Law, fate_of, why_spared
from kubectl_fairshare.schedulers.koordinator.model.amounts import (
    NOTHING,
    Amounts,
    beyond,
    masked,
    minus_floored,
    plus,
)
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.nodes.fit import Load, filter_result
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.choice import NodeVictims, broken_budgets
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult
from kubectl_fairshare.schedulers.kubescheduler.importance import equals, most_first


class VictimFate(Value, frozen=True):
    """The end of a candidate: evicted because the node or the quota needs it, or put back.

    ``used`` is what the quota would use with the pod in question if it stayed, ``exceeded`` where that is too much;
    ``budgets`` are those that its eviction breaks.
    """

    pod: Pod
    law: Law
    used: Amounts
    exceeded: tuple[str, ...] = ()
    budgets: tuple[DisruptionBudget, ...] = ()

    @property
    def leaves(self) -> bool:
        """Whether the pod is a victim."""
        return self.law is not Law.PUT_BACK


class PreemptionTrial(Value, frozen=True):
    """The result of preemption on one node: victims, or the law that rejects the node.

    ``fates`` are in the order of the decisions. ``lacking`` is what the node lacks with all candidates removed.
    ``ties`` are groups of equally important pods of which some leave and some stay.
    """

    node: str
    fates: tuple[VictimFate, ...] = ()
    violations: int = 0
    rejected: Law | None = None
    lacking: FilterResult | None = None
    ties: tuple[tuple[Pod, ...], ...] = ()

    @property
    def victims(self) -> tuple[VictimFate, ...]:
        """The victims in the order of the scheduler's list."""
        return tuple(fate for fate in self.fates if fate.leaves)

    @property
    def on_node(self) -> NodeVictims:
        """The victims, as the choice among nodes compares them."""
        return NodeVictims([fate.pod for fate in self.victims], self.violations)

    @property
    def errs(self) -> bool:
        """Whether the scheduler fails on the node, instead of rejecting it."""
        return self.rejected in (Law.REMOVED_TWICE, Law.NO_VICTIM_NEEDED)


class PreemptionQuestion(Value, frozen=True):
    """A pod that preempts: its quota, what that uses, and the limit as it was before.

    Without a quota nothing is charged, and other pods without one can be victims.
    """

    state: State
    pod: Pod
    demand: NodeDemand
    quota: str

    @property
    def used(self) -> Amounts:
        """What the quota uses."""
        return self.state.sums(self.quota).used if self.quota else NOTHING

    @property
    def limit(self) -> Amounts:
        """What the quota may use."""
        return self.state.limit(self.quota) if self.quota else NOTHING

    def charge(self, pod: Pod) -> Amounts:
        """What a pod adds to the quota."""
        # The sums of a quota have only what its max lists, so what is taken from them has no more.
        return masked(pod.charged, self.state.quotas[self.quota].max) if self.quota else NOTHING

    def why_spared(self, other: Pod) -> Law | None:
        """Why another pod is not a candidate; None for a candidate."""
        spares = self.state.source.arguments.spares_default
        return why_spared(self.pod, self.quota, other, self.state.quota_of[other.key].quota, spares_default=spares)

    def exceeded(self, used: Amounts) -> tuple[str, ...]:
        """The resources in which the quota would be over its limit, among those that the pod requests."""
        # In the pod's resources only; the test before any node compares all that the quota uses.
        return beyond(masked(plus(used, self.pod.charged), self.pod.charged), self.limit)


class TrialMoment(Value, frozen=True):
    """The node and the quota's use at one point of a trial."""

    load: Load
    used: Amounts


def candidates_on(search: PreemptionQuestion, node: str) -> list[Pod]:
    """The pods of the node that may be victims."""
    # Most nodes have no lower pod: this one number spares a look at all of their pods.
    if search.state.lowest[node] >= search.pod.priority:
        return []
    lower = (pod for pod in search.state.pods[node] if pod.priority < search.pod.priority)
    own = (pod for pod in lower if search.state.quota_of[pod.key].quota == search.quota)
    return [pod for pod in own if search.why_spared(pod) is None]


def trial(search: PreemptionQuestion, node: str, ordered: Sequence[Pod] | None = None) -> PreemptionTrial:
    """The result of preemption on the node; ``ordered`` are its candidates, equal ones in the order to use."""
    state = search.state
    candidates = candidates_on(search, node) if ordered is None else ordered
    if not candidates:
        return PreemptionTrial(node, rejected=Law.NO_VICTIMS)
    load, used = state.loads[node], search.used
    for pod in candidates:
        # Below 0 the scheduler's sums stop at 0.
        load, used = load.without(pod), minus_floored(used, _counted(search, pod))
    lacking = filter_result(search.pod, search.demand, state.nodes[node], load, state.peers(search.pod, node))
    if not lacking.passed:
        return PreemptionTrial(node, rejected=Law.DOES_NOT_FIT, lacking=lacking)
    # The quota is not tested once all candidates are gone, only as each comes back, unlike in CapacityScheduling.
    return _put_back(search, node, TrialMoment(load, used), most_first(candidates))


def _counted(search: PreemptionQuestion, pod: Pod) -> Amounts:
    return NOTHING if pod.ignored else search.charge(pod)


def _put_back(search: PreemptionQuestion, node: str, moment: TrialMoment, candidates: Sequence[Pod]) -> PreemptionTrial:
    """Puts back each candidate that is not needed, first those whose eviction would break a budget."""
    broken = broken_budgets(search.state.budgets, candidates)
    breaking = [pod for pod in candidates if broken[pod.key]]
    fates: list[VictimFate] = []
    violations = 0
    # Those first whose eviction breaks a budget; unlike CapacityScheduling, the list of victims is not sorted
    # afterwards.
    for pod in (*breaking, *(pod for pod in candidates if not broken[pod.key])):
        fate, moment = _fate(search, node, moment, pod)
        fates.append(replace(fate, budgets=broken[pod.key]) if broken[pod.key] else fate)
        if fate.law is Law.REMOVED_TWICE:
            return PreemptionTrial(node, tuple(fates), violations, Law.REMOVED_TWICE)
        # The scheduler counts only pods that the node has no room for: a victim of the quota breaks a budget uncounted.
        violations += fate.law is Law.NODE_NEEDS and bool(broken[pod.key])
    rejected = None if any(fate.leaves for fate in fates) else Law.NO_VICTIM_NEEDED
    return PreemptionTrial(node, tuple(fates), violations, rejected, ties=_ties(fates))


def _fate(search: PreemptionQuestion, node: str, moment: TrialMoment, pod: Pod) -> tuple[VictimFate, TrialMoment]:
    """The end of one candidate that is put back."""
    back = TrialMoment(moment.load.including(pod), plus(moment.used, _counted(search, pod)))
    state, asking = search.state, search.pod
    passed = filter_result(asking, search.demand, state.nodes[node], back.load, state.peers(asking, node)).passed
    after = back if passed else moment
    exceeded = search.exceeded(after.used)
    law = fate_of(node_has_room=passed, quota_exceeded=bool(exceeded))
    return VictimFate(pod, law, after.used, exceeded), back if law is Law.PUT_BACK else moment


def _ties(fates: Sequence[VictimFate]) -> tuple[tuple[Pod, ...], ...]:
    """Equally important candidates of which some are evicted and some stay: the scheduler's choice is undefined."""
    leaving = {fate.pod.key for fate in fates if fate.leaves}
    groups = equals(fate.pod for fate in fates)
    return tuple(group for group in groups if {pod.key in leaving for pod in group} == {True, False})
