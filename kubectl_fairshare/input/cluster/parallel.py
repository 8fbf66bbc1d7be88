"""Requests side by side, bounded in number and in time and given up together, and one that is made ahead."""

import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

from kubectl_fairshare.model.errors import FairshareError, Problem

T = TypeVar("T")
_LOOKS: Final = 0.5
"""Seconds between looks at the clock."""


class _Outcome(Generic[T]):
    """Stores the result of the ``number``-th task, or what it raised, for the waiting thread."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.value: list[T] = []
        self.error: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: TracebackType | None) -> bool:
        self.error = error
        return True

    def result(self) -> T:
        """The result of the task. Raises what the task raised."""
        if self.error is not None:
            raise self.error
        return self.value[0]


class Ahead(Generic[T]):
    """A task that runs on a thread of its own from now on, so that its result is there when it is asked for.

    The thread ends with the program, which does not wait for it.
    """

    def __init__(self, task: Callable[[], T]) -> None:
        self._done: SimpleQueue[_Outcome[T]] = SimpleQueue()
        self._task = task
        Thread(target=self._work, daemon=True).start()

    def result(self) -> T:
        """Waits for what the task comes to, or raises what it raised; to be asked for once."""
        return self._done.get().result()

    def _work(self) -> None:
        outcome = _Outcome[T](0)
        with outcome:
            outcome.value.append(self._task())
        self._done.put(outcome)


def results(
    tasks: Sequence[Callable[[], T]], threads: int, patience: float | None, heard: Callable[[], float]
) -> list[T]:
    """What the tasks come to, in their order, run on so many threads.

    ``heard`` is when the server last said anything, on the monotonic clock. Raises what the first task to fail
    raised, and ``FairshareError`` where the server is silent for ``patience`` seconds. The rest is then given up:
    the threads end with the program, which does not wait for a silent server.
    """
    todo: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[_Outcome[T]] = SimpleQueue()
    given_up = Event()
    for number in range(len(tasks)):
        todo.put(number)

    def work() -> None:
        while not given_up.is_set():
            try:
                outcome = _Outcome[T](todo.get_nowait())
            except Empty:
                return
            with outcome:
                outcome.value.append(tasks[outcome.number]())
            done.put(outcome)

    for _ in range(min(threads, len(tasks))):
        Thread(target=work, daemon=True).start()
    try:
        return _collected(len(tasks), done, patience, heard)
    finally:
        given_up.set()


def _collected(
    number: int, done: "SimpleQueue[_Outcome[T]]", patience: float | None, heard: Callable[[], float]
) -> list[T]:
    found: dict[int, T] = {}
    while len(found) < number:
        try:
            outcome = done.get(timeout=_LOOKS)
        except Empty:
            if patience is not None and time.monotonic() - heard() > patience:
                raise FairshareError(_silent()) from None
            continue
        found[outcome.number] = outcome.result()
    return [found[each] for each in range(number)]


def _silent() -> Problem:
    remedy = "raise `--request-timeout`, or check with `kubectl get --raw /readyz`"
    return Problem("the API server stopped answering", None, remedy)
