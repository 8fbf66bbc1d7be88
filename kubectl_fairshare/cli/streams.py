"""The streams of a run, and what is known of the terminal behind them."""

import os
from dataclasses import dataclass
from typing import BinaryIO, Final, TextIO

_WIDTH: Final = 80
_NARROWEST: Final = 40


@dataclass(frozen=True, slots=True)
class Streams:
    """Standard input, output and error of one run; there may be no input."""

    stdin: TextIO | None
    stdout: TextIO
    stderr: TextIO

    @property
    def bytes_in(self) -> BinaryIO | None:
        """Standard input as bytes, if there is any."""
        return self.stdin.buffer if self.stdin is not None else None

    @property
    def width(self) -> int:
        """Columns of the terminal that shows standard output; 80 where there is none."""
        if not self.stdout.isatty():
            return _WIDTH
        import shutil

        return max(shutil.get_terminal_size((_WIDTH, 24)).columns, _NARROWEST)


def coloured(stream: TextIO, wish: str = "auto") -> bool:
    """Whether to colour: ``always``, ``never``, or ``auto``: on a terminal, unless NO_COLOR is set or it is dumb."""
    if wish != "auto":
        return wish == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
