"""The streams of a run, and what is known of the terminal behind them."""

import io
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO, cast

from kubectl_fairshare.model.values import Value

if TYPE_CHECKING:
    from kubectl_fairshare.answers.details import Places
    from kubectl_fairshare.report.printable import Printable
    from kubectl_fairshare.report.text.view import View

_WIDTH: Final = 80
_NARROWEST: Final = 40
_WIDER: Final = 4
"""Columns that stay free in ASCII, where some signs are longer: `->`, `=>`, `...`."""


class Streams(Value, frozen=True):
    """Standard input, output and error of one run; there may be no input.

    ``margin`` is how many columns at the left of standard output are not the answer's. ``in_part``: an answer is a part
    of what is on the screen, so its own height says nothing. ``collected`` takes answers that are printed together
    later; None where each is printed alone. ``report_done`` takes what is done of what is being done, and the whole.
    """

    stdin: TextIO | None
    stdout: TextIO
    stderr: TextIO
    margin: int = 0
    in_part: bool = False
    collected: "list[tuple[Printable, Places]] | None" = None
    report_done: Callable[[int, int], None] = lambda *_: None

    @property
    def bytes_in(self) -> BinaryIO | None:
        """Standard input as bytes; None without standard input."""
        return self.stdin.buffer if self.stdin is not None else None

    @property
    def width(self) -> int:
        """Columns that the terminal has for what is written to standard output; those of 80 where there is none."""
        if not self.stdout.isatty():
            return _WIDTH - self.margin
        import shutil

        return max(shutil.get_terminal_size((_WIDTH, 24)).columns, _NARROWEST) - self.margin

    @property
    def height(self) -> int | None:
        """Lines that the terminal behind standard output shows; None without a terminal, or if its size is unknown."""
        if self.in_part or not self.stdout.isatty():
            return None
        import shutil

        return shutil.get_terminal_size((_WIDTH, 0)).lines or None

    @property
    def prints_signs(self) -> bool:
        """Whether the encoding of standard output has more than ASCII."""
        try:
            "⇒".encode(getattr(self.stdout, "encoding", None) or "utf-8")
        except UnicodeEncodeError:
            return False
        return True

    def in_ascii(self) -> "Streams":
        """The same streams; what is written to them is ASCII: forms for our signs, escapes for other characters."""
        out, err = AsciiStream(self.stdout), AsciiStream(self.stderr)
        return Streams(self.stdin, cast("TextIO", out), cast("TextIO", err), self.margin + _WIDER, self.in_part)

    def for_logs(self) -> "Streams":
        """The same streams; no runner of CI obeys what is written to standard output."""
        out = cast("TextIO", LogStream(self.stdout))
        return Streams(self.stdin, out, self.stderr, self.margin, self.in_part)

    def as_written(self, text: str) -> str:
        """The text as standard output gets it, for another program to show on the same terminal."""
        stream: object = self.stdout
        while isinstance(stream, LogStream | AsciiStream):
            text, stream = stream.form(text), stream.behind
        return text

    @property
    def exact(self) -> TextIO:
        """Standard output for what must stay as it is, to the byte, unless a terminal is to show it."""
        out = self.stdout
        return out.behind if isinstance(out, LogStream) and not isinstance(out, TerminalStream) else out


class LogStream(io.TextIOBase):
    """A stream of text for people: nothing that is written to it is a command for a runner of CI."""

    def __init__(self, stream: TextIO) -> None:
        self.behind = stream

    @property
    def encoding(self) -> str | None:  # type: ignore[override]
        """The encoding of the stream behind it."""
        return getattr(self.behind, "encoding", None)

    @property
    def buffer(self) -> BinaryIO:
        """The bytes of the stream behind it."""
        return self.behind.buffer

    def form(self, text: str) -> str:
        """The text with its commands broken."""
        from kubectl_fairshare.report.runner_commands import without_commands

        return without_commands(text)

    def write(self, text: str) -> int:
        """Writes the text in the form for this stream."""
        return self.behind.write(self.form(text))

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self.behind.isatty()

    def flush(self) -> None:
        """Passes on what is buffered; a closed stream has nothing, and Python flushes once more at the end."""
        if not self.behind.closed:
            self.behind.flush()

    def fileno(self) -> int:
        """The number of the file behind it."""
        return self.behind.fileno()


class TerminalStream(LogStream):
    """A stream that is a terminal: it obeys nothing that is written to it but colours and what draws a screen."""

    def form(self, text: str) -> str:
        """The text with everything else that the terminal would obey shown as a sign."""
        from kubectl_fairshare.report.text.clean import on_terminal

        return on_terminal(text)


class AsciiStream(io.TextIOBase):
    """A stream that gets our signs in ASCII."""

    def __init__(self, stream: TextIO) -> None:
        self.behind = stream

    def form(self, text: str) -> str:
        """The text with ASCII forms of our signs."""
        from kubectl_fairshare.report.text.ascii import ascii_text

        return ascii_text(text).encode("ascii", "backslashreplace").decode()

    def write(self, text: str) -> int:
        """Writes the text in ASCII."""
        return self.behind.write(self.form(text))

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self.behind.isatty()

    def flush(self) -> None:
        """Passes on what is buffered; a closed stream has nothing, and Python flushes once more at the end."""
        if not self.behind.closed:
            self.behind.flush()

    def fileno(self) -> int:
        """The number of the file behind it."""
        return self.behind.fileno()


class Sheet(io.StringIO):
    """Text that is written to a stream later, in pieces; it has the same terminal.

    ``long`` is a screen that is higher than the terminal, for the pager; empty if none was written.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.long = ""
        self._terminal = stream.isatty()
        self._pieces: list[Iterable[str]] = []

    def write(self, text: str) -> int:
        """Keeps a piece; returns its length."""
        self._pieces.append((text,))
        return len(text)

    def write_later(self, pieces: Iterable[str]) -> None:
        """Keeps pieces that are made when they are written to the stream, or asked for: a long text is there once."""
        self._pieces.append(pieces)

    def getvalue(self) -> str:
        """All that was written, in one text."""
        text = "".join(piece for pieces in self._pieces for piece in pieces)
        self._pieces = [(text,)]
        return text

    @property
    def is_one(self) -> bool:
        """Whether one piece was written, and no other."""
        return len(self._pieces) == 1

    def pour(self, stream: TextIO) -> None:
        """Writes the pieces to the stream that they are for, and keeps none."""
        kept, self._pieces = self._pieces, []
        for pieces in kept:
            stream.writelines(pieces)

    def isatty(self) -> bool:
        """Whether it will be on a terminal."""
        return self._terminal


def colours(stream: TextIO, wish: str = "auto") -> str:
    """The colours to use, by the name that rich has for them, empty for none.

    ``always`` some, ``never`` none, ``auto`` as the terminal and the environment say.
    """
    if wish == "never" or (wish == "auto" and not stream.isatty() and not os.environ.get("FORCE_COLOR")):
        return ""  # without loading rich, which takes longer than everything else here
    from kubectl_fairshare.report.text import colour

    return colour.colours(stream, always=wish == "always")


def error_view(stderr: TextIO, wish: str = "auto") -> "View":
    """How problems are shown on standard error: in the width of its terminal, if it is one."""
    from kubectl_fairshare.report.text.view import View

    columns = _columns(stderr)
    return View(columns or _WIDTH, colours(stderr, wish), on_terminal=columns is not None)


def _columns(stream: TextIO) -> int | None:
    """The columns of the terminal behind a stream; None for none, and for one that does not know."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or None if stream.isatty() else None
    except (OSError, ValueError):  # a terminal in memory
        return None
