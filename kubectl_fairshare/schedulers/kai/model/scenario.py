"""A scenario of queues and jobs over time, for a simulation. Durations are in cycles."""

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.model.objects import Queue, TimeAware


class Backlog(Value, frozen=True):
    """Equal jobs of one queue: ``pods`` with ``gpus`` each; at least ``minimum`` of them run, or none.

    They start at the cycle ``start`` and end after ``duration`` cycles of running, or never if it is None.
    """

    queue: str
    gpus: float
    pods: int = 1
    jobs: int = 1
    minimum: int = 1
    start: int = 0
    duration: int | None = None
    preemptible: bool = True


class SimulationScenario(Value, frozen=True):
    """The input of a simulation. ``window`` and ``half_life`` are in cycles; a half-life of 0 means no decay."""

    queues: tuple[Queue, ...]
    nodes: tuple[float, ...]
    backlogs: tuple[Backlog, ...]
    cycles: int = 100
    window: int = 5
    half_life: float = 0.0
    k: float = 1.0
    time_aware: TimeAware = TimeAware.KAI
    reclaim_min_runtime: int = 0
