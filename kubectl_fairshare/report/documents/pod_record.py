"""What a cluster recorded about a pod, as a part of documents."""

from typing import TypedDict

from kubectl_fairshare.jobs.pod_record import PodRecord
from kubectl_fairshare.report.documents.parts import moment


class PodConditionPart(TypedDict):
    """A condition of the pod."""

    type: str
    status: str
    reason: str
    message: str
    since: str | None


class PodEventPart(TypedDict):
    """An Event about the pod."""

    reason: str
    message: str
    count: int
    last: str | None


class PodRecordPart(TypedDict):
    """What the cluster recorded about the pod."""

    phase: str
    nominatedNode: str
    created: str | None
    conditions: list[PodConditionPart]
    events: list[PodEventPart]


def pod_record_part(of: PodRecord) -> PodRecordPart:
    """The record of a pod."""
    return {
        "phase": of.phase,
        "nominatedNode": of.nominated,
        "created": moment(of.created),
        "conditions": [
            {"type": c.type, "status": c.status, "reason": c.reason, "message": c.message, "since": moment(c.moment)}
            for c in of.conditions
        ],
        "events": [
            {"reason": e.reason, "message": e.message, "count": e.count, "last": moment(e.moment)} for e in of.events
        ],
    }
