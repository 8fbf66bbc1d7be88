"""Why a pod is where it is, as a document."""

from typing import Literal, TypedDict

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.pod_record import PodRecordPart, pod_record_part
from kubectl_fairshare.report.documents.shared import (
    Explained,
    ListedWorkload,
    SharedWaiting,
    SharedWaitingGroup,
    VerdictName,
)
from kubectl_fairshare.report.plan_document import plan_document
from kubectl_fairshare.schedulers.elasticquota.documents.plan import ElasticQuotaPlanDocument, excess_part
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Exposed, HeldBy, Why
from kubectl_fairshare.schedulers.elasticquota.words.why_clauses import WHY_WORDS, next_commands
from kubectl_fairshare.schedulers.kubescheduler.refusals import ExcessPart, RefusalPart, refusal_part, refused_excess
from kubectl_fairshare.trace import Fact


class GroundPart(parts.PlacePart):
    """A field that the answer rests on: its place and its value."""

    value: parts.OperandValue


class PodPart(TypedDict):
    """A pod that has a node, or waits for one."""

    namespace: str
    name: str
    priority: int
    node: str | None


class HeldPodPart(TypedDict):
    """A pod that holds what is short; ``borrows``: its namespace is above its min."""

    pod: PodPart
    resource: str
    amount: parts.AmountPart
    borrows: bool


class LenderPart(TypedDict):
    """A namespace with an unused min."""

    namespace: str
    resource: str
    unused: parts.AmountPart


class NextPreemptorPart(TypedDict):
    """A waiting pod whose next attempt preempts this one, for room on ``node``; if not ``certain``, maybe another."""

    pod: PodPart
    node: str
    certain: bool


class QuotaTakerPart(TypedDict):
    """A namespace of which some new pod could preempt this one, and the law."""

    namespace: str
    law: str
    rule: str


class BelowMinPart(TypedDict):
    """An amount by which a namespace is below its min."""

    resource: str
    amount: parts.AmountPart


class ExposedPart(TypedDict):
    """Who can preempt a placed pod; ``borrowed`` is what its namespace uses above its min.

    ``lenders`` are those of ``couldPreempt`` with an unused min of that.
    """

    borrowed: list[ExcessPart]
    lenders: list[LenderPart]
    byOwnNamespace: bool
    couldPreempt: list[QuotaTakerPart]
    belowMinWithout: list[BelowMinPart]
    now: list[NextPreemptorPart]


class QuotaWhyFields(TypedDict):
    """Why one pod is where it is; ``alike`` are pods with the same answer.

    The scheduler tries ``ahead`` first, and perhaps some of ``equals``; ``rivals`` counts all waiting pods.
    ``getInFirst`` counts those that get in before it, if the answer would be another without them. ``plan`` is the next
    attempt for a waiting pod.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["Why"]
    verdict: VerdictName
    reason: str
    sentence: str
    subject: str
    pod: PodPart | None
    job: str | None
    alike: list[str]
    quota: str
    since: str | None
    evidence: list[GroundPart]
    heldBy: list[HeldPodPart]
    holding: ExposedPart | None
    ahead: list[PodPart]
    equals: int
    rivals: int
    getInFirst: int
    notCreated: int
    refusedAtCreation: list[RefusalPart]
    recorded: PodRecordPart | None
    next: list[str]
    plan: ElasticQuotaPlanDocument | None
    fidelity: parts.FidelityPart


class ElasticQuotaWhyDocument(QuotaWhyFields, Explained):
    """Why a pod is where it is."""


class WaitingPodPart(ListedWorkload):
    """A waiting pod with the ones ``alike``; ``position`` is its best possible position among ``of``."""

    subject: str
    pod: PodPart | None
    job: str | None
    alike: list[str]
    quota: str
    sentence: str
    position: int | None
    of: int | None
    getInFirst: int
    exact: bool
    since: str | None
    notCreated: int
    bindings: list[ExcessPart]


class WaitingPods(SharedWaitingGroup):
    """What binds, and the pods that wait for it."""

    workloads: list[WaitingPodPart]


class ElasticQuotaWaitingDocument(SharedWaiting):
    """Every waiting pod."""

    groups: list[WaitingPods]


def why_fields(why: Why, quota: str, plan: Answer[PlanDetail] | None, places: parts.Places) -> dict[str, object]:
    """One answer; ``plan`` is the next attempt, ``quota`` names the ElasticQuota."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Why",
        "verdict": why.verdict.value,
        "reason": str(why.reason),
        "sentence": WHY_WORDS.reason_clause(why),
        "subject": str(why.job or why.key),
        "pod": None if why.pod is None else _pod(why.pod),
        "job": None if why.job is None else str(why.job),
        "alike": [str(key) for key in why.alike],
        "quota": quota,
        "since": parts.moment(why.since),
        "evidence": [_ground(fact, places) for fact in why.facts],
        "heldBy": [_held_part(held) for held in why.held],
        "holding": None if why.holding is None else _holding(why.holding),
        "ahead": [_pod(pod) for pod in why.ahead],
        "equals": why.equals,
        "rivals": why.rivals,
        "getInFirst": why.before,
        "notCreated": why.missing,
        "refusedAtCreation": [refusal_part(refusal, places) for refusal in why.refusals],
        "recorded": None if why.record is None else pod_record_part(why.record),
        "next": list(next_commands(why)),
        "plan": None if plan is None else plan_document(plan, places),
        "fidelity": parts.fidelity(why.fidelity, places),
    }


def waiting_entry(why: Why, quota: str) -> WaitingPodPart:
    """A waiting pod, as an entry of a list."""
    excesses = () if why.plan is None else why.plan.attempt.gate.excesses
    refused = (refused_excess(refusal) for refusal in why.refusals if refusal.wanted is not None)
    return {
        "subject": str(why.job or why.key),
        "pod": None if why.pod is None else _pod(why.pod),
        "job": None if why.job is None else str(why.job),
        "alike": [str(key) for key in why.alike],
        "quota": quota,
        "sentence": WHY_WORDS.reason_clause(why),
        "position": len(why.ahead) + 1 if why.queued else None,
        "of": why.rivals if why.queued else None,
        "getInFirst": why.before,
        "exact": why.fidelity.exact,
        "since": parts.moment(why.since),
        "notCreated": why.missing,
        "bindings": [*map(excess_part, excesses), *refused],
    }


def _pod(of: Pod) -> PodPart:
    return {"namespace": of.namespace, "name": of.key.name, "priority": of.priority, "node": of.node or None}


def _ground(of: Fact, places: parts.Places) -> GroundPart:
    return {**parts.place(of.place, places), "value": parts.operand(of.value)}


def _held_part(of: HeldBy) -> HeldPodPart:
    amount = parts.amount(of.resource, of.amount)
    return {"pod": _pod(of.pod), "resource": of.resource, "amount": amount, "borrows": of.borrows}


def _holding(of: Exposed) -> ExposedPart:
    return {
        "borrowed": [excess_part(excess) for excess in of.borrowed],
        "lenders": [
            {"namespace": namespace, "resource": resource, "unused": parts.amount(resource, unused)}
            for namespace, resource, unused in of.lenders
        ],
        "byOwnNamespace": of.by_own,
        "couldPreempt": [{"namespace": each.queue, "law": each.law, "rule": each.rule} for each in of.takers],
        "belowMinWithout": [{"resource": r, "amount": parts.amount(r, less)} for r, less in of.left_below],
        "now": [{"pod": _pod(each.pod), "node": each.node, "certain": each.certain} for each in of.now],
    }
