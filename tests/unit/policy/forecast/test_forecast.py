"""Forecasts of small states: intervals, what a job waits for, never, no time, preemption afterwards."""

from pathlib import Path

import pytest

from kubectl_fairshare.answers.forecast import Forecast, ForecastVerdict, Leaving, WaitingForecast
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.policy.forecast.durations import DurationOptions
from kubectl_fairshare.policy.forecast.plays import ForecastTerms, forecast
from kubectl_fairshare.policy.simulation.parameters import NamedSpan, Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import scheduler_named
from tests.unit.policy.forecast.cutting import as_text, manifests_at
from tests.unit.policy.simulation.states import FLAVOR_GPU, SECOND, job, policy, queue

KUEUE = scheduler_named("kueue")
NOW = 30 * SECOND
PAST = tuple(
    TracedJob(f"night-{number}", "vision", "main", 0, (), duration=seconds * SECOND, finished=seconds * SECOND)
    for number, seconds in enumerate((40, 50, 60, 70, 80, 90))
)


def forecast_of(
    folder: Path,
    *jobs: TracedJob,
    queues: tuple[str, ...] = (queue("vision", 4), queue("speech", 4)),
    given: dict[str, int] | None = None,
    asked: tuple[str, ...] = (),
    **terms: object,
) -> Forecast:
    """A forecast at ``NOW`` of what these jobs, which come in a simulation, hold and wait for by then."""
    before = simulate(KUEUE, policy(folder, *queues), jobs, Parameters(end=NOW))
    cut = policy(folder, *queues, as_text(manifests_at(before)))
    durations = DurationOptions(tuple(NamedSpan(name, span * SECOND) for name, span in (given or {}).items()))
    wanted = ForecastTerms(**{"now": NOW, "durations": durations, **terms})  # type: ignore[arg-type]
    return forecast(KUEUE, cut, KUEUE.adoption(cut, NOW), wanted, asked)


def of(found: Forecast, name: str) -> WaitingForecast:
    return next(each for each in found.waiting if each.job.name == name)


def test_with_exact_durations_the_interval_is_the_moment_and_the_answer_exact(tmp_path: Path) -> None:
    found = forecast_of(
        tmp_path,
        job("holds", "vision", 1, 8, None),
        job("waits", "vision", 2, 2, None),
        given={"holds": 100, "waits": 10},
    )
    waits = of(found, "waits")
    assert set(waits.starts) == {102 * SECOND}, "a second after the end, when Kueue requeues"
    (end,) = waits.awaits
    assert (end.job, end.how, end.at.median, end.freed) == (
        "vision/holds",
        Leaving.ENDS,
        101 * SECOND,
        {FLAVOR_GPU: 8},
    )
    assert found.fidelity.exact


def test_a_past_gives_an_interval_with_ordered_ends_the_same_for_a_seed(tmp_path: Path) -> None:
    jobs = (job("night-9", "vision", 1, 8, None), job("waits", "vision", 2, 2, None))
    found = forecast_of(tmp_path, *jobs, past=PAST)
    starts = of(found, "waits").starts
    assert starts.early < starts.median < starts.late  # type: ignore[operator]
    assert 41 * SECOND < starts.early < starts.late <= 92 * SECOND  # type: ignore[operator]
    assert forecast_of(tmp_path, *jobs, past=PAST) == found
    assert not found.fidelity.exact
    assert found.engine.exact


def test_a_known_duration_gives_a_time_however_far_it_is(tmp_path: Path) -> None:
    days = 86400
    jobs = (job("holds", "vision", 1, 8, None), *(job(f"later-{n:02}", "vision", 2 + n, 8, None) for n in range(25)))
    found = forecast_of(tmp_path, *jobs, given={"*": 9 * days})
    assert {each.verdict for each in found.waiting} == {ForecastVerdict.STARTS}
    assert found.waiting[-1].starts.median == (25 * 9 * days + 1 + 25) * SECOND
    assert found.fidelity.exact


def test_what_is_not_known_ends_after_all_that_is_known(tmp_path: Path) -> None:
    days = 86400
    jobs = (
        job("old", "vision", 1, 4, None),
        job("long", "vision", 2, 4, None),
        job("waits", "vision", 3, 4, None),
    )
    found = forecast_of(tmp_path, *jobs, given={"long": 300 * days, "waits": 10})
    waits = of(found, "waits")
    assert waits.verdict is ForecastVerdict.STARTS
    assert [end.job for end in waits.awaits] == ["vision/long"]


def test_a_job_that_has_run_longer_than_is_given_leaves_a_doubt(tmp_path: Path) -> None:
    jobs = (job("holds", "vision", 1, 8, None), job("waits", "vision", 2, 2, None))
    found = forecast_of(tmp_path, *jobs, given={"holds": 10, "waits": 10})
    assert of(found, "waits").starts.early is not None
    assert not found.fidelity.exact
    assert found.fidelity.gaps[-1].subject == "1 longer than given"


def test_without_a_duration_there_is_an_order_and_no_time(tmp_path: Path) -> None:
    jobs = (
        job("old", "vision", 1, 4, None),
        job("young", "vision", 3, 4, None),
        job("small", "vision", 4, 4, None),
        job("large", "vision", 5, 8, None),
    )
    found = forecast_of(tmp_path, *jobs)
    assert [each.job.name for each in found.waiting] == ["small", "large"]
    for each in found.waiting:
        assert each.verdict is ForecastVerdict.UNTIMED
        assert set(each.starts) == {None}
    assert [end.job for end in of(found, "small").awaits] == ["vision/old"]
    assert [end.job for end in of(found, "large").awaits] == ["vision/old", "vision/young", "vision/small"]
    assert of(found, "large").before == {"vision": ("vision/small",)}
    assert all(set(end.at) == {None} for end in of(found, "large").awaits)


def test_a_time_that_unknown_durations_do_not_touch_is_known(tmp_path: Path) -> None:
    jobs = (
        job("holds", "vision", 1, 4, None),
        job("forever", "speech", 1, 4, None),
        job("waits", "vision", 2, 4, None),
    )
    found = forecast_of(tmp_path, *jobs, given={"holds": 60})
    assert set(of(found, "waits").starts) == {62 * SECOND}


@pytest.mark.parametrize("given", [{}, {"*": 50}])
def test_a_job_that_is_too_large_for_all_quota_never_starts(tmp_path: Path, given: dict[str, int]) -> None:
    found = forecast_of(
        tmp_path,
        job("holds", "vision", 1, 8, None),
        job("giant", "vision", 2, 9, None),
        given=given,
        asked=("vision/giant",),
    )
    giant = of(found, "giant")
    assert giant.verdict is ForecastVerdict.NO_START
    assert giant.unstarted == found.plays
    assert set(giant.starts) == {None}
    assert found.fidelity.exact, "it never starts, however long jobs run"


def test_a_job_may_be_preempted_after_its_start_for_one_that_waited_longer(tmp_path: Path) -> None:
    jobs = (
        job("holds", "speech", 1, 4, None),
        job("lent", "vision", 2, 4, None),
        job("owner", "speech", 3, 6, None),
        job("guest", "vision", 4, 2, None),
    )
    queues = (queue("vision", 2), queue("speech", 6))
    found = forecast_of(tmp_path, *jobs, queues=queues, given={"holds": 60, "lent": 90, "owner": 50, "guest": 300})
    preempted = {each.job.name: each.preemption for each in found.waiting if each.preemption}
    preempted |= {each.job.name: each.preemption for each in found.running if each.preemption}
    assert {name: (each.plays, each.by) for name, each in preempted.items()} == {"lent": (20, "speech/owner")}


def test_work_that_backs_off_is_tried_when_its_backoff_is_over(tmp_path: Path) -> None:
    waiting = manifests_at(
        simulate(KUEUE, policy(tmp_path, queue("vision", 4)), [job("late", "vision", 1, 9, 1)], Parameters(end=NOW))
    )
    waiting[0]["spec"]["podSets"][0]["count"] = 2
    waiting[0]["status"] = {
        "requeueState": {"count": 1, "requeueAt": "1970-01-01T00:02:00Z"},
        "conditions": [
            {
                "type": "Requeued",
                "status": "False",
                "reason": "PodsReadyTimeout",
                "message": "",
                "lastTransitionTime": "1970-01-01T00:00:20Z",
            }
        ],
    }
    cut = policy(tmp_path, queue("vision", 4), as_text(waiting))
    found = forecast(KUEUE, cut, KUEUE.adoption(cut, NOW), ForecastTerms(now=NOW))
    assert set(of(found, "late").starts) == {120 * SECOND}


def test_where_chance_decides_the_answer_is_one_of_several(tmp_path: Path) -> None:
    jobs = (
        job("holds", "vision", 1, 8, None),
        job("one", "vision", 2, 8, None),
        job("two", "vision", 2, 8, None),
    )
    found = forecast_of(tmp_path, *jobs, given={"*": 60})
    assert found.engine.exact
    assert not found.fidelity.defined
