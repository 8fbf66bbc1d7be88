"""The parts of a plan for a pod under ElasticQuotas, as a document."""

from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import RemedyEntry
from kubectl_fairshare.schedulers.kubescheduler.refusals import ExcessPart

CourseName = Literal["Schedulable", "Preempt", "NoCandidate", "NotEligible", "Error"]


class ResourceAmountPart(TypedDict):
    """An amount of one resource."""

    resource: str
    amount: parts.AmountPart


class AskedPodPart(TypedDict):
    """The planned pod: what it adds to its quota, what it uses on a node, and its node."""

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
    """A waiting pod that is nominated to a node, and the sums in which it counts."""

    pod: str
    node: str
    inQuota: bool
    inPool: bool


class GatePart(TypedDict):
    """The quotas' verdict, before any node is tried."""

    verdict: Literal["Success", "OverMax", "OverSumMin"]
    quota: str | None
    excesses: list[ExcessPart]
    peers: list[PeerPart]


class LackPart(TypedDict):
    """What a node lacks."""

    law: str
    sentence: str


class FilterPart(TypedDict):
    """The filters' verdict on a node."""

    node: str
    status: Literal["Success", "Unschedulable", "UnschedulableAndUnresolvable"]
    lacks: list[LackPart]


class EligibilityPart(TypedDict):
    """Whether the pod can preempt."""

    eligible: bool
    law: str
    leaving: str | None


class VictimPart(TypedDict):
    """A pod that was chosen as a victim, the reason, and its end: evicted or put back."""

    pod: str
    priority: int
    terminating: bool
    law: str
    borrowed: list[ExcessPart]
    fate: str
    exceeded: list[ExcessPart]
    brokenBudgets: list[str]


class UntakenPart(TypedDict):
    """A pod of the chosen node that is not a candidate."""

    pod: str
    priority: int
    law: str


class NodeTrialPart(TypedDict):
    """The result of preemption on one node: victims in order, or the law that rejects the node."""

    node: str
    rejected: str | None
    sentence: str | None
    victims: list[VictimPart]
    putBack: list[VictimPart]
    pdbViolations: int
    excesses: list[ExcessPart]
    ties: list[list[str]]


class LostNodePart(TypedDict):
    """A candidate node that was not chosen: the criterion, its figure, and the best figure."""

    node: str
    law: str
    figure: int
    best: int


class ChoicePart(TypedDict):
    """The nodes that the scheduler chooses from, and why the other candidates lost."""

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


class ChangePart(TypedDict):
    """One change of a remedy."""

    kind: Literal["min", "max", "request", "priority", "preemptionPolicy", "deletion", "unschedulable"]
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
    fewestVictims: int
