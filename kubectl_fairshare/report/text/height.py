"""A terminal that is lower than the answer: how many lines are above the screen, and how to see them."""

import re
from typing import Final

from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.report.text.table import folded, width
from kubectl_fairshare.report.text.view import View

_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
_PROMPT: Final = 1
"""Lines that the shell's prompt takes below the answer."""


def hidden_lines(text: str, brief: str, height: int, view: View) -> list[str]:
    """Lines to print below an answer if its start is above the screen; none if all of it is on the screen.

    ``brief`` is the answer in short, empty if the command has no ``--brief``. ``height`` is the number of lines that
    the terminal shows.
    """
    taken = lines_taken(text, view.columns)
    if taken + _PROMPT <= height:
        return []
    remedy = f"`--brief` has {count(brief.count(chr(10)), 'line')}, " if brief else ""
    hint: list[str] = []
    for _ in range(2):  # the hint itself pushes lines off the screen
        hidden = min(taken, taken + len(hint) + _PROMPT - height)
        hint = folded(f"{hidden} of {taken} lines are above the screen: {remedy}`| less` has all", view.width, "  ")
    return [view.paint("dim", line) for line in hint]


def lines_taken(text: str, columns: int) -> int:
    """The lines that a text takes on a terminal; one that is wider than ``columns`` takes several."""
    plain = _COLOURS.sub("", text)
    return sum(max(1, -(-width(line) // columns)) for line in plain.splitlines())
