"""A terminal for tests: runs a program behind a pseudo-terminal, and knows what stands on its screen.

It understands what the program sends and no more; an escape that it does not know fails the test.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

_TOKENS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+")
_BEGIN = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Makes the terminal the program's own, so that keys become signals, then runs it. Where the tests run in the
background of a shell, Ctrl-C is ignored, and a program inherits that."""
_PATIENCE = 60.0
"""Seconds until a screen that does not come is a failure."""


class Screen:
    """Rows of text, a cursor, and beside the usual screen the one that programs draw on."""

    def __init__(self, columns: int, rows: int) -> None:
        self.size = (columns, rows)
        self.usual: list[str] = [""]
        self.drawn: list[str] | None = None
        self.is_whole = True
        self._row = self._column = 0
        self._rest = ""

    def text(self) -> str:
        """What is to be seen: the drawn screen while there is one, else all that was ever printed."""
        rows = self.usual if self.drawn is None else self.drawn[: self.size[1]]
        return "\n".join(row.rstrip() for row in rows).rstrip("\n")

    def feed(self, text: str) -> None:
        """Takes output in; an escape that has not come to its end waits for the rest."""
        text = self._rest + text
        tail = re.search(r"\x1b(\[[0-9;?]*)?$", text)
        self._rest = text[tail.start() :] if tail else ""
        for token in _TOKENS.findall(text[: tail.start()] if tail else text):
            self._take(token)

    def _take(self, token: str) -> None:
        rows = self.usual if self.drawn is None else self.drawn
        if token == "\r":
            self._column = 0
        elif token == "\n":
            self._row += 1
            rows.extend([""] * (self._row + 1 - len(rows)))
            if self.drawn is not None and self._row >= self.size[1]:
                self._row -= 1
                del rows[0]
        elif not token.startswith("\x1b"):
            row = rows[self._row].ljust(self._column)
            rows[self._row] = row[: self._column] + token + row[self._column + len(token) :]
            self._column += len(token)
            if self.drawn is not None:
                rows[self._row], self._column = rows[self._row][: self.size[0]], min(self._column, self.size[0])
        else:
            self._obey(token, rows)

    def _obey(self, escape: str, rows: list[str]) -> None:
        if escape == "\x1b[?1049h":
            self.drawn, self._row, self._column = [""], 0, 0
        elif escape == "\x1b[?1049l":
            self.drawn, self._row, self._column = None, len(self.usual) - 1, 0
        elif escape == "\x1b[H":
            self._row = self._column = 0
        elif escape == "\x1b[K":
            rows[self._row] = rows[self._row][: self._column]
        elif escape == "\x1b[2K":
            rows[self._row] = ""
        elif escape == "\x1b[1A":
            self._row -= 1
        elif escape in ("\x1b[J", "\x1b[2J"):
            del rows[self._row + 1 :]
            rows[self._row] = rows[self._row][: self._column]
        elif escape in ("\x1b[?2026h", "\x1b[?2026l"):
            self.is_whole = escape.endswith("l")
        else:
            assert re.fullmatch(r"\x1b\[([0-9;]*m|\?25[hl])", escape), repr(escape)


class Terminal:
    """A program on a terminal of so many columns and rows; ``said`` is all that it sent."""

    def __init__(
        self,
        command: Sequence[str | Path],
        folder: Path,
        environment: Mapping[str, str] = os.environ,
        size: tuple[int, int] = (80, 60),
    ) -> None:
        self.screen, self.said = Screen(*size), ""
        self._ours, theirs = pty.openpty()
        self.resize(*size)
        kept = {name: value for name, value in environment.items() if name not in ("COLUMNS", "LINES", "CI")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _BEGIN, *map(str, command)],
            cwd=folder,
            env={"FAIRSHARE_PAGER": "", **kept, "TERM": "xterm", "LANG": "C.UTF-8"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.size = (columns, rows)
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def until(self, holds: Callable[[str], object], what: str) -> str:
        """The screen once ``holds`` says so; fails with what stands there when it does not come."""
        deadline = time.monotonic() + _PATIENCE
        while not (self.screen.is_whole and holds(self.screen.text())):
            assert time.monotonic() < deadline, f"not seen: {what}\n{self.screen.text()}"
            self._read(0.05)
        return self.screen.text()

    def ended(self) -> int:
        """The exit code, once all that was sent is taken in."""
        deadline = time.monotonic() + _PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"does not end\n{self.screen.text()}"
            self._read(0.05)
        while self._read(0.05):
            pass
        return self.process.returncode

    def _read(self, seconds: float) -> bool:
        if not select.select([self._ours], [], [], seconds)[0]:
            return False
        data = b""
        with suppress(OSError):  # Linux's way to say that nobody writes any more
            data = os.read(self._ours, 1 << 16)
        while data and data[-4:].decode("utf-8", "ignore").encode() != data[-4:] and len(data) < 1 << 20:
            data += os.read(self._ours, 1)
        text = data.decode("utf-8", "replace")
        self.said += text
        self.screen.feed(text)
        return bool(data)
