"""What is varied around a trace: only what it does not record, and only where that can matter."""

import pytest

from kubectl_fairshare.answers.calibration import DifferenceCause
from kubectl_fairshare.model.job_trace import TracedEviction
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.variations import RESOLUTION, variations
from tests.unit.policy.simulation.made_up import S, job


@pytest.mark.parametrize(("stopping", "others"), [(0, [S // 2, S]), (10 * S, [5 * S, 20 * S])])
def test_the_delay_is_varied_where_work_was_evicted(stopping: int, others: list[int]) -> None:
    traced = job("x", "a", 0, 0).job
    evicted = replace(traced, evictions=(TracedEviction(5 * S, "Preempted"),))
    delays = {
        each.parameters.stopping
        for each in variations(Parameters(stopping=stopping), [traced, evicted], 0)
        if each.what is DifferenceCause.STOPPING
    }
    assert sorted(delays) == others
    assert DifferenceCause.STOPPING not in {each.what for each in variations(Parameters(), [traced], 0)}


def test_runs_are_longer_and_shorter_by_the_resolution_of_the_record() -> None:
    jobs = [job("x", "a", 0, 0, 100).job, replace(job("y", "a", 0, 0).job, duration=None)]
    found = [[each.duration for each in other.jobs] for other in variations(Parameters(), jobs, 0)]
    assert found == [[100 * S + RESOLUTION, None], [100 * S - RESOLUTION, None]]


def test_other_seeds_are_tried_where_one_decided() -> None:
    seeds = [
        each.parameters.seed for each in variations(Parameters(seed=7), [], 3) if each.what is DifferenceCause.CHANCE
    ]
    assert seeds == list(range(8, 16))
    assert DifferenceCause.CHANCE not in {each.what for each in variations(Parameters(seed=7), [], 0)}
