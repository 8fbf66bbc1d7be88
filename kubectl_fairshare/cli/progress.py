"""A word on standard error while something takes longer than a second."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final, TextIO

from kubectl_fairshare.cli.streams import Sheet

_PATIENCE: Final = 1.0


@contextmanager
def progress(stderr: TextIO, doing: str, *, quiet: bool = False) -> Iterator[None]:
    """Says what is being done once it has lasted a second, and wipes it away at the end.

    On a terminal alone, and never where it is to be ``quiet`` or where CI runs it.
    """
    if quiet or not _is_looked_at(stderr):
        yield
        return
    from threading import Timer

    with ExitStack() as showing:

        def show() -> None:
            from kubectl_fairshare.report.text.live import spinner

            showing.enter_context(spinner(stderr, doing))

        timer = Timer(_PATIENCE, show)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def _is_looked_at(stderr: TextIO) -> bool:
    """Whether the stream is a terminal that can erase what was written."""
    if isinstance(stderr, Sheet) or not stderr.isatty():
        return False
    return os.environ.get("TERM") != "dumb" and os.environ.get("CI", "").lower() in ("", "0", "false")
