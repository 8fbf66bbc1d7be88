"""A simulation of queues and jobs over time: each cycle is a session of KAI, and adds a sample of usage.

A cycle takes one unit of time. Evicted jobs wait again, as if their owners submitted them again. Only GPUs count.
Source: KAI-Scheduler v0.17, documentation of the time-based fair-share simulator; "kai usage" in ``docs/laws.md``.
Decides nothing: it reads a file of queues and its jobs, and reports what ``play`` did.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Final, TypeAlias

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Node, Resources, Shard, TimeAware
from kubectl_fairshare.schedulers.kai.model.scenario import SimulationScenario
from kubectl_fairshare.schedulers.kai.simulation.play import SimulationRun


class Point(Value, frozen=True):
    """What a queue holds at the end of a cycle, its fair share in it, and the past usage behind that."""

    allocation: float
    fair_share: float
    usage: float


_Row: TypeAlias = tuple[Point, ...]
_FURTHER: Final = 3
"""How many times as many cycles as the scenario and its window have are simulated to find a period."""


class Timeline(Value, frozen=True):
    """The result of a scenario: for each cycle the point of each queue, in the order of ``queues``.

    ``period`` are the cycles that repeat for ever from some cycle on, perhaps after the last of ``points``; empty if
    none was found.
    """

    queues: tuple[str, ...]
    parents: Mapping[str, str]
    capacity: float
    points: tuple[_Row, ...]
    k: float
    time_aware: TimeAware = TimeAware.KAI
    period: tuple[_Row, ...] = ()

    def allocations(self, queue: str, start: int = 0) -> list[float]:
        """What a queue held in each cycle from ``start`` on."""
        return self._held(queue, self.points[start:])

    def late(self, queue: str) -> list[float]:
        """What a queue holds in each cycle of the period; in the second half of all cycles if there is no period."""
        return self._held(queue, self.period or self.points[len(self.points) // 2 :])

    def long_run(self, queue: str, start: int | None = None) -> float:
        """The mean part of the capacity that a queue holds in ``late`` cycles, or held from ``start`` on.

        Without a period and a start, it is that of the second half alone.
        """
        held = self.late(queue) if start is None else self.allocations(queue, start)
        return sum(held) / (len(held) * self.capacity) if held and self.capacity else 0.0

    def _held(self, queue: str, rows: Sequence[_Row]) -> list[float]:
        place = self.queues.index(queue)
        return [points[place].allocation for points in rows]


def simulate(scenario: SimulationScenario) -> Timeline:
    """Simulates a scenario to its end, and on until it repeats, in bounds.

    A cycle depends on the jobs as they are and on the usage in the window. If both come back, so does all that follows:
    this is a period, and no mere likeness of what queues held. Its cycles are not simulated again.
    """
    names = tuple(queue.name for queue in scenario.queues)
    play = SimulationRun(_state(scenario), scenario.backlogs)
    history: list[Mapping[str, float]] = []
    points: list[_Row] = []
    period: list[_Row] = []
    seen = _Moments(scenario.window)
    capacity = sum(scenario.nodes)
    for cycle in range(_FURTHER * (scenario.cycles + scenario.window) if scenario.cycles else 0):
        usage = usage_of(history, capacity, scenario.window, scenario.half_life)
        play.cycle(cycle, {name: Resources(0.0, 0.0, used) for name, used in usage.items()})
        held = play.held
        history.append(held)
        points.append(tuple(_point(name, held, play, usage) for name in names))
        if period := points[len(points) - seen.since(play.picture(), tuple(held.values())) :]:
            break
    while len(points) < scenario.cycles:
        points.append(points[-len(period)])
    parents = {queue.name: queue.parent for queue in scenario.queues}
    shown = tuple(points[: scenario.cycles])
    return Timeline(names, parents, capacity, shown, scenario.k, scenario.time_aware, tuple(period))


class _Moments:
    """The moments of a simulation, to find one that comes back."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._numbers: dict[tuple[float, ...], int] = {}
        self._held: list[int] = []
        self._seen: dict[bytes, int] = {}

    def since(self, picture: Hashable, held: tuple[float, ...]) -> int:
        """The cycles since the jobs, and what queues held in the window, were the same as now; 0 if they never were.

        ``picture`` is that of the jobs; None for one that cannot come back.
        """
        self._held.append(self._numbers.setdefault(held, len(self._numbers)))
        if picture is None:
            return 0
        window = self._held[-self._window :] if self._window > 0 else []
        moment = blake2b(repr((picture, window)).encode()).digest()
        return len(self._held) - self._seen.setdefault(moment, len(self._held))


def _point(name: str, held: Mapping[str, float], play: SimulationRun, usage: Mapping[str, float]) -> Point:
    standing = play.session.standings.get(name)
    share = 0.0 if standing is None else standing.fair_share.gpu
    return Point(held.get(name, 0.0), share, usage.get(name, 0.0))


def usage_of(
    history: Sequence[Mapping[str, float]], capacity: float, window: int, half_life: float
) -> dict[str, float]:
    """The usage of each queue in the window as a fraction of the capacity; a half-life reduces older samples."""
    recent = history[-window:] if window > 0 else []
    used: dict[str, float] = {}
    offered = 0.0
    for i, sample in enumerate(recent):
        factor = 0.5 ** ((len(recent) - i) / half_life) if half_life > 0 else 1.0
        offered += capacity * factor
        for name, amount in sample.items():
            used[name] = used.get(name, 0.0) + amount * factor
    return {name: amount / offered for name, amount in used.items()} if offered > 0 else {}


def _state(scenario: SimulationScenario) -> KaiState:
    return KaiState(
        queues={queue.name: queue for queue in sorted(scenario.queues, key=lambda queue: queue.name)},
        nodes=tuple(_nodes(scenario.nodes)),
        shards=(_shard(scenario),),
        now=0,
    )


def _shard(scenario: SimulationScenario) -> Shard:
    spared = scenario.reclaim_min_runtime
    return Shard("simulation", k=scenario.k, time_aware=scenario.time_aware, reclaim_min_runtime=spared)


def _nodes(sizes: Sequence[float]) -> Iterator[Node]:
    for number, gpus in enumerate(sizes):
        yield Node(f"node-{number:04}", Resources(0.0, 0.0, gpus), 100, None, None, frozenset())
