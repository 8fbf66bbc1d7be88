"""How often a start lies in the 80 % interval of its forecast, over many made-up plays.

``python -m tests.bench.coverage [PLAYS]`` draws plays of 100 jobs in four queues of a cohort, lets the house play them
as what really happened, and makes forecasts at moments of each from what was known then and from an earlier past of the
same users. For each shape of plays it prints the coverage of all, how it differs from play to play, in how many plays
it is within 70 % to 90 %, the median error, the bias, and the coverage by how far ahead the forecasts were.

All jobs of a play share its durations, so its forecasts are right or wrong together: the coverage of one play says
little, and that of many is what is to be 80 %.
"""

import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from statistics import mean, pstdev
from typing import Final, NamedTuple

from kubectl_fairshare.answers.forecast_calibration import ForecastCalibration, LeadFigures
from kubectl_fairshare.model.job_trace import TracedEviction, TracedJob
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.forecast.calibration import calibrated_forecasts
from kubectl_fairshare.policy.forecast.plays import ForecastTerms
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.simulation.states import SECOND, job, policy, queue

PLAYS: Final = 20
JOBS: Final = 100
MOMENTS: Final = 2
QUEUES: Final = ("vision", "speech", "search", "agents")
_QUOTA: Final = 5
_HOUR: Final = 3600.0
_GOAL: Final = 0.7, 0.9


def even_hours(chance: random.Random, user: int) -> float:
    """The same few lengths, each as likely as the others."""
    return chance.randrange(12, 33, 2) / 20 * _HOUR * (1 + user % 2)


def skewed_hours(chance: random.Random, user: int) -> float:
    """Most runs are short, and a few are long: a lognormal, with a middle for each user."""
    return chance.lognormvariate(0, 1) * _HOUR * (1 + user % 3)


class Shape(NamedTuple):
    """What plays have in common: seconds that a run of a user takes, runs of each user in the past, and the rest.

    ``apart``: seconds between two arrivals. With a second all have come before forecasts are made; with more, jobs
    come that no forecast knows of.
    """

    name: str
    span: Callable[[random.Random, int], float]
    past: int
    apart: float = 1
    reclaim: str = "Never"
    users: int = 4
    jobs: int = JOBS


SHAPES: Final = (
    *(Shape(f"even, past of {runs}", even_hours, runs) for runs in (8, 30, 100)),
    *(Shape(f"skewed, past of {runs}", skewed_hours, runs) for runs in (8, 30, 100)),
    Shape("skewed, past of 30, reclaim", skewed_hours, 30, reclaim="Any"),
    Shape("skewed, past of 30, others come later", skewed_hours, 30, apart=600),
)


def recorded(snapshot: Snapshot, jobs: Sequence[TracedJob]) -> list[TracedJob]:
    """The jobs with what the house did with them, as a cluster would record it."""
    found = []
    for each in simulate(scheduler_named("kueue"), snapshot, jobs, Parameters()).jobs:
        first, later = next(iter(each.admitted), None), each.admitted[1:]
        stops = tuple(TracedEviction(eviction.at, "Preempted") for eviction in each.evictions)
        moments = {"admitted": first, "readmitted": tuple(later), "evictions": stops, "finished": each.finished}
        found.append(replace(each.job, **moments))
    return found


def _drawn(chance: random.Random, shape: Shape, number: int, at: float) -> TracedJob:
    user = chance.randrange(shape.users)
    size, priority = chance.choice((1, 1, 2, 2, 4)), chance.choices((0, 1), (4, 1))[0]
    return job(f"user-{user}-{number}", QUEUES[user % 4], at, size, round(shape.span(chance, user)), priority)


def played(shape: Shape, seed: int, moments: int = MOMENTS, plays: int = 20) -> ForecastCalibration:
    """One play, and the forecasts at moments of it, compared."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        queues = [queue(name, _QUOTA, reclaim=shape.reclaim) for name in QUEUES]
        snapshot = policy(folder, *queues, fair=False)
    past = [_drawn(chance, shape, number, 0) for number in range(1000, 1000 + shape.past * shape.users)]
    earlier = tuple(replace(each, finished=-number) for number, each in enumerate(past))
    jobs = [_drawn(chance, shape, number, number * shape.apart) for number in range(shape.jobs)]
    terms = ForecastTerms(now=0, plays=plays, past=earlier)
    found = calibrated_forecasts(scheduler_named("kueue"), snapshot, recorded(snapshot, jobs), terms, moments)
    assert found is not None
    return found


class Coverage(NamedTuple):
    """What forecasts of several plays of one shape found; spans are seconds."""

    shape: Shape
    plays: Sequence[ForecastCalibration]

    @property
    def every(self) -> Sequence[float]:
        """The coverage of each play."""
        return [each.every.coverage or 0 for each in self.plays]

    @property
    def mean(self) -> float:
        """The coverage of all forecasts, each play as important as the others."""
        return mean(self.every)

    def lines(self) -> Iterator[str]:
        """The figures in one line, and those by how far ahead in another."""
        inside = sum(_GOAL[0] <= each <= _GOAL[1] for each in self.every)
        errors = [each.every.errors for each in self.plays]
        middle = mean(each.distances.median for each in errors if each.distances is not None) / SECOND
        bias = mean(each.bias for each in errors) / SECOND
        yield (
            f"{self.shape.name}: {self.mean:.1%} ± {pstdev(self.every):.1%}, {min(self.every):.0%} to "
            f"{max(self.every):.0%}, {inside} of {len(self.plays)} within; median error {middle:.0f} s, "
            f"bias {bias:+.0f} s"
        )
        yield "    " + ", ".join(self._ahead())

    def _ahead(self) -> Iterator[str]:
        by_lead: dict[int | None, list[LeadFigures]] = {}
        for each in self.plays:
            for figures in each.leads:
                by_lead.setdefault(figures.below, []).append(figures)
        for below, there in by_lead.items():
            whole = sum(each.forecasts for each in there)
            if whole:
                name = "farther" if below is None else f"< {below // (60 * SECOND)}m"
                bias = sum(each.errors.bias * each.errors.compared for each in there) / SECOND / whole
                yield f"{name} {sum(each.covered for each in there) / whole:.0%} of {whole} ({bias:+.0f} s)"


def coverage(shape: Shape, plays: int = PLAYS, moments: int = MOMENTS) -> Coverage:
    """The plays of a shape, with the seeds from 0 on."""
    return Coverage(shape, [played(shape, seed, moments) for seed in range(plays)])


def main(arguments: Sequence[str]) -> int:
    """Prints all shapes."""
    for shape in SHAPES:
        for line in coverage(shape, *map(int, arguments)).lines():
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
