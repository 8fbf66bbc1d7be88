"""Indented sentences: folded at blanks only, with a cited place at the right end."""

import re
from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.colour import uncoloured
from kubectl_fairshare.report.text.table import folded, width
from kubectl_fairshare.report.text.view import WIDTH, View

_GOES_ON: Final = " \\"
_WORD: Final = r"""(?:'[^']*'|"[^"]*"|\S)+"""
_PART: Final = re.compile(rf"-{_WORD} (?!-){_WORD}|{_WORD}")
"""An option with the word after it, or a word."""


def paragraph(text: str, view: View, first: str = "  ", more: str = "    ", tone: Tone = "") -> list[str]:
    """A sentence in a tone, its first line indented by ``first``, all others by ``more``."""
    lines = folded(text, view.width - len(first), more[len(first) :])
    return [view.paint(tone, first + line) for line in lines]


def command_lines(command: str, view: View, first: str, tone: Tone = "") -> list[str]:
    """A command that can be typed as it is: where a line has no room for it, it goes on after a backslash.

    An option stays with its value.
    """
    text = printable(command)
    if width(first + text) <= view.width:
        return [first + view.paint(tone, text)]
    words, *parts = _PART.findall(text)
    lines, indent = [words], " " * (len(first) - len(first.lstrip()) + len(_GOES_ON))
    for part in parts:
        start = first if len(lines) == 1 else indent
        if width(f"{start}{lines[-1]} {part}") <= view.width - len(_GOES_ON):
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    ends = [_GOES_ON] * (len(lines) - 1) + [""]
    starts = [first, *[indent] * (len(lines) - 1)]
    return [start + view.paint(tone, line + end) for start, line, end in zip(starts, lines, ends, strict=True)]


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
