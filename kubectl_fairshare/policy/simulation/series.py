"""What queues hold over time: samples at equal distances, and exact sums.

Tested in ``tests/unit/policy/simulation/test_run.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Final, TypeAlias, TypeVar

from kubectl_fairshare.answers.simulation import PoolResource, QueueSeries, UserSeries
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.schedulers.replay import NO_FIGURES, HeldNow, SampledQueue, SchedulerReplay, UserStanding

_SECOND: Final = 10**9
_WISHED: Final = 200
_MOST: Final = 400
MOST_WISHED: Final = 100_000
"""Samples at most where their distance is wished."""
_Value = TypeVar("_Value")
_Runs: TypeAlias = Sequence[tuple[SampledQueue, int]]


class SeriesRecorder:
    """Records samples as time passes. Without a wished distance, it doubles once there are too many samples.

    Of each queue, only changes are kept: the number of the sample from which on it has these figures.
    """

    def __init__(self, replay: SchedulerReplay, start: int, last: int, distance: int | None) -> None:
        self._replay = replay
        self._fixed = bool(distance)
        self._distance = distance or max(_SECOND, -(-(last - start) // _WISHED // _SECOND) * _SECOND)
        self._next = start
        self._moments: list[int] = []
        self._changes: dict[str, dict[int, SampledQueue]] = {}
        self._users: list[Mapping[str, UserStanding]] = []
        self._held: dict[str, dict[PoolResource, int]] = {}

    @property
    def moments(self) -> tuple[int, ...]:
        """The moments of the samples."""
        return tuple(self._moments)

    def record_until(self, now: int) -> None:
        """Records all samples that are due before ``now``: nothing has changed since the last event.

        Raises ``UsageError`` if the wished distance makes too many.
        """
        if self._fixed and len(self._moments) + (now - self._next) // self._distance >= MOST_WISHED:
            message = f"samples every {self._distance / _SECOND:g}s are more than {MOST_WISHED:,}"
            raise UsageError(Problem(message, help="write a longer `sample` in the scenario, or leave it out"))
        while self._next < now:
            number = len(self._moments)
            for name, figures in self._replay.figures(self._next).items():
                self._changes.setdefault(name, {})[number] = figures
            self._users.append(self._replay.users(self._next))
            self._moments.append(self._next)
            self._next += self._distance
            if len(self._moments) > _MOST and not self._fixed:
                self._thin()

    def _thin(self) -> None:
        """Keeps every other sample. A change at one that is dropped counts from the next one on."""
        self._moments, self._users = self._moments[::2], self._users[::2]
        for name, changes in self._changes.items():
            self._changes[name] = {-(-number // 2): figures for number, figures in changes.items()}
        self._distance *= 2
        self._next = self._moments[-1] + self._distance

    def add(self, holding: HeldNow, nanoseconds: int) -> None:
        """A unit held this for so long."""
        sums = self._held.setdefault(holding.queue, {})
        for pair, amount in holding.used.items():
            sums[pair] = sums.get(pair, 0) + int(amount) * nanoseconds

    def queues(self) -> dict[str, QueueSeries]:
        """The series of each queue, by name."""
        return {name: self._queue(name) for name in sorted(self._changes.keys() | self._held.keys())}

    def users(self) -> dict[str, UserSeries]:
        """The series of each user, by name."""
        names = sorted({name for sample in self._users for name in sample})
        return {name: self._user([sample.get(name) for sample in self._users]) for name in names}

    def _user(self, found: list[UserStanding | None]) -> UserSeries:
        used = _by_pair([({} if each is None else each.used, 1) for each in found])
        return UserSeries(used, tuple(None if each is None else each.standing for each in found))

    def _queue(self, name: str) -> QueueSeries:
        runs = self._runs(name)
        return QueueSeries(
            _by_pair([(figures.used, times) for figures, times in runs]),
            _by_pair([(figures.entitled, times) for figures, times in runs]),
            tuple(_repeated((figures.waiting, times) for figures, times in runs)),
            dict(sorted(self._held.get(name, {}).items())),
            tuple(_repeated((figures.standing, times) for figures, times in runs)),
        )

    def _runs(self, name: str) -> _Runs:
        """The figures of a queue, each with the number of samples in a row that have them."""
        changes = {0: NO_FIGURES, **self._changes.get(name, {})}
        ends = [*changes, len(self._moments)][1:]
        return [
            (figures, end - start) for (start, figures), end in zip(changes.items(), ends, strict=True) if end > start
        ]


def _by_pair(runs: Sequence[tuple[Mapping[PoolResource, int], int]]) -> dict[PoolResource, tuple[int, ...]]:
    """The amounts at each sample, as plain numbers: sums over time do not wrap around as the scheduler's do."""
    pairs = sorted({pair for amounts, _ in runs for pair in amounts})
    return {pair: tuple(_repeated((int(amounts.get(pair, 0)), times) for amounts, times in runs)) for pair in pairs}


def _repeated(runs: Iterable[tuple[_Value, int]]) -> Iterator[_Value]:
    return chain.from_iterable(repeat(value, times) for value, times in runs)
