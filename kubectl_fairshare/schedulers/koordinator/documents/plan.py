"""The answer to ``plan`` for a pod under Koordinator's quotas, with its proof, as a document."""

from typing import Any, Final

from kubectl_fairshare.answers.answer import Answer, TriedChange
from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, Extended, Hooks, extended
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.jobs.node_demand import FilterStatus
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.proof import lack_step, rejection_step
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, whole
from kubectl_fairshare.schedulers.koordinator.preemption.gate import GateStatus, QuotaTest
from kubectl_fairshare.schedulers.koordinator.preemption.victims import PreemptionTrial, VictimFate
from kubectl_fairshare.schedulers.koordinator.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler import documents
from kubectl_fairshare.schedulers.kubescheduler.choice import LostNode
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, RemedyChange
from kubectl_fairshare.schedulers.kubescheduler.documents import ResourceAmountPart, pod_names


class WaitingPodInQuestion(DocumentPart, frozen=True):
    """What only Koordinator says of the planned pod: what it uses on a node, and its node.

    ``charge`` is what its quota is charged, with the amounts of zero that ``needs`` leaves out.
    """

    source: str
    may_preempt: bool
    preemptible: bool
    scheduler: str
    node: str | None
    charge: tuple[ResourceAmountPart, ...]
    request: tuple[ResourceAmountPart, ...]


class QuotaTestPart(DocumentPart, frozen=True):
    """One test of a quota; ``exceeded`` are the resources in which it fails."""

    law: str
    quota: str
    used: tuple[ResourceAmountPart, ...]
    limit: tuple[ResourceAmountPart, ...]
    exceeded: tuple[str, ...]


class QuotaGatePart(DocumentPart, frozen=True):
    """The quotas' verdict, before any node is tried; ``message`` is the scheduler's own text."""

    status: GateStatus
    quota: str | None
    quota_by: str
    tests: tuple[QuotaTest, ...]
    message: str


class FilteredNodePart(DocumentPart, frozen=True):
    """The filters' verdict on a node, and what it lacks."""

    node: str
    status: FilterStatus
    lacks: tuple[str, ...]


class CandidatePodPart(DocumentPart, frozen=True):
    """A pod that was taken as a victim, and its end."""

    pod: str
    priority: int
    terminating: bool
    fate: str
    exceeded: tuple[str, ...]
    broken_budgets: tuple[str, ...]


class PreemptionTrialPart(DocumentPart, frozen=True):
    """The result of preemption on one node: victims in order, or the law that rejects the node."""

    node: str
    rejected: str | None
    sentence: str | None
    victims: tuple[VictimFate, ...]
    put_back: tuple[VictimFate, ...]
    pdb_violations: int
    ties: tuple[tuple[str, ...], ...]


class QuotaChangePart(DocumentPart, frozen=True):
    """One change of a remedy."""

    kind: ChangeKind
    quota: str | None
    resource: str | None
    before: int | None
    after: int | None
    pod: str | None
    place: Place | None


class KoordinatorPlanDocument(DocumentPart, frozen=True):
    """The decision for one pod; the objects in ``restsOn`` alone give the same decision.

    ``inVain``: the pod evicts others, and its quota still rejects it. ``revocable`` are pods that the over-use revoker
    would evict from its quota; it runs only if ``monitored``. A tie decides about those in ``revocableByTie``.
    """

    quota_half_only: bool
    course: CycleEnd
    in_vain: bool
    pod: WaitingPodInQuestion
    pre_filter: QuotaGatePart
    feasible_nodes: tuple[str, ...]
    filter: tuple[FilteredNodePart, ...]
    eligibility: str | None
    trials: tuple[PreemptionTrial, ...]
    chosen_nodes: tuple[str, ...]
    lost_nodes: tuple[LostNode, ...]
    elsewhere: tuple[str, ...]
    revocable: tuple[str, ...]
    revocable_by_tie: tuple[str, ...]
    monitored: bool
    remedies: tuple[Extended[TriedChange, documents.PodRemedyPart], ...]
    refused_at_creation: tuple[CreationRefusal, ...]


def plan_fields(plan: Plan, answer: Answer[Any]) -> KoordinatorPlanDocument:
    """The fields that only plans under Koordinator's quotas have."""
    attempt = plan.attempt
    choice = attempt.choice
    return KoordinatorPlanDocument(
        quota_half_only=plan.half,
        course=attempt.course,
        in_vain=plan.in_vain,
        pod=_asked(plan),
        pre_filter=_gate(plan),
        feasible_nodes=attempt.feasible,
        filter=tuple(_filter(plan, name) for name in attempt.filters),
        eligibility=None if attempt.eligible is None else str(attempt.eligible),
        trials=tuple(attempt.trials.values()),
        chosen_nodes=() if choice is None else choice.nodes,
        lost_nodes=() if choice is None else choice.lost,
        elsewhere=plan.elsewhere,
        revocable=pod_names(plan.revoked),
        revocable_by_tie=pod_names(plan.revoked_perhaps),
        monitored=plan.watched,
        remedies=extended(answer.remedies, map(documents.remedy_part, plan.remedies)),
        refused_at_creation=plan.refusals,
    )


def amount_parts(amounts: Amounts) -> tuple[ResourceAmountPart, ...]:
    """Exact amounts, in inner units."""
    return tuple(ResourceAmountPart(r, whole(r, nano)) for r, nano in sorted(amounts.items()))


def _asked(plan: Plan) -> WaitingPodInQuestion:
    pod = plan.pod
    return WaitingPodInQuestion(
        str(plan.origin.place.object),
        pod.preempts,
        pod.preemptible,
        pod.scheduler,
        plan.origin.node or None,
        amount_parts(plan.attempt.gate.request),
        amount_parts(pod.request),
    )


def _gate(plan: Plan) -> QuotaGatePart:
    gate = plan.attempt.gate
    return QuotaGatePart(gate.status, gate.quota or None, str(gate.member.law), gate.tests, plan.message)


def _test(test: QuotaTest) -> QuotaTestPart:
    return QuotaTestPart(str(test.law), test.quota, amount_parts(test.used), amount_parts(test.limit), test.exceeded)


def _filter(plan: Plan, node: str) -> FilteredNodePart:
    found = plan.attempt.filters[node]
    return FilteredNodePart(node, found.status, tuple(sentence(lack_step(node, lack)) for lack in found.lacks))


def _trial(trial: PreemptionTrial) -> PreemptionTrialPart:
    return PreemptionTrialPart(
        trial.node,
        None if trial.rejected is None else str(trial.rejected),
        None if trial.rejected is None else sentence(rejection_step(trial)),
        trial.victims,
        tuple(fate for fate in trial.fates if not fate.leaves),
        trial.violations,
        tuple(map(pod_names, trial.ties)),
    )


def _candidate(fate: VictimFate) -> CandidatePodPart:
    pod, budgets = fate.pod, tuple(budget.key.name for budget in fate.budgets)
    return CandidatePodPart(pod.name, pod.priority, pod.terminating, str(fate.law), fate.exceeded, budgets)


def _change(of: RemedyChange) -> QuotaChangePart:
    pod = None if of.pod is None else of.pod.name
    return QuotaChangePart(of.kind, of.quota or None, of.resource or None, of.before, of.after, pod, of.place)


HOOKS: Final[Hooks] = {
    **documents.HOOKS,
    QuotaTest: _test,
    PreemptionTrial: _trial,
    VictimFate: _candidate,
    RemedyChange: _change,
}
PLAN: Final = DocumentKind("Plan", KoordinatorPlanDocument, "plan", HOOKS)
