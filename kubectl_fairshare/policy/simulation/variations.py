"""The same jobs once more, with another value of what a trace does not record: how much of an order rests on it.

Tested in ``tests/unit/policy/simulation/test_variations.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.answers.calibration import DifferenceCause
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import Parameters

RESOLUTION: Final = 10**9
"""How exact the moments of a trace are, in nanoseconds: conditions have whole seconds."""
_DELAYS: Final = (500_000_000, 1_000_000_000)
"""How long evicted work holds its quota on a cluster whose pods stop at once, in nanoseconds."""


_SEEDS: Final = 8
"""How many other seeds are tried: a choice between two falls the other way in one of them, but for 1 in 256."""


class Variation(NamedTuple):
    """One simulation that fits the trace as well, and what is different in it."""

    what: DifferenceCause
    parameters: Parameters
    jobs: Sequence[TracedJob]


def variations(parameters: Parameters, jobs: Sequence[TracedJob], ties: int) -> Iterator[Variation]:
    """Other delays until quota is released, if work was evicted; runs a second longer and shorter; other seeds.

    ``ties`` counts the choices that the seed decided.
    """
    if any(job.evictions for job in jobs):
        stopping = parameters.stopping
        for other in (stopping // 2, stopping * 2) if stopping else _DELAYS:
            yield Variation(DifferenceCause.STOPPING, replace(parameters, stopping=other), jobs)
    for more in (RESOLUTION, -RESOLUTION):
        yield Variation(DifferenceCause.RUN_LENGTH, parameters, [_longer(job, more) for job in jobs])
    for number in range(1, _SEEDS + 1) if ties else ():
        yield Variation(DifferenceCause.CHANCE, replace(parameters, seed=parameters.seed + number), jobs)


def _longer(job: TracedJob, more: int) -> TracedJob:
    """The job, running so much longer; at least no time."""
    return job if job.duration is None else replace(job, duration=max(0, job.duration + more))
