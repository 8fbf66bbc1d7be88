"""Why pods are where they are under Koordinator's quotas.

Tested in ``tests/unit/schedulers/koordinator/test_why.py``.
"""

from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.preemptors import Preemptors
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.asking import new_origins, next_pods
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.explain.preemptors import left_below, takers
from kubectl_fairshare.schedulers.koordinator.gaps import state_gaps
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.names import GROUP, KIND
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.gate import QuotaTest
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.why.risks import EvictionRisks
from kubectl_fairshare.schedulers.koordinator.why.turns import TURNS
from kubectl_fairshare.schedulers.koordinator.why.verdict import HeldBy, Reason, Why, computed_reason
from kubectl_fairshare.schedulers.kubescheduler.explainer import Fields, PluginReasons, PodExplainer, PodsOnNodes


def explainer(snapshot: Snapshot, state: State, now: int | None) -> PodExplainer[Why]:
    """Answers for the pods of one snapshot; ``now`` is the moment of the question, if known."""
    return PodExplainer(_REASONS, snapshot, state, now)


def _own(state: State, found: Plan, briefly: bool) -> Fields:
    refusal = found.attempt.gate.refusal
    held = () if briefly else holders(state, refusal)
    return {"quota": found.attempt.gate.quota, "held": held, "watched": state.source.arguments.monitors_all}


def _placed(of: PodExplainer[Why]) -> PodsOnNodes:
    state: State = of.state
    risks = EvictionRisks(state, of.lines.tried)

    def fidelity(pod: Pod) -> Fidelity:
        risk, found = risks.of(pod), state_gaps(state)
        if risk.across:
            gap = Gap("DefaultPreemption", tuple(Place(other.key) for other in risk.across), touches=True)
            found = replace(found, gaps=(*found.gaps, gap))
        return found if risk.defined else replace(found, outcomes=2)

    def own(pod: Pod, able: Preemptors) -> Fields:
        return {
            "quota": state.quota_of[pod.key].quota,
            "risk": risks.of(pod),
            "takers": tuple(sorted(able)),
            "left_below": tuple(left_below(state, pod)),
            "watched": state.source.arguments.monitors_all,
        }

    return PodsOnNodes(lambda pod: risks.of(pod).likeness, fidelity, own)


def _is_listed(state: State, pod: Pod) -> bool:
    """Whether its scheduler runs the plugin."""
    return state.source.profiles is None or pod.scheduler in state.source.profiles


_REASONS: Final = PluginReasons(
    why=Why,
    reasons=Reason,
    turns=TURNS,
    plan=lambda state, pod, origin, brief: plan(state, pod, None, origin, remedied=not brief, briefly=brief),
    plan_next=lambda asked: plan(asked.state, asked.pod, asked.demand, asked.origin, remedied=False),
    origins=new_origins,
    next_pods=next_pods,
    reason=computed_reason,
    gaps=state_gaps,
    takers=takers,
    placed=_placed,
    own=_own,
    own_missing=lambda planned: {"quota": planned.attempt.gate.quota},
    is_listed=_is_listed,
    others=((GROUP, KIND), ("", "Node"), ("policy", "PodDisruptionBudget")),
)


def holders(state: State, refusal: QuotaTest | None) -> tuple[HeldBy, ...]:
    """The pods that hold what the failing test lacks, largest first.

    These are the pods of the quota that the test is about, and of those below it, and the pods of its siblings that use
    more than their min, as the surplus went to them. Only pods that are not preemptible count against min, and siblings
    do not.
    """
    if refusal is None or refusal.quota not in state.tree_of:
        return ()
    tree = state.figures(refusal.quota).tree
    parent = tree.quotas[refusal.quota].parent
    own = _subtree(state, refusal.quota)
    firm = refusal.law is Law.OVER_MIN
    found = []
    for resource in refusal.exceeded:
        beside = [q for q in tree.children.get(parent, ()) if q != refusal.quota and _borrows(state, q, resource)]
        around = set() if firm else {q for sibling in beside for q in _subtree(state, sibling)}
        taking = own | around
        for pod in (each for each in state.source.pods if not (firm and each.preemptible)):
            quota = state.quota_of[pod.key].quota
            amount = whole(resource, pod.charge.get(resource, 0))
            if pod.node and amount > 0 and quota in taking and resource in state.quotas[quota].max:
                found.append(HeldBy(pod, quota, resource, amount, quota in around))
    return tuple(sorted(found, key=lambda h: (h.resource, h.borrows, -h.amount, h.pod.key)))


def _subtree(state: State, quota: str) -> set[str]:
    children, names = state.figures(quota).tree.children, [quota]
    for name in names:
        names += children.get(name, ())
    return set(names)


def _borrows(state: State, quota: str, resource: str) -> bool:
    return state.sums(quota).used.get(resource, 0) > state.quotas[quota].min.get(resource, 0)
