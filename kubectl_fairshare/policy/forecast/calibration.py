"""Forecasts made at moments of a recorded past, compared with what happened afterwards.

At each moment the jobs that ran by then have entered when the record says, and those that waited are tried. Only what
was known at that moment is used: the runs that had ended, and no job that came later.
Why not use the whole record: a forecast for 10:00 that knows of runs which ended at 11:00 looks better than any that
could have been made.
Tested in ``tests/unit/policy/forecast/test_calibration.py``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from kubectl_fairshare.answers.dispersion import spread
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.forecast import DurationSource, ForecastDuration, Interval
from kubectl_fairshare.answers.forecast_calibration import ForecastCalibration, LeadFigures, StartErrors
from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.forecast.durations import Durations, PastRuns
from kubectl_fairshare.policy.forecast.plays import (
    NEVER,
    ForecastTerms,
    PlayTask,
    horizon_of,
    interval_of,
    median_of,
    played,
)
from kubectl_fairshare.policy.simulation.calibration import refusals
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.record import RecordedState, recorded_at, runs_of, starts_of, stops_of
from kubectl_fairshare.policy.simulation.resuming import NEAR
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers.adoption import StandingJob
from kubectl_fairshare.schedulers.scheduler import Scheduler

_SECOND: Final = 10**9
_HOUR: Final = 3600 * _SECOND
LEADS: Final = (600 * _SECOND, _HOUR, 4 * _HOUR, 24 * _HOUR, None)
"""How far ahead forecasts of one row of figures are at most."""
_NO_ERRORS: Final = StartErrors(0, None, 0.0)


class _Compared(NamedTuple):
    """One forecast with a time, and the recorded start; None if there was none by the end of the trace."""

    lead: int
    interval: Interval
    actual: int | None


class _Outcomes:
    """What the forecasts of all moments found."""

    def __init__(self) -> None:
        self.jobs: set[str] = set()
        self.compared: list[_Compared] = []
        self.recorded: list[int] = []
        self.foreseen: list[int] = []
        self.counts: Counter[str] = Counter()
        self.sources: Counter[DurationSource] = Counter()
        self.notes: dict[str, None] = {}
        self.gaps: dict[Gap, None] = {}
        self.refused: dict[str, SimulatedJob] = {}


def calibrated_forecasts(
    scheduler: Scheduler,
    snapshot: Snapshot,
    jobs: Sequence[TracedJob],
    terms: ForecastTerms,
    moments: int,
    until: int | None = None,
    report_done: Callable[[int, int], None] = lambda *_: None,
) -> ForecastCalibration | None:
    """The comparison at ``moments`` moments, spread evenly over the time in which jobs waited; None if none waited.

    ``snapshot`` has the policy that was in force; its own work is left out. ``until`` is the last moment that the
    trace knows of. ``report_done`` is called with how many moments have been asked about, of how many.
    """
    ends = [at for job in jobs for at in (job.created, *starts_of(job), *stops_of(job))]
    end = max([*ends, *([] if until is None else [until])], default=0)
    chosen = _moments(jobs, moments)
    if not chosen:
        return None
    found = _Outcomes()
    past = _Past(scheduler, snapshot, jobs, terms, end)
    states = [(at, recorded_at(jobs, at)) for at in chosen]
    for number, (at, state) in enumerate(states, 1):
        if state is not None:
            past.ask(at, state, found)
        report_done(number, len(states))
    first = past.fidelity
    errors = [_errors(distances) for distances in (found.recorded, found.foreseen)]
    return ForecastCalibration(
        scheduler=scheduler.name,
        version=scheduler.version,
        start=min(ends),
        end=end,
        moments=sum(state is not None for _, state in states),
        plays=terms.plays,
        jobs=len(found.jobs),
        every=_figures(None, found.compared),
        leads=tuple(_by_lead(found.compared)),
        untimed=found.counts["untimed"],
        unknown=found.counts["unknown"],
        no_start=found.counts["no start"],
        refuted=found.counts["refuted"],
        sources={each: found.sources[each] for each in DurationSource},
        recorded=errors[0],
        foreseen=errors[1],
        unread=sum(state is None for _, state in states),
        displaced=found.counts["displaced"],
        tolerance=NEAR,
        fidelity=first.with_gaps(found.gaps),
        notes=(*refusals(tuple(found.refused.values())), *found.notes),
    )


def _moments(jobs: Iterable[TracedJob], number: int) -> list[int]:
    """So many moments, spread evenly over the time in which jobs waited that started later."""
    spans = sorted(span for job in jobs for span in _waits(job))
    busy: list[tuple[int, int]] = []
    for start, stop in spans:
        if busy and start <= busy[-1][1]:
            busy[-1] = busy[-1][0], max(busy[-1][1], stop)
        else:
            busy.append((start, stop))
    whole = sum(stop - start for start, stop in busy)
    found, passed, each = [], 0, 0
    for start, stop in busy:
        # The middle of each of so many equal parts, in whole nanoseconds.
        while each < number and (2 * each + 1) * whole < 2 * number * (passed + stop - start):
            found.append(start + (2 * each + 1) * whole // (2 * number) - passed)
            each += 1
        passed += stop - start
    return list(dict.fromkeys(found))


def _waits(job: TracedJob) -> Iterator[tuple[int, int]]:
    """From when until when a job waited each time, if longer than a scheduler takes to start one that fits."""
    runs = runs_of(job) or ()
    since = [job.created, *(run.stop for run in runs if run.stop is not None)]
    yield from ((at, run.start) for at, run in zip(since, runs, strict=False) if run.start - at > NEAR)


class _Past:
    """The record, and the forecasts from its moments."""

    def __init__(
        self, scheduler: Scheduler, snapshot: Snapshot, jobs: Sequence[TracedJob], terms: ForecastTerms, end: int
    ) -> None:
        self._terms = terms
        self._jobs = jobs
        self._end = end
        self._ended = sorted((job for job in jobs if job.finished is not None), key=_finished)
        self._starts = {job.key: starts_of(job) for job in jobs}
        self._play = partial(simulate, scheduler, snapshot)
        self.fidelity = simulate(scheduler, snapshot, (), Parameters()).fidelity

    def ask(self, at: int, state: RecordedState, found: _Outcomes) -> None:
        """The forecast of one moment for all jobs that waited then, compared."""
        there = [job for job in state.jobs if job.created <= at]
        standing = [_standing(job, state.enters[job.key], at) for job in there]
        waiting = [each.job.key for each in standing if not each.runs]
        if not waiting:
            return
        durations = self._durations(standing, at)
        found.sources.update(each.source for each in durations.values())

        def play_all(tasks: Iterable[PlayTask]) -> Iterator[Simulation]:
            for task in tasks:
                yield self._play([each.job for each in task.timed(standing)], task.parameters, (), state.enters)

        terms = replace(self._terms, now=at)
        horizon = horizon_of(durations, at)
        plays = played(standing, terms, durations, play_all, horizon)
        first = plays.simulations[0]
        refused = {each.job.key: each for each in first.jobs if each.refused}
        found.refused |= refused
        found.counts["displaced"] += sum(
            not each.admitted or each.admitted[0] > at for each in first.jobs if state.enters[each.job.key] <= at
        )
        for simulation in (first, plays.simulations[-1]):
            found.notes |= dict.fromkeys(simulation.notes)
            found.gaps |= dict.fromkeys(simulation.fidelity.gaps)
        for name in waiting:
            if name not in refused:
                found.jobs.add(name)
                self._compare(name, at, horizon.starts(plays, name), found)
        self._compare_recorded(at, state, waiting, found)

    def _durations(self, standing: Sequence[StandingJob], at: int) -> dict[str, ForecastDuration]:
        """As a forecast at that moment would take them: no shorter than a job has run already."""
        # The past as it was known at that moment.
        ended = (job for job in self._ended if _finished(job) <= at)
        lengths = Durations(self._terms.durations, PastRuns((*self._terms.past, *ended), {}), at)
        found = {each.job.key: lengths.of(each) for each in standing}
        return {
            name: replace(each, spans=tuple(max(span, each.elapsed) for span in each.spans))
            for name, each in found.items()
        }

    def _next_start(self, name: str, at: int) -> int | None:
        return next((start for start in self._starts[name] if start > at), None)

    def _compare(self, name: str, at: int, ranks: Sequence[tuple[int, int]], found: _Outcomes) -> None:
        """One forecast: with a time, without one, or that it does not start."""
        actual = self._next_start(name, at)
        kind, median = median_of(ranks)
        if (kind, median) == NEVER:
            found.counts["no start"] += 1
            found.counts["refuted"] += actual is not None
        elif kind:
            found.counts["untimed"] += 1
        else:
            interval = interval_of(ranks)
            # The trace ends before this forecast could be wrong.
            if actual is None and (interval.late is None or interval.late + NEAR >= self._end):
                found.counts["unknown"] += 1
            else:
                found.compared.append(_Compared(median - at, interval, actual))

    def _compare_recorded(self, at: int, state: RecordedState, waiting: Sequence[str], found: _Outcomes) -> None:
        """The same with what was recorded: durations alone, and with the jobs that came later."""
        actual = {name: start for name in waiting if (start := self._next_start(name, at)) is not None}
        if not actual:
            return
        last = max(actual.values())
        # Twice as far as the last recorded start: what starts later than it did is still seen to start.
        parameters = replace(self._terms.parameters, end=2 * last - at + _HOUR)
        there = [job for job in state.jobs if job.created <= at]
        coming = [job for job in state.jobs if job.created <= last]
        for jobs, errors in ((there, found.recorded), (coming, found.foreseen)):
            simulation = self._play(jobs, parameters, (), state.enters)
            for each in simulation.jobs:
                if each.admitted and each.job.key in actual:
                    errors.append(each.admitted[0] - actual[each.job.key])


def _finished(job: TracedJob) -> int:
    return job.finished or 0


def _standing(job: TracedJob, enters: int, at: int) -> StandingJob:
    """A job of the record as a forecast takes it: it runs if it entered by the moment."""
    since = {job.key: enters} if enters <= at else {}
    keys = (ObjectKey("", "job", job.namespace, job.name),)
    return StandingJob(job=job, keys=keys, units=(job.key,), queue=job.queue, group="", since=since)


# --- figures


def _by_lead(compared: Sequence[_Compared]) -> Iterator[LeadFigures]:
    """The figures of each distance, the nearest first."""
    least = 0
    for below in LEADS:
        there = [each for each in compared if least <= each.lead and (below is None or each.lead < below)]
        yield _figures(below, there)
        least = below or least


def _figures(below: int | None, compared: Sequence[_Compared]) -> LeadFigures:
    places = Counter(map(_place, compared))
    errors = [median - each.actual for each in compared if (median := each.interval.median) and each.actual is not None]
    return LeadFigures(below, places["covered"], places["early"], places["late"], _errors(errors))


def _place(each: _Compared) -> str:
    """Where the start was, within what a scheduler takes to start a job that fits."""
    if each.actual is not None and each.interval.early is not None and each.actual + NEAR < each.interval.early:
        return "early"
    if each.interval.late is not None and (each.actual is None or each.actual > each.interval.late + NEAR):
        return "late"
    return "covered"


def _errors(errors: Sequence[int]) -> StartErrors:
    if not errors:
        return _NO_ERRORS
    return StartErrors(len(errors), spread(abs(each) for each in errors), sum(errors) / len(errors))
