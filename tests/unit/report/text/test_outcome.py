"""The first lines of a plan."""

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.text.outcome import outcome_counts, outcome_lines
from kubectl_fairshare.report.text.view import View

A, P, W, N = Outcome.ADMITTED, Outcome.PREEMPTS, Outcome.WAITS, Outcome.NEVER


def test_the_verdict_has_its_mark_and_the_exit_code_is_at_the_right_end() -> None:
    (line,) = outcome_lines(Outcome.WAITS, 4, "waits", "", View(30))
    assert line == "– waits" + " " * 17 + "exit 4"


def test_a_long_verdict_continues_below_its_beginning() -> None:
    first, second = outcome_lines(Outcome.ADMITTED, 0, "admitted " * 4, "", View(30))
    assert first.startswith("✔ admitted")
    assert second.startswith("  admitted")


def test_an_unknown_outcome_says_what_is_computed() -> None:
    lines = outcome_lines(Outcome.UNKNOWN, 5, "unknown: topology", "by quota alone: admitted", View())
    assert lines[0].startswith("? unknown: topology")
    assert lines[1] == "  by quota alone: admitted"


@pytest.mark.parametrize(
    ("outcomes", "of", "text"),
    [
        ([A] * 4 + [P] * 3 + [W] * 5, "order", "7 of 12 orders admit it, 5 wait"),
        ([A, W], "possible outcome", "1 of 2 possible outcomes admits it, 1 waits"),
        ([W, W, N], "order", "2 of 3 orders wait, 1 never admits it"),
        ([A, P], "order", ""),
        ([], "order", ""),
    ],
)
def test_outcomes_are_counted_where_they_differ(outcomes: list[Outcome], of: str, text: str) -> None:
    assert outcome_counts(outcomes, of) == text
