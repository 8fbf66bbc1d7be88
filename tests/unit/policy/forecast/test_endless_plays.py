"""A forecast of jobs that evict each other without end says who evicts whom."""

import json
import random
from pathlib import Path

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.forecast.durations import DurationOptions
from kubectl_fairshare.policy.forecast.plays import ForecastTerms, forecast
from kubectl_fairshare.policy.simulation.parameters import NamedSpan, Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.forecast.test_pod_plays import RUNTIME, pod, random_jobs
from tests.unit.policy.simulation.states import SECOND, snapshot_of

KOORDINATOR = scheduler_named("koordinator")
LOOPS = 3_590 * SECOND


def test_pods_of_koordinator_that_give_way_to_one_that_never_fits(tmp_path: Path) -> None:
    """The pod has a higher priority, and does not fit when they have left: they are back before it is tried again."""
    jobs, idle = random_jobs(random.Random(0), "koordinator"), snapshot_of(tmp_path, RUNTIME)
    before = simulate(KOORDINATOR, idle, jobs, Parameters(end=LOOPS))
    left = [each for each in before.jobs if each.finished is None]
    state = snapshot_of(
        tmp_path, RUNTIME + "".join(f"\n---\n{json.dumps(pod(each, 'koordinator'))}\n" for each in left)
    )
    terms = ForecastTerms(LOOPS, plays=1, durations=DurationOptions((NamedSpan("*", 10**6 * SECOND),)))
    found = forecast(KOORDINATOR, state, KOORDINATOR.adoption(state, LOOPS), terms)
    assert found.endless
    assert found.notes[0] == (
        "not played to the end: jobs evict each other without end: "
        "ml/j5 evicts ml/j1, ml/j7 (lower priority in the same quota)"
    )


def test_a_play_is_broken_off_once_the_same_work_has_run_again_a_hundred_times(tmp_path: Path) -> None:
    found = simulate(KOORDINATOR, snapshot_of(tmp_path, RUNTIME), random_jobs(random.Random(0), "koordinator"))
    assert found.endless
    assert 200 <= sum(len(each.evictions) for each in found.jobs) < 600


@pytest.mark.slow
def test_one_that_ends_when_a_job_ends_goes_on_to_that(tmp_path: Path) -> None:
    """A job that runs on meanwhile, and ends after more than a hundred rounds, makes room."""
    jobs = [
        replace(each, duration=20_000 * SECOND) if each.name == "j6" else each
        for each in random_jobs(random.Random(0), "koordinator")
    ]
    found = simulate(KOORDINATOR, snapshot_of(tmp_path, RUNTIME), jobs)
    assert next(each for each in found.jobs if each.job.name == "j6").finished is not None
