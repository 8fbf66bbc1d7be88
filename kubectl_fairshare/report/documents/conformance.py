"""How far recorded decisions and ours agree, as a document.

Tested in ``tests/unit/report/documents/test_schema.py``.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from kubectl_fairshare.answers.documents import DocumentPart


class FieldPart(DocumentPart, frozen=True):
    """The agreement of one field: in how many of the cases that record it."""

    name: str
    agree: int
    cases: int


class TagPart(DocumentPart, frozen=True):
    """The agreement by one tag: in how many of the cases that have it."""

    tag: str
    agree: int
    cases: int


class DifferencePart(DocumentPart, frozen=True):
    """Where one case differs."""

    case: str
    field: str
    expected: str
    got: str


class ConformanceDocument(DocumentPart, frozen=True):
    """The agreement with a recording."""

    engine: str
    cases: int
    agree: int
    fields: tuple[FieldPart, ...]
    tags: tuple[TagPart, ...]
    differences: tuple[DifferencePart, ...]


def conformance_document(
    engine: str,
    cases: int,
    agree: int,
    fields: Mapping[str, tuple[int, int]],
    differences: Sequence[DifferencePart],
    tags: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> dict[str, Any]:
    """``fields`` and ``tags`` map each to in how many cases it agrees, and how many have it."""
    from kubectl_fairshare.report.documents.structs import ANSWERS  # a screen needs none

    by_field = tuple(FieldPart(name, *each) for name, each in fields.items())
    by_tag = tuple(TagPart(tag, *each) for tag, each in tags.items())
    found = ConformanceDocument(engine, cases, agree, by_field, by_tag, tuple(differences))
    return ANSWERS.document("Conformance", found, {})
