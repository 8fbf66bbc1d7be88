"""Rows about objects, each object named once: as a table, as a table below headings, or in sentences.

Names are never cut: a table that would have to cut one becomes a narrower form.

Tested in ``tests/unit/report/test_diff.py``.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import ended, paragraph
from kubectl_fairshare.report.text.table import fits, table
from kubectl_fairshare.report.text.view import View

_BELOW: Final = "    "


class GroupedRow(Value, frozen=True):
    """A row whose first cell names an object, the same in a sentence without that name, and its place."""

    row: Row
    sentence: str
    where: str = ""

    @property
    def name(self) -> str:
        """The name of the object."""
        return self.row.cells[0]


def grouped(columns: Sequence[Column], rows: Sequence[GroupedRow], view: View, *, tabular: bool = True) -> list[str]:
    """The lines of the rows, which are sorted by name; ``tabular``: their cells are short enough for a table."""
    if not rows:
        return []
    shown = shown_items(rows, view)
    names_once = [Row(("", *each.row.cells[1:]), each.row.tone) if same else each.row for each, same in _marked(shown)]
    own = [replace(each.row, cells=each.row.cells[1:]) for each in shown]
    if view.wide or (tabular and fits(columns, names_once, view, "  ")):
        lines = table(columns, names_once, view, "  ")
    elif tabular and fits(columns[1:], own, view, _BELOW):
        lines = _below_headings(table(columns[1:], own, view, _BELOW), shown, view)
    else:
        lines = [view.paint("dim", f"  {columns[0].title}"), *_sentences(shown, view)]
    return [*lines, *rest(rows, view)]


def _marked(rows: Sequence[GroupedRow]) -> list[tuple[GroupedRow, bool]]:
    """The rows, and whether the one before is about the same object."""
    return [(rows[0], False), *((each, each.name == before.name) for before, each in pairwise(rows))]


def _below_headings(lines: Sequence[str], rows: Sequence[GroupedRow], view: View) -> list[str]:
    """The lines of a table with a line for each object above its rows."""
    found = [lines[0]]
    for (each, same), line in zip(_marked(rows), lines[1:], strict=False):
        found += [line] if same else [view.paint("strong", f"  {each.name}"), line]
    return [*found, *lines[1 + len(rows) :]]


def _sentences(rows: Sequence[GroupedRow], view: View) -> list[str]:
    """A sentence for each row, and its place at the end of the line or below it."""
    lines: list[str] = []
    for each, same in _marked(rows):
        lines += [] if same else [view.paint("strong", f"  {each.name}")]
        lines += ended(paragraph(each.sentence, view, _BELOW, _BELOW + "  "), each.where, "dim", view)
    return lines
