"""Plays of a forecast over all cores: the state travels as bytes, and each worker takes its work over once.

Tested in ``tests/unit/policy/forecast/test_command.py``.
"""

import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import chain
from typing import Final

from kubectl_fairshare.answers.simulation import Simulation
from kubectl_fairshare.cli.policy.workers import Crew, Workers
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.policy.forecast.plays import PlayAll, PlayTask, played_on
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.adoption import Adoption
from kubectl_fairshare.schedulers.scheduler import Scheduler

_ALONE: Final = 2.0
"""Seconds of plays before workers are started: most forecasts are made by then."""


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> tuple[Scheduler, Snapshot, Adoption, int]:
    name, snapshot, now = pickle.loads(packed)
    scheduler = scheduler_named(name)
    return scheduler, snapshot, scheduler.adoption(snapshot, now), now


def play_result(packed: bytes, task: PlayTask) -> Simulation:
    """One play: this runs in a worker."""
    scheduler, snapshot, work, now = _unpacked(packed)
    return played_on(scheduler, snapshot, work, task, now)


@contextmanager
def plays_everywhere(
    scheduler: Scheduler, snapshot: Snapshot, work: Adoption, now: int, hire: Callable[[], Workers]
) -> Iterator[PlayAll]:
    """Plays are made here as long as that takes little, then by the workers that are hired, until the block ends.

    Raises ``UsageError`` where what the backend needs is not installed, or if workers die again and again.
    """
    spent = 0.0
    with ExitStack() as started:

        def run(tasks: Iterable[PlayTask]) -> Iterator[Simulation]:
            nonlocal spent
            left = iter(tasks)
            for task in left:
                if spent > _ALONE and not (workers := hire()).are_here:
                    packed = pickle.dumps((scheduler.name, snapshot, now))
                    yield from Crew(play_result, packed, workers, started).results(chain((task,), left))
                    return
                start = time.monotonic()
                yield played_on(scheduler, snapshot, work, task, now)
                spent += time.monotonic() - start

        yield run
