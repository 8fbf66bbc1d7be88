"""What a cluster recorded about a workload, as a document."""

from kubectl_fairshare.answers.documents import DocumentPart, Moment
from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.schedulers.kueue.jobs.record import CheckState, EvictionCount
from kubectl_fairshare.schedulers.kueue.why.verdict import Why


class RecordedEvictions(DocumentPart, frozen=True):
    """How often the workload was evicted for a reason."""

    reason: str
    underlying_cause: str
    count: int


class RecordPart(DocumentPart, frozen=True):
    """The status of the Workload, and Events, oldest first."""

    conditions: tuple[Condition, ...]
    admission_checks: tuple[CheckState, ...]
    evictions: tuple[EvictionCount, ...]
    requeues: int
    requeue_at: Moment
    events: tuple[Note, ...]


def record_part(why: Why) -> RecordPart:
    """The record and the Events."""
    of = why.record
    return RecordPart(of.conditions, of.checks, of.evictions, of.requeues, of.requeue_at, why.notes)


def evictions_part(of: EvictionCount) -> RecordedEvictions:
    """How often it was evicted for one reason."""
    return RecordedEvictions(of.reason, of.cause, of.count)
