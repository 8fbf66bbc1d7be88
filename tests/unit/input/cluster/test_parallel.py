"""Tasks run side by side, and are given up together."""

import time
from functools import partial
from threading import Event

import pytest

from kubectl_fairshare.input.cluster.parallel import Ahead, results
from kubectl_fairshare.model.errors import FairshareError


def test_values_come_in_the_order_of_the_tasks() -> None:
    tasks = [lambda n=n: n * n for n in range(20)]
    assert results(tasks, 4, None, time.monotonic) == [n * n for n in range(20)]


def test_no_task_has_no_result() -> None:
    assert results([], 4, None, time.monotonic) == []


def test_the_first_error_ends_all() -> None:
    begun: list[int] = []
    waits = Event()

    def task(number: int) -> int:
        begun.append(number)
        if number == 0:
            raise ValueError("first")
        waits.wait(5)
        return number

    with pytest.raises(ValueError, match="first"):
        results([partial(task, n) for n in range(50)], 2, None, time.monotonic)
    waits.set()
    assert len(begun) < 10


def test_a_task_ahead_runs_before_it_is_asked_for() -> None:
    begun = Event()

    def task() -> int:
        begun.set()
        return 7

    ahead = Ahead(task)
    assert begun.wait(5)
    assert ahead.result() == 7


def test_what_a_task_ahead_raises_is_raised_where_it_is_asked_for() -> None:
    def task() -> int:
        raise ValueError("ahead")

    ahead = Ahead(task)
    with pytest.raises(ValueError, match="ahead"):
        ahead.result()


def test_silence_is_given_up() -> None:
    waits = Event()
    long_ago = time.monotonic() - 100
    with pytest.raises(FairshareError, match="stopped answering"):
        results([lambda: waits.wait(30)], 1, 1.0, lambda: long_ago)
    waits.set()
