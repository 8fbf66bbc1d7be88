"""The scenarios that ``fairshare-test.yaml`` can state are such tests, too, and they pass."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from tests.conformance.scenarios import every_scenario
from tests.conformance.suite import as_test, cannot, suite_text
from tests.screens import ROOT, Screen, compare

SUITE = ROOT / "testdata" / "suite" / "fairshare-test.yaml"
SCENARIOS = every_scenario()


def test_the_suite_has_every_scenario_that_its_format_can_state(request: pytest.FixtureRequest) -> None:
    compare(SUITE, suite_text(SCENARIOS), rewrite=bool(request.config.getoption("--rewrite-goldens")))


@pytest.mark.slow
def test_every_test_of_the_suite_passes(run: Callable[[str], Screen]) -> None:
    (suite,) = json.loads(run("kubectl-fairshare test testdata/suite -o json").stdout)["suites"]

    stated = [each.title for each in SCENARIOS if not cannot(each)]
    assert [(test["name"], test["status"]) for test in suite["tests"]] == [(title, "Passed") for title in stated]


def test_a_scenario_is_left_out_for_a_reason() -> None:
    reasons = Counter(cannot(each) for each in SCENARIOS)
    plain = next(each for each in SCENARIOS if not cannot(each))

    assert (reasons[""], len(SCENARIOS) - reasons[""]) == (40, 58)
    assert "figures" in cannot(replace(plain, when={"shares": {}}))
    assert cannot(replace(plain, name="elasticquota/a")).startswith("running pods are on certain nodes")
    assert yaml.safe_load(yaml.safe_dump(as_test(plain)))["then"]["outcome"] == plain.then["outcome"]


def test_what_binds_points_into_the_object_of_the_test(run: Callable[[str], Screen], tmp_path: Path) -> None:
    plain = next(each for each in SCENARIOS if not cannot(each) and each.then["outcome"] == "Waits")
    path = tmp_path / "fairshare-test.yaml"
    path.write_text(suite_text([replace(plain, then={"outcome": "Admitted"})]))
    (tmp_path / "namespace.yaml").write_text((SUITE.parent / "namespace.yaml").read_text())
    failed = run(f"kubectl-fairshare test {path} -o json")

    (test,) = json.loads(failed.stdout)["suites"][0]["tests"]
    lines = path.read_text().splitlines()
    places = [proof["at"]["line"] for proof in test["proofs"] if proof.get("at")]
    assert (failed.code, test["status"]) == (1, "Failed")
    assert places
    assert all("nominalQuota" in lines[line - 1] for line in places)
