"""Several workloads at once: a house's own cycles are played until nothing changes any more.

Nothing ends meanwhile, and nothing else is submitted. Who has to stop is tried again, as the scheduler does it.
Tested in ``tests/unit/policy/test_together.py``.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.together import JointEnd, JointEviction, Together
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import UNSAMPLED, Parameters
from kubectl_fairshare.policy.simulation.run import play_on
from kubectl_fairshare.schedulers.adoption import Adoption, StandingJob
from kubectl_fairshare.schedulers.joint import AtRest, JointQuestion, JointWork, waits_for
from kubectl_fairshare.schedulers.question import PlanQuestion
from kubectl_fairshare.schedulers.replay import Moves, ReplayTerms, SchedulerReplay
from kubectl_fairshare.schedulers.scheduler import Scheduler

_PLAYS: Final = 10
"""How often cycles are played where chance decides something."""
_EVICTIONS: Final = 20
"""Evictions for each job after which the play is broken off."""
_AGAIN: Final = 3
"""A job that had to stop so often by then is one of those that evict each other."""
_ENDLESS: Final = 'jobs evict each other without end; `kubectl fairshare search --never "endless evictions"` shows how'
_ASSUMED: Final = "nothing ends, nothing else is submitted, and no quota changes"


def together(scheduler: Scheduler, snapshot: Snapshot, asked: PlanQuestion | None, now: int) -> Together:
    """The outcome of the workloads of a question, or of all that wait in the snapshot.

    Workloads of the question that the snapshot has as they are wait as they do there; those of them that run are left
    out, with a note. Raises what ``Scheduler.joint`` raises.
    """
    question, notes = _question(scheduler, snapshot, asked, now)
    work = scheduler.joint(snapshot, question, now)
    return replace(_played(scheduler, snapshot, work, now), notes=(*notes, *work.notes))


def _question(
    scheduler: Scheduler, snapshot: Snapshot, asked: PlanQuestion | None, now: int
) -> tuple[JointQuestion, tuple[Problem, ...]]:
    """The question as a house takes it, and notes on what is left out of it."""
    if asked is None:
        waiting = (each for each in scheduler.adoption(snapshot, now).jobs if not each.runs)
        return JointQuestion(None, frozenset(key for each in waiting for key in each.keys)), ()
    if asked.given is None or not any(each.key in snapshot.manifests for each in asked.given.manifests):
        return JointQuestion(asked), ()
    return _divided(asked, scheduler.adoption(snapshot, now), snapshot)


def _divided(asked: PlanQuestion, standing: Adoption, snapshot: Snapshot) -> tuple[JointQuestion, tuple[Problem, ...]]:
    """The question in its two parts: objects that wait in the snapshot as they are given, and all others."""
    assert asked.given is not None
    by_key = {key: each for each in standing.jobs for key in each.keys}
    alike = [each for each in asked.given.manifests if each.key in by_key and _is_alike(each, snapshot)]
    running = {by_key[each.key].job.key for each in alike if by_key[each.key].runs}
    kept = frozenset(key for m in alike for key in by_key[m.key].keys if by_key[m.key].job.key not in running)
    there = {each.key for each in alike}
    rest = tuple(each for each in asked.given.manifests if each.key not in there)
    notes = (
        (Problem(f"{count(len(running), 'job runs', 'jobs run')} already, and is not asked about"),) if running else ()
    )
    left = replace(asked, given=replace(asked.given, manifests=rest)) if rest else None
    return JointQuestion(left, kept), notes


def _is_alike(given: Manifest, snapshot: Snapshot) -> bool:
    there = snapshot.manifests.get(given.key)
    return there is not None and there.data == given.data


class _PlayedCycles:
    """What the cycles of one play did, by unit."""

    def __init__(self) -> None:
        self.cycles = 0
        self.starts = 0
        self.running: dict[str, tuple[int, int]] = {}
        self.stops: list[tuple[int, str, str, str]] = []

    def see(self, moves: Moves) -> None:
        """One cycle."""
        self.cycles += bool(moves.cycles)
        for each in moves.stopped:
            self.running.pop(each.unit, None)
            self.stops.append((self.cycles, each.unit, each.by, each.rule))
        for unit in moves.started:
            self.starts += 1
            self.running[unit] = self.cycles, self.starts


class _Play(NamedTuple):
    """One play: its course, the replay at rest, the gaps that it met, and what it assumes."""

    course: _PlayedCycles
    replay: SchedulerReplay
    ties: int
    drawn: bool
    rests: bool
    gaps: tuple[Gap, ...]
    notes: tuple[str, ...]

    def picture(self) -> object:
        """What other plays are compared by."""
        return sorted(self.course.running), sorted((unit, by) for _, unit, by, _ in self.course.stops)


def _played(scheduler: Scheduler, snapshot: Snapshot, work: JointWork, now: int) -> Together:
    first = _play(scheduler, snapshot, work.work, now, 0)
    others = [_play(scheduler, snapshot, work.work, now, seed) for seed in range(1, _PLAYS)] if first.drawn else []
    ends = _JointEnds(work, first)
    jobs = [ends.of(each) for each in work.work.jobs]
    found = [end for end, each in zip(jobs, work.work.jobs, strict=True) if not each.runs]
    displaced = [end for end, each in zip(jobs, work.work.jobs, strict=True) if each.runs and end.evicted]
    fidelity = first.replay.fidelity.with_gaps(_placed((*first.gaps, *work.work.gaps, *work.gaps, *ends.gaps)))
    pictures = [play.picture() for play in (first, *others)]
    if first.ties:
        distinct = sum(picture not in pictures[:n] for n, picture in enumerate(pictures))
        fidelity = replace(fidelity, outcomes=max(fidelity.outcomes, distinct), all_outcomes=False)
    doubted = not fidelity.modelled
    open_to_chance = {name for play in others for name in _differing(work.work.jobs, first, play)}
    every = [_with_outcome(end, doubted=doubted or end.job.key in open_to_chance) for end in (*found, *displaced)]
    return Together(
        scheduler=scheduler.name,
        jobs=tuple(sorted(every[: len(found)], key=_by_start)),
        displaced=tuple(every[len(found) :]),
        cycles=first.course.cycles,
        rests=first.rests,
        fidelity=fidelity,
        assumed=(*dict.fromkeys((*first.notes, *work.assumed)), _ASSUMED),
    )


def _placed(gaps: Sequence[Gap]) -> tuple[Gap, ...]:
    """The gaps without those that others say with their places."""
    known = {(gap.feature, gap.subject) for gap in gaps if gap.places}
    return tuple(gap for gap in dict.fromkeys(gaps) if gap.places or (gap.feature, gap.subject) not in known)


def _play(scheduler: Scheduler, snapshot: Snapshot, work: Adoption, now: int, seed: int) -> _Play:
    course = _PlayedCycles()
    opened: list[SchedulerReplay] = []

    def replay(terms: ReplayTerms) -> SchedulerReplay:
        opened.append(work.replay(terms))
        return opened[-1]

    parameters = Parameters(seed=seed, most_evictions=_EVICTIONS * (len(work.jobs) + 1), sample=UNSAMPLED)
    played = replace(work, replay=replay)
    simulation = play_on(scheduler, snapshot, played, (), parameters, now, course.see)
    met, ended = simulation, not simulation.endless
    return _Play(course, opened[-1], met.ties, met.drawn, ended, met.fidelity.gaps, met.notes)


def _differing(jobs: Sequence[StandingJob], first: _Play, other: _Play) -> Iterator[str]:
    """The jobs whose units run at the end of one play and not of the other."""
    one, two = first.course.running.keys(), other.course.running.keys()
    yield from (each.job.key for each in jobs if any((unit in one) != (unit in two) for unit in each.units))


def _with_outcome(end: JointEnd, *, doubted: bool) -> JointEnd:
    gets_in = end.computed in (Outcome.ADMITTED, Outcome.PREEMPTS, Outcome.UNMANAGED)
    return replace(end, outcome=Outcome.UNKNOWN) if doubted and gets_in else end


def _by_start(end: JointEnd) -> tuple[bool, int]:
    return end.start is None, end.start or 0


class _JointEnds:
    """The end of each job of one play; ``gaps`` are what the reasons of those that wait rest on."""

    def __init__(self, work: JointWork, play: _Play) -> None:
        self._work = work
        self._play = play
        self._job_of = {unit: each.job.key for each in work.work.jobs for unit in each.units}
        self._stopped: dict[str, list[JointEviction]] = {}
        self._for: dict[str, list[JointEviction]] = {}
        for cycle, unit, by, rule in play.course.stops:
            eviction = JointEviction(cycle, self._named(unit), self._named(by), rule)
            self._stopped.setdefault(eviction.job, []).append(eviction)
            self._for.setdefault(eviction.by, []).append(eviction)
        self._again = Counter(unit for _, unit, _, _ in play.course.stops)
        self.gaps: dict[Gap, None] = {}

    def _named(self, unit: str) -> str:
        return self._job_of.get(unit, unit)

    def of(self, each: StandingJob) -> JointEnd:
        """The end of one job."""
        name, course = each.job.key, self._play.course
        victims, evicted = tuple(self._for.get(name, ())), tuple(self._stopped.get(name, ()))
        waiting = [unit for unit in each.units if unit not in course.running and self._had_to_wait(unit, each)]
        if waiting or not each.units:
            rest = self._at_rest(each, waiting)
            outcome = rest.outcome
            return JointEnd(
                each.job, each.keys, each.queue, outcome, outcome, None, None, rest.reason, victims, evicted
            )
        outcome = Outcome.PREEMPTS if victims else Outcome.ADMITTED
        at = max((course.running[unit] for unit in each.units if unit in course.running), default=None)
        cycle, start = at if at is not None else (None, None)
        return JointEnd(each.job, each.keys, each.queue, outcome, outcome, cycle, start, "", victims, evicted)

    def _had_to_wait(self, unit: str, each: StandingJob) -> bool:
        return unit not in each.since or self._again[unit] > 0

    def _at_rest(self, each: StandingJob, waiting: Sequence[str]) -> AtRest:
        """Why a job waits: for several pods that wait, the reason of the first."""
        if any(self._again[unit] >= _AGAIN for unit in waiting) and not self._play.rests:
            return waits_for(_ENDLESS)
        found = self._work.at_rest(self._play.replay, waiting[0] if waiting else each.job.key)
        self.gaps |= dict.fromkeys(found.gaps)
        size = len(each.units)
        if size > 1:
            return found._replace(reason=f"{len(waiting)} of {size} pods wait: {found.reason}")
        return found
