"""Requests side by side: bounded in number and in time, and given up together."""

import time
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from kubectl_fairshare.model.errors import FairshareError, Problem

T = TypeVar("T")
_LOOKS: Final = 0.5
"""Seconds between looks at the clock."""


def results(
    tasks: Sequence[Callable[[], T]], threads: int, patience: float | None, heard: Callable[[], float]
) -> list[T]:
    """What the tasks come to, in their order, run on so many threads.

    ``heard`` is when the server last said anything, on the monotonic clock. Raises what the first task to fail
    raised, and ``FairshareError`` where the server is silent for ``patience`` seconds. The rest is then given up:
    the threads end with the program, so that nobody waits for a server that says nothing.
    """
    from multiprocessing import TimeoutError as NotYet
    from multiprocessing.pool import ThreadPool

    if not tasks:
        return []
    found: dict[int, T] = {}
    with ThreadPool(min(threads, len(tasks))) as pool:
        coming = pool.imap_unordered(lambda number: (number, tasks[number]()), range(len(tasks)))
        while len(found) < len(tasks):
            try:
                number, value = coming.next(timeout=_LOOKS)
            except NotYet:
                if patience is not None and time.monotonic() - heard() > patience:
                    raise FairshareError(_silent()) from None
            else:
                found[number] = value
    return [found[number] for number in range(len(tasks))]


def _silent() -> Problem:
    remedy = "give it more time with `--request-timeout`, or see whether `kubectl get --raw /readyz` works"
    return Problem("the API server has fallen silent", None, remedy)
