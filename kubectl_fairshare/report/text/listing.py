"""Long lists on a screen: so many of them, and a line that counts the others."""

from collections.abc import Sequence
from typing import Final, TypeVar

from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.report.text.table import table
from kubectl_fairshare.report.text.view import View

LONGEST: Final = 10
"""How many of a list a screen shows unless it is wide."""
T = TypeVar("T")


def shown_items(items: Sequence[T], view: View) -> Sequence[T]:
    """The items that a screen shows: all on a wide one, and where only one would be left out."""
    return items if view.wide or len(items) <= LONGEST + 1 else items[:LONGEST]


def rest(items: Sequence[object], view: View) -> list[str]:
    """The line that counts what was left out."""
    left = len(items) - len(shown_items(items, view))
    return [view.paint("dim", f"     … and {left} more (-o wide shows all)")] if left else []


def long_table(columns: Sequence[Column], rows: Sequence[Row], view: View) -> list[str]:
    """The first rows of a table, and how many more there are."""
    return [*table(columns, shown_items(rows, view), view, "  "), *rest(rows, view)]
