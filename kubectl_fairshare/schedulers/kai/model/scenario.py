"""A scenario of queues and jobs over time, as it is played forward. Spans are in cycles."""

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.model.objects import Queue, TimeAware


@dataclass(frozen=True, slots=True)
class Backlog:
    """Jobs of one queue that are all alike: ``pods`` of ``gpus`` each, of which ``minimum`` run or none.

    They come at the cycle ``start``, and are done after ``duration`` cycles of running, never where it is None.
    """

    queue: str
    gpus: float
    pods: int = 1
    jobs: int = 1
    minimum: int = 1
    start: int = 0
    duration: int | None = None
    preemptible: bool = True


@dataclass(frozen=True, slots=True)
class SimulationScenario:
    """What is played. ``window`` is in cycles, and so is ``half_life``, 0 without decay."""

    queues: tuple[Queue, ...]
    nodes: tuple[float, ...]
    backlogs: tuple[Backlog, ...]
    cycles: int = 100
    window: int = 5
    half_life: float = 0.0
    k: float = 1.0
    time_aware: TimeAware = TimeAware.KAI
    reclaim_min_runtime: int = 0
