"""A word on standard error while something takes longer than a second."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Final, TextIO

from kubectl_fairshare.cli.streams import Sheet

_PATIENCE: Final = 1.0
_CLEARED: Final = "\r\x1b[K"


@contextmanager
def progress(stderr: TextIO, doing: str, *, quiet: bool = False) -> Iterator[None]:
    """Says what is being done once it has lasted a second, and wipes it away at the end.

    On a terminal alone, and never where it is to be ``quiet`` or where CI runs it.
    """
    if quiet or not _is_looked_at(stderr):
        yield
        return
    said = []

    def say() -> None:
        said.append(doing)
        stderr.write(f"{doing} …")
        stderr.flush()

    timer = Timer(_PATIENCE, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if said:
            stderr.write(_CLEARED)
            stderr.flush()


def _is_looked_at(stderr: TextIO) -> bool:
    """Whether somebody sees at once what is written, on a terminal that can take it back."""
    if isinstance(stderr, Sheet) or not stderr.isatty():
        return False
    return os.environ.get("TERM") != "dumb" and os.environ.get("CI", "").lower() in ("", "0", "false")
