"""A calibration on a screen and as a document."""

import json

from jsonschema import Draft202012Validator

from kubectl_fairshare.policy.simulation.calibration import calibrated
from kubectl_fairshare.report.simulation.calibration import CalibrationReport
from kubectl_fairshare.report.text.view import View
from tests.screens import ROOT
from tests.unit.policy.simulation.made_up import job, simulation
from tests.unit.policy.simulation.test_calibration import recorded


def report() -> CalibrationReport:
    jobs = [recorded(job("first", "a", 0, 50), 10), recorded(job("second", "a", 1, 20), 30), job("x", "a", 2, 3)]
    return CalibrationReport(calibrated(simulation(jobs), "v1"))


def test_the_document_follows_its_schema() -> None:
    schema = json.loads((ROOT / "schemas/fairshare/v1alpha1/calibration.json").read_text("utf-8"))
    document = json.loads(json.dumps(report().document({})))
    Draft202012Validator(schema).validate(document)
    assert document["swapped"] == 1


def test_the_screen_states_the_error() -> None:
    screen = report().screen(View(110))
    assert "2 jobs compared: 1 of 1 pairs of admissions in another order" in screen
    assert "n/first was admitted before n/second" in screen
    assert "not compared: 1 job" in screen
    assert list(report().names()) == ["n/first", "n/second"]
    assert report().csv().startswith("comparison,value\njobs compared,2 of 3\n")
