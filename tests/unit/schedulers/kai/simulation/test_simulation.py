"""The stories of time-aware fairness: who holds what in the long run."""

from itertools import pairwise
from typing import Any

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import Deserved, MaxAllowed, Queue, Resources, TimeAware
from kubectl_fairshare.schedulers.kai.model.scenario import Backlog, SimulationScenario
from kubectl_fairshare.schedulers.kai.reading.scenario import read_scenario
from kubectl_fairshare.schedulers.kai.simulation.simulation import Timeline, simulate, usage_of
from tests.screens import ROOT

STORIES = ROOT / "testdata" / "kai" / "simulate"


def played(story: str, **changes: Any) -> Timeline:
    return simulate(replace(read_scenario(str(STORIES / f"{story}.yaml"), None, 1 << 20), **changes))


def switches(timeline: Timeline, queue: str, start: int) -> list[int]:
    held = timeline.allocations(queue)
    return [i for i, (a, b) in enumerate(pairwise(held), 1) if i >= start and (a > 0) != (b > 0)]


def test_two_queues_that_need_all_take_turns_of_equal_length() -> None:
    timeline = played("alternate")
    times = switches(timeline, "red", 100)
    lengths = {b - a for a, b in pairwise(times)}
    assert len(times) >= 6
    assert max(lengths) - min(lengths) <= 1
    start, end = times[0], times[2 * (len(times) // 2 - 1)]
    turns = timeline.allocations("red")[start:end]
    assert sum(turns) / (16 * len(turns)) == pytest.approx(0.5, abs=0.02)
    assert all(a + b == 16 for a, b in zip(timeline.allocations("red"), timeline.allocations("blue"), strict=True))


def test_without_past_usage_the_first_keeps_all() -> None:
    timeline = played("alternate", k=0)
    assert switches(timeline, "red", 2) == []


@pytest.mark.slow
def test_weights_are_kept_in_the_long_run() -> None:
    timeline = played("weights")
    assert timeline.long_run("red", 100) == pytest.approx(1 / 3, abs=0.01)
    assert timeline.long_run("blue", 100) == pytest.approx(2 / 3, abs=0.01)


@pytest.mark.slow
def test_a_small_queue_gets_its_burst_once_the_others_have_used_much() -> None:
    timeline = played("burst")
    held = timeline.allocations("small")
    first = next(i for i, gpus in enumerate(held) if gpus)
    assert first >= 50
    assert held[first : first + 20] == [2] * 20
    assert sum(held) == 40


def test_without_past_usage_the_burst_never_comes() -> None:
    assert sum(played("burst", k=0).allocations("small")) == 0


@pytest.mark.parametrize(("k", "gpus"), [(10, (16, 16, 16)), (1, (1, 1, 12))])
def test_a_job_larger_than_its_queue_ever_earns_never_runs(k: float, gpus: tuple[int, ...]) -> None:
    """KAI's own simulator does the same: the share that past usage gives stays below 16, and below 12."""
    names = ("one", "two", "three")
    backlogs = tuple(Backlog(name, size, jobs=20) for name, size in zip(names, gpus, strict=True))
    queues = (queue("all"), *(replace(queue(name), parent="all") for name in names))
    timeline = simulate(SimulationScenario(queues, (16,), backlogs, 40, window=30, k=k))
    assert set(timeline.allocations("three")) == {0}
    assert max(points[-1].fair_share for points in timeline.points) < gpus[-1]


def test_what_is_guaranteed_is_kept_and_the_rest_shared_over_time() -> None:
    timeline = played("guaranteed")
    for queue in ("red", "blue"):
        assert min(timeline.allocations(queue, 5)) >= 4
        assert timeline.long_run(queue, 60) == pytest.approx(0.5, abs=0.03)


@pytest.mark.slow
def test_the_proposals_formula_keeps_weights_among_queues_without_a_parent() -> None:
    queues = (queue("red", weight=1), queue("blue", weight=2))
    backlogs = (Backlog("red", 1, jobs=30), Backlog("blue", 1, jobs=30))
    timeline = simulate(
        SimulationScenario(queues, (8,), backlogs, 600, window=60, half_life=20, time_aware=TimeAware.PROPOSAL)
    )
    assert timeline.long_run("blue", 100) == pytest.approx(2 / 3, abs=0.02)


def test_usage_fades_with_its_half_life_in_the_window() -> None:
    history = [{"a": 8.0}, {"a": 0.0}]
    assert usage_of(history, 8, 10, 0) == {"a": 0.5}
    assert usage_of(history, 8, 1, 0) == {"a": 0.0}
    assert usage_of(history, 8, 10, 1) == {"a": pytest.approx(1 / 3)}
    assert usage_of([], 8, 10, 1) == {}


def queue(name: str, **fields: float) -> Queue:
    quota, limit = Resources(0, 0, fields.get("quota", 0)), Resources(0, 0, fields.get("limit", -1))
    return Queue(name, "", 100, 0, Deserved(quota), MaxAllowed(limit), Resources(0, 0, fields.get("weight", 1)))


def test_a_job_leaves_when_it_is_done_and_the_next_comes() -> None:
    timeline = simulate(SimulationScenario((queue("a"),), (4,), (Backlog("a", 4, jobs=2, duration=3),), cycles=8))
    assert timeline.allocations("a") == [4, 4, 4, 4, 4, 4, 0, 0]


def test_nobody_goes_beyond_a_limit_though_all_is_idle() -> None:
    timeline = simulate(SimulationScenario((queue("a", limit=2),), (4,), (Backlog("a", 1, jobs=4),), cycles=2))
    assert timeline.allocations("a") == [2, 2]


def test_a_gang_that_no_node_takes_waits() -> None:
    timeline = simulate(SimulationScenario((queue("a"),), (2, 2), (Backlog("a", 3, jobs=1),), cycles=2))
    assert timeline.allocations("a") == [0, 0]


def test_pods_fill_the_fullest_node_first() -> None:
    backlogs = (Backlog("a", 1, jobs=1), Backlog("a", 2, jobs=1, start=1))
    timeline = simulate(SimulationScenario((queue("a"),), (3, 2), backlogs, cycles=2))
    assert timeline.allocations("a") == [1, 3]


@pytest.mark.parametrize(
    ("parts", "held"),
    [((0.6, 0.6, 1), [0.6, 1.2, 1.2]), ((0.6, 0.6, 0.6), [0.6, 1.2, 1.2]), ((0.6, 0.4, 1), [0.6, 1, 2])],
)
def test_a_gpu_that_is_shared_in_a_later_cycle_is_another_one(parts: tuple[float, ...], held: list[float]) -> None:
    backlogs = tuple(Backlog("a", part, jobs=1, start=number) for number, part in enumerate(parts))
    timeline = simulate(SimulationScenario((queue("a"),), (2,), backlogs, cycles=3))
    assert timeline.allocations("a") == pytest.approx(held)
