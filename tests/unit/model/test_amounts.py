import pytest

from kubectl_fairshare.model.amounts import LEAST, UNLIMITED, add, subtract


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
