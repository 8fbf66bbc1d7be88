"""The changes of fixes as a unified diff for ``patch`` and ``git apply -p0``."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.editing.changed_lines import ChangedLines
from kubectl_fairshare.report.text.view import View

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_NO_END: Final = "\\ No newline at end of file\n"
_TONES: Final[Mapping[str, Tone]] = {"+": "good", "-": "never", "@": "dim"}
_CONTEXT: Final = 3
_MOST_COMPARED: Final = 250_000
"""Lines are compared with those in their place up to this many pairs of lines; beyond, all are shown as changed."""


class ChangedText(NamedTuple):
    """A text before and after fixes; ``changes`` are the lines in which they may differ, in order."""

    name: str
    before: str
    after: str
    changes: Sequence[ChangedLines]


def unified_diff(texts: Iterable[ChangedText], view: View) -> str:
    """The difference of each text; without colour, exact to the byte."""
    return "".join(_ended(line, number, view) for text in texts for number, line in enumerate(_of_one(text)))


def _ended(line: str, number: int, view: View) -> str:
    text, end = (line[:-1], "\n") if line.endswith("\n") else (line, f"\n{_NO_END}")
    tone = "strong" if number < 2 else _TONES.get(line[0], "")
    return (view.paint(tone, text) if view.colour else text) + end


def _of_one(text: ChangedText) -> Iterator[str]:
    before, after = _LINE.findall(text.before), _LINE.findall(text.after)
    for number, hunk in enumerate(_hunks(list(_smallest(before, after, text.changes)))):
        if not number:
            yield from (f"--- {text.name}\n", f"+++ {text.name}\n")
        yield from _written(hunk, before, after)


def _smallest(before: Sequence[str], after: Sequence[str], changes: Iterable[ChangedLines]) -> Iterator[ChangedLines]:
    """The changes without lines that stay. Changes next to each other are compared as one: they may cancel out."""
    here: ChangedLines | None = None
    for change in changes:
        if here is not None and change.first == here.last:
            here = here._replace(last=change.last, new_last=change.new_last)
            continue
        if here is not None:
            yield from _compared(before, after, here)
        here = change
    if here is not None:
        yield from _compared(before, after, here)


def _compared(before: Sequence[str], after: Sequence[str], change: ChangedLines) -> Iterator[ChangedLines]:
    """The parts of one change in which the lines differ."""
    old, new = before[change.first : change.last], after[change.new_first : change.new_last]
    if len(old) * len(new) > _MOST_COMPARED:
        yield change
        return
    for kind, first, last, new_first, new_last in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if kind != "equal":
            begin, start = change.first, change.new_first
            yield ChangedLines(begin + first, begin + last, start + new_first, start + new_last)


def _hunks(changes: Sequence[ChangedLines]) -> Iterator[Sequence[ChangedLines]]:
    """The changes in groups: two of them are in one if their context has no gap."""
    begin = 0
    for number, (before, after) in enumerate(pairwise(changes), 1):
        if after.first - before.last > 2 * _CONTEXT:
            yield changes[begin:number]
            begin = number
    if changes:
        yield changes[begin:]


def _written(hunk: Sequence[ChangedLines], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """The lines of one hunk, with its head."""
    lead = min(_CONTEXT, hunk[0].first)
    end = min(hunk[-1].last + _CONTEXT, len(before))
    start, trail = hunk[0].first - lead, end - hunk[-1].last
    new_start, new_end = hunk[0].new_first - lead, hunk[-1].new_last + trail
    yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"
    for change in hunk:
        yield from (f" {line}" for line in before[start : change.first])
        yield from (f"-{line}" for line in before[change.first : change.last])
        yield from (f"+{line}" for line in after[change.new_first : change.new_last])
        start = change.last
    yield from (f" {line}" for line in before[start:end])


def _range(start: int, end: int) -> str:
    """Lines as a head counts them: from 1, one alone without its number, and none after the line before."""
    if end - start == 1:
        return f"{end}"
    return f"{start + (end > start)},{end - start}"
