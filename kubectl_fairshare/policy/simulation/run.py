"""A simulation by events: jobs arrive and end, policies change, and a scheduler's own cycles decide what runs.

Time moves from event to event. At one moment, changes come first, then ends, then arrivals, then cycles until nothing
moves any more.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final

from kubectl_fairshare.answers.fidelity import NOT_TRACED, Fidelity, Gap
from kubectl_fairshare.answers.simulation import SimulatedEviction, SimulatedJob, Simulation
from kubectl_fairshare.model.branching import branch
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.created import CreatedPods
from kubectl_fairshare.policy.simulation.parameters import Parameters, PolicyChange
from kubectl_fairshare.policy.simulation.returning import Returning
from kubectl_fairshare.policy.simulation.series import SeriesRecorder
from kubectl_fairshare.policy.simulation.work import WorkUnit
from kubectl_fairshare.schedulers.adoption import Adoption, StandingJob, names_of_job
from kubectl_fairshare.schedulers.replay import Moves, ReplayTerms, SchedulerReplay, SeededReplay
from kubectl_fairshare.schedulers.scheduler import Scheduler

_SHOWN: Final = 3


def simulate(
    scheduler: Scheduler,
    snapshot: Snapshot,
    jobs: Iterable[TracedJob],
    parameters: Parameters | None = None,
    changes: Sequence[PolicyChange] = (),
    enters: Mapping[str, int] | None = None,
    report_done: Callable[[int, int], None] = lambda *_: None,
) -> Simulation:
    """The outcome of the jobs under the policy of the snapshot, whose own work is left out.

    ``report_done`` is called with how many jobs have come, of how many.

    ``enters`` are the moments at which jobs arrive that were created at another one, by ``namespace/name``; their age
    is that of their creation. The same input gives the same result. Raises ``UsageError`` for a state on which nothing
    can be simulated.
    """
    chosen = parameters or Parameters()
    late = enters or {}
    arriving = sorted(((late.get(job.key, job.created), job) for job in jobs), key=_arrival)
    coming = sorted(changes, key=lambda change: change.at)
    first = min([at for at, _ in arriving[:1]] + [change.at for change in coming[:1]], default=0)
    terms = ReplayTerms(chosen.seed, first, chosen.stopping, lambda unit: chosen.ready_of(names_of(unit)))
    replay = scheduler.replay(scheduler.review.idle(snapshot), terms)
    course = _Events(scheduler, replay, arriving, coming, chosen, first, CreatedPods(snapshot, chosen.stopping))
    course.run(lambda left: report_done(len(arriving) - left, len(arriving)))
    traced = {(job.namespace, job.name) for _, job in arriving}
    own = (key for key in scheduler.review.work(snapshot) if (key.namespace, key.name) not in traced)
    return course.result(scheduler.name, tuple(own))


def play_on(
    scheduler: Scheduler,
    snapshot: Snapshot,
    work: Adoption,
    jobs: Iterable[TracedJob],
    parameters: Parameters,
    now: int,
    watch: Callable[[Moves], None] | None = None,
) -> Simulation:
    """The outcome of the work of the snapshot from ``now`` on, and of ``jobs`` that arrive later.

    Durations of the work are those of its jobs: the whole time that each needs, of which it may have run a part.
    ``watch`` sees the moves of each cycle.
    """
    course = _course_of(scheduler, snapshot, work, jobs, parameters, now)
    course.watch = watch
    course.run()
    return course.result(scheduler.name, ())


def names_of(unit: str) -> tuple[str, str]:
    """The names by which options mean a job of a trace: ``namespace/name``, and the name alone."""
    return unit, unit.rpartition("/")[2]


def _arrival(arriving: tuple[int, TracedJob]) -> tuple[int, int, str]:
    """The order in which jobs arrive."""
    at, job = arriving
    return at, job.created, job.key


def _about(left_out: Sequence[ObjectKey]) -> list[str]:
    """One sentence that counts the work of the input that is left out; none without."""
    names = [f"{key.kind} {key.namespace}/{key.name}" for key in left_out]
    if not names:
        return []
    return [f"running and waiting work of the input is not there: {len(names)}, {some_of(names, _SHOWN)}"]


class CommonBeginning:
    """What is the same in plays of one work, up to a moment ``before`` which no job ends in any of them: played once.

    The jobs differ in their durations alone, and which of them have one does not differ; the parameters differ in the
    seed. Where the seed decides something before that moment, each play is made from its own beginning.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        snapshot: Snapshot,
        work: Adoption,
        parameters: Parameters,
        now: int,
        before: int,
    ) -> None:
        self._given = scheduler, snapshot, parameters, now
        self._work = work
        lasting = tuple(_lasting(each) for each in work.jobs)
        self._course = _course_of(scheduler, snapshot, replace(work, jobs=lasting), (), parameters, now)
        self._course.run(before=before)

    def play(self, jobs: tuple[StandingJob, ...], seed: int) -> Simulation:
        """The whole play of the jobs with a seed."""
        scheduler, snapshot, parameters, now = self._given
        own = replace(parameters, seed=seed)
        if self._course.is_drawn:
            return play_on(scheduler, snapshot, replace(self._work, jobs=jobs), (), own, now)
        course = branch(self._course, (scheduler,))
        course.go_on(own, {each.job.key: each.job for each in jobs})
        course.run()
        return course.result(scheduler.name, ())


_LASTS: Final = 10**21
"""Nanoseconds that a job lasts whose duration is not chosen yet."""


def _lasting(each: StandingJob) -> StandingJob:
    return each if each.job.duration is None else replace(each, job=replace(each.job, duration=_LASTS))


def _course_of(
    scheduler: Scheduler,
    snapshot: Snapshot,
    work: Adoption,
    jobs: Iterable[TracedJob],
    parameters: Parameters,
    now: int,
) -> "_Events":
    """The events of the work from now on, before the first of them."""
    arriving = sorted(((job.created, job) for job in jobs), key=_arrival)
    named = {unit: tuple(names_of_job(each)) for each in work.jobs for unit in each.units} if parameters.ready else {}

    def ready(unit: str) -> int:
        return parameters.ready_of(named.get(unit, names_of(unit)))

    replay = work.replay(ReplayTerms(parameters.seed, now, parameters.stopping, ready))
    created = CreatedPods(snapshot, parameters.stopping)
    course = _Events(scheduler, replay, arriving, (), parameters, now, created)
    course.take_over(work.jobs)
    return course


class _Events:
    """The events of one simulation, in their order, and what they led to."""

    def __init__(
        self,
        scheduler: Scheduler,
        replay: SchedulerReplay,
        jobs: Sequence[tuple[int, TracedJob]],
        changes: Sequence[PolicyChange],
        parameters: Parameters,
        start: int,
        created: CreatedPods,
    ) -> None:
        self.watch: Callable[[Moves], None] | None = None
        self._scheduler = scheduler
        self._created = created
        self._replay = replay
        self._changes = list(reversed(changes))
        self._arriving = list(reversed(jobs))
        self._parameters = parameters
        self._jobs: list[SimulatedJob] = []
        self._units: dict[str, WorkUnit] = {}
        self._ends: list[tuple[int, str, int]] = []
        self._series = SeriesRecorder(replay, start, jobs[-1][0] if jobs else start, parameters.sample)
        self._start = self._now = start
        self._total = Moves()
        self._evictions = 0
        self._returning = Returning()
        self._endless = False
        self._is_first = False

    def take_over(self, jobs: Iterable[StandingJob]) -> None:
        """Work that runs or waits at the start; the first cycles run then."""
        self._is_first = True
        for each in jobs:
            found = SimulatedJob(each.job, each.queue, refused=each.refused)
            self._jobs.append(found)
            WorkUnit.enter(self._units, found, each.units)
            for unit, since in each.since.items():
                self._begin(unit, since)

    @property
    def is_drawn(self) -> bool:
        """Whether the seed has decided anything."""
        return self._replay.drawn

    def go_on(self, parameters: Parameters, jobs: Mapping[str, TracedJob]) -> None:
        """From here on with other parameters, and with the durations of these jobs; none of them has ended."""
        self._parameters = parameters
        if isinstance(self._replay, SeededReplay):
            self._replay.draw_by(parameters.seed)
        for found in self._jobs:
            found.job = jobs[found.job.key]
        for unit in self._units.values():
            if unit.remaining is not None:
                unit.remaining -= _LASTS - (unit.group.job.job.duration or 0)
        self._ends = []
        for name, unit in self._units.items():
            self._plan_end(name, unit)

    def run(self, report_done: Callable[[int], None] = lambda _: None, before: int | None = None) -> None:
        """From event to event, until none is left or the time is over; only those ``before`` a moment, if it is given.

        ``report_done`` is called with how many jobs are to come.
        """
        end = self._parameters.end
        while not self._endless:
            now = self._next()
            if now is None or (end is not None and now > end) or (before is not None and now >= before):
                break
            self._series.record_until(now)
            self._now, self._is_first = now, False
            self._change(now)
            self._end(now)
            self._arrive(now)
            self._decide(now)
            report_done(len(self._arriving))

    def _next(self) -> int | None:
        """The moment of the next event."""
        while self._ends and not self._is_valid(self._ends[0]):
            heappop(self._ends)
        moments = (
            self._start if self._is_first else None,
            self._changes[-1].at if self._changes else None,
            self._ends[0][0] if self._ends else None,
            self._arriving[-1][0] if self._arriving else None,
            self._replay.wakes(),
        )
        return min((moment for moment in moments if moment is not None), default=None)

    def _is_valid(self, end: tuple[int, str, int]) -> bool:
        """Whether a unit still runs as it did when its end was planned."""
        _, name, starts = end
        unit = self._units.get(name)
        return unit is not None and unit.starts == starts and unit.since is not None

    def _change(self, now: int) -> None:
        while self._changes and self._changes[-1].at <= now:
            change = self._changes.pop()
            self._created.use(change.snapshot)
            self._replay.change(self._scheduler.review.idle(change.snapshot), now)
            self._progress()

    def _end(self, now: int) -> None:
        while self._ends and self._ends[0][0] <= now:
            planned = heappop(self._ends)
            if not self._is_valid(planned):
                continue
            unit = self._units.pop(planned[1])
            self._release(unit, now)
            self._created.end(planned[1])
            self._replay.finish(planned[1], now)
            unit.group.left -= 1
            if not unit.group.left:
                unit.group.job.finished = now
            self._progress()

    def _release(self, unit: WorkUnit, now: int) -> None:
        """What a unit held goes into the sums of its queue."""
        self._series.add(unit.holding, now - max(unit.since or 0, self._start))
        unit.since = None
        unit.group.running -= 1

    def _arrive(self, now: int) -> None:
        while self._arriving and self._arriving[-1][0] <= now:
            _, job = self._arriving.pop()
            submitted = self._replay.submit(job, now)
            if submitted.created:
                self._created.make(job, submitted.units, now)
            found = SimulatedJob(job, submitted.queue, refused=submitted.refused)
            self._jobs.append(found)
            WorkUnit.enter(self._units, found, submitted.units)
            self._progress()

    def _decide(self, now: int) -> None:
        """Runs cycles until nothing moves at this moment."""
        while True:
            moves = self._replay.run(now)
            if self.watch is not None:
                self.watch(moves)
            self._apply(moves, now)
            self._count(moves, now)
            if moves.settled or self._endless:
                return

    def _progress(self) -> None:
        """Something comes, ends or changes, and not only jobs that evict each other."""
        self._evictions = 0
        self._returning.forget()

    def _count(self, moves: Moves, now: int) -> None:
        """Whether evictions go on without end. Past usage, jobs that are to come and other stops may end them."""
        self._evictions += len(moves.stopped)
        self._endless = self._evictions > self._parameters.most_evictions
        if not all(each.by for each in moves.stopped):
            self._returning.forget()
        elif moves.stopped and not self._arriving and not self._changes and not self._replay.users(now):
            self._endless |= self._returning.note(self._units, now)

    def _apply(self, moves: Moves, now: int) -> None:
        for stopped in moves.stopped:
            self._created.stop(stopped.unit, now)
            unit = self._units[stopped.unit]
            unit.group.job.evictions.append(SimulatedEviction(now, stopped.by, stopped.rule))
            unit.group.job.lost += unit.interrupt(now, self._parameters.checkpoint)
            self._release(unit, now)
        for name in moves.started:
            self._begin(name, now)
        before = self._total
        self._total = before._replace(
            cycles=before.cycles + moves.cycles,
            decisions=before.decisions + moves.decisions,
            ties=before.ties + moves.ties,
        )

    def _begin(self, name: str, now: int) -> None:
        unit = self._units[name]
        unit.since, unit.starts = now, unit.starts + 1
        unit.holding = self._replay.holding(name)
        group = unit.group
        group.running += 1
        group.job.queue, group.job.refused = unit.holding.queue, ""
        group.job.held = {pair: amount * group.size for pair, amount in unit.holding.used.items()}
        if group.running == group.left:
            group.job.admitted.append(now)
        self._plan_end(name, unit)

    def _plan_end(self, name: str, unit: WorkUnit) -> None:
        """Notes when a unit that runs will end."""
        if unit.remaining is not None and unit.since is not None:
            heappush(self._ends, (max(unit.since + unit.remaining, self._start), name, unit.starts))

    def _fidelity(self) -> Fidelity:
        """What the house does not decide exactly, pods that are not created, and what the trace lacks of the jobs."""
        lacking = sorted({each for simulated in self._jobs for each in simulated.job.lacks})
        found = self._replay.fidelity
        untraced = (Gap(NOT_TRACED, (), touches=True, subject=s) for s in lacking)
        return replace(found, gaps=(*found.gaps, *self._created.gaps, *untraced))

    def result(self, name: str, left_out: tuple[ObjectKey, ...]) -> Simulation:
        """What was found; ``left_out`` is the work of the input that is not among the jobs."""
        over = self._next() is None and not self._endless
        running = {id(unit.group) for unit in self._units.values() if unit.since is not None}
        end = self._parameters.end
        end = self._now if end is None or self._endless else max(end, self._start)
        for unit in self._units.values():
            if unit.since is not None:
                self._series.add(unit.holding, end - max(unit.since, self._start))
        self._series.record_until(end + 1)
        return Simulation(
            scheduler=name,
            seed=self._parameters.seed,
            start=self._start,
            end=end,
            jobs=tuple(self._jobs),
            moments=self._series.moments,
            queues=self._series.queues(),
            fidelity=self._fidelity(),
            ties=self._total.ties,
            drawn=self._replay.drawn,
            cycles=self._total.cycles,
            decisions=self._total.decisions,
            ended=over,
            endless=self._endless,
            notes=(*self._replay.notes, *_about(left_out)),
            users=self._series.users(),
            left_out=left_out,
            running=len(running),
            idle_from=self._now if over and not running else None,
            to_come=len(self._arriving) + (sum(bool(job.refused) for job in self._jobs) if self._changes else 0),
        )
