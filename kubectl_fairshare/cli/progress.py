"""A word on standard error while something takes longer than a second."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Final, TextIO

_PATIENCE: Final = 1.0
_CLEARED: Final = "\r\x1b[K"


@contextmanager
def progress(stderr: TextIO, doing: str) -> Iterator[None]:
    """Says what is being done once it has lasted a second, and wipes it away at the end; only on a terminal."""
    if not stderr.isatty():
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
