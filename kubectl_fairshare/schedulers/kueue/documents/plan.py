"""The whole answer to ``plan``, with its proof, as a document."""

from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import OutcomeName, SharedPlan
from kubectl_fairshare.schedulers.kueue.documents import limits, victims
from kubectl_fairshare.schedulers.kueue.documents.flavors import PodSetPart, pod_sets
from kubectl_fairshare.schedulers.kueue.documents.parts import SharePart, share
from kubectl_fairshare.schedulers.kueue.documents.topology import TopologyPart, ground
from kubectl_fairshare.schedulers.kueue.explain.decision import Borrowed, Plan, borrowed_from
from kubectl_fairshare.schedulers.kueue.explain.evidence import refusal_places
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import by_holdings, by_weight
from kubectl_fairshare.schedulers.kueue.words.sentences import refusal_clause


class RequestPart(TypedDict):
    """What one pod requests of one resource."""

    resource: str
    perPod: parts.AmountPart


class AskedPodSet(TypedDict):
    """A pod set of the workload, as requested."""

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


class BorrowedPart(TypedDict):
    """A request that makes the workload borrow: with what its queue uses, it is above the quota of the queue."""

    flavor: str
    resource: str
    needed: parts.AmountPart
    used: parts.AmountPart
    quota: parts.AmountPart


class BorrowingPart(TypedDict):
    """How far up the tree the request borrows: 0 without borrowing, otherwise the height of the cohort it borrows from.

    ``requests`` are those of this level.
    """

    level: int
    cohort: str | None
    requests: list[BorrowedPart]


class AncestorPart(TypedDict):
    """A node on the path from the ClusterQueue to the root, with its share before the workload."""

    kind: str
    name: str
    declared: bool
    height: int
    share: SharePart


class ConsideredPart(TypedDict):
    """Why Kueue does not consider the workload, and the fields behind it."""

    law: str
    sentence: str
    places: list[parts.PlacePart]


class ConditionPart(TypedDict):
    """The condition that Kueue would write; ``token`` is its reason under UnadmittedWorkloadsObservability.

    ``otherMessages`` are those that Kueue may write instead, by chance.
    """

    type: Literal["QuotaReserved"]
    status: str
    reason: str
    token: str
    message: str
    otherMessages: list[str]


class KueuePlanDocument(SharedPlan):
    """The decision for one workload; ``byQuotaAlone`` ignores features that are not modelled.

    ``cycles`` is the scheduling cycle that decides, from 1: a search for a flavor may stop without a result, and then
    continues in the next cycle.
    """

    byQuotaAlone: OutcomeName
    mode: str
    cycles: int
    workload: WorkloadPart
    clusterQueue: str
    localQueue: parts.PlacePart | None
    path: list[AncestorPart]
    notConsidered: ConsideredPart | None
    borrowing: BorrowingPart | None
    podSets: list[PodSetPart]
    topology: list[TopologyPart]
    victims: list[victims.VictimPart]
    putBack: list[victims.PutBackPart]
    notTaken: list[victims.RefusedPart]
    notAsked: list[victims.PlanNotAskedPart]
    trials: list[victims.TrialPart]
    simulations: list[victims.SimulationPart]
    bindings: list[limits.BindingPart]
    standing: limits.StandingPart | None
    remedies: list[limits.PlanRemedyPart]
    admissionChecks: list[str]
    condition: ConditionPart


def plan_fields(plan: Plan, kueue: KueueState, places: parts.Places) -> dict[str, object]:
    """The fields that only Kueue's plans have."""
    nomination, assignment = plan.nomination, plan.nomination.assignment
    queue = kueue.cluster_queues.get(nomination.cluster_queue)
    words = victims.Judgements(plan.names)
    return {
        "byQuotaAlone": plan.computed.value,
        "cycles": len(plan.earlier) + 1,
        "mode": str(nomination.mode),
        "workload": _workload(plan.workload),
        "clusterQueue": nomination.cluster_queue,
        "localQueue": parts.maybe_place(plan.local_queue, places),
        "path": _path(plan),
        "notConsidered": _not_considered(plan, places),
        "borrowing": None if assignment is None else _borrowing(plan, assignment.borrowing),
        "podSets": [] if assignment is None else pod_sets(assignment, kueue, queue, plan.workload.pod_sets, places),
        "topology": [ground(g) for g in plan.grounds],
        "victims": [words.victim(t) for t in plan.targets],
        "putBack": [words.victim(t) for t in plan.put_back],
        "notTaken": [victims.refused_part(r) for r in plan.refused],
        "notAsked": [victims.not_asked(n) for n in by_holdings(plan.not_asked)],
        "trials": [words.trial(t) for t in plan.trials],
        "simulations": [words.simulation(*s) for s in nomination.simulations],
        "bindings": [limits.binding(b, places) for b in by_weight(plan)],
        "standing": None if plan.standing is None else limits.standing(plan.standing, plan.workload),
        "remedies": [limits.remedy(r, places) for r in plan.remedies],
        "admissionChecks": list(plan.checks),
        "condition": _condition(plan),
    }


def _borrowing(plan: Plan, level: int) -> BorrowingPart:
    return {"level": level, "cohort": borrowed_from(plan, level), "requests": [*map(_borrowed, plan.borrowed)]}


def _borrowed(of: Borrowed) -> BorrowedPart:
    needed, used, quota = (parts.amount(of.pair.resource, value) for value in (of.needed, of.used, of.quota))
    return {"flavor": of.pair.flavor, "resource": of.pair.resource, "needed": needed, "used": used, "quota": quota}


def _workload(of: Pending) -> WorkloadPart:
    return {
        "namespace": of.key.namespace,
        "name": of.key.name,
        "localQueue": of.local_queue,
        "priority": of.priority,
        "createdNanoseconds": of.created,
        "queuedNanoseconds": of.queued,
        "source": None if of.source is None else str(of.source),
        "podSets": [_requested_pod_set(p) for p in of.pod_sets],
    }


def _requested_pod_set(of: PodSet) -> AskedPodSet:
    return {
        "name": of.name,
        "count": of.count,
        "minCount": of.min_count,
        "reclaimable": of.reclaimable,
        "requests": [{"resource": r, "perPod": parts.amount(r, v)} for r, v in sorted(of.requests.items())],
    }


def _path(plan: Plan) -> list[AncestorPart]:
    return [
        {"kind": a.kind, "name": a.name, "declared": a.declared, "height": a.height, "share": share(a.share)}
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
        "otherMessages": [*found.other_messages],
    }
