"""The same question again and again: on a terminal in a window, elsewhere whenever the answer is another one.

Memory stays what two answers take: the one that is shown, which may be wanted in another size, and the next.
"""

import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, Generic, NoReturn, TypeVar

from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Sheet, Streams
from kubectl_fairshare.cli.watching.log import Log
from kubectl_fairshare.cli.watching.picture import Picture, Showing
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.report.text.view import MARGIN

_SECOND: Final = 10**9
_LONGEST: Final = 60.0
"""Seconds between tries that fail, at most; or the interval, where that is longer."""
_DOUBLINGS: Final = 10
T = TypeVar("T")


def watched(
    read: Callable[[Streams], T], answer: Callable[[T, Streams], int], streams: Streams, screen: ScreenOptions
) -> NoReturn:
    """Shows answers until the user interrupts it; ``KeyboardInterrupt`` is not caught.

    The first must succeed, and raises what ``read`` and ``answer`` raise; later ones are tried again.
    """
    asking = _Asking(read, answer, streams, MARGIN if screen.is_text else 0)
    gc.disable()  # otherwise `load` would keep for ever what each picture was made of
    with progress(streams.stderr, "reading", quiet=screen.quiet):
        first = asking.next()
    with _showing(streams, screen) as showing:
        showing.show(first)
        _go_on(asking, showing, screen.interval or 0.0)


@contextmanager
def _showing(streams: Streams, screen: ScreenOptions) -> Iterator[Showing]:
    """A window where text goes to a terminal that can draw, otherwise one answer after another."""
    if screen.is_text and streams.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from kubectl_fairshare.cli.watching.window import Window

        with Window(streams, screen) as window:
            yield window
    else:
        yield Log(streams, screen)


def _go_on(asking: "_Asking[T]", showing: Showing, interval: float) -> NoReturn:
    """Answers once per interval, and pauses at least as long as the answer took; less often while it fails."""
    failed, since, due = 0, 0, time.monotonic() + interval
    while True:
        while showing.rest(due - time.monotonic()):
            with suppress(FairshareError):  # the next picture shows it
                showing.show(asking.again(), resized=True)
        began = time.monotonic()
        try:
            picture = asking.next()
        except FairshareError as error:
            failed, since = failed + 1, since or time.time_ns()
            pause = min(interval * 2 ** min(failed, _DOUBLINGS), max(_LONGEST, interval))
            showing.excuse(error.problems, since, time.time_ns() + int(pause * _SECOND))
        else:
            failed, since = 0, 0
            took = time.monotonic() - began
            pause = max(interval - took, took)
            showing.show(picture)
        gc.collect()
        due = time.monotonic() + pause


class _Asking(Generic[T]):
    """A question; what was read for the last picture is kept, so that another size needs no reading."""

    def __init__(
        self, read: Callable[[Streams], T], answer: Callable[[T, Streams], int], streams: Streams, margin: int
    ) -> None:
        self._read, self._answer = read, answer
        self._streams, self._margin = streams, margin
        self._known: tuple[T, str, int] | None = None

    def next(self) -> Picture:
        """A picture of what is read now. Raises what reading and answering raise."""
        moment = time.time_ns()
        _, on, notes = self._sheets()
        self._known = (self._read(on), notes.getvalue(), moment)
        return self.again()

    def again(self) -> Picture:
        """The last picture, as wide as the terminal is now."""
        assert self._known is not None
        loaded, notes, moment = self._known
        out, on, err = self._sheets()
        self._answer(loaded, on)
        return Picture(out.getvalue(), notes + err.getvalue(), moment)

    def _sheets(self) -> tuple[Sheet, Streams, Sheet]:
        out, err = Sheet(self._streams.stdout), Sheet(self._streams.stderr)
        return out, Streams(None, out, err, self._margin), err
