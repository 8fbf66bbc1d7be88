"""A terminal that is lower than the answer: how many lines are above the screen, and how to see them."""

from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.report.text.closing import SIGN
from kubectl_fairshare.report.text.colour import uncoloured
from kubectl_fairshare.report.text.table import folded, width
from kubectl_fairshare.report.text.view import View

_PROMPT: Final = 1
"""Lines that the shell's prompt takes below the answer."""
_VERDICT: Final = 3
"""The most lines that a verdict takes."""


def hidden_lines(text: str, brief: str, height: int, view: View) -> list[str]:
    """Lines to add to an answer if its start is above the screen; none if all of it is on the screen.

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
    return sum(max(1, -(-width(line) // columns)) for line in uncoloured(text).splitlines())


def without_verdict(text: str) -> str:
    """The text up to its last verdict; all of it if that is not what it ends with."""
    lines = text.splitlines(keepends=True)
    for number in range(1, min(_VERDICT, len(lines)) + 1):
        if uncoloured(lines[-number]).startswith(SIGN):
            return "".join(lines[:-number])
    return text
