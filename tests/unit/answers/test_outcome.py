"""One exit code for any number of outcomes."""

from itertools import permutations

import pytest

from kubectl_fairshare.answers.outcome import EXIT_CODES, Outcome, exit_code, outcome_counts

A, P, W, N = Outcome.ADMITTED, Outcome.PREEMPTS, Outcome.WAITS, Outcome.NEVER


def test_every_outcome_has_an_exit_code() -> None:
    assert EXIT_CODES.keys() == set(Outcome)


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([], 0),
        ([Outcome.ADMITTED, Outcome.PREEMPTS], 0),
        ([Outcome.ADMITTED, Outcome.UNKNOWN], 5),
        ([Outcome.UNKNOWN, Outcome.WAITS], 4),
        ([Outcome.UNKNOWN, Outcome.NEVER, Outcome.ADMITTED], 4),
    ],
)
def test_a_certain_no_outweighs_an_unknown_and_both_a_yes(outcomes: list[Outcome], code: int) -> None:
    assert {exit_code(map(EXIT_CODES.__getitem__, order)) for order in permutations(outcomes)} == {code}


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
