"""A simulation of queues and jobs over time: each cycle allocates, reclaims, and adds a sample of usage.

A cycle takes one unit of time. Evicted jobs wait again, as if their owners submitted them again. Pods go to the fullest
node that has room. Only GPUs count.
Source: KAI-Scheduler v0.17, documentation of the time-based fair-share simulator; "kai usage" in ``docs/laws.md``.
"""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Node, Resources, Shard, TimeAware
from kubectl_fairshare.schedulers.kai.model.scenario import SimulationScenario
from kubectl_fairshare.schedulers.kai.simulation.play import SimulationRun


class Point(Value, frozen=True):
    """What a queue holds at the end of a cycle, its fair share in it, and the past usage behind that."""

    allocation: float
    fair_share: float
    usage: float


class Timeline(Value, frozen=True):
    """The result of a scenario: for each cycle the point of each queue, in the order of ``queues``."""

    queues: tuple[str, ...]
    parents: Mapping[str, str]
    capacity: float
    points: tuple[tuple[Point, ...], ...]
    k: float
    time_aware: TimeAware = TimeAware.KAI

    def allocations(self, queue: str, start: int = 0) -> list[float]:
        """What a queue held in each cycle from ``start`` on."""
        place = self.queues.index(queue)
        return [points[place].allocation for points in self.points[start:]]

    def long_run(self, queue: str, start: int = 0) -> float:
        """The part of the capacity that a queue held from ``start`` on."""
        held = self.allocations(queue, start)
        return sum(held) / (len(held) * self.capacity) if held and self.capacity else 0.0


def simulate(scenario: SimulationScenario) -> Timeline:
    """Simulates a scenario to its end."""
    names = tuple(queue.name for queue in scenario.queues)
    play = SimulationRun(_state(scenario), scenario.backlogs)
    history: list[Mapping[str, float]] = []
    points = []
    capacity = sum(scenario.nodes)
    for cycle in range(scenario.cycles):
        usage = usage_of(history, capacity, scenario.window, scenario.half_life)
        play.cycle(cycle, {name: Resources(0.0, 0.0, used) for name, used in usage.items()})
        standings = play.session.standings
        held = {name: standings[name].allocated.gpu for name in names if name in standings}
        history.append(held)
        points.append(tuple(_point(name, held, play, usage) for name in names))
    parents = {queue.name: queue.parent for queue in scenario.queues}
    return Timeline(names, parents, capacity, tuple(points), scenario.k, scenario.time_aware)


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
