"""Indented sentences: folded at blanks only, with a cited place at the right end."""

from collections.abc import Sequence

from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.colour import uncoloured
from kubectl_fairshare.report.text.table import folded, width
from kubectl_fairshare.report.text.view import WIDTH, View


def paragraph(text: str, view: View, first: str = "  ", more: str = "    ", tone: Tone = "") -> list[str]:
    """A sentence in a tone, its first line indented by ``first``, all others by ``more``."""
    lines = folded(text, view.width - len(first), more[len(first) :])
    return [view.paint(tone, first + line) for line in lines]


def unfolded(text: str, first: str = "  ") -> str:
    """A sentence on a line of its own, however long, so that it can be searched for."""
    return first + printable(text)


def cited(text: str, where: str, view: View, first: str = "  ", more: str = "    ") -> list[str]:
    """A sentence with its place after it: in a column near the words, or on a line of its own if there is no room.

    A sentence that names the place, an object and a field, does not get it twice.
    """
    return ended(paragraph(text, view, first, more), "" if where in text else where, "dim", view)


def ended(lines: Sequence[str], end: str, tone: Tone, view: View) -> list[str]:
    """Lines with a few words after the last one, in a column near it, or on lines of their own if there is no room.

    The lines may be painted.
    """
    if not end:
        return list(lines)
    room = min(view.width, WIDTH)
    *before, last = lines
    taken = width(uncoloured(last))
    if view.width - taken - width(end) < 2:
        at_right = (" " * max(0, room - width(piece)) + view.paint(tone, piece) for piece in folded(end, room))
        return [*before, last, *at_right]
    return [*before, last + " " * max(2, room - taken - width(end)) + view.paint(tone, end)]
