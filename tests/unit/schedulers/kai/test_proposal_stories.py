"""The stories of time-aware fairness under the proposal's formula: the same long run, in shorter turns."""

from itertools import pairwise

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import TimeAware
from kubectl_fairshare.schedulers.kai.reading.scenario import read_scenario
from kubectl_fairshare.schedulers.kai.simulation.simulation import Timeline, simulate
from tests.screens import ROOT


def played(story: str, time_aware: TimeAware = TimeAware.PROPOSAL, k: float = 1.0) -> Timeline:
    scenario = read_scenario(str(ROOT / "testdata" / "kai" / "simulate" / f"{story}.yaml"), None, 1 << 20)
    return simulate(replace(scenario, time_aware=time_aware, k=k))


def turns(timeline: Timeline, queue: str) -> int:
    held = timeline.allocations(queue, 100)
    return sum((a > 0) != (b > 0) for a, b in pairwise(held))


@pytest.mark.slow
def test_two_queues_that_need_all_take_shorter_turns_than_with_k() -> None:
    proposed, plain = played("alternate"), played("alternate", TimeAware.KAI)
    assert proposed.long_run("red", 100) == pytest.approx(0.5, abs=0.01)
    assert turns(proposed, "red") > turns(plain, "red")


@pytest.mark.slow
def test_weights_are_kept_in_the_long_run_below_a_parent_that_uses_all() -> None:
    timeline = played("weights")
    assert timeline.long_run("root") == 1.0
    assert timeline.long_run("blue", 100) == pytest.approx(2 / 3, abs=0.02)


@pytest.mark.slow
def test_a_small_queue_gets_its_burst() -> None:
    assert sum(played("burst").allocations("small")) == 40


def test_what_is_guaranteed_is_kept() -> None:
    timeline = played("guaranteed")
    assert min(timeline.allocations("red", 5)) >= 4
    assert timeline.long_run("red", 60) == pytest.approx(0.5, abs=0.03)


@pytest.mark.slow
def test_a_large_k_shares_the_long_run_of_the_proposal() -> None:
    proposed, large = played("weights"), played("weights", TimeAware.KAI, 1e9)
    for queue in proposed.queues:
        assert large.long_run(queue, 100) == pytest.approx(proposed.long_run(queue, 100), abs=0.02)
