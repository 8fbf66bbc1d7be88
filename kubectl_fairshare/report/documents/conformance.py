"""How far recorded decisions and ours agree, as a document.

Tested in ``tests/unit/report/documents/test_schema.py``.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
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


class TagPart(TypedDict):
    """The agreement by one tag: in how many of the cases that have it."""

    tag: str
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
    tags: list[TagPart]
    differences: list[DifferencePart]


def conformance_document(
    engine: str,
    cases: int,
    agree: int,
    fields: Mapping[str, tuple[int, int]],
    differences: Sequence[Difference],
    tags: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> ConformanceDocument:
    """``fields`` and ``tags`` map each to in how many cases it agrees, and how many have it."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Conformance",
        "engine": engine,
        "cases": cases,
        "agree": agree,
        "fields": [{"name": name, "agree": same, "cases": of} for name, (same, of) in fields.items()],
        "tags": [{"tag": tag, "agree": same, "cases": of} for tag, (same, of) in tags.items()],
        "differences": [{"case": d.case, "field": d.field, "expected": d.expected, "got": d.got} for d in differences],
    }
