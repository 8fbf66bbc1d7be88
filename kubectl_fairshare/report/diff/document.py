"""A change of policy as a document."""

from typing import Any

from kubectl_fairshare.answers.diff import Diff, RepositoryDiff, UnitDiff
from kubectl_fairshare.report.diff import words
from kubectl_fairshare.report.documents.diff import DiffDocument, DiffListDocument, GatesPart, UnitDiffPart
from kubectl_fairshare.report.documents.parts import Places
from kubectl_fairshare.report.documents.structs import ANSWERS


def document(diff: Diff, places: Places) -> dict[str, Any]:
    """The whole answer."""
    return ANSWERS.document("Diff", _whole(diff), places)


def repository_document(of: RepositoryDiff, places: Places) -> dict[str, Any]:
    """The answer for each unit."""
    items = tuple(map(_unit, of.parts))
    gates, verdict = GatesPart(of.gates, of.failed), words.repository_verdict(of)
    found = DiffListDocument(verdict, of.exit_code, gates, of.unread, of.unbuilt, of.notes, items)
    return ANSWERS.document("DiffList", found, places)


def _unit(part: UnitDiff) -> UnitDiffPart:
    return UnitDiffPart(part.units, "new" if part.new else "gone" if part.gone else "both", _whole(part.diff))


def _whole(diff: Diff) -> DiffDocument:
    return DiffDocument(
        scheduler=diff.scheduler,
        version=diff.fidelity.version,
        verdict=words.verdict(diff),
        exit_code=int(bool(diff.failed)),
        versions=diff.versions,
        blast_radius=words.blast_radius(diff),
        changed=diff.fields,
        rewritten=diff.rewritten,
        rights=diff.figures,
        running=diff.risks,
        outcomes=diff.outcomes,
        new_findings=diff.new_findings,
        gone_findings=diff.gone_findings,
        undecided=diff.undecided,
        fidelity=diff.fidelity,
        gates=GatesPart(diff.gates, diff.failed),
    )
