"""A screen of its own on a terminal, drawn over in place, that leaves behind what it showed last.

Tested in ``tests/unit/cli/watching/test_watching.py``.
"""

import shutil
import signal
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from time import localtime, strftime
from types import FrameType
from typing import Any, Final, NoReturn, Self

from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.streams import Streams, colours
from kubectl_fairshare.cli.watching.picture import Picture
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.report.text.console import Line, printed, texts
from kubectl_fairshare.report.text.live import Canvas
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.text.watching import Changes, changes, fitting, marked_lines, status_lines, unanswered

_SECOND: Final = 10**9
_UNCHANGED: Final = Changes({}, 0)


class Window:
    """The window while it is entered. A size that changes and a program that was stopped are noticed in ``rest``."""

    def __init__(self, streams: Streams, screen: ScreenOptions) -> None:
        self._stdout = streams.stdout
        self._interval = screen.interval or 0.0
        self._colour = colours(streams.stdout, screen.color)
        self._canvas = Canvas(streams.stdout, self._colour)
        self._signals: SimpleQueue[int] = SimpleQueue()
        self._before: dict[int, Any] = {}
        self._picture = Picture("", "", 0)
        self._fresh = _UNCHANGED
        self._changed: Changes | None = None
        self._since = 0
        self._excuse: Callable[[View], list[str]] | None = None

    def __enter__(self) -> Self:
        for name, handler in (("SIGWINCH", self._note), ("SIGTSTP", self._note), ("SIGTERM", _end), ("SIGHUP", _end)):
            number = getattr(signal, name, None)  # not every system has all of them
            if number is not None:
                self._before[number] = signal.signal(number, handler)
        self._canvas.open()
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._canvas.close()
        if self._picture.moment:
            view = self._view(self._size()[0])
            self._stdout.write(printed([*self._head(view), *self._body(view)], view.colour))
            self._stdout.flush()

    def show(self, picture: Picture, *, resized: bool = False) -> None:
        """Draws a picture; marks stay until something else changes, or until it is ``resized``."""
        if not self._picture.moment:
            self._since = picture.moment
        elif resized:
            self._fresh = _UNCHANGED
        elif found := changes(picture.answer.splitlines(), self._picture.answer.splitlines()):
            self._fresh = self._changed = found
            self._since = picture.moment
        self._picture = picture
        self._excuse = self._excuse if resized else None
        self._draw()

    def excuse(self, problems: Sequence[Problem], since: int, again: int) -> None:
        """Draws the picture that is known below the reason why there is no newer one."""
        times = [_clock(moment) for moment in (self._picture.moment, since, again)]
        self._excuse = lambda view: unanswered(problems, times[0], times[1], times[2], view)
        self._draw()

    def rest(self, seconds: float) -> bool:
        """Waits; True as soon as the picture is wanted anew, in another size or after the program was stopped."""
        try:
            number = self._signals.get(timeout=max(seconds, 0.0))
        except Empty:
            return False
        if number != getattr(signal, "SIGWINCH", None):
            self._stop(number)
        return True

    def _draw(self) -> None:
        size = self._size()
        view = self._view(size[0])
        self._canvas.draw(fitting(self._head(view), self._body(view), *size), size)

    def _head(self, view: View) -> list[Line]:
        if self._excuse is not None:
            return texts([*self._excuse(view), ""])
        now, since = _clock(self._picture.moment), _clock(self._since)
        return texts([*status_lines(now, self._interval, self._changed, since, view), ""])

    def _body(self, view: View) -> list[Line]:
        notes = self._picture.notes.splitlines()
        lines = marked_lines(self._picture.answer.splitlines(), self._fresh, view)
        return [*lines, *texts(["", *notes] if notes else [])]

    def _view(self, columns: int) -> View:
        return View(columns, self._colour)

    def _size(self) -> tuple[int, int]:
        return shutil.get_terminal_size((80, 24))

    def _note(self, number: int, _: FrameType | None) -> None:
        """Leaves it to ``rest``: a signal may come in the middle of a write, which could not begin another one."""
        self._signals.put(number)

    def _stop(self, number: int) -> None:
        """Stops the program, with the terminal as it was before, and goes on when the shell says so."""
        self._canvas.close()
        mine = signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
        signal.signal(number, mine)
        self._canvas.open()


def _end(number: int, _: FrameType | None) -> NoReturn:
    """Ends the program with the shell's code for the signal, after the window is closed."""
    raise SystemExit(128 + number)


def _clock(moment: int) -> str:
    return strftime("%H:%M:%S", localtime(moment / _SECOND))
