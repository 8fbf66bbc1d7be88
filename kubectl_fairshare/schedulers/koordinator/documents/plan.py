"""The answer to ``plan`` for a pod under Koordinator's quotas, with its proof, as a document."""

from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import (
    BindingEntry,
    RemedyEntry,
    SharedPlan,
    UnaskedEntry,
    VictimEntry,
)
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.proof import lack_step, rejection_step
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, whole
from kubectl_fairshare.schedulers.koordinator.preemption.gate import QuotaTest
from kubectl_fairshare.schedulers.koordinator.preemption.victims import PreemptionTrial, VictimFate
from kubectl_fairshare.schedulers.koordinator.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.decision import Remedy, RemedyChange
from kubectl_fairshare.schedulers.kubescheduler.refusals import RefusalPart, refusal_part

EndName = Literal["Schedulable", "Preempt", "NoCandidate", "NotEligible", "Error", ""]


class AmountOfPart(TypedDict):
    """An amount of one resource."""

    resource: str
    amount: parts.AmountPart


class WaitingPodInQuestion(TypedDict):
    """The planned pod: what its quota is charged, what it uses on a node, and its node."""

    namespace: str
    name: str
    source: str
    priority: int
    mayPreempt: bool
    preemptible: bool
    scheduler: str
    node: str | None
    charge: list[AmountOfPart]
    request: list[AmountOfPart]


class QuotaTestPart(TypedDict):
    """One test of a quota; ``exceeded`` are the resources in which it fails."""

    law: str
    quota: str
    used: list[AmountOfPart]
    limit: list[AmountOfPart]
    exceeded: list[str]


class QuotaGatePart(TypedDict):
    """The quotas' verdict, before any node is tried; ``message`` is the scheduler's own text."""

    status: Literal["Success", "Unschedulable", "Skip", "Error"]
    quota: str | None
    quotaBy: str
    tests: list[QuotaTestPart]
    message: str


class FilteredNodePart(TypedDict):
    """The filters' verdict on a node, and what it lacks."""

    node: str
    status: Literal["Success", "Unschedulable", "UnschedulableAndUnresolvable"]
    lacks: list[str]


class CandidatePodPart(TypedDict):
    """A pod that was taken as a victim, and its end."""

    pod: str
    priority: int
    terminating: bool
    fate: str
    exceeded: list[str]
    brokenBudgets: list[str]


class PreemptionTrialPart(TypedDict):
    """The result of preemption on one node: victims in order, or the law that rejects the node."""

    node: str
    rejected: str | None
    sentence: str | None
    victims: list[CandidatePodPart]
    putBack: list[CandidatePodPart]
    pdbViolations: int
    ties: list[list[str]]


class LostCandidatePart(TypedDict):
    """A candidate node that was not chosen: the criterion, its figure, and the best figure."""

    node: str
    law: str
    figure: int
    best: int


class QuotaChangePart(TypedDict):
    """One change of a remedy."""

    kind: Literal["min", "max", "request", "priority", "preemptionPolicy", "preemptible", "deletion", "unschedulable"]
    quota: str | None
    resource: str | None
    before: int | None
    after: int | None
    pod: str | None
    place: parts.PlacePart | None


class KoordinatorRemedyPart(RemedyEntry):
    """Changes that were simulated together and get the pod in."""

    changes: list[QuotaChangePart]
    course: EndName
    nodes: list[str]
    priorityClass: str | None
    alternatives: int
    fewestVictims: int


class KoordinatorPlanDocument(SharedPlan):
    """The decision for one pod; the objects in ``restsOn`` alone give the same decision.

    ``inVain``: the pod evicts others, and its quota still rejects it. ``revocable`` are pods that the over-use revoker
    would evict from its quota; it runs only if ``monitored``. A tie decides about those in ``revocableByTie``.
    """

    quotaHalfOnly: bool
    course: EndName
    inVain: bool
    pod: WaitingPodInQuestion
    preFilter: QuotaGatePart
    feasibleNodes: list[str]
    filter: list[FilteredNodePart]
    eligibility: str | None
    trials: list[PreemptionTrialPart]
    chosenNodes: list[str]
    lostNodes: list[LostCandidatePart]
    elsewhere: list[str]
    revocable: list[str]
    revocableByTie: list[str]
    monitored: bool
    victims: list[VictimEntry]
    notAsked: list[UnaskedEntry]
    bindings: list[BindingEntry]
    remedies: list[KoordinatorRemedyPart]
    refusedAtCreation: list[RefusalPart]


def plan_fields(plan: Plan, places: parts.Places) -> dict[str, object]:
    """The fields that only plans under Koordinator's quotas have."""
    attempt = plan.attempt
    lost = () if attempt.choice is None else attempt.choice.lost
    return {
        "quotaHalfOnly": plan.half,
        "course": attempt.end.value,
        "inVain": plan.in_vain,
        "pod": _asked(plan),
        "preFilter": _gate(plan),
        "feasibleNodes": list(attempt.feasible),
        "filter": [_filter(plan, name) for name in attempt.filters],
        "eligibility": None if attempt.eligible is None else str(attempt.eligible),
        "trials": [_trial(trial) for trial in attempt.trials.values()],
        "chosenNodes": [] if attempt.choice is None else list(attempt.choice.nodes),
        "lostNodes": [{"node": e.node, "law": str(e.law), "figure": e.figure, "best": e.best} for e in lost],
        "elsewhere": list(plan.elsewhere),
        "revocable": [pod.name for pod in plan.revoked],
        "revocableByTie": [pod.name for pod in plan.revoked_perhaps],
        "monitored": plan.watched,
        "remedies": [_remedy(remedy, places) for remedy in plan.remedies],
        "refusedAtCreation": [refusal_part(refusal, places) for refusal in plan.refusals],
    }


def amount_parts(amounts: Amounts) -> list[AmountOfPart]:
    """Exact amounts, in inner units."""
    return [{"resource": r, "amount": parts.amount(r, whole(r, nano))} for r, nano in sorted(amounts.items())]


def _asked(plan: Plan) -> WaitingPodInQuestion:
    pod = plan.pod
    return {
        "namespace": pod.namespace,
        "name": pod.key.name,
        "source": str(plan.origin.place.object),
        "priority": pod.priority,
        "mayPreempt": pod.preempts,
        "preemptible": pod.preemptible,
        "scheduler": pod.scheduler,
        "node": plan.origin.node or None,
        "charge": amount_parts(plan.attempt.gate.request),
        "request": amount_parts(pod.request),
    }


def _gate(plan: Plan) -> QuotaGatePart:
    gate = plan.attempt.gate
    return {
        "status": gate.status.value,
        "quota": gate.quota or None,
        "quotaBy": str(gate.member.law),
        "tests": [_test(test) for test in gate.tests],
        "message": plan.message,
    }


def _test(test: QuotaTest) -> QuotaTestPart:
    return {
        "law": str(test.law),
        "quota": test.quota,
        "used": amount_parts(test.used),
        "limit": amount_parts(test.limit),
        "exceeded": list(test.exceeded),
    }


def _filter(plan: Plan, node: str) -> FilteredNodePart:
    found = plan.attempt.filters[node]
    lacks = [sentence(lack_step(node, lack)) for lack in found.lacks]
    return {"node": node, "status": found.status.value, "lacks": lacks}


def _trial(trial: PreemptionTrial) -> PreemptionTrialPart:
    return {
        "node": trial.node,
        "rejected": None if trial.rejected is None else str(trial.rejected),
        "sentence": None if trial.rejected is None else sentence(rejection_step(trial)),
        "victims": [_candidate(fate) for fate in trial.victims],
        "putBack": [_candidate(fate) for fate in trial.fates if not fate.leaves],
        "pdbViolations": trial.violations,
        "ties": [[pod.name for pod in tie] for tie in trial.ties],
    }


def _candidate(fate: VictimFate) -> CandidatePodPart:
    return {
        "pod": fate.pod.name,
        "priority": fate.pod.priority,
        "terminating": fate.pod.leaving,
        "fate": str(fate.law),
        "exceeded": list(fate.exceeded),
        "brokenBudgets": [budget.key.name for budget in fate.budgets],
    }


def _remedy(of: Remedy, places: parts.Places) -> dict[str, object]:
    return {
        "changes": [_change(change, places) for change in of.changes],
        "course": of.course.value,
        "nodes": list(of.nodes),
        "priorityClass": of.named,
        "alternatives": of.alternatives,
        "fewestVictims": of.fewest,
    }


def _change(of: RemedyChange, places: parts.Places) -> QuotaChangePart:
    return {
        "kind": of.kind.value,
        "quota": of.quota or None,
        "resource": of.resource or None,
        "before": of.before,
        "after": of.after,
        "pod": None if of.pod is None else of.pod.name,
        "place": parts.maybe_place(of.place, places),
    }
