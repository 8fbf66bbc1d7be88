"""The documents of a change of policy."""

from typing import Annotated, Literal

from kubectl_fairshare.answers.diff import (
    ChangeGate,
    FieldChange,
    FigureChange,
    OutcomeChange,
    RiskChange,
    RuleFinding,
    Undecided,
    Versions,
)
from kubectl_fairshare.answers.documents import DocumentOf, DocumentPart
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.report.diff.words import BlastRadius


class GatesPart(DocumentPart, frozen=True):
    """The gates that were asked for, and those that failed."""

    asked: tuple[ChangeGate, ...]
    failed: tuple[ChangeGate, ...]


class DiffDocument(DocumentPart, frozen=True):
    """What a change of policy does."""

    scheduler: str
    version: str
    verdict: str
    exit_code: int
    versions: Versions
    blast_radius: BlastRadius
    changed: tuple[FieldChange, ...]
    rewritten: int
    rights: tuple[FigureChange, ...]
    running: tuple[RiskChange, ...]
    outcomes: tuple[OutcomeChange, ...]
    new_findings: tuple[RuleFinding, ...]
    gone_findings: tuple[RuleFinding, ...]
    undecided: tuple[Undecided, ...]
    fidelity: Fidelity
    gates: GatesPart


class UnitDiffPart(DocumentPart, frozen=True):
    """What the change does to some units, to all of them the same; ``found`` says which versions have them."""

    units: tuple[str, ...]
    found: Literal["both", "new", "gone"]
    diff: Annotated[DiffDocument, DocumentOf("Diff")]


class DiffListDocument(DocumentPart, frozen=True):
    """What a change of policy does to each unit of a repository; ``unread`` says why some were not compared.

    ``unbuilt`` says why some have no answer in either version; the change leaves them as they are.
    """

    verdict: str
    exit_code: int
    gates: GatesPart
    unread: tuple[str, ...]
    unbuilt: tuple[str, ...]
    notes: tuple[str, ...]
    items: tuple[UnitDiffPart, ...]
