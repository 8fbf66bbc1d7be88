"""One scheduling cycle as a document."""

from typing import Literal, TypedDict

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import OutcomeName
from kubectl_fairshare.report.documents.shared import SharedCycle
from kubectl_fairshare.schedulers.kueue.cycle.cycle import ProcessedHead
from kubectl_fairshare.schedulers.kueue.explain.cycle import CycleOutcome
from kubectl_fairshare.schedulers.kueue.explain.evidence import refusal_places
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.words import messages as kueue_messages
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_message
from kubectl_fairshare.schedulers.kueue.words.sentences import refusal_clause
from kubectl_fairshare.trace import Step


class CycleTarget(TypedDict):
    """A victim: a workload that is preempted for a head."""

    workload: parts.WorkloadName
    clusterQueue: str
    reason: str


class CycleFlavor(TypedDict):
    """The flavor of one resource of one pod set."""

    podSet: str
    resource: str
    flavor: str


class EntryPart(TypedDict):
    """A head and its ``status`` in Kueue's words: assumed, skipped, inadmissible, evicted, preemptionGated or empty."""

    workload: parts.WorkloadName
    clusterQueue: str
    outcome: OutcomeName
    status: str
    mode: str
    reason: str
    law: str | None
    message: str
    borrowingLevel: int
    flavors: list[CycleFlavor]
    victims: list[CycleTarget]


class QueueLengthPart(TypedDict):
    """The number of workloads that wait in a queue."""

    clusterQueue: str
    workloads: int


class BehindPart(TypedDict):
    """A workload that was not considered, and the head of its queue."""

    workload: parts.WorkloadName
    head: parts.WorkloadName


class LeftOutPart(TypedDict):
    """A pending workload that is in no queue, and why."""

    workload: parts.WorkloadName
    law: str
    sentence: str
    places: list[parts.PlacePart]


class CycleFields(TypedDict):
    """What one cycle does, in the order in which heads are taken."""

    apiVersion: parts.ApiVersion
    kind: Literal["Cycle"]
    fairSharing: bool
    entries: list[EntryPart]
    waiting: list[QueueLengthPart]
    behind: list[BehindPart]
    leftOut: list[LeftOutPart]
    ties: list[list[str]]
    fidelity: parts.FidelityPart


class CycleDocument(CycleFields, SharedCycle):
    """What one cycle does, in the order in which heads are taken."""


def cycle_document(report: CycleOutcome, places: parts.Places) -> CycleFields:
    """One cycle."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Cycle",
        "fairSharing": report.fair,
        "entries": [
            _entry(e, report.outcomes[e.nomination.workload.key], report.reason_of(e)) for e in report.round.entries
        ],
        "waiting": [{"clusterQueue": name, "workloads": count} for name, count in report.waiting.items()],
        "behind": [_behind(*pair) for pair in report.behind],
        "leftOut": [_left_out(*pair, places) for pair in report.left_out],
        "ties": [list(tie) for tie in report.round.ties],
        "fidelity": parts.fidelity(report.fidelity, places),
    }


def _behind(workload: Pending, head: Pending) -> BehindPart:
    return {"workload": parts.workload_name(workload.key), "head": parts.workload_name(head.key)}


def _left_out(workload: Pending, refused: Step, places: parts.Places) -> LeftOutPart:
    return {
        "workload": parts.workload_name(workload.key),
        "law": str(refused.law),
        "sentence": refusal_clause(refused, workload),
        "places": [parts.place(p, places) for p in refusal_places(refused)],
    }


def _entry(entry: ProcessedHead, outcome: Outcome, reason: str) -> EntryPart:
    nomination, assignment = entry.nomination, entry.nomination.assignment
    return {
        "workload": parts.workload_name(nomination.workload.key),
        "clusterQueue": nomination.cluster_queue,
        "outcome": outcome.value,
        "status": str(entry.status),
        "mode": "" if assignment is None else entry.mode,
        "reason": reason,
        "law": None if entry.law is None else str(entry.law),
        "message": _message(entry),
        "borrowingLevel": 0 if assignment is None else assignment.borrowing,
        "flavors": _flavors(entry),
        "victims": [
            {
                "workload": parts.workload_name(t.holder.key),
                "clusterQueue": t.holder.cluster_queue,
                "reason": str(t.reason),
            }
            for t in (entry.targets if entry.preempts else ())
        ],
    }


def _message(entry: ProcessedHead) -> str:
    """Kueue's message about the head."""
    refused, workload = entry.nomination.refused, entry.nomination.workload
    if refused is not None and refused.law == "kueue-workload-refused":
        return "" if workload.refusal is None else refusal_message(workload.refusal)
    return kueue_messages.entry_message(entry)


def _flavors(entry: ProcessedHead) -> list[CycleFlavor]:
    assignment = entry.nomination.assignment
    if assignment is None:
        return []
    return [
        {"podSet": pod_set.name, "resource": resource, "flavor": pod_set.flavors[resource][0]}
        for pod_set in assignment.pod_sets
        for resource in sorted(pod_set.flavors)
    ]
