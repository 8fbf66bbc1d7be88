"""Forecasts made at moments of a record, compared with what it says came then: laws, the screen, the document."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.answers.forecast import CitedCalibration, CitedLead
from kubectl_fairshare.answers.forecast_calibration import ForecastCalibration
from kubectl_fairshare.model.job_trace import TracedEviction, TracedJob
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.forecast.calibration import calibrated_forecasts
from kubectl_fairshare.policy.forecast.durations import DurationOptions
from kubectl_fairshare.policy.forecast.plays import ForecastTerms
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.report.forecast.words import calibration_text
from kubectl_fairshare.schedulers import scheduler_named
from tests.schemas import problems
from tests.screens import Screen
from tests.unit.policy.forecast.test_plays import random_jobs, random_queues
from tests.unit.policy.simulation.states import SECOND, job, policy, queue

Run = Callable[[str], Screen]
KUEUE = scheduler_named("kueue")
HOUR = 3600
CALL = "kubectl-fairshare forecast -f testdata/simulate/org.yaml --calibrate testdata/traces/replayed.jsonl"


def recorded(snapshot: Snapshot, jobs: list[TracedJob]) -> list[TracedJob]:
    """The jobs with what a simulation of them did, as a cluster would record it."""
    found = []
    for each in simulate(KUEUE, snapshot, jobs, Parameters()).jobs:
        first, later = next(iter(each.admitted), None), each.admitted[1:]
        stops = tuple(TracedEviction(eviction.at, "Preempted") for eviction in each.evictions)
        moments = {"admitted": first, "readmitted": tuple(later), "evictions": stops, "finished": each.finished}
        found.append(replace(each.job, **moments))
    return found


def calibration(snapshot: Snapshot, jobs: list[TracedJob], **terms: object) -> ForecastCalibration:
    wanted = ForecastTerms(**{"now": 0, **terms})  # type: ignore[arg-type]
    found = calibrated_forecasts(KUEUE, snapshot, jobs, wanted, 20)
    assert found is not None
    return found


def test_with_recorded_durations_and_arrivals_nothing_is_left_of_the_error(tmp_path: Path) -> None:
    compared = 0
    for seed in range(8):
        chance = random.Random(seed)
        queues = random_queues(chance)
        snapshot = policy(tmp_path, *queues, fair=False)
        jobs = recorded(snapshot, random_jobs(chance, ["vision", "speech", "search"][: len(queues)]))
        found = calibrated_forecasts(KUEUE, snapshot, jobs, ForecastTerms(now=0, plays=1), 8)
        if found is None or found.fidelity.gaps or found.foreseen.distances is None or found.unread:
            continue
        evicted = any(each.evictions for each in jobs)  # what is set aside at a moment, a record does not say
        assert found.foreseen.distances.median <= (3 * SECOND if evicted else SECOND), seed
        compared += found.foreseen.compared
    assert compared > 50


@pytest.mark.slow
def test_durations_of_one_kind_are_forecast_with_the_coverage_that_is_said(tmp_path: Path) -> None:
    chance = random.Random(7)
    jobs = [job(f"sweep-{n}", "vision", n * 1400, 1, chance.randint(60, 360) * 60) for n in range(150)]
    earlier = tuple(replace(each, name=f"{each.name}-0", finished=0) for each in jobs[60:])
    jobs = jobs[:60]
    snapshot = policy(tmp_path, queue("vision", 8, strategy="StrictFIFO"))

    found = calibration(snapshot, recorded(snapshot, jobs), plays=10, past=earlier)

    assert found.every.forecasts > 60
    assert 0.7 <= (found.every.coverage or 0) <= 0.95
    assert found.recorded.distances is not None
    assert found.every.errors.distances is not None
    assert found.recorded.distances.most <= 2 * SECOND  # nobody passes in a queue in order of arrival
    assert found.every.errors.distances.median > found.recorded.distances.median
    assert found.every.forecasts == sum(each.forecasts for each in found.leads)
    assert sum(each.errors.compared for each in found.leads) == found.every.errors.compared


def test_a_forecast_that_is_too_early_has_a_bias_below_zero(tmp_path: Path) -> None:
    snapshot = policy(tmp_path, queue("vision", 1))
    jobs = recorded(snapshot, [job("one", "vision", 0, 1, 4 * HOUR), job("two", "vision", HOUR, 1, HOUR)])

    early = calibration(snapshot, jobs, durations=DurationOptions(default=2 * HOUR * SECOND), plays=1)
    late = calibration(snapshot, jobs, durations=DurationOptions(default=9 * HOUR * SECOND), plays=1)

    assert early.every.errors.bias < 0 < late.every.errors.bias
    assert (early.every.early, late.every.late) == (0, 0)
    assert early.every.late
    assert late.every.early == late.every.forecasts


def test_jobs_that_had_not_started_when_the_trace_ends_are_not_compared_unless_they_are_late(tmp_path: Path) -> None:
    snapshot = policy(tmp_path, queue("vision", 1))
    jobs = [
        replace(job("one", "vision", 0, 1, None), admitted=0),
        replace(job("two", "vision", HOUR, 1, None), admitted=30 * HOUR * SECOND),
        job("open", "vision", 2 * HOUR, 1, None),
    ]
    jobs[0] = replace(jobs[0], finished=30 * HOUR * SECOND, duration=30 * HOUR * SECOND)
    found = calibration(snapshot, jobs, durations=DurationOptions(default=40 * HOUR * SECOND), plays=1)
    assert found.unknown > 0
    short = calibration(snapshot, jobs, durations=DurationOptions(default=HOUR * SECOND), plays=1)
    assert short.unknown < found.unknown
    assert short.every.late > short.every.errors.compared - short.every.covered


def test_without_any_duration_no_forecast_has_a_time(tmp_path: Path) -> None:
    snapshot = policy(tmp_path, queue("vision", 1))
    jobs = recorded(snapshot, [job("one", "vision", 0, 1, 4 * HOUR), job("two", "vision", HOUR, 1, HOUR)])
    found = calibration(snapshot, jobs, plays=2)
    assert found.every.forecasts == 0
    assert found.untimed == 20
    assert found.every.coverage is None


def test_a_policy_under_which_recorded_work_does_not_run_is_noticed(tmp_path: Path) -> None:
    jobs = recorded(policy(tmp_path, queue("vision", 2)), [job(f"j{n}", "vision", n * 60, 1, HOUR) for n in range(4)])
    assert calibration(policy(tmp_path, queue("vision", 2)), jobs, plays=2).displaced == 0
    assert calibration(policy(tmp_path, queue("vision", 1)), jobs, plays=2).displaced > 0


def test_a_trace_in_which_nothing_waited_has_no_calibration(tmp_path: Path) -> None:
    snapshot = policy(tmp_path, queue("vision", 2))
    jobs = recorded(snapshot, [job("one", "vision", 0, 1, HOUR)])
    assert calibrated_forecasts(KUEUE, snapshot, jobs, ForecastTerms(now=0), 5) is None


# --- the command


def test_the_document_follows_its_schema_and_agrees_with_the_screen(run: Run) -> None:
    few = f"{CALL} --default-duration 1h --moments 4 --seeds 5"
    document = json.loads(run(f"{few} -o json").stdout)
    assert problems(document) == []
    every = document["every"]
    number = every["forecasts"]
    assert number == every["covered"] + every["early"] + every["late"] > 5
    assert document["recordedArrivals"]["distance"]["median"] == 0

    assert f"80 % intervals held {every['coverage']:.0%} of {number} starts" in run(few).stdout
    assert len(run(f"{few} -o csv").stdout.splitlines()) == 7
    assert f"| all | {number} |" in run(f"{few} -o markdown").stdout
    assert run(f"{CALL} -o name").stdout == ""


def test_an_answer_cites_a_calibration(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "calibration.json"
    made = run(f"{CALL} --default-duration 1h --moments 4 --seeds 5 -o json").stdout
    file.write_text(made, "utf-8")
    every = json.loads(made)["every"]
    held = f"held {every['coverage']:.0%} of {every['forecasts']} starts"
    forecast = "kubectl-fairshare forecast -f testdata/forecast/cluster.yaml --now 2026-11-30T01:00:00Z"
    screen = " ".join(run(f"{forecast} --calibration {file}").stdout.split())
    assert f"2026-01-05 to 2026-01-05: 80 % intervals {held}, median error " in screen
    document = json.loads(run(f"{forecast} --calibration {file} -o json").stdout)
    assert document["calibration"]["every"]["forecasts"] == every["forecasts"]
    assert json.loads(run(f"{forecast} -o json").stdout)["calibration"] is None
    assert held in run(f"{forecast} --calibration {file} -o markdown").stdout


def test_a_calibration_is_cited_for_starts_so_far_ahead() -> None:
    near, far = CitedLead(0, 600, 10, 0.9, 60 * SECOND, 0), CitedLead(3600, None, 5, 0.4, 600 * SECOND, -SECOND)
    cited = CitedCalibration("c.json", 0, SECOND, None, (near, far))
    assert [cited.of(lead) for lead in (0, 599, 600, 3599, 3600)] == [near, near, None, None, far]
    assert calibration_text(cited, None).endswith("no forecast had a time")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"{CALL} x", "makes forecasts at moments of a trace"),
        (f"{CALL} --now 2026-01-01T00:00:00Z", "makes forecasts at moments of a trace"),
        (f"{CALL} --calibration c.json", "makes forecasts at moments of a trace"),
        ("kubectl-fairshare forecast -f testdata/forecast/cluster.yaml --moments 3", "counts moments of a trace"),
        (
            "kubectl-fairshare forecast -f testdata/forecast/cluster.yaml --calibration testdata/traces/replayed.jsonl",
            "is not a calibration of forecasts",
        ),
        (
            "kubectl-fairshare forecast -f testdata/simulate/org.yaml --calibrate testdata/forecast/cluster.yaml",
            "the first line is not the header of a trace",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(words: str, said: str, run: Run) -> None:
    screen = run(words)
    assert screen.code in (2, 3)
    assert said in " ".join(screen.stderr.split())
