"""Every rule has two examples: one in which it finds one thing and nothing else is found, one without findings."""

import re

import pytest

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.lint.protocol import Rule
from tests.unit.lint.examples import BAD, EXAMPLES, GOOD, found_in, said

RULES = [pytest.param(rule, id=f"{rule.id}-{rule.name}") for rule in known_rules()]
SENTENCE = re.compile(r"\S([^\r\n]*[^.\s])?")


def test_each_folder_of_examples_is_that_of_a_rule() -> None:
    folders = {path.name for path in EXAMPLES.iterdir() if path.is_dir()}
    assert folders - {rule.id for rule in known_rules()} == set()


@pytest.mark.parametrize("rule", RULES)
def test_the_bad_example_shows_this_mistake_alone(rule: Rule) -> None:
    placed = found_in(EXAMPLES / rule.id / BAD, also=rule)
    assert [p.reported.rule.id for p in placed] == [rule.id], said(placed)


@pytest.mark.parametrize("rule", RULES)
def test_nothing_is_wrong_with_the_good_example(rule: Rule) -> None:
    placed = found_in(EXAMPLES / rule.id / GOOD, also=rule)
    assert said(placed) == []


@pytest.mark.parametrize("rule", RULES)
def test_its_finding_points_at_a_word_of_the_example(rule: Rule) -> None:
    (placed,) = found_in(EXAMPLES / rule.id / BAD, also=rule)
    column, first = placed.location.column, placed.excerpt_column
    assert placed.excerpt[column - first : placed.end - first].strip() != ""


@pytest.mark.parametrize("rule", RULES)
def test_its_finding_says_what_is_wrong_and_what_would_mend_it(rule: Rule) -> None:
    (placed,) = found_in(EXAMPLES / rule.id / BAD, also=rule)
    finding = placed.reported.finding
    texts = [finding.message, finding.remedy.text, *(related.text for related in finding.related)]
    assert [text for text in texts if not SENTENCE.fullmatch(text)] == []
    assert [name for name, value in finding.evidence if not name or not value] == []


@pytest.mark.parametrize("rule", RULES)
def test_its_metadata_say_what_it_is_about(rule: Rule) -> None:
    assert re.fullmatch(r"[AEKMQ]\d{3}", rule.id)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert "\n" not in rule.summary
    assert not rule.summary.endswith(".")
    assert len(rule.summary) <= 100
    assert rule.why.endswith(".")
    assert not rule.remedy.endswith(".")
