"""A word on standard error while something takes longer than a second, with the share that is done where it is known.

Tested in ``tests/unit/cli/test_progress.py``.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final, TextIO

from kubectl_fairshare.cli.streams import Sheet

_PATIENCE: Final = 1.0


class Done:
    """How far something is; called with what is done, and the whole."""

    def __init__(self, doing: str) -> None:
        """``doing`` is said as long as nothing is known."""
        self._doing = doing
        self.text = f"{doing} …"

    def __call__(self, done: int, whole: int) -> None:
        """So much of the whole is done."""
        self.text = f"{self._doing} … {100 * done // whole} %" if whole else f"{self._doing} …"


@contextmanager
def progress(stderr: TextIO, doing: str, *, quiet: bool = False) -> Iterator[Done]:
    """Says what is being done once it has lasted a second, and wipes it away at the end.

    What it yields takes the share that is done. On a terminal alone, and never where it is to be ``quiet`` or where CI
    runs it.
    """
    done = Done(doing)
    if quiet or not _is_looked_at(stderr):
        yield done
        return
    from threading import Timer

    with ExitStack() as showing:

        def show() -> None:
            from kubectl_fairshare.report.text.live import spinner

            showing.enter_context(spinner(stderr, lambda: done.text))

        timer = Timer(_PATIENCE, show)
        timer.daemon = True
        timer.start()
        try:
            yield done
        finally:
            timer.cancel()
            timer.join()


def _is_looked_at(stderr: TextIO) -> bool:
    """Whether the stream is a terminal that can erase what was written."""
    if isinstance(stderr, Sheet) or not stderr.isatty():
        return False
    return os.environ.get("TERM") != "dumb" and os.environ.get("CI", "").lower() in ("", "0", "false")
