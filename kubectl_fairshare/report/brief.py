"""A brief answer: verdict, what binds, the best remedy, the next command, whatever the length of names.

Tested in ``tests/unit/report/test_why.py`` and ``tests/unit/report/test_brief.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import BindingLimit, TriedChange
from kubectl_fairshare.answers.plan_blocks import remedy_text
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.report.text.paragraph import command_lines, unfolded
from kubectl_fairshare.report.text.table import cut_text, folded
from kubectl_fairshare.report.text.view import View

MOST_BRIEF: Final = 8
"""The most lines of a brief answer."""
_NEXT: Final = "next: "


def brief_text(
    sentences: Sequence[str], tone: Tone, commands: Sequence[str], closing: Sequence[str], view: View
) -> str:
    """The sentences, the first one in its tone, then the first command and the closing lines, in ``MOST_BRIEF`` lines.

    Each sentence has a share of the lines; one that is too long for it loses its end. A command is never cut: it goes
    on after a backslash, and is one line, however long, where there are too few for that.
    """
    first, *rest = sentences
    asked = _asked(commands, view, MOST_BRIEF - len(closing) - len(sentences))
    room = MOST_BRIEF - len(closing) - len(asked)
    most = -(-room // len(sentences))
    lines = [view.paint(tone, line) for line in _within(first, view.width, min(most, room - len(rest)))]
    for number, text in enumerate(rest, 1):
        left = room - len(lines) - (len(rest) - number)
        lines += _within(text, view.width, min(most, left))
    return "".join(f"{line}\n" for line in [*lines, *asked, *closing])


def _asked(commands: Sequence[str], view: View, most: int) -> list[str]:
    """The first command, on at most so many lines, and if that is too few, on one."""
    lines = [line for command in commands[:1] for line in command_lines(command, view, _NEXT)]
    return lines if len(lines) <= most else [unfolded(commands[0], _NEXT)]


def brief_limits(limits: Sequence[BindingLimit], view: View) -> Iterator[str]:
    """What binds first."""
    for limit in limits[:1]:
        needs, short = f"; needs {limit.needed.text}", f", {limit.short.text} short"
        yield _fitting(view.width, f"binds: {limit.clause}", needs, short)


def brief_remedies(remedies: Sequence[TriedChange]) -> Iterator[str]:
    """The first change that helps."""
    yield from (f"helps: {remedy_text(remedy)}" for remedy in remedies[:1])


def _fitting(room: int, clause: str, needs: str, short: str) -> str:
    """A limit with what is needed and missing; without what is needed where a line has no room for both."""
    return clause + needs + short if len(clause + needs + short) <= room else clause + needs[:1] + short[1:]


def _within(text: str, room: int, most: int) -> list[str]:
    """A sentence on at most so many lines of so many cells; one that is too long loses its end."""
    lines = folded(text, room, "  ")
    if len(lines) > most:
        lines[most - 1 :] = [lines[most - 1] + " …"]
    return [cut_text(line, room) for line in lines]
