"""The long run of queues and jobs: the mean over cycles that repeat for ever, or not known."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.timelines import TimelinesReport
from kubectl_fairshare.schedulers.kai.model.objects import Deserved, MaxAllowed, Queue, Resources, TimeAware
from kubectl_fairshare.schedulers.kai.model.scenario import Backlog, SimulationScenario
from kubectl_fairshare.schedulers.kai.reading.scenario import read_scenario
from kubectl_fairshare.schedulers.kai.simulation import play, simulation
from kubectl_fairshare.schedulers.kai.simulation.simulation import simulate
from kubectl_fairshare.schedulers.kai.words.timelines import timelines
from tests.screens import ROOT

TURNS = read_scenario(str(ROOT / "testdata" / "kai" / "simulate" / "alternate.yaml"), None, 1 << 20)


@st.composite
def scenarios(draw: st.DrawFn) -> SimulationScenario:
    """Queues below one parent, each with a backlog of equal jobs."""
    queues, backlogs = [Queue("all", "", 100, 0, *_bounds(0, -1), Resources(1, 1, 1))], []
    for name in draw(st.sampled_from(["ab", "abc"])):
        bounds = _bounds(draw(st.sampled_from([0, 0, 2])), draw(st.sampled_from([-1, -1, 4])))
        queues.append(Queue(name, "all", 100, len(queues), *bounds, Resources(1, 1, draw(st.sampled_from([1, 2, 3])))))
        backlogs.append(
            Backlog(
                name,
                draw(st.sampled_from([0.5, 1, 2, 4])),
                pods=draw(st.sampled_from([1, 2])),
                jobs=draw(st.sampled_from([1, 3])),
                start=draw(st.sampled_from([0, 3])),
                duration=draw(st.sampled_from([None, None, 4])),
            )
        )
    return SimulationScenario(
        tuple(queues),
        draw(st.sampled_from([(8,), (4, 4), (3, 5)])),
        tuple(backlogs),
        draw(st.sampled_from([10, 25, 40])),
        window=draw(st.sampled_from([0, 1, 5, 10])),
        half_life=draw(st.sampled_from([0, 5])),
        k=draw(st.sampled_from([0, 1, 4])),
        time_aware=draw(st.sampled_from(list(TimeAware))),
        reclaim_min_runtime=draw(st.sampled_from([0, 3])),
    )


def _bounds(quota: float, limit: float) -> tuple[Deserved, MaxAllowed]:
    return Deserved(Resources(0, 0, quota)), MaxAllowed(Resources(0, 0, limit))


@given(scenarios())
def test_more_cycles_change_no_long_run_that_is_known(scenario: SimulationScenario) -> None:
    once, twice = (simulate(replace(scenario, cycles=cycles)) for cycles in (scenario.cycles, 2 * scenario.cycles))
    assert all(points[0].allocation <= sum(scenario.nodes) + 1e-9 for points in twice.points)
    if once.period:
        assert len(twice.period) == len(once.period)
        assert [twice.long_run(name) for name in twice.queues] == pytest.approx([once.long_run(n) for n in once.queues])


@pytest.mark.slow
@given(scenarios())
def test_cycles_that_repeat_are_those_that_would_be_simulated(scenario: SimulationScenario) -> None:
    with pytest.MonkeyPatch.context() as patch:
        quick = simulate(scenario)
        patch.setattr(simulation._Moments, "since", lambda *_: 0)
        slow = simulate(scenario)
    assert quick.points == slow.points


@pytest.mark.slow
@given(scenarios())
def test_what_is_left_out_of_a_cycle_changes_nothing(scenario: SimulationScenario) -> None:
    """All equal jobs that wait are tried, in every cycle, also in one of which all that decides is as before."""
    quick = simulate(scenario)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play.SimulationRun, "_tried", lambda _: None)
        patch.setattr(play.SimulationRun, "_deciding", lambda _: object())
        slow = simulate(scenario)
    assert quick.points == slow.points


@pytest.mark.parametrize("cycles", [60, 400, 1500])
def test_two_queues_in_turns_hold_half_each_however_many_cycles_are_asked_for(cycles: int) -> None:
    timeline = simulate(replace(TURNS, cycles=cycles))
    assert len(timeline.points) == cycles
    assert (len(timeline.period), timeline.long_run("red"), timeline.long_run("blue")) == (70, 0.5, 0.5)
    assert "in the long run: blue 50.0 %, red 50.0 %" in TimelinesReport(timelines(timeline)).screen(View())
    assert f"simulation · k = 1 · {cycles} cycles" in TimelinesReport(timelines(timeline)).screen(View())


def test_a_long_run_that_is_not_known_is_not_called_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "_FURTHER", 1)
    timeline = simulate(replace(TURNS, cycles=50))
    printed = TimelinesReport(timelines(timeline))
    screen = printed.screen(View())
    document: Any = printed.document({})
    assert "in the second half, perhaps not in the long run: " in screen
    assert ("LONG RUN" in screen, "2ND HALF" in screen) == (False, True)
    assert (document["period"], document["queues"][1]["longRun"]) == (None, None)
    assert document["queues"][1]["secondHalf"] == sum(timeline.allocations("red", 25)) / (25 * 16)


def test_jobs_that_all_end_hold_nothing_in_the_long_run() -> None:
    jobs = (Backlog("red", 16, jobs=2, duration=3),)
    timeline = simulate(replace(TURNS, backlogs=jobs, cycles=8))
    assert timeline.allocations("red") == [16, 16, 16, 16, 16, 16, 0, 0]
    assert "in the long run nothing runs" in TimelinesReport(timelines(timeline)).screen(View())
