"""The garbage collector, kept out of the way where much is made that stays."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

ONE_ANSWER: Final = ContextVar("one_answer", default=False)
"""Whether the process ends with the answer, so that what is loaded for it stays to the end."""


@contextmanager
def without_collector() -> Iterator[None]:
    """Importing and loading make no garbage: the collector need not look for any.

    Nor at what they made, ever after, where that stays to the end.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if ONE_ANSWER.get():
                gc.freeze()
            gc.enable()
