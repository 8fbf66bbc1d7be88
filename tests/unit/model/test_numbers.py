"""Numbers are read as the API server does and written as Go's JSON encoder does."""

import pytest

from kubectl_fairshare.model.numbers import as_read, integer, is_integer, stored_value, text


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (1.0, "1"),
        (0.1, "0.1"),
        (-2.5, "-2.5"),
        (0.000001, "0.000001"),
        (1e-07, "1e-7"),
        (1.5e-10, "1.5e-10"),
        (123456789012345680.0, "123456789012345680"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.25e22, "1.25e+22"),
        (7, "7"),
    ],
)
def test_numbers_as_go_writes_them(number: float, written: str) -> None:
    assert text(number) == written


def test_integers_beyond_64_bits_become_floats() -> None:
    assert [type(as_read(n)) for n in (2**63 - 1, 2**63, -(2**63), -(2**63) - 1)] == [int, float, int, float]


@pytest.mark.parametrize(
    ("value", "integer"), [(1, True), (1.0, True), (1.5, False), (2.0**53, False), (True, False), ("1", False)]
)
def test_whole_floats_are_integers(value: object, integer: bool) -> None:
    assert is_integer(value) is integer


def test_whole_floats_are_stored_like_integers() -> None:
    assert repr(stored_value({"a": [2.0, 0.5, "2.0"], "b": {"c": 1e21}})) == "{'a': [2, 0.5, '2.0'], 'b': {'c': 1e+21}}"


def test_a_large_whole_float_is_stored_in_its_shortest_digits() -> None:
    assert stored_value(float(2**63)) == 9223372036854776000


@pytest.mark.parametrize("digits", ["0", "-7", "9" * 1000, "1" + "0" * 4400, "-" + "9" * 9999])
def test_an_integer_of_any_length_is_read_and_written(digits: str) -> None:
    assert text(integer(digits)) == digits


def test_an_integer_past_any_amount_is_infinite() -> None:
    assert integer("9" * 10_001) == float("inf")
    assert integer("-" + "9" * 10_001) == float("-inf")
