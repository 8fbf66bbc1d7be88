"""The whole answer to ``plan`` for a pod under ElasticQuotas, with its proof, as a document."""

from typing import Any, Final

from kubectl_fairshare.answers.answer import Answer, TriedChange
from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, Extended, Hooks, extended
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.schedulers.elasticquota.documents.parts import (
    AskedPodPart,
    ChangePart,
    EligibilityPart,
    FilterPart,
    GatePart,
    LackPart,
    NodeTrialPart,
    PeerPart,
    SpreadPart,
    VictimPart,
)
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.proof import lack_step, rejection_step
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess, Vector
from kubectl_fairshare.schedulers.elasticquota.preemption.spread import Spread
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import Fate, NodeTrial
from kubectl_fairshare.schedulers.elasticquota.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler import documents
from kubectl_fairshare.schedulers.kubescheduler.choice import NodeChoice
from kubectl_fairshare.schedulers.kubescheduler.cycle import Eligibility
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd, RemedyChange


class ElasticQuotaPlanDocument(DocumentPart, frozen=True):
    """The decision for one pod; the objects in ``restsOn`` alone give the same decision."""

    quota_half_only: bool
    course: CycleEnd
    pod: AskedPodPart
    pre_filter: GatePart
    feasible_nodes: tuple[str, ...]
    filter: tuple[FilterPart, ...]
    eligibility: Eligibility | None
    over_min: tuple[Excess, ...]
    trials: tuple[NodeTrial, ...]
    choice: NodeChoice | None
    elsewhere: tuple[str, ...]
    spread: Spread | None
    refused_at_creation: tuple[CreationRefusal, ...]
    remedies: tuple[Extended[TriedChange, documents.PodRemedyPart], ...]


def plan_fields(plan: Plan, answer: Answer[Any]) -> ElasticQuotaPlanDocument:
    """The fields that only plans under ElasticQuotas have."""
    attempt = plan.attempt
    return ElasticQuotaPlanDocument(
        quota_half_only=plan.half,
        course=attempt.course,
        pod=_asked_part(plan),
        pre_filter=_gate(plan),
        feasible_nodes=attempt.feasible,
        filter=tuple(_filter(plan, name) for name in attempt.filters),
        eligibility=attempt.eligibility,
        over_min=plan.over_min,
        trials=tuple(attempt.trials.values()),
        choice=attempt.choice,
        elsewhere=plan.elsewhere,
        spread=plan.spread,
        refused_at_creation=plan.refusals,
        remedies=extended(answer.remedies, map(documents.remedy_part, plan.remedies)),
    )


def excess_part(of: Excess) -> documents.ExcessPart:
    """A resource in which the request exceeds a bound."""
    return documents.ExcessPart(*of, of.more)


def _amounts(of: Vector) -> tuple[documents.ResourceAmountPart, ...]:
    return tuple(documents.ResourceAmountPart(r, of.of(r)) for r in of.listed() if of.of(r))


def _asked_part(plan: Plan) -> AskedPodPart:
    pod, source = plan.pod, str(plan.origin.place.object)
    return AskedPodPart(source, pod.preempts, pod.scheduler, plan.origin.node or None, pod.request)


def _gate(plan: Plan) -> GatePart:
    gate = plan.attempt.gate
    peers = (PeerPart(p.pod.name, p.pod.nominated, p.in_quota, p.in_pool) for p in gate.peers)
    return GatePart(gate.verdict, plan.pod.namespace if gate.quoted else None, gate.excesses, tuple(peers))


def _filter(plan: Plan, node: str) -> FilterPart:
    verdict = plan.attempt.filters[node]
    lacks = (LackPart(str(lack.law), sentence(lack_step(node, lack))) for lack in verdict.lacks)
    return FilterPart(node, verdict.status, tuple(lacks))


def _eligibility(of: Eligibility) -> EligibilityPart:
    return EligibilityPart(of.eligible, str(of.law), None if of.leaving is None else of.leaving.name)


def _trial(trial: NodeTrial) -> NodeTrialPart:
    return NodeTrialPart(
        trial.node,
        None if trial.rejected is None else str(trial.rejected),
        None if trial.rejected is None else sentence(rejection_step(trial)),
        trial.victims,
        tuple(fate for fate in trial.fates if not fate.leaves),
        trial.violations,
        trial.excesses,
        tuple(documents.pod_names(tie) for tie in trial.ties),
    )


def _victim(fate: Fate) -> VictimPart:
    pod = fate.taken.pod
    return VictimPart(
        pod.name,
        pod.priority,
        pod.terminating,
        str(fate.taken.law),
        fate.taken.borrowed,
        str(fate.law),
        fate.excesses,
        tuple(budget.key.name for budget in fate.budgets),
    )


def _spread(of: Spread) -> SpreadPart:
    return SpreadPart(of.is_reason, of.quotas_allow, of.in_sum, of.takeable, of.rooms)


def _change(of: RemedyChange) -> ChangePart:
    pod = None if of.pod is None else of.pod.name
    return ChangePart(of.kind, of.resource or None, of.before, of.after, pod, of.place)


HOOKS: Final[Hooks] = {
    **documents.HOOKS,
    Excess: excess_part,
    Vector: _amounts,
    Eligibility: _eligibility,
    NodeTrial: _trial,
    Fate: _victim,
    Spread: _spread,
    RemedyChange: _change,
}
PLAN: Final = DocumentKind("Plan", ElasticQuotaPlanDocument, "plan", HOOKS)
