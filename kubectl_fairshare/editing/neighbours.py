"""Finds fixes that touch each other in a text."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from kubectl_fairshare.editing.pieces import SourceDocument
from kubectl_fairshare.editing.splice import Splice
from kubectl_fairshare.model.json import FieldPath

Made: TypeAlias = Mapping[SourceDocument, Sequence[Splice]]
Claims: TypeAlias = Collection[tuple[SourceDocument, FieldPath]]
"""Lists and mappings that get more or fewer rows, or another order: two fixes of one of them belong together."""


class _Span(NamedTuple):
    """Characters that are changed, and one of the fixes that change them."""

    start: int
    end: int
    number: int


class Neighbours:
    """The characters that fixes change. Fixes that touch each other form a group, and so do fixes of one list."""

    def __init__(self) -> None:
        self._spans: dict[SourceDocument, list[_Span]] = {}  # apart from one another, in order
        self._claims: dict[tuple[SourceDocument, FieldPath], int] = {}
        self._groups: dict[int, set[int]] = {}

    def near(self, made: Made, claims: Claims) -> set[int]:
        """The fixes that one with these splices touches, with their whole groups."""
        touched = {self._claims[claim] for claim in claims if claim in self._claims}
        for part, splices in made.items():
            for splice in splices:
                spans = self._spans.get(part, [])
                touched.update(span.number for span in spans[self._touching(spans, splice)])
        return {number for each in touched for number in self._groups[each]}

    def add(self, number: int, made: Made, claims: Claims, near: Collection[int]) -> None:
        """Adds a fix to the groups that it is ``near``."""
        group = {number, *near}
        self._groups.update(dict.fromkeys(group, group))
        self._claims.update(dict.fromkeys(claims, number))
        for part, splices in made.items():
            spans = self._spans.setdefault(part, [])
            for splice in splices:
                at = self._touching(spans, splice)
                start = min([splice.start, *(span.start for span in spans[at])])
                end = max([splice.end, *(span.end for span in spans[at])])
                spans[at] = [_Span(start, end, number)]

    def _touching(self, spans: Sequence[_Span], splice: Splice) -> slice:
        first = bisect_left(spans, splice.start, key=lambda span: span.end)
        return slice(first, bisect_right(spans, splice.end, lo=first, key=lambda span: span.start))
