"""Why a simulation of a trace differs from the record: each difference is looked at from the state recorded before it.

A cause is only given where such a simulation does what was recorded. A scheduler that decided otherwise than the
engine does is not explained away: from its own recorded state, the simulation still differs.
Tested in ``tests/unit/policy/simulation/test_causes.py``.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from kubectl_fairshare.answers.calibration import EvictionDifference, RecordedStep, Swap
from kubectl_fairshare.answers.simulation import SimulatedJob
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.record import starts_of
from kubectl_fairshare.policy.simulation.resuming import NEAR, Course, Resumption


def explained_swaps(swaps: Iterable[Swap], resumption: Resumption | None) -> list[Swap]:
    """The pairs with their causes, unexplained pairs first."""
    if resumption is None:
        return list(swaps)
    found = [_explained(each, resumption) for each in swaps]
    return sorted(found, key=lambda each: each.cause is not None)


def _explained(swap: Swap, resumption: Resumption) -> Swap:
    return replace(swap, **resumption.cause(swap.earlier_at, partial(_has_order, swap))._asdict())


def _has_order(swap: Swap, course: Course) -> bool:
    """Whether the first job is admitted when the cluster admitted it, and the second not before it."""
    first, second = _first_admission(course, swap.earlier), _first_admission(course, swap.later)
    return first is not None and abs(first - swap.earlier_at) <= NEAR and (second is None or first <= second)


def _first_admission(course: Course, job: str) -> int | None:
    found = course.get(job)
    return found.admitted[0] if found is not None and found.admitted else None


def recorded_steps(jobs: Iterable[TracedJob], resumption: Resumption) -> Iterator[RecordedStep]:
    """Each recorded admission and eviction, with what a simulation from the state before it needs to do it."""
    for job in jobs:
        for at in starts_of(job):
            yield _step(RecordedStep(job.key, at, evicted=False), resumption)
        for eviction in job.evictions:
            yield _step(RecordedStep(job.key, eviction.at, evicted=True), resumption)


def _step(step: RecordedStep, resumption: Resumption) -> RecordedStep:
    happens = _is_evicted if step.evicted else _is_admitted
    return replace(step, **resumption.cause(step.at, partial(happens, step.job, step.at))._asdict())


def eviction_differences(jobs: Iterable[SimulatedJob], resumption: Resumption | None) -> list[EvictionDifference]:
    """The evictions of one side alone, by moment, with their causes."""
    found = sorted((each for job in jobs for each in _alone(job)), key=lambda each: (each.at, each.job, each.recorded))
    return found if resumption is None else [_with_cause(each, resumption) for each in found]


def _alone(job: SimulatedJob) -> Iterator[EvictionDifference]:
    """The evictions of a job that were recorded or simulated, and not both within ``NEAR``."""
    simulated = list(job.evictions)
    for eviction in job.job.evictions:
        partner = next((each for each in simulated if abs(each.at - eviction.at) <= NEAR), None)
        if partner is None:
            yield EvictionDifference(job.job.key, eviction.at, recorded=True)
        else:
            simulated.remove(partner)
    yield from (EvictionDifference(job.job.key, each.at, recorded=False, by=each.by) for each in simulated)


def _with_cause(difference: EvictionDifference, resumption: Resumption) -> EvictionDifference:
    """The difference with what a simulation needs that evicts the job then if, and only if, it really was.

    A simulated eviction is the same one only if it is for the same job.
    """
    happens = partial(_is_evicted, difference.job, difference.at, by=difference.by)
    found = resumption.cause(difference.at, lambda course: happens(course) == difference.recorded)
    return replace(difference, **found._asdict())


def _is_evicted(job: str, at: int, course: Course, by: str = "") -> bool:
    """Whether a job is evicted near a moment, for any job or for that one."""
    found = course.get(job)
    return found is not None and any(abs(each.at - at) <= NEAR and by in ("", each.by) for each in found.evictions)


def _is_admitted(job: str, at: int, course: Course) -> bool:
    found = course.get(job)
    return found is not None and any(abs(each - at) <= NEAR for each in found.admitted)
