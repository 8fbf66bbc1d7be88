"""A calibration on a screen and as a document."""

import json

from kubectl_fairshare.answers.calibration import DifferenceCause, EvictionDifference, RecordedStep, Swap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.calibration import calibrated
from kubectl_fairshare.report.simulation.calibration import CalibrationReport
from kubectl_fairshare.report.text.view import View
from tests.schemas import problems
from tests.unit.policy.simulation.made_up import S, job, simulation
from tests.unit.policy.simulation.test_calibration import recorded


def report() -> CalibrationReport:
    jobs = [recorded(job("first", "a", 0, 50), 10), recorded(job("second", "a", 1, 20), 30), job("x", "a", 2, 3)]
    return CalibrationReport(calibrated(simulation(jobs), "v1"))


def test_the_document_follows_its_schema() -> None:
    document = json.loads(json.dumps(report().document({})))
    assert problems(document) == []
    assert (document["swapped"], document["unexamined"]) == (1, 1)


def found() -> CalibrationReport:
    made = report().calibration
    swaps = (
        replace(made.swaps[0], cause=DifferenceCause.ASIDE, examined=True),
        Swap("n/p", "n/q", S, 9 * S, None, True),
    )
    evictions = (
        EvictionDifference("n/first", 5 * S, recorded=True, cause=DifferenceCause.EARLIER, examined=True),
        EvictionDifference("n/second", 6 * S, recorded=False, by="n/x", cause=None, examined=True),
        EvictionDifference("n/third", 7 * S, recorded=False),
    )
    steps = (
        RecordedStep("n/first", 5 * S, evicted=True, cause=DifferenceCause.EARLIER, examined=True),
        RecordedStep("n/first", 6 * S, evicted=False, cause=DifferenceCause.CHANCE, examined=True),
        RecordedStep("n/second", 7 * S, evicted=False, examined=True),
    )
    causes = {DifferenceCause.ASIDE: 1}
    changed = replace(
        made, swapped=2, swaps=swaps, causes=causes, unexamined=0, evictions=evictions, recorded_steps=steps
    )
    return CalibrationReport(changed)


def test_causes_are_counted_and_what_has_none_is_named() -> None:
    screen = found().screen(View(80))
    shown = " ".join(screen.split())
    for line in (
        "because of jobs set aside a moment longer 1",
        "of these on one side alone 3",
        "because of an earlier difference 1",
        "admissions and evictions, one by one 3",
        "simulated from the state before 1",
        "with chance 1",
        "not simulated 1",
        "not looked at 1",
        "simulated after it: without a cause",
        "n/second was evicted in the simulation alone",
        "n/second was admitted at 1970-01-01T00:00:07Z; no simulation does that",
    ):
        assert " ".join(line.split()) in shown, screen
    assert max(map(len, screen.splitlines())) <= 80
    assert "…" not in screen
    document = json.loads(json.dumps(found().document({})))
    assert problems(document) == []
    assert (document["unexplained"], document["unexplainedEvictions"]) == (1, 1)
    assert document["steps"] == {
        "total": 3,
        "causes": {"chance": 1, "earlier": 1},
        "unexplained": [{"job": "n/second", "at": "1970-01-01T00:00:07Z", "evicted": False}],
        "unexamined": 0,
    }
    assert list(found().names()) == ["n/first", "n/second", "n/p", "n/q", "n/third"]


def test_the_screen_states_the_error() -> None:
    screen = report().screen(View(110))
    assert "2 jobs compared: 1 of 1 pairs of admissions in another order" in screen
    assert "n/first was admitted before n/second" in screen
    assert "not compared: 1 job" in screen
    assert list(report().names()) == ["n/first", "n/second"]
    assert report().csv().startswith("comparison,value\njobs compared,2 of 3\n")
