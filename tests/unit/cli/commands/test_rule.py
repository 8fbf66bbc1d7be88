"""``help`` of rules: what one lint rule checks, with examples, by id or by name."""

import json
from collections import Counter
from collections.abc import Callable

import pytest

from kubectl_fairshare.cli.commands.rule import examples_of
from kubectl_fairshare.lint.formats.rule_page import rule_screen
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers import lint_houses
from tests.sampling import sampled
from tests.screens import Screen

Run = Callable[[str], Screen]
RULES = sampled((pytest.param(rule, id=rule.id) for house in lint_houses() for rule in house.rules), 40)


@pytest.mark.parametrize("word", ["K041", "k041", "cohort-cycle", "Cohort-Cycle"])
def test_a_rule_is_known_by_id_and_name(run: Run, word: str) -> None:
    screen = run(f"kubectl-fairshare help {word}")
    assert screen.code == 0
    assert screen.stdout.startswith("K041 cohort-cycle · error\n")


def test_it_shows_what_the_bad_example_yields(run: Run) -> None:
    text = run("kubectl-fairshare help K041").stdout
    assert "\nbad.yaml\n  6:15  error[K041] cohort-cycle\n" in text


@pytest.mark.parametrize("rule", RULES)
def test_of_the_examples_it_shows_what_differs(rule: Rule) -> None:
    shown = examples_of(rule)
    lines = rule_screen(rule, shown, View()).splitlines()
    assert max(map(len, lines)) <= max(80, *(len(line) + 4 for line in f"{shown.bad}{shown.good}".splitlines()))
    changes = lines[lines.index("bad.yaml → good.yaml") + 1 : -2]
    gone, new = ([line[4:] for line in changes if line.startswith(f"  {sign}")] for sign in "-+")
    bad, good = (Counter(text.splitlines()) for text in (shown.bad, shown.good))
    bad.subtract(gone)
    bad.update(new)
    assert +bad == good
    assert min(bad.values()) >= 0


def test_most_rules_fit_on_two_screens() -> None:
    heights = [
        rule_screen(rule, examples_of(rule), View()).count("\n")
        for house in lint_houses()
        for rule in house.rules[::25]
    ]
    assert sorted(heights)[len(heights) * 9 // 10] <= 48
    assert sorted(heights)[len(heights) // 2] <= 32


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
