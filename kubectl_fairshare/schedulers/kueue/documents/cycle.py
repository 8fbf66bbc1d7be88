"""One scheduling cycle as a document."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kueue.cycle.cycle import ProcessedHead
from kubectl_fairshare.schedulers.kueue.explain.cycle import CycleOutcome
from kubectl_fairshare.schedulers.kueue.explain.evidence import refusal_places
from kubectl_fairshare.schedulers.kueue.words import messages as kueue_messages
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_message
from kubectl_fairshare.schedulers.kueue.words.sentences import refusal_clause


class CycleTarget(DocumentPart, frozen=True):
    """A victim: a workload that is preempted for a head."""

    workload: ObjectKey
    cluster_queue: str
    reason: str


class CycleFlavor(DocumentPart, frozen=True):
    """The flavor of one resource of one pod set."""

    pod_set: str
    resource: str
    flavor: str


class EntryPart(DocumentPart, frozen=True):
    """A head and its ``status`` in Kueue's words: assumed, skipped, inadmissible, evicted, preemptionGated or empty."""

    workload: ObjectKey
    cluster_queue: str
    outcome: Outcome
    status: str
    mode: str
    reason: str
    law: str | None
    message: str
    borrowing_level: int
    flavors: tuple[CycleFlavor, ...]
    victims: tuple[CycleTarget, ...]


class QueueLengthPart(DocumentPart, frozen=True):
    """The number of workloads that wait in a queue."""

    cluster_queue: str
    workloads: int


class LeftOutPart(DocumentPart, frozen=True):
    """A pending workload that is in no queue, and why."""

    workload: ObjectKey
    law: str
    sentence: str
    places: tuple[Place, ...]


class CycleDocument(DocumentPart, frozen=True):
    """What one cycle does, in the order in which heads are taken."""

    fair_sharing: bool
    entries: tuple[EntryPart, ...]
    waiting: tuple[QueueLengthPart, ...]
    left_out: tuple[LeftOutPart, ...]
    ties: tuple[tuple[str, ...], ...]
    fidelity: Fidelity


CYCLE: Final = DocumentKind("Cycle", CycleDocument, "cycle")


def cycle_document(report: CycleOutcome) -> CycleDocument:
    """One cycle."""
    left_out = (
        LeftOutPart(workload.key, str(refused.law), refusal_clause(refused, workload), (*refusal_places(refused),))
        for workload, refused in report.left_out
    )
    return CycleDocument(
        report.fair,
        tuple(_entry(entry, report) for entry in report.round.entries),
        tuple(QueueLengthPart(*each) for each in report.waiting.items()),
        tuple(left_out),
        tuple(report.round.ties),
        report.fidelity,
    )


def _entry(entry: ProcessedHead, report: CycleOutcome) -> EntryPart:
    nomination, assignment = entry.nomination, entry.nomination.assignment
    victims = (CycleTarget(t.holder.key, t.holder.cluster_queue, str(t.reason)) for t in entry.targets)
    return EntryPart(
        nomination.workload.key,
        nomination.cluster_queue,
        report.outcomes[nomination.workload.key],
        str(entry.status),
        "" if assignment is None else entry.mode,
        report.reason_of(entry),
        None if entry.law is None else str(entry.law),
        _message(entry),
        0 if assignment is None else assignment.borrowing,
        _flavors(entry),
        tuple(victims) if entry.preempts else (),
    )


def _message(entry: ProcessedHead) -> str:
    """Kueue's message about the head."""
    refused, workload = entry.nomination.refused, entry.nomination.workload
    if refused is not None and refused.law == "kueue-workload-refused":
        return "" if workload.refusal is None else refusal_message(workload.refusal)
    return kueue_messages.entry_message(entry)


def _flavors(entry: ProcessedHead) -> tuple[CycleFlavor, ...]:
    assignment = entry.nomination.assignment
    return tuple(
        CycleFlavor(pod_set.name, resource, pod_set.flavors[resource][0])
        for pod_set in (assignment.pod_sets if assignment is not None else ())
        for resource in sorted(pod_set.flavors)
    )
