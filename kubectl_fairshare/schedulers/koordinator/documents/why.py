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
from kubectl_fairshare.schedulers.koordinator.documents.plan import KoordinatorPlanDocument
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.why.verdict import HeldBy, Why
from kubectl_fairshare.schedulers.koordinator.words.why_clauses import WHY_WORDS, next_commands
from kubectl_fairshare.schedulers.kubescheduler.refusals import RefusalPart, refusal_part


class GroundPart(parts.PlacePart):
    """A field that the answer rests on: its place and its value."""

    value: parts.OperandValue


class PodOfQuotaPart(TypedDict):
    """A pod that has a node, or waits for one."""

    namespace: str
    name: str
    priority: int
    node: str | None


class HeldInQuotaPart(TypedDict):
    """A pod that holds what is short; ``borrows``: it is of a sibling that uses more than its min."""

    pod: PodOfQuotaPart
    quota: str
    resource: str
    amount: parts.AmountPart
    borrows: bool


class QuotaPreemptorPart(TypedDict):
    """A quota of which some new pod could preempt this one, and the law."""

    quota: str
    law: str
    rule: str


class BelowQuotaMinPart(TypedDict):
    """An amount by which a quota is below its min."""

    resource: str
    amount: parts.AmountPart


class KoordinatorWhyDocument(Explained):
    """Why one pod is where it is; ``alike`` are pods with the same answer, ``plan`` the next attempt of a waiting one.

    ``couldPreempt`` are the quotas of which some new pod takes a placed one; its own is then ``belowMinWithout`` it.
    ``preemptors`` are waiting pods that preempt it next, or may if ties decide so: those in ``preemptorsByTie``. For
    ``preemptorsAcrossQuotas`` DefaultPreemption may evict it. ``revocable``: its quota uses more than its runtime, and
    the over-use revoker would evict it; with ``revocableByTie`` it may. It runs only if ``monitored``. The scheduler
    tries ``ahead`` first, and perhaps some of ``equals``; ``getInFirst`` counts the pods that get in before it, if the
    answer would be another without them.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["Why"]
    verdict: VerdictName
    reason: str
    sentence: str
    subject: str
    pod: PodOfQuotaPart | None
    job: str | None
    alike: list[str]
    quota: str
    since: str | None
    evidence: list[GroundPart]
    heldBy: list[HeldInQuotaPart]
    couldPreempt: list[QuotaPreemptorPart]
    belowMinWithout: list[BelowQuotaMinPart]
    preemptors: list[PodOfQuotaPart]
    preemptorsByTie: list[str]
    preemptorsAcrossQuotas: list[str]
    revocable: bool
    revocableByTie: bool
    monitored: bool
    ahead: list[PodOfQuotaPart]
    equals: int
    rivals: int
    getInFirst: int
    notCreated: int
    refusedAtCreation: list[RefusalPart]
    recorded: PodRecordPart | None
    next: list[str]
    plan: KoordinatorPlanDocument | None
    fidelity: parts.FidelityPart


class WaitingInQuotaPart(ListedWorkload):
    """A waiting pod with the ones ``alike``; ``position`` is its best possible position among ``of``."""

    subject: str
    pod: PodOfQuotaPart | None
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


class WaitingForQuota(SharedWaitingGroup):
    """What binds, and the pods that wait for it."""

    workloads: list[WaitingInQuotaPart]


class KoordinatorWaitingDocument(SharedWaiting):
    """Every waiting pod."""

    groups: list[WaitingForQuota]


def why_fields(why: Why, plan: Answer[PlanDetail] | None, places: parts.Places) -> dict[str, object]:
    """One answer; ``plan`` is the next attempt."""
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
        "quota": why.quota,
        "since": parts.moment(why.since),
        "evidence": [{**parts.place(f.place, places), "value": parts.operand(f.value)} for f in why.facts],
        "heldBy": [_held(held) for held in why.held],
        "couldPreempt": [{"quota": each.queue, "law": each.law, "rule": each.rule} for each in why.takers],
        "belowMinWithout": [{"resource": r, "amount": parts.amount(r, whole(r, nano))} for r, nano in why.left_below],
        "preemptors": [_pod(pod) for pod in (*why.risk.preemptors, *why.risk.perhaps)],
        "preemptorsByTie": [pod.name for pod in why.risk.perhaps],
        "preemptorsAcrossQuotas": [pod.name for pod in why.risk.across],
        "revocable": why.risk.revoked or why.risk.revoked_perhaps,
        "revocableByTie": why.risk.revoked_perhaps,
        "monitored": why.watched,
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


def waiting_entry(why: Why) -> WaitingInQuotaPart:
    """A waiting pod, as an entry of a list."""
    return {
        "subject": str(why.job or why.key),
        "pod": None if why.pod is None else _pod(why.pod),
        "job": None if why.job is None else str(why.job),
        "alike": [str(key) for key in why.alike],
        "quota": why.quota,
        "sentence": WHY_WORDS.reason_clause(why) or WHY_WORDS.binding_clause(why),
        "position": len(why.ahead) + 1 if why.queued else None,
        "of": why.rivals if why.queued else None,
        "getInFirst": why.before,
        "exact": why.fidelity.exact,
        "since": parts.moment(why.since),
        "notCreated": why.missing,
    }


def _pod(of: Pod) -> PodOfQuotaPart:
    return {"namespace": of.namespace, "name": of.key.name, "priority": of.priority, "node": of.node or None}


def _held(of: HeldBy) -> HeldInQuotaPart:
    amount = parts.amount(of.resource, of.amount)
    return {"pod": _pod(of.pod), "quota": of.quota, "resource": of.resource, "amount": amount, "borrows": of.borrows}
