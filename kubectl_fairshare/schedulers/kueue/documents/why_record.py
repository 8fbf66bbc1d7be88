"""What a cluster recorded about a workload, as a document."""

from collections.abc import Sequence
from typing import TypedDict

from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.schedulers.kueue.jobs.record import CheckState, EvictionCount, Record


class RecordedCondition(TypedDict):
    """A condition; ``at`` is its last change of status."""

    type: str
    status: str
    reason: str
    message: str
    at: str | None
    place: parts.PlacePart


class RecordedCheck(TypedDict):
    """The state of an admission check."""

    name: str
    state: str
    message: str
    at: str | None
    place: parts.PlacePart


class RecordedEvictions(TypedDict):
    """How often the workload was evicted for a reason."""

    reason: str
    underlyingCause: str
    count: int


class RecordedEvent(TypedDict):
    """An Event about the workload or its job."""

    object: str
    type: str
    reason: str
    message: str
    count: int
    at: str | None


class RecordPart(TypedDict):
    """The status of the Workload, and Events, oldest first."""

    conditions: list[RecordedCondition]
    admissionChecks: list[RecordedCheck]
    evictions: list[RecordedEvictions]
    requeues: int
    requeueAt: str | None
    events: list[RecordedEvent]


def record_part(record: Record, notes: Sequence[Note], places: parts.Places) -> RecordPart:
    """The record and the Events."""
    return {
        "conditions": [_condition(c, places) for c in record.conditions],
        "admissionChecks": [_check(c, places) for c in record.checks],
        "evictions": [_evictions(e) for e in record.evictions],
        "requeues": record.requeues,
        "requeueAt": _moment(record.requeue_at),
        "events": [_event(n) for n in notes],
    }


def _moment(of: int | None) -> str | None:
    return None if of is None else moment_text(of)


def _condition(of: Condition, places: parts.Places) -> RecordedCondition:
    return {
        "type": of.type,
        "status": of.status,
        "reason": of.reason,
        "message": of.message,
        "at": _moment(of.moment),
        "place": parts.place(of.place, places),
    }


def _check(of: CheckState, places: parts.Places) -> RecordedCheck:
    return {
        "name": of.name,
        "state": of.state,
        "message": of.message,
        "at": _moment(of.moment),
        "place": parts.place(of.place, places),
    }


def _evictions(of: EvictionCount) -> RecordedEvictions:
    return {"reason": of.reason, "underlyingCause": of.cause, "count": of.count}


def _event(of: Note) -> RecordedEvent:
    return {
        "object": str(of.about),
        "type": of.type,
        "reason": of.reason,
        "message": of.message,
        "count": of.count,
        "at": _moment(of.moment),
    }
