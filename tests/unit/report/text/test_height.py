"""How many lines of an answer are above a low terminal's screen."""

import pytest

from kubectl_fairshare.report.text.height import hidden_lines, lines_taken, without_verdict
from kubectl_fairshare.report.text.view import View

VIEW = View(100)


@pytest.mark.parametrize(("height", "hidden"), [(24, 28), (50, 2), (51, 0), (60, 0)])
def test_lines_above_the_screen_are_counted_with_the_hint_and_the_prompt(height: int, hidden: int) -> None:
    hint = hidden_lines("line\n" * 50, "", height, VIEW)
    expected = [f"{hidden} of 50 lines are above the screen: `| less` has all"] if hidden else []
    assert hint == expected


def test_no_more_lines_are_hidden_than_there_are() -> None:
    assert hidden_lines("line\n" * 3, "", 1, VIEW)[0].startswith("3 of 3 lines")


def test_the_short_answer_is_named_with_its_own_number_of_lines() -> None:
    for brief, words in (("a\n", "`--brief` has 1 line, "), ("a\nb\n", "`--brief` has 2 lines, ")):
        assert f": {words}`| less` has all" in hidden_lines("line\n" * 50, brief, 24, VIEW)[0]


def test_a_hint_on_two_lines_hides_one_line_more() -> None:
    assert " ".join(hidden_lines("line\n" * 50, "", 24, View(40))).startswith("29 of 50 lines")


def test_a_line_that_is_too_wide_takes_several_and_colour_takes_no_room() -> None:
    assert lines_taken("x" * 81 + "\n\n" + "\x1b[32m" + "x" * 80 + "\x1b[0m\n", 80) == 4


@pytest.mark.parametrize(
    ("text", "above"),
    [
        ("row\n\n⇒ waits\n", "row\n\n"),
        ("row\n\x1b[33m⇒ waits · exact (the\x1b[0m\n\x1b[33m  release)\x1b[0m\n", "row\n"),
        ("⇒ waits\nrow\nrow\nrow\n", "⇒ waits\nrow\nrow\nrow\n"),
        ("row\n", "row\n"),
        ("", ""),
    ],
)
def test_the_hint_goes_above_the_verdict_that_a_text_ends_with(text: str, above: str) -> None:
    assert without_verdict(text) == above
