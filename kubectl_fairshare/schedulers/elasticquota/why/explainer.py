"""Why pods are where they are under ElasticQuotas."""

from typing import Final

from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.elasticquota.explain.asking import new_origins, next_pods
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.explain.preemptors import takers
from kubectl_fairshare.schedulers.elasticquota.gaps import state_gaps
from kubectl_fairshare.schedulers.elasticquota.jobs.amounts import CHARGE
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.why.holding import holders, holding
from kubectl_fairshare.schedulers.elasticquota.why.standing import computed_reason
from kubectl_fairshare.schedulers.elasticquota.why.turns import TURNS
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Reason, Why
from kubectl_fairshare.schedulers.kubescheduler.explainer import Fields, PluginReasons, PodExplainer, PodsOnNodes


def explainer(snapshot: Snapshot, state: State, now: int | None) -> PodExplainer[Why]:
    """Answers for the pods of one snapshot; ``now`` is the moment of the question, if known."""
    return PodExplainer(_REASONS, snapshot, state, now)


def _own(state: State, found: Plan, briefly: bool) -> Fields:  # noqa: ARG001 -- a list has the holders, too
    return {"held": holders(state, found.pod.namespace, found.attempt.gate)}


def _placed(of: PodExplainer[Why]) -> PodsOnNodes:
    state: State = of.state
    return PodsOnNodes(
        lambda _: None,
        lambda _: state_gaps(state),
        lambda pod, able: {"holding": holding(state, pod, of.in_turn.attempts, able)},
    )


def _is_listed(state: State, pod: Pod) -> bool:
    """Whether its scheduler runs the plugin, or its namespace has a quota."""
    profiles = state.source.profiles
    return profiles is None or pod.scheduler in profiles or state.ledger.has(pod.namespace)


_REASONS: Final = PluginReasons(
    why=Why,
    reasons=Reason,
    turns=TURNS,
    plan=lambda state, pod, origin, brief: plan(state, pod, None, origin, remedied=not brief),
    plan_next=lambda asked: plan(asked.state, asked.pod, asked.demand, asked.origin, remedied=False),
    origins=new_origins,
    next_pods=next_pods,
    reason=computed_reason,
    gaps=state_gaps,
    takers=takers,
    placed=_placed,
    own=_own,
    own_missing=lambda _: {},
    is_listed=_is_listed,
    others=((GROUP, KIND), ("", "Node"), ("", "ResourceQuota"), ("policy", "PodDisruptionBudget")),
    law=CHARGE,
)
