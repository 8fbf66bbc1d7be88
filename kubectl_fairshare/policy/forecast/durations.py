"""How long jobs run: the only guess of a forecast, from the first source that there is, which is always named.

In this order: what the user gives, a limit that the job's objects state, the past of the same owner, of the same stem
of a name, of the same queue, and a default that the user gives. What ran longer than the job has run already counts
alone.
Why not the mean of the past: of runs of 1, 1 and 10 hours the mean is 4, and nothing ran that long; each play draws one
of the runs. A job that has run 3 hours already has only the last to draw from, which is too few, so the next source
counts.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import accumulate, islice
from typing import Final, NamedTuple

from kubectl_fairshare.answers.forecast import DurationSource, ForecastDuration
from kubectl_fairshare.model.chance import Chance
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.policy.simulation.parameters import NamedSpan
from kubectl_fairshare.schedulers.adoption import StandingJob, names_of_job

LEAST_RUNS: Final = 3
"""Runs that a past must have: fewer say little of the next one."""
LATEST_RUNS: Final = 100
"""The runs of a past that count, those that ended last: what people run changes from day to day."""
_NUMBER: Final = r"\d+"
_HASHES: Final = (r"(?=.*\d)[0-9a-f]{5}", r"[bcdfghjklmnpqrstvwxz2456789]{5}", r"(?=.*\d)[0-9a-f]{8,40}")
"""What controllers append to names."""


class DurationOptions(NamedTuple):
    """What the user gives: durations by patterns of names, of which the first that fits counts, and a default."""

    given: Sequence[NamedSpan] = ()
    default: int | None = None


def name_stem(name: str) -> str:
    """A name without the parts that only number it: ``nightly`` of ``nightly-7`` and of ``nightly-7-x4k2p``."""
    parts = re.split(r"([-_.])", name)
    while len(parts) > 2 and _is_serial(parts[-1]):
        parts = parts[:-2]
    return "".join(parts)


def _is_serial(part: str) -> bool:
    """Whether a part of a name is a number, or what a program appends to make it unique."""
    return any(re.fullmatch(each, part, re.ASCII) for each in (_NUMBER, *_HASHES))


class PastRuns:
    """How long earlier jobs ran, the latest first, by what they have in common with later ones; each has a number."""

    def __init__(self, jobs: Iterable[TracedJob], owners: Mapping[str, str]) -> None:
        self._runs: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        ended = {(job.key, job.finished): job for job in jobs}  # a trace may have what the snapshot has, too
        for number, job in enumerate(sorted(ended.values(), key=_latest_first)):
            if job.duration is not None and job.finished is not None:
                for kin in _kin(job, owners.get(job.key, "")):
                    self._runs.setdefault(kin, []).append((job.duration, number))

    def of(self, standing: StandingJob, elapsed: int) -> ForecastDuration | None:
        """The nearest past of a job with enough runs that were longer than it has run; None without one."""
        for kin in _kin(standing.job, standing.owner):
            longer = (run for run in self._runs.get(kin, ()) if run[0] > elapsed)
            # The latest first, then sorted: the last of them is the longest, which others ask for.
            found = sorted(islice(longer, LATEST_RUNS))
            if len(found) >= LEAST_RUNS:
                spans, runs = zip(*found, strict=True)
                said = _past_text(kin, len(found), elapsed)
                return ForecastDuration(DurationSource.PAST, said, spans, elapsed, runs)
        return None


def _latest_first(job: TracedJob) -> tuple[int, str]:
    return -(job.finished or 0), job.key


def _kin(job: TracedJob, owner: str) -> Iterator[tuple[str, ...]]:
    """What jobs have in common, the nearest first."""
    if owner:
        yield "owner", owner
    yield "stem", job.namespace, job.queue, name_stem(job.name)
    yield "queue", job.namespace, job.queue


def _past_text(kin: tuple[str, ...], runs: int, elapsed: int) -> str:
    longer = " that were longer than it has run" if elapsed else ""
    kind, *names = kin
    number = f"the last {runs}" if runs == LATEST_RUNS else str(runs)
    if kind == "owner":
        return f"{number} runs of {names[0]}{longer}"
    if kind == "stem":
        return f"{number} runs of {names[0]}/{names[2]}-*{longer}"
    return f"{number} runs in queue {'/'.join(names)}{longer}"


class Durations:
    """The durations of jobs that run or wait ``now``."""

    def __init__(self, options: DurationOptions, past: PastRuns, now: int) -> None:
        self._options = options
        self._past = past
        self._now = now

    def of(self, standing: StandingJob) -> ForecastDuration:
        """The duration of a job, from the first source that there is."""
        elapsed = max((self._now - since for since in standing.since.values()), default=0)
        for given in self._options.given:
            if any(fnmatchcase(name, given.pattern) for name in names_of_job(standing)):
                return ForecastDuration(DurationSource.GIVEN, f"--duration {given.pattern}", (given.span,), elapsed)
        # Before limits and the past: its pods end, but the room that it holds never becomes free.
        if standing.lasting:
            return ForecastDuration(DurationSource.LASTING, "it is made again whenever it ends", (), elapsed)
        if standing.limits:
            limit = standing.limits[0]
            return ForecastDuration(DurationSource.LIMIT, f"at most: {limit.place}", (limit.span,), elapsed)
        past = self._past.of(standing, elapsed)
        if past is not None:
            return past
        if self._options.default is not None:
            # One that has run longer ends now, not in the past.
            spans = (max(self._options.default, elapsed),)
            return ForecastDuration(DurationSource.DEFAULT, "--default-duration", spans, elapsed)
        return ForecastDuration(DurationSource.UNKNOWN, "no duration is known", (), elapsed)


def drawn(durations: Mapping[str, ForecastDuration], seed: int) -> dict[str, int | None]:
    """One span for each job, drawn by the seed; None where none is known. Each job has a draw of its own.

    What they have in common is how much each run of the past counts. That is drawn first, and once: if the long runs
    of a past count more, they do for all its jobs.
    Why not each run as much as the others: how often long jobs come is known only as well as some runs say it. 50 jobs
    one after another take 50 means, and the error of the mean of 10 runs is the same in all 50 draws; it does not
    cancel out. Source: D. B. Rubin, The Bayesian Bootstrap, 1981.
    """
    chance = Chance(seed)
    counts = _RunCounts(chance.bits())
    found: dict[str, int | None] = {}
    for name in sorted(durations):
        # A number for each job, also for one without spans: a duration that becomes known moves no other draw.
        duration, part = durations[name], chance.fraction()
        found[name] = counts.span(duration, part) if duration.spans else None
    return found


class _RunCounts:
    """How much each run of the past counts in one play: exponential numbers, so that their parts are as Dirichlet's."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._sums: dict[tuple[int, ...], list[float]] = {}

    def span(self, duration: ForecastDuration, part: float) -> int:
        """The span at this part, 0 to below 1, of all that the runs count together."""
        if not duration.runs:
            return duration.spans[int(part * len(duration.spans))]
        sums = self._sums.get(duration.runs)
        if sums is None:
            sums = self._sums[duration.runs] = [*accumulate(map(self._count, duration.runs))]
        return duration.spans[min(bisect_right(sums, part * sums[-1]), len(sums) - 1)]

    def _count(self, run: int) -> float:
        return Chance(self._seed + run).exponential(1.0)
