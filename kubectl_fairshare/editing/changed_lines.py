"""The lines that splices change, over one round of fixes or several after each other."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.editing.splice import Splice, in_order, spliced_text

_BREAK: Final = re.compile("\n")


class ChangedLines(NamedTuple):
    """The lines ``first`` to before ``last`` of a text become ``new_first`` to before ``new_last`` of the new one.

    Lines count from 0 and end with a line feed; the last one may have none.
    """

    first: int
    last: int
    new_first: int
    new_last: int

    @property
    def growth(self) -> int:
        """How many lines more the new text has here."""
        return self.new_last - self.new_first - (self.last - self.first)


def changed_lines(text: str, splices: Iterable[Splice]) -> list[ChangedLines]:
    """The lines of ``text`` that ``splices`` change, in order; every line between them stays as it is."""
    found: list[ChangedLines] = []
    growth = 0
    for first, last, written in rewritten_lines(text, line_starts(text), splices):
        lines = written.count("\n") + (not written.endswith("\n") and written != "")
        found.append(ChangedLines(first, last, first + growth, first + growth + lines))
        growth += found[-1].growth
    return found


def rewritten_lines(text: str, starts: Sequence[int], splices: Iterable[Splice]) -> Iterator[tuple[int, int, str]]:
    """The lines that ``splices`` change, from the first to before the last, with the new text in their place."""
    number = len(starts) - (starts[-1] == len(text))
    for first, last, inside in _groups(starts, number, splices):
        begin, end = starts[first], starts[last] if last < len(starts) else len(text)
        yield first, last, spliced_text(text[begin:end], (Splice(s - begin, e - begin, new) for s, e, new in inside))


def line_starts(text: str) -> list[int]:
    """Where each line starts, and where one after a last line feed would."""
    return [0, *(each.end() for each in _BREAK.finditer(text))]


def composed(earlier: Sequence[ChangedLines], later: Sequence[ChangedLines]) -> list[ChangedLines]:
    """The changes of two rounds as those of one; ``later`` are changes of the text that ``earlier`` led to."""
    between = [(each.new_first, each.new_last, each.growth, 0) for each in earlier]
    between += [(each.first, each.last, 0, each.growth) for each in later]
    found: list[ChangedLines] = []
    back = ahead = 0  # from a line of the text between the rounds to that of the first text, and of the last one
    reach = -1
    for first, last, grown, growth in sorted(between, key=lambda each: each[:2]):
        joined = first < reach
        reach = max(reach, last)
        start, new_start = (found[-1].first, found[-1].new_first) if joined else (first + back, first + ahead)
        back, ahead = back - grown, ahead + growth
        change = ChangedLines(start, reach + back, new_start, reach + ahead)
        found[-1 if joined else len(found) :] = [change]
    return found


def _groups(
    starts: Sequence[int], number: int, splices: Iterable[Splice]
) -> Iterator[tuple[int, int, Sequence[Splice]]]:
    """The splices by the lines that they change together, each with the first of these and the one after the last."""
    here: tuple[int, int, list[Splice]] | None = None
    for splice in _without_touching(in_order(splices)):
        first, last = bisect_right(starts, splice.start) - 1, bisect_right(starts, splice.end) - 1
        at_start = splice.end == starts[last]
        whole = splice.text.endswith("\n") if splice.text else splice.start == starts[first]
        last = min(last if at_start and whole else last + 1, number)
        if here is not None and first < here[1]:
            here[2].append(splice)
            here = (here[0], max(here[1], last), here[2])
            continue
        if here is not None:
            yield here
        here = (first, last, [splice])
    if here is not None:
        yield here


def _without_touching(splices: Sequence[Splice]) -> Iterator[Splice]:
    """The splices, with those joined of which one begins where the other ends."""
    here: Splice | None = None
    for splice in splices:
        if here is not None and splice.start == here.end:
            here = Splice(here.start, splice.end, here.text + splice.text)
            continue
        if here is not None:
            yield here
        here = splice
    if here is not None:
        yield here
