"""From positions in a text to lines and columns, and back to the line."""

import re
from array import array
from bisect import bisect_right
from typing import Final

_STRIDE: Final = 1 << 16
_NEWLINE: Final = re.compile("\n")
_BREAK: Final = re.compile("\r\n|\r|\n")


class Lines:
    r"""The lines of a text: ``\n``, ``\r\n`` and a lone ``\r`` end one, as editors count them.

    Every ``stride`` characters a checkpoint is kept: its position, the number of the line there, where that
    line starts. So making one reads the text once and each question a piece of it, however long its lines.
    """

    def __init__(self, text: str, stride: int = _STRIDE) -> None:
        self._text = text
        self._positions, self._numbers, self._starts = [0], [1], [0]
        self._returns = "\r" in text
        self._index: array[int] | None = None
        for end in range(stride, len(text), stride):
            position = end + self._inside_break(end)
            number, start = self._from_checkpoint(len(self._positions) - 1, position)
            self._positions.append(position)
            self._numbers.append(number)
            self._starts.append(start)

    def _from_checkpoint(self, at: int, position: int) -> tuple[int, int]:
        """Number and start of the line that holds ``position``, counted from a checkpoint before it."""
        begin, text = self._positions[at], self._text
        breaks, last = text.count("\n", begin, position), text.rfind("\n", begin, position)
        if self._returns:
            breaks += text.count("\r", begin, position) - text.count("\r\n", begin, position)
            last = max(last, text.rfind("\r", begin, position))
        return self._numbers[at] + breaks, last + 1 if last >= 0 else self._starts[at]

    def _inside_break(self, position: int) -> bool:
        return self._returns and self._text.startswith("\r\n", max(position - 1, 0)) and position > 0

    def place(self, position: int) -> tuple[int, int]:
        """Line and column of a position, both from 1; columns count characters."""
        if self._inside_break(position):
            number, column = self.place(position - 1)
            return number, column + 1
        number, start = self._from_checkpoint(bisect_right(self._positions, position) - 1, position)
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
        if self._returns and self._text.startswith("\r\n", end - 1) and end > start:
            end -= 1
        return self._text[start:end]

    def _every_start(self) -> "array[int]":
        """Where each line starts, and where one after the last would: made by the first question for a line."""
        if self._index is None:
            found = _BREAK.finditer(self._text) if self._returns else _NEWLINE.finditer(self._text)
            self._index = array("q", [0])
            self._index.extend(each.end() for each in found)
            self._index.append(len(self._text) + 1)
        return self._index
