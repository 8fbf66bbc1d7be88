import pytest

from kubectl_fairshare.model.amounts import (
    LEAST,
    UNLIMITED,
    ExactAmount,
    add,
    bounded_amount,
    clamped,
    is_unlimited,
    subtract,
)


@pytest.mark.parametrize(
    ("a", "b", "total"),
    [
        (2, 3, 5),
        (2, -3, -1),
        (UNLIMITED, 5, UNLIMITED),
        (5, UNLIMITED, UNLIMITED),
        (UNLIMITED, -5, UNLIMITED),
        (UNLIMITED, UNLIMITED, UNLIMITED),
        (UNLIMITED - 1, 1, UNLIMITED),
        (UNLIMITED - 1, 2, UNLIMITED),
        (UNLIMITED - 1, -1, UNLIMITED - 2),
        (LEAST, -1, LEAST),
        (LEAST, 1, LEAST + 1),
        (LEAST, UNLIMITED, UNLIMITED),
    ],
)
def test_sum(a: int, b: int, total: int) -> None:
    assert add(a, b) == total


@pytest.mark.parametrize(
    ("a", "b", "rest"),
    [
        (2, 3, -1),
        (2, -3, 5),
        (UNLIMITED, 5, UNLIMITED),
        (UNLIMITED, -5, UNLIMITED),
        (UNLIMITED, UNLIMITED, 0),
        (5, UNLIMITED, LEAST),
        (-5, UNLIMITED, LEAST),
        (UNLIMITED - 1, -1, UNLIMITED),
        (UNLIMITED - 1, -9, UNLIMITED),
        (LEAST + 1, 1, LEAST),
        (LEAST, 1, LEAST),
    ],
)
def test_difference(a: int, b: int, rest: int) -> None:
    assert subtract(a, b) == rest


def test_exact_amounts_never_become_unlimited() -> None:
    most = ExactAmount(UNLIMITED)
    assert add(most, 5) == UNLIMITED + 5
    assert add(5, most) == UNLIMITED + 5
    assert add(most, UNLIMITED) == 2 * UNLIMITED
    assert subtract(most, UNLIMITED) == 0
    assert subtract(0, add(most, most)) == -2 * UNLIMITED
    assert (is_unlimited(most), is_unlimited(UNLIMITED)) == (False, True)
    assert (most * 2 // 2, (3 - most).__class__) == (UNLIMITED, ExactAmount)


def test_requests_are_cut_and_large_ones_stay_exact() -> None:
    assert clamped(3, exact=True).__class__ is int
    assert (clamped(2**70, exact=True), clamped(2**70, exact=True).__class__) == (UNLIMITED, ExactAmount)
    assert clamped(2**70, exact=False).__class__ is int
    assert [bounded_amount(2**70), bounded_amount(-(2**70)), bounded_amount(7)] == [UNLIMITED, LEAST, 7]
