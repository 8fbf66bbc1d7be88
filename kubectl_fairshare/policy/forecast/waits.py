"""What a job waits for, in one play: who gives back what it can use before it starts, and who starts before it.

Why not all that ends before: of 1,000 jobs that do, few give back what this one gets. Example: a job gets GPUs of pool
``a``; the end of a job with GPUs of pool ``b`` does not help it.
Tested in ``tests/unit/policy/forecast/test_forecast.py``.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Final, NamedTuple

from kubectl_fairshare.answers.forecast import AwaitedEnd, ForecastDuration, Interval, Leaving
from kubectl_fairshare.answers.simulation import PoolResource, SimulatedJob

MOST_AWAITED: Final = 20
"""The ends that are named of those that a job waits for: the last before its start."""


class Ends(NamedTuple):
    """When each job ends, and when it is first preempted, over all plays; and how long each is taken to run."""

    at: Mapping[str, Interval]
    preempted: Mapping[str, Interval]
    durations: Mapping[str, ForecastDuration]

    def of(self, name: str, how: Leaving) -> Interval:
        """When a job gives back what it holds."""
        return self.at[name] if how is Leaving.ENDS else self.preempted[name]


class GroupCourse:
    """What happens after ``now`` to the jobs of one group, which share quota, in one play; ``running`` run now.

    At one moment ends come first: they let others be preempted.
    """

    def __init__(self, jobs: Iterable[SimulatedJob], running: Collection[str], now: int) -> None:
        every = list(jobs)
        leaving = ((at, each, how) for each in every for how, at in _leaves(each) if at >= now)
        self._leaving = sorted(leaving, key=lambda one: (one[0], one[2] is Leaving.PREEMPTED, one[1].job.key))
        starts = ((at, each) for each in every for at in each.admitted[each.job.key in running :][:1])
        self._starts = sorted(starts, key=lambda one: (one[0], one[1].job.key))

    def awaited(self, own: SimulatedJob, until: int, ends: Ends) -> tuple[AwaitedEnd, ...]:
        """The jobs that give back what this one can use, up to ``until``, in order: the last ``MOST_AWAITED``."""
        found: list[AwaitedEnd] = []
        # Ends at the very moment count, as they let the job start.
        for place in range(bisect_right(self._leaving, until, key=itemgetter(0)) - 1, -1, -1):
            _, each, how = self._leaving[place]
            freed = {} if each is own else _usable(each.held, own)
            if freed:
                name = each.job.key
                found.append(AwaitedEnd(name, how, ends.of(name, how), freed, ends.durations[name]))
            if len(found) == MOST_AWAITED:
                break
        return tuple(reversed(found))

    def before(self, own: SimulatedJob, until: int) -> dict[str, tuple[str, ...]]:
        """The jobs that start before ``until``, by queue, in order; one that runs now, where it starts again."""
        found: dict[str, list[str]] = {}
        # Starts at the very moment do not count: they are not before it.
        for _, each in self._starts[: bisect_left(self._starts, until, key=itemgetter(0))]:
            if each is not own:
                found.setdefault(each.queue, []).append(each.job.key)
        return {queue: tuple(names) for queue, names in sorted(found.items())}


def _leaves(each: SimulatedJob) -> Iterator[tuple[Leaving, int]]:
    """When a job gives back what it holds."""
    yield from ((Leaving.PREEMPTED, eviction.at) for eviction in each.evictions)
    if each.finished is not None:
        yield Leaving.ENDS, each.finished


def _usable(held: Mapping[PoolResource, int], own: SimulatedJob) -> dict[PoolResource, int]:
    """What of it the job can use: the same pools and resources as it gets."""
    # What it gets in this play: where it could have got another pool, that is another play.
    return {pair: amount for pair, amount in held.items() if amount and own.held.get(pair)}
