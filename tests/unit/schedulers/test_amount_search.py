"""The largest amount for which a decision holds, found with few trials."""

from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.schedulers.amount_search import largest

NUMBERS = st.integers(-3, 40)


@given(NUMBERS, NUMBERS, NUMBERS, st.sets(NUMBERS, max_size=4))
def test_guesses_change_nothing(low: int, high: int, most: int, guesses: set[int]) -> None:
    expected = min(high, most) if low <= min(high, most) else None
    assert largest(low, high, lambda n: n <= most, guesses) == largest(low, high, lambda n: n <= most) == expected


@given(st.integers(1, 2**40), st.integers(0, 2**40))
def test_a_right_guess_takes_two_trials(high: int, most: int) -> None:
    tried: list[int] = []

    def holds(n: int) -> bool:
        tried.append(n)
        return n <= most

    assert largest(1, high, holds, (most, most // 2)) == (min(high, most) or None)
    assert len(tried) <= 2
