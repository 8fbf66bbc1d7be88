"""What clusters recorded of workloads, as parts of documents."""

from kubectl_fairshare.answers.documents import DocumentPart, Moment
from kubectl_fairshare.jobs.events import Note


class EventPart(DocumentPart, frozen=True):
    """An Event about a workload, its job or one of its pods."""

    object: str
    type: str
    reason: str
    message: str
    count: int
    at: Moment


def event_part(of: Note) -> EventPart:
    """An Event."""
    return EventPart(str(of.about), of.type, of.reason, of.message, of.count, of.moment)
