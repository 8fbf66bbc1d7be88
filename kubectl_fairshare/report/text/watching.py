"""An answer that is given again and again: what changed, since when it is old, and how much of it fits."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from rich.text import Text

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.text.console import CONSOLE, texts
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.problems import problem_lines
from kubectl_fairshare.report.text.view import MARGIN, View

_MARK: Final = "▸"
_WORD: Final = re.compile(r"\S+")
_BRANCHES: Final = str.maketrans("├└│─", "    ")


class Changes(Value, frozen=True):
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


def marked_lines(lines: Sequence[str], found: Changes, view: View) -> list[Text]:
    """The lines behind a margin in which the fresh ones bear a mark; words that changed are reversed in colour."""
    rows = []
    for number, line in enumerate(texts(lines)):
        before = found.fresh.get(number)
        if before and view.colour:
            _reverse(line, before)
        margin = " " * MARGIN if before is None else (_MARK.ljust(MARGIN), "bold")
        row = Text.assemble(margin, line, no_wrap=True)
        row.rstrip()
        rows.append(row)
    return rows


def status_lines(now: str, interval: float, found: Changes | None, since: str, view: View) -> list[str]:
    """When it was asked last, how often it is, and what changed when: ``found``, or None where nothing has yet."""
    change = f"no change since {since}" if found is None else f"last change {since}: {_change_counts(found)}"
    text = f"{now} · every {interval:g}s · {change}"
    return paragraph(text, view, "", "  ", "dim")


def unanswered(problems: Sequence[Problem], as_of: str, since: str, again: str, view: View) -> list[str]:
    """Since when there is no answer, why, when it is asked again, and of when what is shown is."""
    text = f"answer of {as_of}, out of date since {since}; next attempt at {again}"
    lines = paragraph(text, view, "", "  ", "wait")
    return [*lines, *problem_lines(problems, view).splitlines()]


def fitting(head: Sequence[Text], lines: Sequence[Text], columns: int, rows: int) -> list[Text]:
    """As many rows as a terminal has: the ``head``, then the beginning of the lines, and how many more there are."""
    above = [row for line in head for row in broken(line, columns)]
    shown, left = list(above), len(lines)
    for line in lines:
        more = broken(line, columns)
        if len(shown) + len(more) > rows - (left > 1):
            break
        shown += more
        left -= 1
    if left == 0 and len(shown) <= rows:
        return shown
    return [*shown[: rows - 1], Text(f"… {count(left, 'more line')}: use a taller terminal", "dim")][:rows]


def broken(line: Text, columns: int) -> list[Text]:
    """A line in rows of at most so many cells, broken at blanks where there are any."""
    return list(line.wrap(CONSOLE, columns, overflow="fold", no_wrap=False))


def _words(line: str) -> tuple[str, ...]:
    plain = texts([line])[0].plain if "\x1b" in line else line
    return tuple(plain.translate(_BRANCHES).split())


def _reverse(line: Text, before: tuple[str, ...]) -> None:
    """Reverses the words of the line that were not in the line before."""
    from difflib import SequenceMatcher

    plain = line.plain.translate(_BRANCHES)
    matcher = SequenceMatcher(None, before, plain.split(), autojunk=False)
    kept = {block.b + number for block in matcher.get_matching_blocks() for number in range(block.size)}
    for number, word in enumerate(_WORD.finditer(plain)):
        if number not in kept:
            line.stylize("reverse", word.start(), word.end())


def _change_counts(found: Changes) -> str:
    new = sum(not before for before in found.fresh.values())
    counts = ((len(found.fresh) - new, "changed"), (new, "new"), (found.gone, "gone"))
    return ", ".join(f"{count(number, 'line')} {what}" for number, what in counts if number)
