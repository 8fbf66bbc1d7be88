"""The first lines of a plan."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.text.outcome import outcome_lines
from kubectl_fairshare.report.text.view import View


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
