"""The line of a finding, with a mark under the text in question."""

from typing import Final

from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.report.text.table import width
from kubectl_fairshare.report.text.view import View

_CUT: Final = "…"


def excerpt_lines(placed: Placed, view: View, indent: str) -> list[str]:
    """The line with its number, and a caret line; a long line is cut around the mark. Empty without a text."""
    if not placed.excerpt.strip():
        return []
    gutter = f"{indent}| " if placed.location.field else f"{indent}{placed.location.line} | "
    text, at, length = piece(placed, view.width - len(gutter))
    before, meant = width(text[:at]), max(width(text[at : at + length]), 1)
    under = " " * (len(gutter) - 2) + "| " + " " * before + "^" * meant
    return [view.paint("dim", gutter) + text, view.paint("dim", under[: len(gutter)]) + under[len(gutter) :]]


def piece(placed: Placed, room: int) -> tuple[str, int, int]:
    """The part of the line that fits into ``room`` characters, and the start and length of the mark in it."""
    text = "".join(c if c.isprintable() else " " for c in placed.excerpt)
    at = placed.location.column - placed.excerpt_column
    length = max(placed.end - placed.location.column, 1)
    blank = len(text) - len(text.lstrip())
    if placed.excerpt_column == 1 and blank <= at and len(text.rstrip()) <= room:
        return text.rstrip(), at, min(length, room - at)
    start = max(0, min(at - room // 3, len(text.rstrip()) - room + 1))
    before = _CUT if start or placed.excerpt_column > 1 else ""
    shown = before + text[start : start + room - 2].rstrip()
    after = _CUT if start + room - 2 < len(text.rstrip()) else ""
    at += len(before) - start
    return shown + after, at, max(min(length, room - at), 1)
