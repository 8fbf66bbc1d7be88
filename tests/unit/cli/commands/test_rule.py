"""``help`` of rules: what one lint rule checks, with examples, by id or by name."""

import json
from collections.abc import Callable

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]


@pytest.mark.parametrize("word", ["K041", "k041", "cohort-cycle", "Cohort-Cycle"])
def test_a_rule_is_known_by_id_and_name(run: Run, word: str) -> None:
    screen = run(f"kubectl-fairshare help {word}")
    assert screen.code == 0
    assert screen.stdout.startswith("K041 cohort-cycle · error\n")


def test_it_shows_what_the_bad_example_yields(run: Run) -> None:
    text = run("kubectl-fairshare help K041").stdout
    assert "\nbad.yaml:6:15: error[K041] cohort-cycle: " in text
    assert max(len(line) for line in text.splitlines() if "error[K041]" not in line) <= 80


def test_as_a_document_it_has_examples_and_findings(run: Run) -> None:
    document = json.loads(run("kubectl-fairshare help K041 -o json").stdout)
    assert document["rule"]["covers"] == ["X10"]
    assert [finding["rule"] for finding in document["bad"]["findings"]] == ["K041"]
    assert "kind: Cohort" in document["good"]["text"]


def test_an_unknown_rule_is_told_with_near_ones(run: Run) -> None:
    screen = run("kubectl-fairshare help cohort-cicle")
    assert screen.code == 2
    assert "`cohort-cycle`" in screen.stderr


def test_the_older_name_shows_the_same(run: Run) -> None:
    assert run("kubectl-fairshare rule K041").stdout == run("kubectl-fairshare help K041").stdout


def test_forms_for_programs_are_of_rules_alone(run: Run) -> None:
    screen = run("kubectl-fairshare help cohort -o json")
    assert (screen.code, "name a rule" in screen.stderr) == (2, True)


def test_a_word_near_to_none_leads_to_the_list(run: Run) -> None:
    assert "lint --list-rules" in run("kubectl-fairshare help zzzzzzzz").stderr
