"""Searches by workers: tasks that are lost with a worker are sent again, and workers start once."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from kubectl_fairshare.cli.policy import searching
from kubectl_fairshare.cli.policy.workers import LOSSES
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.policy.search.search import SearchTask

TASKS = [SearchTask(seed=number, number=1) for number in range(6)]


class DyingWorkers:
    """Workers that answer with the seed of a task, and die after so many answers, once for each number."""

    backend, are_here = "ray", False

    def __init__(self, *answers: int) -> None:
        self.left, self.started, self.ended = list(answers), 0, 0

    def check(self) -> None:
        pass

    @contextmanager
    def running(self, *, ordered: bool) -> Iterator[Any]:
        assert ordered
        self.started += 1
        try:
            yield self.calls
        finally:
            self.ended += 1

    def calls(self, _call: object, _shared: bytes, tasks: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        sent = list(tasks)  # as a backend does that sends tasks before the first of them is answered
        answers = self.left.pop(0) if self.left else len(sent)
        yield from ((seed, [], []) for _, _, seed, _, _ in sent[:answers])
        if answers < len(sent):
            raise ConnectionError


def searched(workers: DyingWorkers, *parts: list[SearchTask]) -> list[list[int]]:
    ready: Any = SimpleNamespace()
    policy: Any = ()
    these: Any = workers
    with searching.everywhere(policy, ready, these) as run:
        return [[outcomes.states for outcomes in run(tasks)] for tasks in parts]


def test_tasks_that_are_lost_are_sent_again_and_results_keep_their_order() -> None:
    workers = DyingWorkers(2, 0, 1)
    assert searched(workers, TASKS) == [[0, 1, 2, 3, 4, 5]]
    assert (workers.started, workers.ended) == (4, 4)


def test_workers_start_once_for_all_parts_of_a_search() -> None:
    workers = DyingWorkers()
    assert searched(workers, TASKS[:2], TASKS[2:], []) == [[0, 1], [2, 3, 4, 5], []]
    assert (workers.started, workers.ended) == (1, 1)


def test_workers_that_die_without_a_result_end_the_search_with_a_remedy() -> None:
    workers = DyingWorkers(*[0] * LOSSES)
    with pytest.raises(UsageError, match=f"workers died {LOSSES} times without a result: ConnectionError"):
        searched(workers, TASKS)
    assert workers.started == workers.ended == LOSSES
