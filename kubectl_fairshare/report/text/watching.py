"""An answer that is given again and again: what changed, since when it is old, and how much of it fits."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.report.text.problems import problem_lines
from kubectl_fairshare.report.text.table import folded
from kubectl_fairshare.report.text.view import View

MARGIN: Final = 2
"""Columns at the left in which changed lines are marked."""
_MARK: Final = "▸"
_PAINT: Final = re.compile(r"\x1b\[[0-9;]*m")
_PIECES: Final = re.compile(r"(\x1b\[[0-9;]*m|\s+)")
_BRANCHES: Final = str.maketrans("├└│─", "    ")
_REVERSED: Final = ("\x1b[7m", "\x1b[27m")


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of lines: ``fresh`` are those that were not there, by index, with the words they had before.

    A fresh line without words is a new one; ``gone`` is how many have nothing in their place.
    """

    fresh: dict[int, tuple[str, ...]]
    gone: int

    def __bool__(self) -> bool:
        return bool(self.fresh or self.gone)


def changes(lines: Sequence[str], before: Sequence[str]) -> Changes:
    """The changes from the lines ``before``; where a line begins with the same word, it is taken for the same.

    Blanks and the branches of trees do not count: a longer number elsewhere moves them.
    """
    now, old = [_words(line) for line in lines], [_words(line) for line in before]
    left = Counter(old)
    left.subtract(now)
    lost: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for words in reversed(old):
        if words and left[words] > 0:
            left[words] -= 1
            lost[words[0]].append(words)
    known, fresh = Counter(old), {}
    for number, words in enumerate(now):
        if known[words] > 0:
            known[words] -= 1
        elif words:
            fresh[number] = lost[words[0]].pop() if lost[words[0]] else ()
    return Changes(fresh, sum(map(len, lost.values())))


def marked(lines: Sequence[str], found: Changes, view: View) -> list[str]:
    """The lines behind a margin in which the fresh ones bear a mark; words that changed are reversed in colour."""
    blank, mark = " " * MARGIN, view.paint("strong", _MARK) + " " * (MARGIN - 1)
    shown = []
    for number, line in enumerate(lines):
        before = found.fresh.get(number)
        if before is None:
            shown.append(f"{blank}{line}".rstrip())
        else:
            shown.append(mark + (_reversed(line, before) if view.colour else line))
    return shown


def standing(now: str, interval: float, found: Changes | None, since: str, view: View) -> list[str]:
    """When it was asked last, how often it is, and what changed when: ``found``, or None where nothing has yet."""
    told = f"no change since {since}" if found is None else f"last change {since}: {_told(found)}"
    text = f"{now} · every {interval:g} s · {told}"
    return [view.paint("dim", line) for line in folded(text, view.width, "  ")]


def unanswered(problems: Sequence[Problem], as_of: str, since: str, again: str, view: View) -> list[str]:
    """Since when there is no answer, why, when it is asked again, and of when what is shown is."""
    text = f"as of {as_of}, old since {since}; asked again at {again}"
    lines = [view.paint("wait", line) for line in folded(text, view.width, "  ")]
    return [*lines, *problem_lines(problems, view).splitlines()]


def fitting(head: Sequence[str], lines: Sequence[str], columns: int, rows: int, view: View) -> list[str]:
    """As many rows as a terminal has: the ``head``, then the beginning of the lines, and how many more there are."""
    above = [row for line in head for row in broken(line, columns)]
    below = [list(broken(line, columns)) for line in lines]
    if len(above) + sum(map(len, below)) <= rows:
        return [*above, *(row for each in below for row in each)]
    shown, left = list(above[: rows - 1]), len(below)
    for each in below:
        if len(shown) + len(each) > rows - 1:
            break
        shown += each
        left -= 1
    more = f"… {count(left, 'more line')}: a taller terminal shows them"
    return [*shown, view.paint("dim", more[:columns])][:rows]


def broken(line: str, columns: int) -> Iterator[str]:
    """A line, painted or not, in rows of at most so many columns, broken at blanks where there are any.

    Paint goes on from row to row.
    """
    row, used = "", 0
    for piece in _PIECES.split(line):
        if _PAINT.fullmatch(piece):
            row += piece
            continue
        rest = piece
        if used + len(rest) > columns and used:
            yield row.rstrip(" ")
            rest, row, used = rest.lstrip(" "), "", 0
        while len(rest) > columns:
            yield row + rest[:columns]
            rest, row = rest[columns:], ""
        row, used = row + rest, used + len(rest)
    yield row


def _words(line: str) -> tuple[str, ...]:
    return tuple(_PAINT.sub("", line).translate(_BRANCHES).split())


def _reversed(line: str, before: tuple[str, ...]) -> str:
    """The line with the words reversed that were not in the line before; a new line stays as it is."""
    if not before:
        return line
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, before, _words(line), autojunk=False)
    kept = {block.b + number for block in matcher.get_matching_blocks() for number in range(block.size)}
    pieces, place = [], 0
    for piece in _PIECES.split(line):
        if _PIECES.fullmatch(piece) or not piece.translate(_BRANCHES).strip():
            pieces.append(piece)
            continue
        pieces.append(piece if place in kept else f"{_REVERSED[0]}{piece}{_REVERSED[1]}")
        place += 1
    return "".join(pieces)


def _told(found: Changes) -> str:
    new = sum(not before for before in found.fresh.values())
    counts = ((len(found.fresh) - new, "changed"), (new, "new"), (found.gone, "gone"))
    return ", ".join(f"{count(number, 'line')} {what}" for number, what in counts if number)
