"""One exit code for any number of outcomes."""

from itertools import permutations

import pytest

from kubectl_fairshare.answers.outcome import EXIT_CODES, Outcome, exit_code


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
