"""Why a job is where it is, as a document. cpu in millicores, memory in bytes, GPUs in devices."""

from collections.abc import Sequence
from typing import Any, Final

from kubectl_fairshare.answers.answer import Answer, BindingLimit, Spared, TriedChange, Unasked
from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, Extended, Hooks, Moment, ProofSteps
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.schedulers.kai.documents.plan import HOOKS, KaiRemedyPart, remedies
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES
from kubectl_fairshare.schedulers.kai.why.standing import Explanation, HoldingJob, JobRecord, SafeUntil, Turn, Why
from kubectl_fairshare.schedulers.kai.words.sentences import sentence
from kubectl_fairshare.schedulers.record_parts import event_part
from kubectl_fairshare.trace import Fact


class BlockingJobPart(DocumentPart, frozen=True):
    """A job that holds what is needed; ``borrows``: its queue is over its quota."""

    workload: ObjectKey
    queue: str
    priority: int
    resource: str
    amount: float
    borrows: bool
    since: Moment


class SafePart(DocumentPart, frozen=True):
    """A job that a minimum runtime protects; ``source`` is the queue that sets it, empty for the shard."""

    workload: ObjectKey
    until: str
    source: str


class RecordedConditionPart(DocumentPart, frozen=True):
    """A condition; ``at`` is its last change of status, ``pods`` the number of pods with it."""

    type: str
    status: str
    reason: str
    message: str
    at: Moment
    pods: int
    place: Place


class KaiRecordPart(DocumentPart, frozen=True):
    """What the cluster recorded; Events oldest first."""

    conditions: tuple[RecordedConditionPart, ...]
    reasons: tuple[Explanation, ...]
    unscheduled_pods: tuple[RecordedConditionPart, ...]
    last_start: Moment
    last_eviction: Moment
    events: tuple[Note, ...]


class JobTakerPart(DocumentPart, frozen=True):
    """A queue of which a newcomer could preempt this job, and the law."""

    queue: str
    law: str
    rule: str


class BelowOwnPart(DocumentPart, frozen=True):
    """An amount by which a queue is below its own quota."""

    resource: str
    amount: float


class KaiWhyDocument(DocumentPart, frozen=True):
    """Why one job is where it is; ``until`` is when the wait ends by itself, if known.

    ``couldPreempt`` are the queues of which some newcomer takes a running job; ``belowOwnQuotaWithout`` is how far its
    queue, where it holds more now, is then below its own quota.
    """

    verdict: Verdict
    reason: str
    sentence: str
    subject: str
    workload: ObjectKey | None
    job: str | None
    queue: str
    path: tuple[str, ...]
    priority: int | None
    preemptible: bool | None
    since: Moment
    until: Moment
    evidence: tuple[Fact, ...]
    by_what_is_modelled: Outcome | None
    bindings: tuple[BindingLimit, ...]
    held_by: tuple[HoldingJob, ...]
    could_preempt: tuple[JobTakerPart, ...]
    below_own_quota_without: tuple[BelowOwnPart, ...]
    turn: Turn | None
    safe: tuple[SafeUntil, ...]
    spared: tuple[Spared, ...]
    not_asked: tuple[Unasked, ...]
    remedies: tuple[Extended[TriedChange, KaiRemedyPart], ...]
    recorded: JobRecord
    next: tuple[str, ...]
    proof: ProofSteps
    fidelity: Fidelity


class KaiWaitingPart(DocumentPart, frozen=True):
    """A waiting job; ``position`` of ``of`` in its queue, null if KAI does not try it."""

    subject: str
    workload: ObjectKey | None
    job: str | None
    queue: str
    sentence: str
    position: int | None
    of: int | None
    exact: bool
    since: Moment
    until: Moment
    bindings: tuple[BindingLimit, ...]


def why_document(why: Why, clause: str, answer: Answer[Any] | None, commands: Sequence[str]) -> KaiWhyDocument:
    """One answer; ``answer`` is the plan of a waiting job."""
    return KaiWhyDocument(
        verdict=why.verdict,
        reason=str(why.reason),
        sentence=clause,
        subject=str(why.subject),
        workload=why.group,
        job=_job(why),
        queue=why.queue,
        path=tuple(standing.queue.name for standing in why.chain),
        priority=None if why.job is None else why.job.priority,
        preemptible=None if why.job is None else why.job.preemptible,
        since=why.since,
        until=why.until,
        evidence=why.facts,
        by_what_is_modelled=None if answer is None else answer.computed,
        bindings=() if answer is None else answer.binding,
        held_by=why.holding,
        could_preempt=tuple(JobTakerPart(each.queue, each.law, each.rule) for each in why.takers),
        below_own_quota_without=tuple(BelowOwnPart(RESOURCES[r], less) for r, less in why.left_below),
        turn=why.turn,
        safe=why.safe,
        spared=() if answer is None else answer.spared,
        not_asked=() if answer is None else answer.unasked,
        remedies=() if answer is None or why.plan is None else remedies(why.plan, answer),
        recorded=why.record,
        next=tuple(commands),
        proof=ProofSteps((), sentence) if answer is None else answer.proof,
        fidelity=why.fidelity,
    )


def waiting_entry(why: Why, clause: str, limits: Sequence[BindingLimit]) -> KaiWaitingPart:
    """One waiting job."""
    return KaiWaitingPart(
        subject=str(why.subject),
        workload=why.group,
        job=_job(why),
        queue=why.queue,
        sentence=clause,
        position=None if why.turn is None else why.turn.position,
        of=None if why.turn is None else why.turn.of,
        exact=why.fidelity.exact,
        since=why.since,
        until=why.until,
        bindings=tuple(limits),
    )


def _job(why: Why) -> str | None:
    return None if why.subject == why.group else str(why.subject)


def _holding(of: HoldingJob) -> BlockingJobPart:
    job = of.job
    resource = RESOURCES[of.r]
    return BlockingJobPart(
        job.group.key, job.queue, job.priority, resource, of.amount, of.borrows, job.group.last_start
    )


def _safe(of: SafeUntil) -> SafePart:
    return SafePart(of.job.group.key, moment_text(of.until), of.source)


def _record(of: JobRecord) -> KaiRecordPart:
    return KaiRecordPart(
        tuple(_condition(each, 0) for each in of.conditions),
        of.explanations,
        tuple(_condition(each, pods) for each, pods in of.unscheduled),
        of.last_start,
        of.last_eviction,
        of.notes,
    )


def _condition(of: Condition, pods: int) -> RecordedConditionPart:
    return RecordedConditionPart(of.type, of.status, of.reason, of.message, of.moment, pods, of.place)


_HOOKS: Final[Hooks] = {
    **HOOKS,
    HoldingJob: _holding,
    SafeUntil: _safe,
    JobRecord: _record,
    Note: event_part,
}
WHY: Final = DocumentKind("Why", KaiWhyDocument, "why", _HOOKS)
WAITING: Final = DocumentKind("WaitingList", KaiWaitingPart, "waiting", _HOOKS)
