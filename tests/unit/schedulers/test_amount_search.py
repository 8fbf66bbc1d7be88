"""The largest and the smallest amount for which a decision holds, found with few trials."""

from math import log2

from hypothesis import example, given
from hypothesis import strategies as st

from kubectl_fairshare.schedulers.amount_search import largest, smallest

NUMBERS = st.integers(-3, 40)
LARGE = st.integers(1, 2**40)


@given(NUMBERS, NUMBERS, NUMBERS, st.sets(NUMBERS, max_size=4))
def test_guesses_change_nothing(low: int, high: int, most: int, guesses: set[int]) -> None:
    expected = min(high, most) if low <= min(high, most) else None
    assert largest(low, high, lambda n: n <= most, guesses) == largest(low, high, lambda n: n <= most) == expected


@given(LARGE, st.integers(0, 2**40), st.sets(LARGE, max_size=40))
@example(8, 1, set())  # the guess is the least of all
def test_a_right_guess_takes_few_trials(high: int, most: int, others: set[int]) -> None:
    tried: list[int] = []

    def holds(n: int) -> bool:
        tried.append(n)
        return n <= most

    assert largest(1, high, holds, {most, *others}) == (min(high, most) or None)
    assert len(tried) <= (1 if most == 0 else 3 + log2(1 + len(others)))


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_the_smallest_is_found_with_any_guess(low: int, high: int, least: int, guess: int) -> None:
    expected = max(low, least) if low <= high and least <= high else None
    assert smallest(low, high, lambda n: n >= least, guess) == expected
