"""How far recorded decisions and ours agree, as a document."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypedDict

from kubectl_fairshare.report.documents import parts


class Difference(NamedTuple):
    """Where one case differs: the field, and both values as JSON texts."""

    case: str
    field: str
    expected: str
    got: str


class FieldPart(TypedDict):
    """The agreement of one field: in how many of the cases that record it."""

    name: str
    agree: int
    cases: int


class DifferencePart(TypedDict):
    """Where one case differs."""

    case: str
    field: str
    expected: str
    got: str


class ConformanceDocument(TypedDict):
    """The agreement with a recording."""

    apiVersion: parts.ApiVersion
    kind: Literal["Conformance"]
    engine: str
    cases: int
    agree: int
    fields: list[FieldPart]
    differences: list[DifferencePart]


def conformance_document(
    engine: str, cases: int, agree: int, fields: Mapping[str, tuple[int, int]], differences: Sequence[Difference]
) -> ConformanceDocument:
    """``fields`` maps each field to in how many cases it agrees, and how many record it."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Conformance",
        "engine": engine,
        "cases": cases,
        "agree": agree,
        "fields": [{"name": name, "agree": same, "cases": of} for name, (same, of) in fields.items()],
        "differences": [{"case": d.case, "field": d.field, "expected": d.expected, "got": d.got} for d in differences],
    }
