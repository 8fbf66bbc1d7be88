"""Why a job is where it is, as a document. cpu in millicores, memory in bytes, GPUs in devices."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from kubectl_fairshare.answers.answer import Answer, BindingLimit
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.jobs.events import Condition
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import BindingEntry, OutcomeName, SparedPart, UnaskedEntry
from kubectl_fairshare.report.documents.proof import ProofPart
from kubectl_fairshare.report.documents.shared import (
    Explained,
    ListedWorkload,
    SharedWaiting,
    SharedWaitingGroup,
    VerdictName,
)
from kubectl_fairshare.report.plan_document import binding_part, plan_document
from kubectl_fairshare.schedulers.kai.documents.plan import KaiRemedyPart
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES
from kubectl_fairshare.schedulers.kai.why.standing import JobRecord, Why
from kubectl_fairshare.trace import Fact

_NO_PROOF: Mapping[str, object] = {"conclusions": [], "steps": [], "facts": []}


class GroundPart(TypedDict):
    """A field that the answer rests on, and its value."""

    place: parts.PlacePart
    value: parts.OperandValue


class BlockingJobPart(TypedDict):
    """A job that holds what is needed; ``borrows``: its queue is over its quota."""

    workload: parts.WorkloadName
    queue: str
    priority: int
    resource: str
    amount: float
    borrows: bool
    since: str | None


class TurnPart(TypedDict):
    """The position among the waiting jobs: in the queue, and in KAI's order over all queues of the shard."""

    position: int
    of: int
    takenUp: int
    waiting: int
    ahead: list[parts.WorkloadName]
    orderDefined: bool


class SafePart(TypedDict):
    """A job that a minimum runtime protects; ``source`` is the queue that sets it, empty for the shard."""

    workload: parts.WorkloadName
    until: str
    source: str


class RecordedConditionPart(TypedDict):
    """A condition; ``at`` is its last change of status, ``pods`` the number of pods with it."""

    type: str
    status: str
    reason: str
    message: str
    at: str | None
    pods: int
    place: parts.PlacePart


class ExplanationPart(TypedDict):
    """One of the reasons of a scheduling condition."""

    reason: str
    message: str


class EventPart(TypedDict):
    """An Event about the PodGroup or one of its pods."""

    object: str
    type: str
    reason: str
    message: str
    count: int
    at: str | None


class KaiRecordPart(TypedDict):
    """What the cluster recorded; Events oldest first."""

    conditions: list[RecordedConditionPart]
    reasons: list[ExplanationPart]
    unscheduledPods: list[RecordedConditionPart]
    lastStart: str | None
    lastEviction: str | None
    events: list[EventPart]


class JobTakerPart(TypedDict):
    """A queue of which a newcomer could preempt this job, and the law."""

    queue: str
    law: str
    rule: str


class BelowOwnPart(TypedDict):
    """An amount by which a queue is below its own quota."""

    resource: str
    amount: float


class KaiWhyDocument(Explained):
    """Why one job is where it is; ``until`` is when the wait ends by itself, if known.

    ``couldPreempt`` are the queues of which some newcomer takes a running job; ``belowOwnQuotaWithout`` is how far its
    queue, where it holds more now, is then below its own quota.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["Why"]
    verdict: VerdictName
    reason: str
    sentence: str
    subject: str
    workload: parts.WorkloadName | None
    job: str | None
    queue: str
    path: list[str]
    priority: int | None
    preemptible: bool | None
    since: str | None
    until: str | None
    evidence: list[GroundPart]
    byWhatIsModelled: OutcomeName | None
    bindings: list[BindingEntry]
    heldBy: list[BlockingJobPart]
    couldPreempt: list[JobTakerPart]
    belowOwnQuotaWithout: list[BelowOwnPart]
    turn: TurnPart | None
    safe: list[SafePart]
    spared: list[SparedPart]
    notAsked: list[UnaskedEntry]
    remedies: list[KaiRemedyPart]
    recorded: KaiRecordPart
    next: list[str]
    proof: ProofPart
    fidelity: parts.FidelityPart


class KaiWaitingPart(ListedWorkload):
    """A waiting job; ``position`` of ``of`` in its queue, null if KAI does not try it."""

    subject: str
    workload: parts.WorkloadName | None
    job: str | None
    queue: str
    sentence: str
    position: int | None
    of: int | None
    exact: bool
    since: str | None
    until: str | None
    bindings: list[BindingEntry]


class KaiWaitingGroup(SharedWaitingGroup):
    """What binds, and the jobs that wait for it."""

    workloads: list[KaiWaitingPart]


class KaiWaitingDocument(SharedWaiting):
    """Every waiting job."""

    groups: list[KaiWaitingGroup]


def why_document(
    why: Why, sentence: str, answer: Answer[PlanDetail] | None, commands: Sequence[str], places: parts.Places
) -> dict[str, object]:
    """One answer; ``answer`` is the plan of a waiting job."""
    plan = {} if answer is None else plan_document(answer, places)
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Why",
        "verdict": why.verdict.value,
        "reason": str(why.reason),
        "sentence": sentence,
        **_subject(why),
        "path": [standing.queue.name for standing in why.chain],
        "priority": None if why.job is None else why.job.priority,
        "preemptible": None if why.job is None else why.job.preemptible,
        "since": parts.moment(why.since),
        "until": parts.moment(why.until),
        "evidence": [_evidence(fact, places) for fact in why.facts],
        "byWhatIsModelled": plan.get("byWhatIsModelled"),
        "bindings": plan.get("bindings", []),
        "heldBy": _held_by(why),
        "couldPreempt": [{"queue": each.queue, "law": each.law, "rule": each.rule} for each in why.takers],
        "belowOwnQuotaWithout": [{"resource": RESOURCES[r], "amount": less} for r, less in why.left_below],
        "turn": _turn(why),
        "safe": [
            {"workload": _name(safe.job.group.key), "until": moment_text(safe.until), "source": safe.source}
            for safe in why.safe
        ],
        "spared": plan.get("spared", []),
        "notAsked": plan.get("notAsked", []),
        "remedies": plan.get("remedies", []),
        "recorded": _recorded(why.record, places),
        "next": list(commands),
        "proof": plan.get("proof", _NO_PROOF),
        "fidelity": parts.fidelity(why.fidelity, places),
    }


def waiting_entry(why: Why, sentence: str, limits: Sequence[BindingLimit], places: parts.Places) -> dict[str, object]:
    """One waiting job."""
    return {
        **_subject(why),
        "sentence": sentence,
        "position": None if why.turn is None else why.turn.position,
        "of": None if why.turn is None else why.turn.of,
        "exact": why.fidelity.exact,
        "since": parts.moment(why.since),
        "until": parts.moment(why.until),
        "bindings": [binding_part(limit, places) for limit in limits],
    }


def _subject(why: Why) -> dict[str, object]:
    return {
        "subject": str(why.subject),
        "workload": None if why.group is None else _name(why.group),
        "job": None if why.subject == why.group else str(why.subject),
        "queue": why.queue,
    }


def _name(key: ObjectKey) -> parts.WorkloadName:
    return parts.workload_name(key)


def _evidence(fact: Fact, places: parts.Places) -> GroundPart:
    return {"place": parts.place(fact.place, places), "value": parts.operand(fact.value)}


def _held_by(why: Why) -> list[BlockingJobPart]:
    return [
        {
            "workload": _name(each.job.group.key),
            "queue": each.job.queue,
            "priority": each.job.priority,
            "resource": RESOURCES[each.r],
            "amount": each.amount,
            "borrows": each.borrows,
            "since": parts.moment(each.job.group.last_start),
        }
        for each in why.holding
    ]


def _turn(why: Why) -> TurnPart | None:
    turn = why.turn
    if turn is None:
        return None
    return {
        "position": turn.position,
        "of": turn.of,
        "takenUp": turn.taken_up,
        "waiting": turn.waiting,
        "ahead": [_name(key) for key in turn.ahead],
        "orderDefined": turn.defined,
    }


def _recorded(record: JobRecord, places: parts.Places) -> KaiRecordPart:
    return {
        "conditions": [_condition(each, 0, places) for each in record.conditions],
        "reasons": [{"reason": each.reason, "message": each.message} for each in record.explanations],
        "unscheduledPods": [_condition(each, pods, places) for each, pods in record.unscheduled],
        "lastStart": parts.moment(record.last_start),
        "lastEviction": parts.moment(record.last_eviction),
        "events": [
            {
                "object": str(note.about),
                "type": note.type,
                "reason": note.reason,
                "message": note.message,
                "count": note.count,
                "at": parts.moment(note.moment),
            }
            for note in record.notes
        ],
    }


def _condition(of: Condition, pods: int, places: parts.Places) -> RecordedConditionPart:
    return {
        "type": of.type,
        "status": of.status,
        "reason": of.reason,
        "message": of.message,
        "at": parts.moment(of.moment),
        "pods": pods,
        "place": parts.place(of.place, places),
    }
