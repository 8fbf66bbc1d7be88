"""A forecast: the work of a snapshot is played on from now, once for each seed, and the plays are summed up.

A job without a known duration ends in no play before a far moment, so that a start after that says in which order
work starts and what it waits for, and no time. Jobs of unknown duration end then in the order of their starts.
Why not one play with mean durations: two jobs run 1 or 3 hours each, and a third needs the room of both. It starts
after 3 hours in three of four cases, after 1 in one, and after 2 in none.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.answers.fidelity import DURATIONS, Fidelity, Gap
from kubectl_fairshare.answers.forecast import (
    DurationSource,
    Forecast,
    ForecastDuration,
    ForecastVerdict,
    Interval,
    LaterPreemption,
    RunningForecast,
    WaitingForecast,
)
from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.policy.forecast.durations import DurationOptions, Durations, PastRuns, drawn
from kubectl_fairshare.policy.forecast.loops import loop_of
from kubectl_fairshare.policy.forecast.waits import Ends, GroupCourse
from kubectl_fairshare.policy.simulation.parameters import UNSAMPLED, Parameters
from kubectl_fairshare.policy.simulation.run import CommonBeginning
from kubectl_fairshare.schedulers.adoption import Adoption, StandingJob
from kubectl_fairshare.schedulers.scheduler import Scheduler

_SECOND: Final = 10**9
_DAY: Final = 86400 * _SECOND
_FARTHEST: Final = 100 * _DAY
_NEAREST: Final = 7 * _DAY
_AGES: Final = 36500 * _DAY
"""Where all durations are known, each start before this has a time."""
_APART: Final = 60 * _SECOND
"""How far from each other the ends of running jobs of unknown duration are, so that each is a step of its own."""
Rank: TypeAlias = tuple[int, int]
"""A start of one play: 0 and its moment, 1 and the moment of one that has no time, 2 where there is none."""
NEVER: Final[Rank] = (2, 0)
_ASSUMED: Final = "nothing else is submitted, no quota changes, and the pods of a job end together"
_BROKEN_OFF: Final = "not played to the end: jobs evict each other without end"
_IN_ORDER: Final = "running jobs of unknown duration end in the order in which they started"


class ForecastTerms(Value, frozen=True):
    """How to forecast: from when, over how many seeds, with which durations; ``past`` are more jobs that have ended."""

    now: int
    now_source: str = ""
    plays: int = 20
    durations: DurationOptions = DurationOptions()
    past: tuple[TracedJob, ...] = ()
    parameters: Parameters = Parameters()


class PlayTask(NamedTuple):
    """One play: the durations of jobs by name, as far as they end, and the parameters.

    No job ends before the moment ``alike`` in this play or in any other that is made with it.
    """

    spans: Mapping[str, int]
    parameters: Parameters
    alike: int

    def timed(self, jobs: Iterable[StandingJob]) -> tuple[StandingJob, ...]:
        """The jobs, each with its duration."""
        return tuple(replace(each, job=replace(each.job, duration=self.spans.get(each.job.key))) for each in jobs)


PlayAll: TypeAlias = Callable[[Iterable[PlayTask]], Iterable[Simulation]]
"""Plays the jobs on for each task, in the order of the tasks."""


class Plays(NamedTuple):
    """All plays, and each job in each of them by its name."""

    simulations: Sequence[Simulation]
    jobs: Mapping[str, Sequence[SimulatedJob]]


class Horizon(NamedTuple):
    """From when on is played, and how long after that what is not known ends: what comes later has no time."""

    now: int
    far: int

    def rank(self, at: int | None, *, endless: bool = False) -> Rank:
        """How what comes at a moment in one play is compared with other plays; None: it never comes.

        In an ``endless`` play, which was broken off, it may come after that.
        """
        if at is None:
            return (1, self.now + self.far) if endless else NEVER
        # What has no time is compared by its order all the same: it is later than all that has one.
        return int(at - self.now >= self.far), at

    def starts(self, plays: Plays, name: str) -> list[Rank]:
        """The first start of a job in each play."""
        pairs = zip(plays.jobs[name], plays.simulations, strict=True)
        return [self.rank(_first_start(found), endless=play.endless) for found, play in pairs]


def horizon_of(durations: Mapping[str, ForecastDuration], now: int) -> Horizon:
    """Not farther than needed: a scheduler that counts past usage samples it all the time until then."""
    ending = [each for each in durations.values() if each.source is not DurationSource.LASTING]
    known = [each.spans[-1] for each in ending if each.spans]
    if len(known) == len(ending):
        # Each duration is known: no moment is needed at which unknown ones end.
        return Horizon(now, _AGES)
    in_a_row = min(sum(known), _FARTHEST)  # the known ones end before, even one after the other
    return Horizon(now, min(max(_NEAREST, in_a_row, *known), _AGES))


def forecast(
    scheduler: Scheduler,
    snapshot: Snapshot,
    work: Adoption,
    terms: ForecastTerms,
    asked: Sequence[str] = (),
    play_all: PlayAll | None = None,
) -> Forecast:
    """When the work of the snapshot that waits starts. ``asked`` are the jobs that are listed; without any, all.

    ``play_all`` plays the work on elsewhere; without it, that is done here.
    """
    past = PastRuns((*scheduler.history(snapshot).jobs, *terms.past), work.owners)
    lengths = Durations(terms.durations, past, terms.now)
    durations = {each.job.key: lengths.of(each) for each in work.jobs}
    horizon = horizon_of(durations, terms.now)

    player = Player(scheduler, snapshot, work, terms.now)
    plays = played(work.jobs, terms, durations, play_all or player.play_all, horizon)
    finished = {name: [horizon.rank(each.finished) for each in found] for name, found in plays.jobs.items()}
    evicted = {name: [horizon.rank(_first_eviction(each)) for each in found] for name, found in plays.jobs.items()}
    ends = Ends(_intervals(finished), _intervals(evicted), durations)
    standing = {each.job.key: each for each in work.jobs}
    courses = _Courses(plays, standing, terms.now)
    waiting = [_waiting(each, courses, horizon, ends) for each in _in_order(work, plays, horizon)]
    numbered = [replace(each, place=place) for place, each in enumerate(waiting, 1)]
    running = [_running(each, plays, ends) for each in work.jobs if each.runs]
    shown = {key for key in standing if not asked or key in asked}
    listed = tuple(each for each in numbered if each.job.key in shown)
    met = (gap for simulation in plays.simulations for gap in simulation.fidelity.gaps)
    engine = plays.simulations[0].fidelity.with_gaps((*met, *work.gaps))
    return Forecast(
        scheduler=scheduler.name,
        now=terms.now,
        now_source=terms.now_source,
        seed=terms.parameters.seed,
        plays=terms.plays,
        waiting=listed,
        running=tuple(sorted((r for r in running if r.job.key in shown), key=_by_end)),
        engine=engine,
        fidelity=_over_ties(engine, plays).with_gaps(_duration_gaps(durations, _that_matter(numbered, asked, work))),
        notes=(*_broken_off(plays), *_notes(plays), _ASSUMED, *_order_notes(durations, standing)),
        asked=tuple(asked),
        endless=any(each.endless for each in plays.simulations),
        titles={name: f"{each.job.namespace}/{each.keys[0].name}" for name, each in standing.items()},
    )


class Player:
    """Plays the work of a snapshot on, task by task; what all of them have in common, once."""

    def __init__(self, scheduler: Scheduler, snapshot: Snapshot, work: Adoption, now: int) -> None:
        self._scheduler = scheduler
        self._snapshot = snapshot
        self._work = work
        self._now = now
        self._known: tuple[object, CommonBeginning] | None = None

    def play(self, task: PlayTask) -> Simulation:
        """One play."""
        return self._beginning(task).play(task.timed(self._work.jobs), task.parameters.seed)

    def play_all(self, tasks: Iterable[PlayTask]) -> Iterator[Simulation]:
        """All plays, one after another."""
        return map(self.play, tasks)

    def _beginning(self, task: PlayTask) -> CommonBeginning:
        about = task.alike, replace(task.parameters, seed=0), task.spans.keys()
        if self._known is None or self._known[0] != about:
            work = replace(self._work, jobs=task.timed(self._work.jobs))
            begun = CommonBeginning(self._scheduler, self._snapshot, work, task.parameters, self._now, task.alike)
            self._known = about, begun
        return self._known[1]


def played(
    standing: Sequence[StandingJob],
    terms: ForecastTerms,
    durations: Mapping[str, ForecastDuration],
    play_all: PlayAll,
    horizon: Horizon,
) -> Plays:
    """A play for each seed. Where neither durations nor what the seed decides make them differ, the first is all."""
    unknown = _unknown_spans(standing, horizon, durations)
    spans = {name: (unknown[name],) if name in unknown else each.spans for name, each in durations.items()}
    alike = _first_end(standing, spans, terms.now)

    def task(number: int) -> PlayTask:
        seed = terms.parameters.seed + number
        known = {name: span for name, span in drawn(durations, seed).items() if span is not None}
        return PlayTask({**unknown, **known}, replace(terms.parameters, seed=seed, sample=UNSAMPLED), alike)

    found = [*play_all([task(0)])]
    if found[0].drawn or any(len(set(each.spans)) > 1 for each in durations.values()):
        found += play_all(map(task, range(1, terms.plays)))
    else:
        found *= terms.plays
    by_job: dict[str, list[SimulatedJob]] = {}
    for simulation in found:
        for each in simulation.jobs:
            by_job.setdefault(each.job.key, []).append(each)
    return Plays(found, by_job)


def _first_end(standing: Sequence[StandingJob], spans: Mapping[str, Sequence[int]], now: int) -> int:
    """A moment before which no job ends, whichever of its durations it has."""
    found = (
        min(each.since.values(), default=now) + min(spans[each.job.key]) for each in standing if spans[each.job.key]
    )
    return min(found, default=now)


def _unknown_spans(
    jobs: Sequence[StandingJob], horizon: Horizon, durations: Mapping[str, ForecastDuration]
) -> Mapping[str, int]:
    """Spans for jobs of unknown duration: those that run end after the far moment, the oldest first."""
    now, far = horizon
    unknown = [each for each in jobs if durations[each.job.key].source is DurationSource.UNKNOWN]
    first = {each.job.key: min(each.since.values()) for each in unknown if each.since}
    later = {each.job.key: far for each in unknown if not each.since}
    order = sorted(first, key=lambda name: (first[name], name))
    return {**later, **{name: now - first[name] + far + place * _APART for place, name in enumerate(order)}}


# --- summing up


def _first_start(found: SimulatedJob) -> int | None:
    return found.admitted[0] if found.admitted else None


def _first_eviction(found: SimulatedJob) -> int | None:
    return found.evictions[0].at if found.evictions else None


def _intervals(by_job: Mapping[str, Sequence[Rank]]) -> dict[str, Interval]:
    return {name: interval_of(ranks) for name, ranks in by_job.items()}


def interval_of(ranks: Sequence[Rank]) -> Interval:
    """The median, and the moments that one more play is before in at most one of ten cases, and after in one.

    What comes is as one more play: it is before the second of 20 in one of 21 cases or two, as often as before any.
    Why not what 10 % and 90 % of the plays are before: between the 2nd and the 18th of 20 are 16 of the 21 places of
    one more, 76 %. Between the 2nd and the 19th are 81 %.
    """
    # Ranks, not moments: "never" and "without a time" are larger than any moment.
    ordered, places = sorted(ranks), len(ranks) + 1
    early, late = max(places // 10, 1), min(-(-9 * places // 10), len(ranks))
    chosen = ordered[early - 1], median_of(ordered), ordered[late - 1]
    return Interval(*(at if kind == 0 else None for kind, at in chosen))


def median_of(ranks: Sequence[Rank]) -> Rank:
    """The smallest value that at least half of them do not exceed."""
    return sorted(ranks)[(len(ranks) - 1) // 2]


_VERDICTS: Final = (ForecastVerdict.STARTS, ForecastVerdict.UNTIMED, ForecastVerdict.NO_START)


def _in_order(work: Adoption, plays: Plays, horizon: Horizon) -> list[StandingJob]:
    """The jobs that wait, by their starts."""

    def place(each: StandingJob) -> tuple[Rank, int, str]:
        return median_of(horizon.starts(plays, each.job.key)), each.job.created, each.job.key

    return sorted((each for each in work.jobs if not each.runs), key=place)


class _Courses:
    """What happens in each play to each group of jobs that share quota, as far as it is asked for."""

    def __init__(self, plays: Plays, standing: Mapping[str, StandingJob], now: int) -> None:
        self.plays = plays
        self._standing = standing
        self._now = now
        self._running = frozenset(name for name, each in standing.items() if each.runs)
        self._known: dict[tuple[int, str], GroupCourse] = {}

    def of(self, play: int, group: str) -> GroupCourse:
        """The course of one group in one play."""
        if (play, group) not in self._known:
            every = self.plays.simulations[play].jobs
            own = (each for each in every if self._standing[each.job.key].group == group)
            self._known[play, group] = GroupCourse(own, self._running, self._now)
        return self._known[play, group]


def _waiting(each: StandingJob, courses: _Courses, horizon: Horizon, ends: Ends) -> WaitingForecast:
    found = courses.plays.jobs[each.job.key]
    ranks = horizon.starts(courses.plays, each.job.key)
    median = median_of(ranks)
    # The course that is shown is one that was played: that of the first play with the middle start.
    shown = ranks.index(median)
    own, course = found[shown], courses.of(shown, each.group)
    until = own.admitted[0] if own.admitted else horizon.now
    return WaitingForecast(
        job=each.job,
        keys=each.keys,
        queue=own.queue or each.queue,
        place=0,
        verdict=_VERDICTS[median[0]],
        starts=interval_of(ranks),
        unstarted=sum(rank == NEVER for rank in ranks),
        duration=ends.durations[each.job.key],
        awaits=course.awaited(own, until, ends) if until > horizon.now else (),
        before=course.before(own, until),
        preemption=_preemption(found),
        refused=own.refused,
    )


def _running(each: StandingJob, plays: Plays, ends: Ends) -> RunningForecast:
    found = plays.jobs[each.job.key]
    return RunningForecast(
        job=each.job,
        keys=each.keys,
        queue=each.queue,
        since=min(each.since.values()),
        ends=ends.at[each.job.key],
        duration=ends.durations[each.job.key],
        preemption=_preemption(found),
    )


def _preemption(found: Sequence[SimulatedJob]) -> LaterPreemption | None:
    """Who a job is preempted for first, and in how many plays that happens to it; None if in none."""
    firsts = [each.evictions[0] for each in found if each.evictions]
    if not firsts:
        return None
    # The most frequent; of equally frequent ones by name, so that the answer is the same each time.
    (by, rule), _ = min(Counter((e.by, e.rule) for e in firsts).items(), key=lambda item: (-item[1], item[0]))
    return LaterPreemption(len(firsts), by, rule)


def _by_end(each: RunningForecast) -> tuple[bool, int, str]:
    return each.ends.median is None, each.ends.median or 0, each.job.key


# --- what is not known


def _over_ties(engine: Fidelity, plays: Plays) -> Fidelity:
    """The fidelity of a sample of the outcomes that ties allow, if there were any."""
    if not any(simulation.ties for simulation in plays.simulations):
        return engine
    outcomes = {tuple(tuple(each.admitted) for each in simulation.jobs) for simulation in plays.simulations}
    return replace(engine, outcomes=max(engine.outcomes, len(outcomes)), all_outcomes=False)


def _that_matter(waiting: Iterable[WaitingForecast], asked: Sequence[str], work: Adoption) -> set[str]:
    """The jobs whose durations the answer rests on: all that share quota with one in question.

    One that never starts does so without regard to them: at the end of every play, all that started has ended.
    """
    open_to_time = {each.job.key for each in waiting if each.verdict is not ForecastVerdict.NO_START}
    running = {each.job.key for each in work.jobs if each.runs}
    meant = (open_to_time | running).intersection(asked or open_to_time | running)
    groups = {each.group for each in work.jobs if each.job.key in meant}
    return {each.job.key for each in work.jobs if each.group in groups and each.job.key in open_to_time | running}


def _duration_gaps(durations: Mapping[str, ForecastDuration], matter: set[str]) -> Iterator[Gap]:
    """The gap for durations that the user did not give, or that a job has outrun: a number for each source."""
    sources = Counter(durations[name].source for name in matter)
    texts = [f"{sources[source]} {word}" for source, word in _SOURCE_WORDS.items() if sources[source]]
    given = (durations[name] for name in matter if durations[name].source is DurationSource.GIVEN)
    outrun = sum(each.elapsed > each.spans[-1] for each in given)
    texts += [f"{outrun} longer than given"] if outrun else []
    if texts:
        yield Gap(DURATIONS, (), touches=True, subject=", ".join(texts))


_SOURCE_WORDS: Final = {
    DurationSource.LIMIT: "by a stated limit",
    DurationSource.PAST: "drawn from the past",
    DurationSource.DEFAULT: "by the default",
    DurationSource.UNKNOWN: "unknown",
}


def _notes(plays: Plays) -> Iterable[str]:
    """What is assumed in any of the plays."""
    return dict.fromkeys(note for simulation in plays.simulations for note in simulation.notes)


def _broken_off(plays: Plays) -> Iterator[str]:
    """That a play was broken off, and the loop of the first one."""
    found = next((each for each in plays.simulations if each.endless), None)
    if found is not None:
        yield f"{_BROKEN_OFF}: {'; '.join(loop_of(found))}"


def _order_notes(durations: Mapping[str, ForecastDuration], standing: Mapping[str, StandingJob]) -> Iterator[str]:
    unknown = (name for name, each in durations.items() if each.source is DurationSource.UNKNOWN)
    if any(standing[name].since for name in unknown):
        yield _IN_ORDER
