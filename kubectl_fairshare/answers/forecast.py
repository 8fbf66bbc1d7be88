"""What a forecast found: when each job that waits starts, what it waits for, and how long jobs are taken to run.

Moments are nanoseconds since the epoch, spans nanoseconds, amounts in the units of ``model.amounts``. Data only.
Tested in ``tests/unit/policy/forecast/test_forecast.py``.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from kubectl_fairshare.answers.answer import Maker
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value


class DurationSource(StrEnum):
    """Where the duration of a job comes from, the first that there is."""

    GIVEN = "given"
    LIMIT = "limit"
    PAST = "past"
    DEFAULT = "default"
    LASTING = "lasting"
    UNKNOWN = "unknown"


class ForecastDuration(Value, frozen=True):
    """How long a job is taken to run in all. ``said`` names the source; ``spans`` are sorted.

    None of them without a source. ``elapsed`` is how long it has run: the spans are longer, or it ends at once.
    ``runs`` are the numbers of the past runs that the spans are of: in one play, a run counts the same for all jobs.
    """

    source: DurationSource
    said: str
    spans: tuple[int, ...] = ()
    elapsed: int = 0
    runs: tuple[int, ...] = ()


class Interval(NamedTuple):
    """A moment as far as it is known: with 10 %, 50 % and 90 % it has come. None: it has no time."""

    early: int | None
    median: int | None
    late: int | None


class ForecastVerdict(StrEnum):
    """The outcome of a job that waits, in most plays.

    UNTIMED: it starts once work has ended whose duration is not known. NO_START: no end of work lets it start.
    """

    STARTS = "starts"
    UNTIMED = "untimed"
    NO_START = "noStart"


class Leaving(StrEnum):
    """How a job gives back what it holds."""

    ENDS = "ends"
    PREEMPTED = "preempted"


class AwaitedEnd(Value, frozen=True):
    """A job that gives back what a waiting job can use, and when; ``freed`` is by pool and resource."""

    job: str
    how: Leaving
    at: Interval
    freed: Mapping[PoolResource, int]
    duration: ForecastDuration


class LaterPreemption(Value, frozen=True):
    """A job may be preempted after its start: in how many plays, and for whom first in most of them."""

    plays: int
    by: str
    rule: str


class ForecastChange(Value, frozen=True):
    """A change that brings a job forward: what changes, who can make it, and when the job starts then.

    ``starts`` is over fewer plays than the forecast itself, with the first of its seeds.
    """

    change: str
    maker: Maker
    verdict: ForecastVerdict
    starts: Interval


class TriedChanges(Value, frozen=True):
    """The changes that were tried for a job: how many, in how many plays each, and those that help.

    ``before`` is its start over as many plays without a change.
    """

    tried: int
    plays: int
    before: Interval
    helping: tuple[ForecastChange, ...] = ()


class RunningForecast(Value, frozen=True):
    """A job that runs: when it gives back what it holds, and whether it is preempted before that."""

    job: TracedJob
    keys: tuple[ObjectKey, ...]
    queue: str
    since: int
    ends: Interval
    duration: ForecastDuration
    preemption: LaterPreemption | None = None


class WaitingForecast(Value, frozen=True):
    """A job that waits. ``place`` counts from 1 in the order of starts.

    ``unstarted`` counts the plays in which it never starts. ``awaits`` are in order, in the play in which it starts at
    the median; ``before`` are the jobs of each queue that start before it in that play, and share its quota.
    ``refused``: why it is not considered. ``changes``: what would bring it forward; None where nothing was tried.
    """

    job: TracedJob
    keys: tuple[ObjectKey, ...]
    queue: str
    place: int
    verdict: ForecastVerdict
    starts: Interval
    unstarted: int
    duration: ForecastDuration
    awaits: tuple[AwaitedEnd, ...] = ()
    before: Mapping[str, tuple[str, ...]] = {}
    preemption: LaterPreemption | None = None
    refused: str = ""
    changes: TriedChanges | None = None


class CitedLead(NamedTuple):
    """What a calibration says of forecasts from ``least`` to ``below`` ahead; no bound: to all that are farther.

    ``error`` is the median distance of starts, ``bias`` their mean with a sign, above 0: too late; spans are
    nanoseconds.
    """

    least: int
    below: int | None
    forecasts: int
    coverage: float
    error: int
    bias: int


class CitedCalibration(Value, frozen=True):
    """A calibration of earlier forecasts, as an answer cites it: its file, the time of its trace, and its figures.

    ``every`` is None where no forecast had a time. ``leads`` are by how far ahead forecasts were.
    """

    file: str
    start: int
    end: int
    every: CitedLead | None
    leads: tuple[CitedLead, ...]

    def of(self, lead: int) -> CitedLead | None:
        """What it says of a start so far ahead; None where it had no such forecast."""
        fitting = (each for each in self.leads if each.least <= lead and (each.below is None or lead < each.below))
        return next(fitting, None)


class Forecast(Value, frozen=True):
    """A forecast from ``now`` over ``plays``, each with another seed from ``seed`` on.

    ``waiting`` are by start, ``running`` by end; those that are ``asked`` about, by ``namespace/name``, or all if that
    is empty. ``now_source`` says where ``now`` comes from, empty for the clock or an option. ``engine`` is what the
    house does not decide exactly; ``fidelity`` also has durations that are not given, and ties. ``calibration`` says
    how far earlier forecasts were off, if one is at hand. ``titles`` are names of jobs for people, by
    ``namespace/name`` of what the scheduler knows.
    """

    scheduler: str
    now: int
    now_source: str
    seed: int
    plays: int
    waiting: tuple[WaitingForecast, ...]
    running: tuple[RunningForecast, ...]
    engine: Fidelity
    fidelity: Fidelity
    notes: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    endless: bool = False
    calibration: CitedCalibration | None = None
    titles: Mapping[str, str] = {}

    def title(self, name: str) -> str:
        """The name of a job for people."""
        return self.titles.get(name, name)

    def by_object(self) -> dict[ObjectKey, WaitingForecast]:
        """The jobs that wait, by each of their objects."""
        return {key: each for each in self.waiting for key in each.keys}
