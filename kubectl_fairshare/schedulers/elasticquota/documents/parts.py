"""What the plan of a pod under ElasticQuotas is made of, as a document."""

from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import RemedyEntry

CourseName = Literal["Schedulable", "Preempt", "NoCandidate", "NotEligible", "Error"]


class ResourceAmountPart(TypedDict):
    """An amount of one resource."""

    resource: str
    amount: parts.AmountPart


class ExcessPart(TypedDict):
    """A resource of which more is wanted than a bound allows."""

    resource: str
    wanted: parts.AmountPart
    used: parts.AmountPart
    bound: parts.AmountPart
    more: parts.AmountPart


class AskedPodPart(TypedDict):
    """The pod that was planned: what it costs its quota, what it takes of a node, the node that it is on."""

    namespace: str
    name: str
    source: str
    priority: int
    mayPreempt: bool
    scheduler: str
    node: str | None
    charge: list[ResourceAmountPart]
    request: list[ResourceAmountPart]


class PeerPart(TypedDict):
    """A waiting pod with a kept place, and what it counts against."""

    pod: str
    node: str
    inQuota: bool
    inPool: bool


class GatePart(TypedDict):
    """The quotas' verdict before any node is looked at."""

    verdict: Literal["Success", "OverMax", "OverSumMin"]
    quota: str | None
    excesses: list[ExcessPart]
    peers: list[PeerPart]


class LackPart(TypedDict):
    """What a node lacks."""

    law: str
    sentence: str


class FilterPart(TypedDict):
    """What the filters say of a node."""

    node: str
    status: Literal["Success", "Unschedulable", "UnschedulableAndUnresolvable"]
    lacks: list[LackPart]


class EligibilityPart(TypedDict):
    """Whether the pod may preempt."""

    eligible: bool
    law: str
    leaving: str | None


class VictimPart(TypedDict):
    """A pod that was taken, why it could be, and what became of it."""

    pod: str
    priority: int
    terminating: bool
    law: str
    borrowed: list[ExcessPart]
    fate: str
    exceeded: list[ExcessPart]
    brokenBudgets: list[str]


class UntakenPart(TypedDict):
    """A pod of the chosen node that could not be taken."""

    pod: str
    priority: int
    law: str


class NodeTrialPart(TypedDict):
    """What preemption finds on one node: victims in order, or the law that rejects it."""

    node: str
    rejected: str | None
    sentence: str | None
    victims: list[VictimPart]
    putBack: list[VictimPart]
    pdbViolations: int
    excesses: list[ExcessPart]
    ties: list[list[str]]


class LostNodePart(TypedDict):
    """A candidate that was not chosen: the criterion, its own figure and the best."""

    node: str
    law: str
    figure: int
    best: int


class ChoicePart(TypedDict):
    """The nodes of which the scheduler takes any, and why the other candidates lost."""

    nodes: list[str]
    lost: list[LostNodePart]


class NodeRoomPart(TypedDict):
    """What one node could give; null for a node that is not in the input."""

    node: str
    free: list[ResourceAmountPart] | None
    takeable: list[ResourceAmountPart]
    pods: int
    excesses: list[ExcessPart]


class SpreadPart(TypedDict):
    """What all nodes together could give."""

    isReason: bool
    quotasAllow: bool
    roomInSum: bool
    takeablePods: int
    nodes: list[NodeRoomPart]


class RefusalPart(TypedDict):
    """A bound of a ResourceQuota that keeps the pod from being created; ``name`` is its own for the resource."""

    resourceQuota: str
    name: str
    excess: ExcessPart
    place: parts.PlacePart


class ChangePart(TypedDict):
    """One change of a remedy."""

    kind: Literal["min", "max", "priority", "preemptionPolicy", "deletion"]
    resource: str | None
    before: int | None
    after: int | None
    pod: str | None
    place: parts.PlacePart | None


class QuotaRemedyPart(RemedyEntry):
    """Changes that were simulated together and place the pod."""

    changes: list[ChangePart]
    course: CourseName
    nodes: list[str]
    priorityClass: str | None
    alternatives: int
