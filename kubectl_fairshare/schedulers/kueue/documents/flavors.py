"""The flavors of each pod set as a document: what was assigned, what was tried, and why it was not used."""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentPart, Operands
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.model.location import Place
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


class ReasonPart(DocumentPart, frozen=True):
    """Why a flavor or resource does not fit; ``message`` is the part of the message that Kueue writes."""

    law: str
    sentence: str
    message: str
    operands: Operands
    place: Place | None


class ResourceGrade(DocumentPart, frozen=True):
    """How well a flavor fits one resource."""

    resource: str
    mode: str
    preemption: str | None


class AttemptPart(DocumentPart, frozen=True):
    """A flavor that was tried."""

    flavor: str
    chosen: bool
    mode: str
    preemption: str | None
    borrowing_level: int
    token: str | None
    resources: tuple[ResourceGrade, ...]
    reasons: tuple[ReasonPart, ...]


class FlavorPart(DocumentPart, frozen=True):
    """The flavor of one resource."""

    resource: str
    flavor: str
    mode: str
    amount: Quantity


class PodSetPart(DocumentPart, frozen=True):
    """The flavors of one pod set."""

    name: str
    count: int
    failed: bool
    flavors: tuple[FlavorPart, ...]
    attempts: tuple[AttemptPart, ...]
    not_tried: tuple[str, ...]
    message: str


def pod_sets(
    assignment: Assignment, kueue: KueueState, queue: ClusterQueue | None, asked: tuple[PodSet, ...]
) -> tuple[PodSetPart, ...]:
    """The pod sets of an assignment."""

    def because(step: Step) -> ReasonPart:
        place = evidence(kueue, queue, asked, step)
        return ReasonPart(str(step.law), sentence(step), reason(step), step.operands, place)

    return tuple(
        PodSetPart(
            p.name,
            p.count,
            p.failed,
            tuple(_flavor(p, resource) for resource in sorted(p.flavors)),
            tuple(_attempt(a, p, tuple(map(because, a.reasons))) for a in p.attempts),
            tuple(not_tried(p, queue)),
            pod_set_message(p),
        )
        for p in assignment.pod_sets
    )


def _flavor(pod_set: PodSetAssignment, resource: str) -> FlavorPart:
    flavor, grade = pod_set.flavors[resource]
    return FlavorPart(resource, flavor, str(mode_of(grade)), pod_set.requests.get(resource, 0))


def _attempt(attempt: FlavorAttempt, pod_set: PodSetAssignment, reasons: tuple[ReasonPart, ...]) -> AttemptPart:
    grades = (ResourceGrade(r, str(mode_of(g)), _PREEMPTION.get(g)) for r, g in sorted(attempt.grades.items()))
    return AttemptPart(
        attempt.flavor,
        is_chosen(pod_set, attempt),
        str(attempt.mode),
        _PREEMPTION.get(attempt.grade),
        attempt.borrow,
        None if attempt.token is None else str(attempt.token),
        tuple(grades),
        reasons,
    )
