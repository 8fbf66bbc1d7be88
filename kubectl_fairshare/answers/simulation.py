"""What a simulation over time found: what became of each job, and what queues held. Data only.

Moments are nanoseconds since the epoch, durations nanoseconds, amounts in the units of ``model.amounts``.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from kubectl_fairshare.answers.dispersion import Dispersion, FigureBound, spread, spread_bounds
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, field

PoolResource: TypeAlias = tuple[str, str]
"""A pool (a flavor; empty where a scheduler has none) and a resource."""


class SimulatedEviction(NamedTuple):
    """An eviction: when, the job for which it was done (``namespace/name``), and the scheduler's rule, in short."""

    at: int
    by: str
    rule: str


class SimulatedJob(Value):
    """What became of one job. ``queue`` is the scheduler's queue, empty if it never got into one.

    ``admitted`` are the moments at which it started, in order; ``evictions`` those at which it had to stop.
    ``finished`` is None if it did not end within the simulation. ``lost`` is run time that evictions destroyed.
    ``refused``: why the scheduler never considers it; empty for all others. ``held`` is what so many units as it
    has hold if each holds what the last one did, by pool and resource.
    """

    job: TracedJob
    queue: str = ""
    admitted: list[int] = field(default_factory=list)
    evictions: list[SimulatedEviction] = field(default_factory=list)
    finished: int | None = None
    lost: int = 0
    refused: str = ""
    held: Mapping[PoolResource, int] = field(default_factory=dict)

    @property
    def started(self) -> bool:
        """Whether it ever started."""
        return bool(self.admitted)

    def waited(self, end: int) -> int:
        """The time that it waited for its first start; up to ``end``, so at least that, if it never started."""
        return (self.admitted[0] if self.admitted else end) - self.job.created


class QueueSeries(Value, frozen=True):
    """One queue at each moment of ``Simulation.moments``, and over the whole time.

    ``used`` and ``entitled`` (its own quota) are by pool and resource, ``waiting`` counts jobs; ``held`` is the exact
    integral of what it used over time (amount × nanoseconds). ``standing`` is the scheduler's own number by which it
    compares queues (a share, or past usage), None where it has none.
    """

    used: Mapping[PoolResource, tuple[int, ...]]
    entitled: Mapping[PoolResource, tuple[int, ...]]
    waiting: tuple[int, ...]
    held: Mapping[PoolResource, int]
    standing: tuple[float | None, ...] = ()


class UserSeries(Value, frozen=True):
    """A user within a queue, at each moment: what it holds, and its standing; None where it was not compared."""

    used: Mapping[PoolResource, tuple[int, ...]]
    standing: tuple[float | None, ...]


class Simulation(Value, frozen=True):
    """A simulated course of events, from ``start`` to ``end``.

    ``jobs`` are in the order of arrival. ``moments`` are those of the series of ``queues``, and of ``users``: those
    within queues whom the scheduler compares by past usage. ``ties`` counts the decisions that the scheduler leaves to
    chance; ``drawn``: ``seed`` decided something. ``cycles`` counts scheduling cycles and ``decisions`` nominations of
    single workloads. ``ended``: nothing can happen any more; ``endless``: it was broken
    off because jobs evict each other without end. ``notes`` say what the scheduler's house assumes, and ``fidelity``
    what its engine does not decide exactly. ``left_out`` is the work of the input that is not among the jobs.
    ``running`` counts jobs that still run at the end. ``to_come`` counts those that had not come by then, or that a
    later change might let in. ``idle_from`` is the moment from which nothing runs and nothing can happen, None if
    there is no such moment.
    """

    scheduler: str
    seed: int
    start: int
    end: int
    jobs: tuple[SimulatedJob, ...]
    moments: tuple[int, ...]
    queues: Mapping[str, QueueSeries]
    fidelity: Fidelity
    ties: int = 0
    drawn: bool = False
    cycles: int = 0
    decisions: int = 0
    ended: bool = True
    endless: bool = False
    notes: tuple[str, ...] = ()
    users: Mapping[str, UserSeries] = field(default_factory=dict)
    left_out: tuple[ObjectKey, ...] = ()
    running: int = 0
    to_come: int = 0
    idle_from: int | None = None

    @property
    def span(self) -> int:
        """The time over which it says what queues held: it leaves out idle time at the end."""
        return (self.end if self.idle_from is None else self.idle_from) - self.start

    @property
    def held_bound(self) -> FigureBound:
        """That of the part of their quotas that queues held over time.

        It stays so once nothing runs any more. Quotas that change are known at the samples alone.
        """
        quotas = (amounts for series in self.queues.values() for amounts in series.entitled.values())
        steady = all(len(set(amounts)) < 2 for amounts in quotas)
        return FigureBound.EXACT if self.idle_from is not None and steady else FigureBound.WINDOW

    @property
    def exact(self) -> bool:
        """Whether the scheduler itself would do the same, apart from ties and the assumptions in ``notes``."""
        return self.fidelity.settled


class JobWaits(NamedTuple):
    """How long jobs wait for their first start, in nanoseconds; ``wait`` is None without jobs.

    ``never`` counts those that never started, whose waiting is known up to the end alone; ``bounds`` has the figures
    that are lower bounds for that.
    """

    wait: Dispersion | None
    never: int
    jobs: int
    bounds: Mapping[str, FigureBound]


def waiting(jobs: Iterable[SimulatedJob], end: int) -> JobWaits:
    """The waiting of some jobs in a simulation that ended at ``end``."""
    considered = [job for job in jobs if not job.refused]
    known = [job.waited(end) for job in considered if job.started]
    least = [job.waited(end) for job in considered if not job.started]
    return JobWaits(spread((*known, *least)), len(least), len(considered), spread_bounds(known, least))
