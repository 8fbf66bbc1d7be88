"""What a cluster recorded at one moment: which jobs ran, which waited, and a simulation that continues from there.

Tested in ``tests/unit/policy/simulation/test_record.py``.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.values import replace


class Run(NamedTuple):
    """A run of a job: when it was admitted, and when it was evicted or finished; None where it still ran."""

    start: int
    stop: int | None


class RecordedState(NamedTuple):
    """The recorded state of a moment: each job that has not finished, and when it enters, by ``namespace/name``.

    A job that runs enters when it was admitted; one that waits, a nanosecond after the moment, so that all that run
    do by then; one that comes later, then.
    """

    jobs: Sequence[TracedJob]
    enters: dict[str, int]


def runs_of(job: TracedJob) -> tuple[Run, ...] | None:
    """The runs of a job; None where the record lacks a moment of one."""
    starts = starts_of(job)
    stops: list[int | None] = [*stops_of(job)]
    if len(starts) == len(stops) + 1:
        stops.append(None)
    runs = tuple(map(Run, starts, stops))
    is_whole = len(starts) == len(stops) and all(run.stop is None or run.start <= run.stop for run in runs)
    in_turn = all(before.stop is not None and before.stop <= after.start for before, after in pairwise(runs))
    return runs if is_whole and in_turn else None


def starts_of(job: TracedJob) -> tuple[int, ...]:
    """The recorded admissions of a job, in order."""
    return () if job.admitted is None else (job.admitted, *job.readmitted)


def stops_of(job: TracedJob) -> tuple[int, ...]:
    """The recorded evictions of a job, in order, and its end."""
    return (*(each.at for each in job.evictions), *(() if job.finished is None else (job.finished,)))


def recorded_at(jobs: Iterable[TracedJob], moment: int) -> RecordedState | None:
    """The state just after ``moment``; None where the record does not say which jobs ran."""
    found: list[TracedJob] = []
    enters: dict[str, int] = {}
    for job in jobs:
        if job.finished is not None and job.finished <= moment:
            continue
        if job.created > moment:
            found.append(job)
            continue
        runs = runs_of(job)
        if runs is None:
            return None
        run = run_at(runs, moment)
        enters[job.key] = moment + 1 if run is None else run.start
        found.append(job if run is None else _running(job, run))
    return RecordedState(found, enters)


def run_at(runs: Iterable[Run], moment: int) -> Run | None:
    """The run that goes on just after ``moment``; None if the job waits then."""
    return next((each for each in runs if each.start <= moment and (each.stop is None or moment < each.stop)), None)


def _running(job: TracedJob, run: Run) -> TracedJob:
    """The job of a run: it lasts at least as long as the run is known to have lasted."""
    if job.duration is None or run.stop is None:
        return job
    return replace(job, duration=max(job.duration, run.stop - run.start))


def recorded_moments(jobs: Iterable[TracedJob]) -> list[int]:
    """The moments at which a job was admitted, evicted or finished, each once, in order."""
    return sorted({at for job in jobs for at in (*starts_of(job), *stops_of(job))})
