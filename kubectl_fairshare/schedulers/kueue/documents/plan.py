"""The whole answer to ``plan``, with its proof, as a document."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypedDict

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.proof import ProofPart, proof
from kubectl_fairshare.schedulers.kueue.documents import limits, victims
from kubectl_fairshare.schedulers.kueue.documents.flavors import PodSetPart, pod_sets
from kubectl_fairshare.schedulers.kueue.documents.limits import OutcomeName
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.explain.evidence import refusal_places
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.schedulers.kueue.words.sentences import refusal_clause
from kubectl_fairshare.schedulers.outcome import Outcome

EXIT_CODES: Final[Mapping[Outcome, int]] = {
    Outcome.ADMITTED: 0,
    Outcome.PREEMPTS: 0,
    Outcome.WAITS: 4,
    Outcome.NEVER: 4,
    Outcome.UNKNOWN: 5,
}
"""What ``plan`` exits with for each outcome."""


class RequestPart(TypedDict):
    """What one pod asks of one resource."""

    resource: str
    perPod: parts.AmountPart


class AskedPodSet(TypedDict):
    """A pod set as the workload asks for it."""

    name: str
    count: int
    minCount: int | None
    reclaimable: int
    requests: list[RequestPart]


class WorkloadPart(TypedDict):
    """The workload that was planned."""

    namespace: str
    name: str
    localQueue: str
    priority: int
    createdNanoseconds: int
    queuedNanoseconds: int
    source: str | None
    podSets: list[AskedPodSet]


class BorrowingPart(TypedDict):
    """How far up the tree it borrows: 0 without, else the height of the cohort it borrows from."""

    level: int
    cohort: str | None


class AncestorPart(TypedDict):
    """A node from the ClusterQueue up to the root, with its share before the workload."""

    kind: str
    name: str
    declared: bool
    height: int
    share: parts.SharePart


class ConsideredPart(TypedDict):
    """Why Kueue would not consider the workload, and the fields behind it."""

    law: str
    sentence: str
    places: list[parts.PlacePart]


class ConditionPart(TypedDict):
    """The condition that Kueue would write; ``token`` is its reason under UnadmittedWorkloadsObservability."""

    type: Literal["QuotaReserved"]
    status: str
    reason: str
    token: str
    message: str


class PlanDocument(TypedDict):
    """What becomes of one workload; the objects in ``restsOn`` alone decide the same.

    ``cycles`` is the scheduling cycle in which it is decided, from 1: a search for a flavor may stop in vain, and goes
    on in the next.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["Plan"]
    outcome: OutcomeName
    byQuotaAlone: OutcomeName
    exitCode: int
    mode: str
    cycles: int
    workload: WorkloadPart
    clusterQueue: str
    localQueue: parts.PlacePart | None
    path: list[AncestorPart]
    notConsidered: ConsideredPart | None
    borrowing: BorrowingPart | None
    podSets: list[PodSetPart]
    victims: list[victims.VictimPart]
    putBack: list[victims.VictimPart]
    notTaken: list[victims.RefusedPart]
    notAsked: list[victims.NotAskedPart]
    trials: list[victims.TrialPart]
    simulations: list[victims.SimulationPart]
    bindings: list[limits.BindingPart]
    standing: limits.StandingPart | None
    remedies: list[limits.RemedyPart]
    admissionChecks: list[str]
    ties: list[list[str]]
    condition: ConditionPart
    proof: ProofPart
    restsOn: list[str]
    fidelity: parts.FidelityPart


class PlanListDocument(TypedDict):
    """What becomes of several workloads, each alone."""

    apiVersion: parts.ApiVersion
    kind: Literal["PlanList"]
    exitCode: int
    items: list[PlanDocument]


def exit_code(plans: Sequence[Plan]) -> int:
    """0 when all are admitted; else 4 when any surely is not, else 5."""
    codes = {EXIT_CODES[plan.outcome] for plan in plans}
    return next((code for code in (4, 5) if code in codes), 0)


def plan_list_document(
    plans: Sequence[Plan], kueue: KueueState, places: parts.Places, cited: Sequence[Sequence[ObjectKey]] = ()
) -> PlanListDocument:
    """Several plans, each made alone; ``cited`` are the objects that each rests on."""
    keys = cited or [()] * len(plans)
    items = [plan_document(plan, kueue, places, rests) for plan, rests in zip(plans, keys, strict=True)]
    return {"apiVersion": parts.API_VERSION, "kind": "PlanList", "exitCode": exit_code(plans), "items": items}


def plan_document(plan: Plan, kueue: KueueState, places: parts.Places, cited: Sequence[ObjectKey] = ()) -> PlanDocument:
    """One plan; ``cited`` are the objects that it rests on."""
    nomination, assignment = plan.nomination, plan.nomination.assignment
    queue = kueue.cluster_queues.get(nomination.cluster_queue)
    words = victims.Judgements(plan.names)
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Plan",
        "outcome": plan.outcome.value,
        "byQuotaAlone": plan.computed.value,
        "exitCode": EXIT_CODES[plan.outcome],
        "cycles": len(plan.earlier) + 1,
        "mode": str(nomination.mode),
        "workload": _workload(plan.workload),
        "clusterQueue": nomination.cluster_queue,
        "localQueue": parts.maybe_place(plan.local_queue, places),
        "path": _path(plan),
        "notConsidered": _not_considered(plan, places),
        "borrowing": None if assignment is None else _borrowing(plan, assignment.borrowing),
        "podSets": [] if assignment is None else pod_sets(assignment, kueue, queue, plan.workload.pod_sets, places),
        "victims": [words.victim(t) for t in plan.targets],
        "putBack": [words.victim(t) for t in plan.put_back],
        "notTaken": [victims.refused(r) for r in plan.refused],
        "notAsked": [victims.not_asked(n) for n in plan.not_asked],
        "trials": [words.trial(t) for t in plan.trials],
        "simulations": [victims.simulation(*s) for s in nomination.simulations],
        "bindings": [limits.binding(b, places) for b in plan.bindings],
        "standing": None if plan.standing is None else limits.standing(plan.standing, plan.workload),
        "remedies": [limits.remedy(r, places) for r in plan.remedies],
        "admissionChecks": list(plan.checks),
        "ties": [list(tie) for tie in plan.ties],
        "condition": _condition(plan),
        "proof": proof(plan.proof, places),
        "restsOn": [str(key) for key in cited],
        "fidelity": parts.fidelity(plan.fidelity, places),
    }


def borrowed_from(plan: Plan, level: int) -> str | None:
    """The cohort whose quota a request of that borrowing level takes from; None when it borrows nothing."""
    return next((a.name for a in plan.path if level and a.height == level and a.kind == "Cohort"), None)


def _borrowing(plan: Plan, level: int) -> BorrowingPart:
    return {"level": level, "cohort": borrowed_from(plan, level)}


def _workload(of: Pending) -> WorkloadPart:
    return {
        "namespace": of.key.namespace,
        "name": of.key.name,
        "localQueue": of.local_queue,
        "priority": of.priority,
        "createdNanoseconds": of.created,
        "queuedNanoseconds": of.queued,
        "source": None if of.source is None else str(of.source),
        "podSets": [_asked(p) for p in of.pod_sets],
    }


def _asked(of: PodSet) -> AskedPodSet:
    return {
        "name": of.name,
        "count": of.count,
        "minCount": of.min_count,
        "reclaimable": of.reclaimable,
        "requests": [{"resource": r, "perPod": parts.amount(r, v)} for r, v in sorted(of.requests.items())],
    }


def _path(plan: Plan) -> list[AncestorPart]:
    return [
        {"kind": a.kind, "name": a.name, "declared": a.declared, "height": a.height, "share": parts.share(a.share)}
        for a in plan.path
    ]


def _not_considered(plan: Plan, places: parts.Places) -> ConsideredPart | None:
    refused, workload = plan.nomination.refused, plan.workload
    if refused is None:
        return None
    text = refusal_clause(refused, workload)
    return {
        "law": str(refused.law),
        "sentence": text,
        "places": [parts.place(p, places) for p in refusal_places(refused)],
    }


def _condition(plan: Plan) -> ConditionPart:
    found = condition(plan)
    return {
        "type": "QuotaReserved",
        "status": found.status,
        "reason": found.reason,
        "token": found.token,
        "message": found.message,
    }
