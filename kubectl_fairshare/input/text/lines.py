"""From positions in a text to lines and columns, and back to the line."""

import re
from array import array
from bisect import bisect_right
from functools import cached_property
from typing import Any, Final

_STRIDE: Final = 1 << 16
_NEWLINE: Final = re.compile("\n")
_BREAK: Final = re.compile("\r\n|\r|\n")
_BREAKS: Final[dict[type, tuple[Any, Any, Any]]] = {str: ("\n", "\r", "\r\n"), bytes: (b"\n", b"\r", b"\r\n")}


class Lines:
    r"""The lines of a text: ``\n``, ``\r\n`` and a lone ``\r`` end one, as editors count them.

    Every ``stride`` characters a checkpoint is kept: its position, the number of the line there, where that
    line starts. So the first question past the first line reads the text once and each other one a piece of it, however
    long its lines. A text in ASCII may be bytes.
    """

    def __init__(self, text: str | bytes, stride: int = _STRIDE) -> None:
        self._text: Any = text
        self._newline, self._return, self._both = _BREAKS[type(text)]
        self._stride = stride
        self._index: array[int] | None = None

    @cached_property
    def _first_end(self) -> int:
        """Where the first line ends."""
        ends = [end for sign in (self._newline, self._return) if (end := self._text.find(sign)) >= 0]
        return min(ends, default=len(self._text))

    @cached_property
    def _returns(self) -> bool:
        return self._return in self._text

    @cached_property
    def _checkpoints(self) -> tuple[list[int], list[int], list[int]]:
        positions, numbers, starts = [0], [1], [0]
        for end in range(self._stride, len(self._text), self._stride):
            position = end + self._inside_break(end)
            number, start = self._counted(positions[-1], numbers[-1], starts[-1], position)
            positions.append(position)
            numbers.append(number)
            starts.append(start)
        return positions, numbers, starts

    def _counted(self, begin: int, number: int, start: int, position: int) -> tuple[int, int]:
        """Number and start of the line that holds ``position``, counted from those of ``begin`` before it."""
        text = self._text
        breaks, last = text.count(self._newline, begin, position), text.rfind(self._newline, begin, position)
        if self._returns:
            breaks += text.count(self._return, begin, position) - text.count(self._both, begin, position)
            last = max(last, text.rfind(self._return, begin, position))
        return number + breaks, last + 1 if last >= 0 else start

    def _inside_break(self, position: int) -> bool:
        return self._returns and self._text.startswith(self._both, max(position - 1, 0)) and position > 0

    def place(self, position: int) -> tuple[int, int]:
        """Line and column of a position, both from 1; columns count characters."""
        if position <= self._first_end:
            return 1, position + 1
        if self._inside_break(position):
            number, column = self.place(position - 1)
            return number, column + 1
        positions, numbers, starts = self._checkpoints
        at = bisect_right(positions, position) - 1
        number, start = self._counted(positions[at], numbers[at], starts[at], position)
        return number, position - start + 1

    def start(self, position: int) -> int:
        """Where the line that holds ``position`` starts."""
        return position - self.place(position)[1] + 1

    def line(self, number: int) -> str:
        """The text of a line, without its end; empty past the last one."""
        index = self._every_start()
        if not 0 < number < len(index):
            return ""
        start, end = index[number - 1], index[number] - 1
        if self._returns and self._text.startswith(self._both, end - 1) and end > start:
            end -= 1
        found: str | bytes = self._text[start:end]
        return found if isinstance(found, str) else found.decode("ascii")

    @property
    def is_one(self) -> bool:
        """Whether no line ends before the last one does."""
        return self._first_end >= len(self._text) - 2

    def _every_start(self) -> "array[int]":
        """Where each line starts, and where one after the last would: made by the first question for a line."""
        if self._index is None:
            text = self._text if isinstance(self._text, str) else self._text.decode("ascii")
            found = _BREAK.finditer(text) if self._returns else _NEWLINE.finditer(text)
            self._index = array("q", [0])
            self._index.extend(each.end() for each in found)
            self._index.append(len(self._text) + 1)
        return self._index
