"""From positions in a text to lines and columns, and back to the line."""

from bisect import bisect_right
from typing import Final

_STRIDE: Final = 1 << 16


class Lines:
    r"""The lines of a text: ``\n``, ``\r\n`` and a lone ``\r`` end one, as editors count them.

    Every ``stride`` characters a checkpoint is kept: its position, the number of the line there, where that
    line starts. So making one reads the text once and each question a piece of it, however long its lines.
    """

    def __init__(self, text: str, stride: int = _STRIDE) -> None:
        self._text = text
        self._positions, self._numbers, self._starts = [0], [1], [0]
        self._returns = "\r" in text
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
        at = max(bisect_right(self._numbers, number) - 1, 0)
        start, here = self._starts[at], self._numbers[at]
        while here < number:
            end = self._end(start)
            if end >= len(self._text):
                return ""
            start = end + (2 if self._text.startswith("\r\n", end) else 1)
            here += 1
        return self._text[start : self._end(start)]

    def _end(self, start: int) -> int:
        """Where the line that starts at ``start`` ends: at its break, or with the text."""
        end = self._text.find("\n", start)
        end = len(self._text) if end < 0 else end
        first_return = self._text.find("\r", start, end) if self._returns else -1
        return end if first_return < 0 else first_return
