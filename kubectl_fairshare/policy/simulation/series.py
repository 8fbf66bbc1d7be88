"""What queues hold over time: samples at equal distances, and exact sums.

Tested in ``tests/unit/policy/simulation/test_run.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, repeat
from typing import Final

from kubectl_fairshare.answers.simulation import PoolResource, QueueSeries, UserSeries
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.replay import HeldNow, SchedulerReplay, UserStanding

_SECOND: Final = 10**9
_WISHED: Final = 200
_MOST: Final = 400
_NOTHING: Final[Mapping[PoolResource, int]] = {}


@dataclass(frozen=True, slots=True)
class _Sample:
    """All queues at one moment."""

    used: Mapping[str, Mapping[PoolResource, int]]
    entitled: Mapping[str, Mapping[PoolResource, int]]
    waiting: Mapping[str, int]
    standings: Mapping[str, float | None]
    users: Mapping[str, UserStanding]


class SeriesRecorder:
    """Records samples as time passes. Without a wished distance, it doubles once there are too many samples."""

    def __init__(self, replay: SchedulerReplay, start: int, last: int, distance: int | None) -> None:
        self._replay = replay
        self._fixed = distance is not None
        self._distance = distance or max(_SECOND, -(-(last - start) // _WISHED // _SECOND) * _SECOND)
        self._next = start
        self._moments: list[int] = []
        self._samples: list[_Sample] = []
        self._held: dict[str, dict[PoolResource, int]] = {}

    @property
    def moments(self) -> tuple[int, ...]:
        """The moments of the samples."""
        return tuple(self._moments)

    def record_until(self, now: int) -> None:
        """Records all samples that are due before ``now``: nothing has changed since the last event."""
        if self._next >= now:
            return
        used, entitled, waiting = self._replay.used(), self._replay.entitled(), self._replay.waiting()
        while self._next < now:
            standings, users = self._replay.standings(self._next), self._replay.users(self._next)
            self._moments.append(self._next)
            self._samples.append(_Sample(used, entitled, waiting, standings, users))
            self._next += self._distance
            if len(self._samples) > _MOST and not self._fixed:
                self._thin()

    def _thin(self) -> None:
        """Keeps every other sample."""
        self._moments, self._samples = self._moments[::2], self._samples[::2]
        self._distance *= 2
        self._next = self._moments[-1] + self._distance

    def add(self, holding: HeldNow, nanoseconds: int) -> None:
        """A unit held this for so long."""
        sums = self._held.setdefault(holding.queue, {})
        for pair, amount in holding.used.items():
            sums[pair] = sums.get(pair, 0) + amount * nanoseconds

    def queues(self) -> dict[str, QueueSeries]:
        """The series of each queue, by name."""
        names = {name for sample in self._samples for name in sample.entitled} | self._held.keys()
        return {name: self._queue(name) for name in sorted(names)}

    def users(self) -> dict[str, UserSeries]:
        """The series of each user, by name."""
        names = sorted({name for sample in self._samples for name in sample.users})
        return {name: self._user([sample.users.get(name) for sample in self._samples]) for name in names}

    def _user(self, found: list[UserStanding | None]) -> UserSeries:
        used = [{} if each is None else each.used for each in found]
        return UserSeries(_by_pair(used), tuple(None if each is None else each.standing for each in found))

    def _queue(self, name: str) -> QueueSeries:
        samples = self._samples
        used = [sample.used.get(name, _NOTHING) for sample in samples]
        entitled = [sample.entitled.get(name, _NOTHING) for sample in samples]
        return QueueSeries(
            _by_pair(used),
            _by_pair(entitled),
            tuple(sample.waiting.get(name, 0) for sample in samples),
            dict(sorted(self._held.get(name, {}).items())),
            tuple(sample.standings.get(name) for sample in samples),
        )


def _by_pair(samples: Sequence[Mapping[PoolResource, int]]) -> dict[PoolResource, tuple[int, ...]]:
    """The amounts at each sample. Samples in a row that are one object are read once."""
    runs = [(run[0], len(run)) for run in (list(same) for _, same in groupby(samples, key=id))]
    pairs = sorted({pair for sample, _ in runs for pair in sample})
    return {pair: tuple(_repeated((sample.get(pair, 0), times) for sample, times in runs)) for pair in pairs}


def _repeated(runs: Iterable[tuple[int, int]]) -> Iterator[int]:
    return chain.from_iterable(repeat(amount, times) for amount, times in runs)
