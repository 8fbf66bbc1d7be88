"""Plays of a forecast over all cores: the state travels as bytes, and each worker takes its work over once.

Tested in ``tests/unit/policy/forecast/test_command.py``.
"""

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import chain, count
from typing import Final, TypeAlias

from kubectl_fairshare.answers.ages import AsOf
from kubectl_fairshare.answers.forecast import Forecast
from kubectl_fairshare.answers.simulation import Simulation
from kubectl_fairshare.cli.asking.load import Loaded, placing_problems
from kubectl_fairshare.cli.options.worker_options import WorkerOptions
from kubectl_fairshare.cli.policy.workers import Crew, Workers, hiring
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.clock import moment
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.policy.forecast.plays import ForecastTerms, PlayAll, Player, PlayTask, forecast
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.adoption import Adoption
from kubectl_fairshare.schedulers.scheduler import Scheduler

_ALONE: Final = 2.0
"""Seconds of plays before workers are started: most forecasts are made by then."""

Made: TypeAlias = Callable[[int], None]
"""Takes how many plays have been made."""


@lru_cache(maxsize=2)
def _player(packed: bytes) -> Player:
    name, snapshot, now = pickle.loads(packed)
    scheduler = scheduler_named(name)
    return Player(scheduler, snapshot, scheduler.adoption(snapshot, now), now)


def play_result(packed: bytes, task: PlayTask) -> Simulation:
    """One play: this runs in a worker."""
    return _player(packed).play(task)


def starts_of(loaded: Loaded, ages: AsOf, keys: Set[ObjectKey] | None, streams: Streams, *, quiet: bool) -> Forecast:
    """When the jobs of these objects start, None: all, from the moment of ages on, or the clock where there is none.

    Durations are those of limits and of the past.
    """
    scheduler, snapshot = loaded.scheduler, loaded.snapshot
    hire = hiring(WorkerOptions(), streams.stderr, quiet=quiet)
    at = ages if ages.moment is not None else AsOf(moment())
    with placing_problems(loaded.places):
        terms = ForecastTerms(at.moment or 0, at.source)
        work = scheduler.adoption(snapshot, terms.now)
        asked = () if keys is None else tuple(each.job.key for each in work.jobs if not keys.isdisjoint(each.keys))

        def report_made(plays: int) -> None:
            streams.report_done(plays, terms.plays)

        with plays_everywhere(scheduler, snapshot, work, terms.now, hire, report_made) as play_all:
            return forecast(scheduler, snapshot, work, terms, asked, play_all)


@contextmanager
def plays_everywhere(
    scheduler: Scheduler, snapshot: Snapshot, work: Adoption, now: int, hire: Callable[[], Workers], report_made: Made
) -> Iterator[PlayAll]:
    """Plays are made here as long as that takes little, then by the workers that are hired, until the block ends.

    ``report_made`` is called with how many there are. Raises ``UsageError`` where what the backend needs is not there,
    or if workers die again and again.
    """
    spent = 0.0
    player = Player(scheduler, snapshot, work, now)
    with ExitStack() as started:

        def made(tasks: Iterable[PlayTask]) -> Iterator[Simulation]:
            nonlocal spent
            left = iter(tasks)
            for task in left:
                if spent > _ALONE and not (workers := hire()).are_here:
                    packed = pickle.dumps((scheduler.name, snapshot, now))
                    yield from Crew(play_result, packed, workers, started).results(chain((task,), left))
                    return
                start = time.monotonic()
                yield player.play(task)
                spent += time.monotonic() - start

        number = count(1)

        def run(tasks: Iterable[PlayTask]) -> Iterator[Simulation]:
            for each in made(tasks):
                report_made(next(number))
                yield each

        yield run
