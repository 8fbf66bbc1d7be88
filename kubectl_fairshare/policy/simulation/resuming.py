"""Simulations that continue from what the cluster recorded shortly before a moment.

A long simulation may be in another state by then, and do something else for that reason alone. From the recorded state,
it does what the cluster did, or differs for a reason of its own.
Tested in ``tests/unit/policy/simulation/test_causes.py``.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.answers.calibration import DifferenceCause
from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.record import recorded_at, recorded_moments, starts_of, stops_of
from kubectl_fairshare.policy.simulation.variations import RESOLUTION, Variation, variations

NEAR: Final = 3 * RESOLUTION
"""How far from its recorded moment something may happen, in nanoseconds."""
_ASIDE: Final = 2 * RESOLUTION
"""How long a job may be set aside: one that does not fit is looked at again a moment after quota is released."""
_BACK: Final = (1, 2, 4, 8)
"""How many recorded moments before the one asked about a simulation begins."""
_MOST: Final = 500_000
"""How much all simulations from recorded states may cost together, which takes some minutes at most: see ``_cost``."""

Play: TypeAlias = Callable[[Parameters, Sequence[TracedJob], Mapping[str, int]], Simulation]
"""A simulation of jobs, which enter at these moments."""
Course: TypeAlias = Mapping[str, SimulatedJob]
"""What became of each job."""


class _Start(NamedTuple):
    """A recorded moment, the state just after it, how long simulations from it go on, and what is varied in them."""

    at: int
    until: int
    enters: Mapping[str, int]
    variations: list[Variation]


class ExaminedCause(NamedTuple):
    """Why a simulation differs, None where no other one helps; and whether one was made."""

    cause: DifferenceCause | None
    examined: bool = True


class Resumption:
    """Simulations from recorded states. Each is played once."""

    def __init__(self, jobs: Sequence[TracedJob], parameters: Parameters, play: Play) -> None:
        self._jobs = jobs
        self._starts_of = {job.key: starts_of(job) for job in jobs}
        self._parameters = parameters
        self._play = play
        first = min((job.created for job in jobs), default=0)
        self._moments = [first - 1, *(at for at in recorded_moments(jobs) if at >= first)]
        self._releases = sorted(stop for job in jobs for stop in stops_of(job))
        self._played: dict[tuple[int, int, frozenset[str]], Course] = {}
        self._known: dict[int, _Start | None] = {}
        self._left = _MOST

    def cause(self, moment: int, is_right: Callable[[Course], bool]) -> ExaminedCause:
        """Why another simulation does not do what ``is_right`` finds: what the first one has that does it.

        Courses begin at recorded states before ``moment``, and go on until ``NEAR`` after it. None is made where the
        record does not say which jobs ran, or where many have been made.
        """
        if self._left <= 0:
            return ExaminedCause(None, examined=False)
        last = bisect_left(self._moments, moment)
        places = [last - back for back in _BACK if last >= back]
        starts = [(place, start) for place in places if (start := self._start(place)) is not None]
        for number in count():
            there = [(place, start) for place, start in starts if number < len(start.variations)]
            if not there:
                break
            for place, start in there:
                if is_right(self._course(place, start, number)):
                    return ExaminedCause(start.variations[number].what)
        others = (course for place, start in starts for course in self._with_others_aside(place, start, moment))
        if any(map(is_right, others)):
            return ExaminedCause(DifferenceCause.ASIDE)
        return ExaminedCause(None, bool(starts) and self._left > 0)

    def _start(self, place: int) -> _Start | None:
        if place not in self._known:
            self._known[place] = self._started(place)
        return self._known[place]

    def _started(self, place: int) -> _Start | None:
        """The start at the recorded moment of this place; None if its state is not known."""
        at = self._moments[place]
        state = recorded_at(self._jobs, at)
        if state is None:
            return None
        until = self._moments[min(place + _BACK[-1], len(self._moments) - 1)] + NEAR
        coming = [job for job in state.jobs if state.enters.get(job.key, job.created) <= until]
        return _Start(
            at, until, state.enters, [Variation(DifferenceCause.EARLIER, replace(self._parameters, end=until), coming)]
        )

    def _course(self, place: int, start: _Start, number: int, aside: frozenset[str] = frozenset()) -> Course:
        """The outcome of the jobs in one variation, if those that are set aside wait a while longer.

        The first one shows whether chance decided anything, and so which others there are.
        """
        if (place, number, aside) not in self._played:
            variation = start.variations[number]
            late = dict.fromkeys(aside, start.at + _ASIDE)
            simulation = self._play(variation.parameters, variation.jobs, {**start.enters, **late})
            self._left -= _cost(simulation, len(self._jobs))
            self._played[place, number, aside] = {job.job.key: job for job in simulation.jobs}
            if not number and not aside:
                start.variations.extend(variations(variation.parameters, variation.jobs, simulation.ties))
        return self._played[place, number, aside]

    def _with_others_aside(self, place: int, start: _Start, moment: int) -> Iterator[Course]:
        """Courses in which some jobs were looked at just before quota was released, and are set aside for a while.

        The next ones find the quota. Such a course counts only if the cluster started the former soon after it could,
        once they were looked at again: a job that is passed over for good was not set aside.
        """
        early = self._early(place, start, moment) if self._is_swept(start.at) else frozenset()
        for aside in self._sets_aside(start, early) if early and self._left > 0 else ():
            course = self._course(place, start, 0, aside)
            if not any(self._is_kept_waiting(course, key, start) for key in early & aside):
                yield course

    def _is_swept(self, moment: int) -> bool:
        """Whether quota was released twice in the time before: after the first release all jobs are looked at again.

        The second one comes in the middle of that, too late for some of them. Without it, no job is passed over.
        """
        return bisect_right(self._releases, moment) - bisect_left(self._releases, moment - NEAR) > 1

    def _sets_aside(self, start: _Start, early: frozenset[str]) -> Iterator[frozenset[str]]:
        """The first shapes of each queue, one more each time; then single jobs that start early, and all of these."""
        queues = _shapes_by_queue(job for job in start.variations[0].jobs if start.enters.get(job.key, 0) > start.at)
        for tried in range(1, max(map(len, queues), default=0) + 1):
            yield frozenset(key for shapes in queues for keys in shapes[:tried] for key in keys)
        yield from (frozenset((key,)) for key in sorted(early))
        yield early

    def _early(self, place: int, start: _Start, moment: int) -> frozenset[str]:
        """The jobs that wait, start by ``moment`` in the plain course, and started after it in the cluster."""
        course = self._course(place, start, 0)
        waiting = (key for key, at in start.enters.items() if at > start.at)
        return frozenset(key for key in waiting if self._is_early(course, key, start, moment))

    def _is_early(self, course: Course, key: str, start: _Start, moment: int) -> bool:
        """Whether a job that waited starts by ``moment``, and the cluster started it after that."""
        job = course.get(key)
        if job is None or not job.admitted or job.admitted[0] > moment:
            return False
        return not any(start.at < at <= moment for at in self._starts_of[key])

    def _is_kept_waiting(self, course: Course, key: str, start: _Start) -> bool:
        """Whether a job that waited starts next long before the cluster started it."""
        job = course.get(key)
        simulated = start.until if job is None or not job.admitted else job.admitted[0]
        recorded = min([at for at in self._starts_of[key] if at > start.at] + [start.until])
        return simulated + NEAR < recorded


def _cost(simulation: Simulation, recorded: int) -> int:
    """What a simulation costs, in jobs: its own, its queues, which it prepares and samples, and the reading of all."""
    return 100 + len(simulation.jobs) + 10 * len(simulation.queues) + recorded // 10


def _shapes_by_queue(jobs: Iterable[TracedJob]) -> list[list[list[str]]]:
    """The jobs of each queue by shape (priority and pods), in the order in which the queue's jobs are looked at."""
    queues: dict[tuple[str, str], dict[object, list[str]]] = {}
    for job in sorted(jobs, key=lambda job: (-job.priority, job.created, job.key)):
        shapes = queues.setdefault((job.namespace, job.queue), {})
        shapes.setdefault((job.priority, tuple(map(_pods_shape, job.pod_sets))), []).append(job.key)
    return [list(shapes.values()) for shapes in queues.values()]


def _pods_shape(pods: TracedPods) -> object:
    return pods.name, pods.count, pods.min_count, tuple(sorted(pods.requests.items()))
