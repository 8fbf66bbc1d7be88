"""The flavors of each pod set as a document: what was assigned, what was tried, and why it was not used."""

from typing import Final, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.proof import operands
from kubectl_fairshare.schedulers.kueue.explain.evidence import evidence
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment, FlavorAttempt, PodSetAssignment, mode_of
from kubectl_fairshare.schedulers.kueue.flavors.attempts import is_chosen, not_tried
from kubectl_fairshare.schedulers.kueue.laws import Grade
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet
from kubectl_fairshare.schedulers.kueue.words.messages import pod_set_message, reason
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence
from kubectl_fairshare.trace import Step

_PREEMPTION: Final = {Grade.NO_CANDIDATES: "NoCandidates", Grade.PREEMPT: "Preempt", Grade.RECLAIM: "Reclaim"}


class ReasonPart(TypedDict):
    """Why a flavor or resource does not fit; ``message`` is the part of the message that Kueue writes."""

    law: str
    sentence: str
    message: str
    operands: dict[str, parts.OperandValue]
    place: parts.PlacePart | None


class ResourceGrade(TypedDict):
    """How well a flavor fits one resource."""

    resource: str
    mode: str
    preemption: str | None


class AttemptPart(TypedDict):
    """A flavor that was tried."""

    flavor: str
    chosen: bool
    mode: str
    preemption: str | None
    borrowingLevel: int
    token: str | None
    resources: list[ResourceGrade]
    reasons: list[ReasonPart]


class FlavorPart(TypedDict):
    """The flavor of one resource."""

    resource: str
    flavor: str
    mode: str
    amount: parts.AmountPart


class PodSetPart(TypedDict):
    """The flavors of one pod set."""

    name: str
    count: int
    failed: bool
    flavors: list[FlavorPart]
    attempts: list[AttemptPart]
    notTried: list[str]
    message: str


def pod_sets(
    assignment: Assignment,
    kueue: KueueState,
    queue: ClusterQueue | None,
    asked: tuple[PodSet, ...],
    places: parts.Places,
) -> list[PodSetPart]:
    """The pod sets of an assignment."""

    def because(step: Step) -> ReasonPart:
        return {
            "law": str(step.law),
            "sentence": sentence(step),
            "message": reason(step),
            "operands": operands(step),
            "place": parts.maybe_place(evidence(kueue, queue, asked, step), places),
        }

    return [
        {
            "name": p.name,
            "count": p.count,
            "failed": p.failed,
            "flavors": [_flavor(p, resource) for resource in sorted(p.flavors)],
            "attempts": [_attempt(a, p, [because(r) for r in a.reasons]) for a in p.attempts],
            "notTried": list(not_tried(p, queue)),
            "message": pod_set_message(p),
        }
        for p in assignment.pod_sets
    ]


def _flavor(pod_set: PodSetAssignment, resource: str) -> FlavorPart:
    flavor, grade = pod_set.flavors[resource]
    asked = parts.amount(resource, pod_set.requests.get(resource, 0))
    return {"resource": resource, "flavor": flavor, "mode": str(mode_of(grade)), "amount": asked}


def _attempt(attempt: FlavorAttempt, pod_set: PodSetAssignment, reasons: list[ReasonPart]) -> AttemptPart:
    return {
        "flavor": attempt.flavor,
        "chosen": is_chosen(pod_set, attempt),
        "mode": str(attempt.mode),
        "preemption": _PREEMPTION.get(attempt.grade),
        "borrowingLevel": attempt.borrow,
        "token": None if attempt.token is None else str(attempt.token),
        "resources": [
            {"resource": r, "mode": str(mode_of(g)), "preemption": _PREEMPTION.get(g)}
            for r, g in sorted(attempt.grades.items())
        ],
        "reasons": reasons,
    }
