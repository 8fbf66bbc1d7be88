"""A replayed trace compared with what the cluster recorded: order of admissions, waiting, evictions, shares over time.

Two admissions of which the trace does not say which was first are no pair: those within its resolution, and those of
jobs that arrived at one recorded moment with one priority in one queue, which the scheduler orders by what a trace does
not hold. Tested in ``tests/unit/policy/simulation/test_calibration.py``.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from kubectl_fairshare.answers.calibration import Calibration, Swap, cause_counts
from kubectl_fairshare.answers.dispersion import rank, spread
from kubectl_fairshare.answers.fidelity import NOT_REPLAYED, Gap
from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.causes import eviction_differences, explained_swaps, recorded_steps
from kubectl_fairshare.policy.simulation.resuming import Resumption

_SECOND: Final = 10**9
_SHOWN: Final = 1000


class _Admission(NamedTuple):
    """The first admission of one job: recorded and simulated."""

    recorded: int
    simulated: int
    job: SimulatedJob


def calibrated(
    simulation: Simulation,
    version: str,
    notes: Sequence[str] = (),
    resolution: int = _SECOND,
    resumption: Resumption | None = None,
) -> Calibration:
    """The comparison. ``resolution`` is how far apart two recorded moments must be to have a certain order.

    ``notes`` are those of the trace; ``resumption`` finds the causes of differences.
    """
    jobs = simulation.jobs
    known = [job for job in jobs if job.job.admitted is not None]
    admissions = list(_admissions(simulation))
    errors = [each.simulated - each.recorded for each in admissions]
    runs = sorted(each.job.job.duration for each in admissions if each.job.job.duration is not None)
    swaps = explained_swaps(list(_swaps(admissions, resolution)), resumption)
    pairs = _pairs(admissions, resolution)
    evictions = sum(len(job.job.evictions) for job in jobs), sum(len(job.evictions) for job in jobs)
    one_sided = tuple(eviction_differences(jobs, resumption))
    steps = recorded_steps((job.job for job in jobs), resumption) if resumption and (swaps or one_sided) else ()
    differing = tuple(_differences(len(swaps), pairs, *evictions, len(known) - len(admissions)))
    return Calibration(
        scheduler=simulation.scheduler,
        version=version,
        jobs=len(simulation.jobs),
        compared=len(admissions),
        unrecorded=len(jobs) - len(known),
        unstarted=len(known) - len(admissions),
        resolution=resolution,
        pairs=pairs,
        swapped=len(swaps),
        causes=cause_counts(swaps),
        unexamined=sum(not each.examined for each in swaps),
        swaps=tuple(swaps[:_SHOWN]),
        errors=spread(abs(each) for each in errors),
        bias=sum(errors) / len(errors) if errors else 0.0,
        median_run=float(rank(runs, 0.5)) if runs else 0.0,
        recorded_evictions=evictions[0],
        simulated_evictions=evictions[1],
        evicted_alike=sum(bool(job.job.evictions) == bool(job.evictions) for job in jobs),
        evictions=one_sided,
        recorded_steps=tuple(steps),
        share_error=share_error(simulation),
        ties=simulation.ties,
        fidelity=replace(simulation.fidelity, gaps=(*simulation.fidelity.gaps, *differing)),
        notes=(*notes, *refusals(jobs), *simulation.notes),
    )


def _differences(swapped: int, pairs: int, recorded: int, simulated: int, unstarted: int) -> Iterator[Gap]:
    """What the cluster did otherwise: the replay is not exact then, whatever the reason."""
    if swapped:
        subject = f"{swapped:,} of {pairs:,} pairs of admissions in another order"
        yield Gap(NOT_REPLAYED, (), touches=True, subject=subject)
    if unstarted:
        yield Gap(NOT_REPLAYED, (), touches=True, subject=f"jobs that started and never start in it: {unstarted:,}")
    if recorded != simulated:
        yield Gap(NOT_REPLAYED, (), touches=True, subject=f"{simulated:,} evictions instead of {recorded:,}")


def refusals(jobs: Sequence[SimulatedJob]) -> Iterator[str]:
    """Why jobs are never considered, each reason once."""
    for refusal in dict.fromkeys(job.refused for job in jobs if job.refused):
        yield f"never considered: {some_of([job.job.key for job in jobs if job.refused == refusal], 1)}: {refusal}"


def _admissions(simulation: Simulation) -> Iterator[_Admission]:
    """The jobs with a recorded and a simulated first admission."""
    for job in simulation.jobs:
        if not job.refused and job.job.admitted is not None and job.admitted:
            yield _Admission(job.job.admitted, job.admitted[0], job)


def _swaps(admissions: Sequence[_Admission], resolution: int) -> Iterator[Swap]:
    """The pairs with a certain recorded order that are simulated in the other one, by the later recorded admission."""
    ordered = sorted(admissions, key=lambda each: each.recorded)
    passed: list[tuple[int, int]] = []  # simulated admission and place of those that were certainly recorded earlier
    first = 0
    for each in ordered:
        while ordered[first].recorded + resolution < each.recorded:
            insort(passed, (ordered[first].simulated, first))
            first += 1
        behind = bisect_right(passed, (each.simulated, len(ordered)))
        for _, place in passed[behind:]:
            earlier = ordered[place]
            if not _is_tie(earlier.job, each.job):
                yield Swap(earlier.job.job.key, each.job.job.key, earlier.recorded, each.recorded)


def _is_tie(one: SimulatedJob, other: SimulatedJob) -> bool:
    """Whether nothing in a trace says which of two jobs is first in its queue."""
    return _place(one) == _place(other)


def _place(job: SimulatedJob) -> tuple[str, int, int]:
    return job.queue, job.job.priority, job.job.created


def _pairs(admissions: Sequence[_Admission], resolution: int) -> int:
    """How many pairs have a certain recorded order."""
    moments = sorted(each.recorded for each in admissions)
    certain = sum(bisect_right(moments, moment - resolution - 1) for moment in moments)
    return certain - sum(_tied(list(group), resolution) for group in _by_place(admissions))


def _by_place(admissions: Iterable[_Admission]) -> Iterator[list[_Admission]]:
    ordered = sorted(admissions, key=lambda each: _place(each.job))
    for _, group in groupby(ordered, key=lambda each: _place(each.job)):
        yield list(group)


def _tied(group: Sequence[_Admission], resolution: int) -> int:
    """How many pairs of equal places have recorded admissions that are apart."""
    moments = sorted(each.recorded for each in group)
    return sum(bisect_right(moments, moment - resolution - 1) for moment in moments)


def share_error(simulation: Simulation) -> float | None:
    """How differently queues hold resources over time: half the sum of the differences of their parts, on average.

    0: every queue holds at every moment the part of all work that it really held; 1: nothing agrees.
    """
    found = [each for moment in simulation.moments if (each := _distance_at(simulation, moment)) is not None]
    return sum(found) / len(found) if found else None


def _distance_at(simulation: Simulation, moment: int) -> float | None:
    known = [job for job in simulation.jobs if not job.refused and job.job.admitted is not None]
    really = _parts(job for job in known if _held_really(job, moment))
    simulated = _parts(job for job in known if _held_in_simulation(job, moment))
    if really is None or simulated is None:
        return None
    queues = {*really, *simulated}
    return sum(abs(really.get(queue, 0.0) - simulated.get(queue, 0.0)) for queue in queues) / 2


def _parts(jobs: Iterable[SimulatedJob]) -> Mapping[str, float] | None:
    """The part of each queue in all pods that run; None if none runs."""
    pods: dict[str, int] = {}
    for job in jobs:
        pods[job.queue] = pods.get(job.queue, 0) + sum(each.count for each in job.job.pod_sets)
    whole = sum(pods.values())
    return {queue: each / whole for queue, each in pods.items()} if whole else None


def _held_really(job: SimulatedJob, moment: int) -> bool:
    """Whether the job ran, by its first admission, its evictions, its last run and its end."""
    traced = job.job
    assert traced.admitted is not None
    if moment < traced.admitted or (traced.finished is not None and moment >= traced.finished):
        return False
    stops = [each.at for each in traced.evictions]
    if not stops:
        return True
    last = traced.finished - traced.duration if traced.finished is not None and traced.duration is not None else None
    return moment < stops[0] or (last is not None and moment >= last)


def _held_in_simulation(job: SimulatedJob, moment: int) -> bool:
    if job.finished is not None and moment >= job.finished:
        return False
    starts = bisect_right(job.admitted, moment)
    stops = sum(each.at <= moment for each in job.evictions)
    return starts > stops
