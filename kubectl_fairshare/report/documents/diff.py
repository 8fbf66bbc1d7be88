"""The document of a change of policy, as types."""

from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.parts import FigurePart, HeldPart, ObjectPart, OutcomeName, SourcePart

GateName = Literal["guaranteed", "entitled", "running-at-risk", "pending-lost", "never", "findings", "undecided"]


class VersionsPart(TypedDict):
    """How the two are called, and how much runs and waits."""

    before: str
    after: str
    running: int
    pending: int


class FieldChangePart(TypedDict):
    """A field that changed; an empty ``field`` is the whole object, null a value that is not there."""

    object: ObjectPart
    field: str
    was: str | None
    now: str | None
    wasAt: SourcePart | None
    nowAt: SourcePart | None


class RightsPart(TypedDict):
    """What a queue has a right to; null is a figure that it does not have, of ``most`` no bound."""

    guaranteed: FigurePart | None
    entitled: FigurePart | None
    most: FigurePart | None


class RightsChangePart(TypedDict):
    """The rights of a queue to one resource of one flavor that differ."""

    queue: ObjectPart
    flavor: str
    resource: str
    before: RightsPart | None
    after: RightsPart | None


class PossiblePreemptorPart(TypedDict):
    """Queues that may preempt, and by which rule."""

    law: str
    rule: str
    queues: list[str]


class RunningPart(TypedDict):
    """A running workload, what it holds, and how far its queue, where it borrows, is below its own quota without it."""

    object: ObjectPart
    pods: int
    holds: list[HeldPart]
    belowOwnQuotaWithout: list[HeldPart]


class RiskChangePart(TypedDict):
    """Running workloads of a queue that others than before may preempt; ``wasSafe``: no queue could before."""

    queue: str
    wasSafe: bool
    isSafe: bool
    gained: list[PossiblePreemptorPart]
    lost: list[PossiblePreemptorPart]
    workloads: list[RunningPart]


class DecidedVictimPart(TypedDict):
    """A workload that goes for another one, and by which rule."""

    object: ObjectPart
    queue: str
    law: str
    because: str


class HindrancePart(TypedDict):
    """What keeps a workload out."""

    clause: str
    at: SourcePart | None


class DecisionPart(TypedDict):
    """The outcome of a workload; ``doubts`` are why it is not decided."""

    outcome: OutcomeName
    verdict: str
    victims: list[DecidedVictimPart]
    causes: list[HindrancePart]
    doubts: list[str]


class OutcomeChangePart(TypedDict):
    """A workload that is decided otherwise; ``finished``: it has run before, and was asked about with nothing else."""

    object: ObjectPart
    finished: bool
    lost: bool
    never: bool
    before: DecisionPart | None
    after: DecisionPart | None


class RuleFindingPart(TypedDict):
    """A finding of lint."""

    rule: str
    name: str
    severity: Literal["error", "warning", "info"]
    object: ObjectPart
    field: str
    message: str
    at: SourcePart | None


class UndecidedPart(TypedDict):
    """Something that has no exact answer, and why."""

    about: str
    why: str


class GatesPart(TypedDict):
    """The gates that were asked for, and those that failed."""

    asked: list[GateName]
    failed: list[GateName]


class BlastRadiusPart(TypedDict):
    """Whom the change concerns."""

    queues: list[str]
    losing: list[str]
    gaining: list[str]
    namespaces: list[str]
    runningWorkloads: int
    runningPods: int
    holds: list[HeldPart]


class DiffDocument(TypedDict):
    """What a change of policy does."""

    apiVersion: parts.ApiVersion
    kind: Literal["Diff"]
    scheduler: str
    version: str
    verdict: str
    exitCode: int
    versions: VersionsPart
    blastRadius: BlastRadiusPart
    changed: list[FieldChangePart]
    rewritten: int
    rights: list[RightsChangePart]
    running: list[RiskChangePart]
    outcomes: list[OutcomeChangePart]
    newFindings: list[RuleFindingPart]
    goneFindings: list[RuleFindingPart]
    undecided: list[UndecidedPart]
    fidelity: parts.FidelityPart
    gates: GatesPart


class UnitDiffPart(TypedDict):
    """What the change does to some units, to all of them the same; ``found`` says which versions have them."""

    units: list[str]
    found: Literal["both", "new", "gone"]
    diff: DiffDocument


class DiffListDocument(TypedDict):
    """What a change of policy does to each unit of a repository; ``unread`` says why some were not compared.

    ``unbuilt`` says why some have no answer in either version; the change leaves them as they are.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["DiffList"]
    verdict: str
    exitCode: int
    gates: GatesPart
    unread: list[str]
    unbuilt: list[str]
    notes: list[str]
    items: list[UnitDiffPart]
