"""The victims of a pod on one node: candidates are removed, the pod is tried, and unneeded victims are put back.

All victims are on the node that the pod would use, even if only its quota keeps it out.
Counter-example to "after its victims leave the pod gets in": the trial compares with the limit from before, but victims
that leave request less, so that the quota's runtime may fall by as much, and the pod is rejected again.
Source: https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/preempt.go,
``SelectVictimsOnNode`` and ``canPreempt``.
"""

from collections.abc import Sequence

from kubectl_fairshare.jobs.node_demand import DisruptionBudget, NodeDemand
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.laws import Law, why_spared
from kubectl_fairshare.schedulers.koordinator.model.amounts import (
    NOTHING,
    Amounts,
    beyond,
    masked,
    minus_floored,
    plus,
)
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.nodes.fit import Load
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.importance import most_first
from kubectl_fairshare.schedulers.kubescheduler.victims import TrialOfNode, fate_of, put_back, ties_among


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


class PreemptionTrial(TrialOfNode[Pod, VictimFate], frozen=True):
    """The result of preemption on one node."""


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
        return masked(pod.charge, self.state.quotas[self.quota].max) if self.quota else NOTHING

    def why_spared(self, other: Pod) -> Law | None:
        """Why another pod is not a candidate; None for a candidate."""
        spares = self.state.source.arguments.spares_default
        return why_spared(self.pod, self.quota, other, self.state.quota_of[other.key].quota, spares_default=spares)

    def exceeded(self, used: Amounts) -> tuple[str, ...]:
        """The resources in which the quota would be over its limit, among those that the pod requests."""
        # In the pod's resources only; the test before any node compares all that the quota uses.
        return beyond(masked(plus(used, self.pod.charge), self.pod.charge), self.limit)


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
    lacking = state.verdict_on(search.pod, search.demand, node, load)
    if not lacking.passed:
        return PreemptionTrial(node, rejected=Law.DOES_NOT_FIT, lacking=lacking)
    # The quota is not tested once all candidates are gone, only as each comes back, unlike in CapacityScheduling.
    return _restored(search, node, TrialMoment(load, used), most_first(candidates))


def _counted(search: PreemptionQuestion, pod: Pod) -> Amounts:
    return NOTHING if pod.ignored else search.charge(pod)


def _restored(search: PreemptionQuestion, node: str, bare: TrialMoment, candidates: Sequence[Pod]) -> PreemptionTrial:
    """The trial once each candidate that is not needed is back."""

    def tried_back(moment: TrialMoment, pod: Pod) -> tuple[VictimFate, TrialMoment]:
        return _fate(search, node, moment, pod)

    found = put_back(candidates, search.state.budgets, bare, tried_back)
    # Unlike in CapacityScheduling, the list of victims is not sorted afterwards.
    victims = tuple(found.victims)
    if found.failed is not None:
        return PreemptionTrial(node, found.fates, victims, found.violations, Law.REMOVED_TWICE)
    rejected = None if victims else Law.ALL_SPARED
    ties = ties_among((fate.pod for fate in found.fates), found.fates)
    return PreemptionTrial(node, found.fates, victims, found.violations, rejected, ties=ties)


def _fate(search: PreemptionQuestion, node: str, moment: TrialMoment, pod: Pod) -> tuple[VictimFate, TrialMoment]:
    """The end of one candidate that is put back."""
    back = TrialMoment(moment.load.including(pod), plus(moment.used, _counted(search, pod)))
    passed = search.state.room_on(search.pod, node, back.load).passed
    after = back if passed else moment
    exceeded = search.exceeded(after.used)
    law = fate_of(Law, node_has_room=passed, quotas_exceeded=bool(exceeded))
    return VictimFate(pod, law, after.used, exceeded), back if law is Law.PUT_BACK else moment
