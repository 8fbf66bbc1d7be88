"""The result of lint, as a document.

Tested in ``tests/unit/cli/commands/test_rule.py``.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypedDict

from kubectl_fairshare.finding import Edit, Insert, Rename, Reorder, Replace
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.lint.findings.counts import Counts
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json, field_text
from kubectl_fairshare.model.location import Location, Place
from kubectl_fairshare.report.documents import parts

NO_UNITS: Final[Mapping[str, Reading]] = {}


class EvidencePart(TypedDict):
    """A named amount, as written or computed."""

    name: str
    value: str


class RelatedPart(TypedDict):
    """Another place that a finding rests on, and what is there."""

    text: str
    place: parts.PlacePart


class EditPart(TypedDict):
    """A change of the text. ``value`` is JSON; ``order`` lists the present indices in their new order."""

    action: Literal["insert", "remove", "rename", "reorder", "replace"]
    object: str
    field: str
    key: str | None
    value: str | None
    order: list[int] | None


class RemedyPart(TypedDict):
    """The fix. A ``safe`` edit keeps everything that the author can have intended."""

    text: str
    safe: bool
    edits: list[EditPart]


class FindingPart(TypedDict):
    """One mistake. ``outside`` names an object that would resolve it if it exists outside the input.

    ``releases`` are those in which it is found, where several were asked for.
    """

    rule: str
    name: str
    severity: Literal["error", "warning", "info"]
    message: str
    place: parts.PlacePart
    endColumn: int
    excerpt: str
    template: str | None
    unit: str | None
    units: list[str]
    releases: list[str]
    evidence: list[EvidencePart]
    related: list[RelatedPart]
    remedy: RemedyPart
    outside: str | None
    downgraded: bool
    fingerprint: str


class LintCountsPart(TypedDict):
    """The number of findings, and the size of the input."""

    errors: int
    warnings: int
    infos: int
    fixable: int
    suppressed: int
    known: int
    fixed: int
    files: int
    objects: int


class UnitPart(TypedDict):
    """A part of the repository that was judged as one cluster."""

    name: str
    objects: int
    findings: int


class ProblemPart(TypedDict):
    """An input that could not be read."""

    message: str
    source: str | None
    line: int | None
    column: int | None
    help: str | None


class LintReportDocument(TypedDict):
    """The result of lint; ``with_versions`` adds the releases that the rules assume."""

    apiVersion: parts.ApiVersion
    kind: Literal["LintReport"]
    complete: bool
    counts: LintCountsPart
    units: list[UnitPart]
    findings: list[FindingPart]
    unread: list[ProblemPart]


def with_versions(fields: Mapping[str, Any], versions: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a report, with a field after the kind for each scheduler whose release matters."""
    return {"apiVersion": fields["apiVersion"], "kind": fields["kind"], **versions, **fields}


def lint_document(
    placed: Sequence[Placed],
    counts: Counts,
    unread: Sequence[Problem],
    complete: bool,
    units: Mapping[str, Reading] = NO_UNITS,
) -> LintReportDocument:
    """The findings in the order of the texts, and the inputs that could not be read."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "LintReport",
        "complete": complete,
        "counts": {
            "errors": counts.errors,
            "warnings": counts.warnings,
            "infos": counts.infos,
            "fixable": counts.fixable,
            "suppressed": counts.suppressed,
            "known": counts.known,
            "fixed": counts.fixed,
            "files": counts.files,
            "objects": counts.objects,
        },
        "units": [_unit(name, len(reading.manifests), placed) for name, reading in units.items()],
        "findings": [finding_part(each) for each in placed],
        "unread": [problem_part(each) for each in unread],
    }


def _unit(name: str, objects: int, placed: Sequence[Placed]) -> UnitPart:
    return {"name": name, "objects": objects, "findings": sum(name in each.units for each in placed)}


def finding_part(placed: Placed) -> FindingPart:
    """One finding."""
    reported = placed.reported
    finding = reported.finding
    related = zip(finding.related, placed.related, strict=True)
    return {
        "rule": reported.rule.id,
        "name": reported.rule.name,
        "severity": reported.severity.value,
        "message": finding.message,
        "place": _place(finding.place, placed.location),
        "endColumn": placed.end,
        "excerpt": placed.excerpt,
        "template": placed.template or None,
        "unit": placed.unit or None,
        "units": list(placed.units),
        "releases": list(placed.releases),
        "evidence": [{"name": name, "value": value} for name, value in finding.evidence],
        "related": [{"text": text, "place": _place(each.place, where)} for each, (text, where) in related],
        "remedy": {
            "text": finding.remedy.text,
            "safe": finding.remedy.safe,
            "edits": [_edit(edit) for edit in finding.remedy.edits],
        },
        "outside": finding.elsewhere or None,
        "downgraded": reported.doubtful,
        "fingerprint": placed.fingerprint,
    }


def _place(at: Place, location: Location) -> parts.PlacePart:
    in_text = location.line > 0
    return {
        "source": location.source if in_text else None,
        "line": location.line if in_text else None,
        "column": location.column if in_text else None,
        "object": str(at.object),
        "field": field_text(at.path),
    }


def _edit(edit: Edit) -> EditPart:
    return {
        "action": _action(edit),
        "object": str(edit.place.object),
        "field": field_text(edit.place.path),
        "key": edit.key if isinstance(edit, Rename | Insert) else None,
        "value": _json(edit.value) if isinstance(edit, Replace | Insert) else None,
        "order": list(edit.order) if isinstance(edit, Reorder) else None,
    }


def _action(edit: Edit) -> Literal["insert", "remove", "rename", "reorder", "replace"]:
    if isinstance(edit, Rename):
        return "rename"
    if isinstance(edit, Insert):
        return "insert"
    if isinstance(edit, Replace):
        return "replace"
    return "reorder" if isinstance(edit, Reorder) else "remove"


def _json(value: Json) -> str:
    import orjson

    return orjson.dumps(value).decode()


def problem_part(problem: Problem) -> ProblemPart:
    """A problem. If it has no place in a text, it has the source alone, or no source either."""
    place = problem.place
    at = place if isinstance(place, Location) else None
    return {
        "message": problem.message,
        "source": at.source if at is not None else None if place is None else str(place),
        "line": None if at is None else at.line,
        "column": None if at is None else at.column,
        "help": problem.help,
    }
