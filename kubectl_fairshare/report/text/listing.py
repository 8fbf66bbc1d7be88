"""Long lists on a screen: so many of them, and a line that counts the others."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.report.text.view import View

LONGEST: Final = 10
"""How many of a list a screen shows unless it is wide."""


def shown(items: Sequence[object], view: View) -> int:
    """How many of a list to show: all on a wide screen, and where only one would be left out."""
    return len(items) if view.wide or len(items) <= LONGEST + 1 else LONGEST


def rest(items: Sequence[object], view: View) -> list[str]:
    """The line that counts what was left out."""
    left = len(items) - shown(items, view)
    return [view.paint("dim", f"     … and {left} more (-o wide shows all)")] if left else []
