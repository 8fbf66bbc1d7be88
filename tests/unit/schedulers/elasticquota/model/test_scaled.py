"""Quantities as 64-bit integers, with Go's overflow; the numbers were seen in the real scheduler."""

from typing import Any

import pytest

from kubectl_fairshare.model.quantity import QuantityError
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST, LEAST, milli, units, wrapped


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10E", 0),
        ("16E", 0),
        ("20000P", 0),
        ("1e19", 0),
        ("1e2000000000", 0),
        ("8Ei", LARGEST),
        ("16Ei", LARGEST),
        ("-8Ei", -LARGEST),
        ("9223372036854775808", LEAST),
        ("123456789012345678k", wrapped(123456789012345678 * 1000)),
        ("9E", 9 * 10**18),
        ("7Ei", 7 << 60),
    ],
)
def test_what_does_not_fit_is_lost_wraps_or_is_cut(text: str, value: int) -> None:
    assert units(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9223372036854775807", -1000),
        ("8Ei", -1000),
        ("9223372036854775", 9223372036854775000),
        ("9223372036854776", wrapped(9223372036854776 * 1000)),
    ],
)
def test_thousandths_overflow_earlier(text: str, value: int) -> None:
    assert milli(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("100u", 1), ("500m", 1), ("100m", 1), ("-0.5", -1), ("-1.5", -2), ("1e-12", 1), (".5", 1), ("5.", 5), ("+3", 3)],
)
def test_rounding_is_away_from_zero(text: str, value: int) -> None:
    assert units(text) == value


def test_a_negative_fraction_of_a_binary_unit_is_rounded_up() -> None:
    assert units("-0.3Ki") == -306


@pytest.mark.parametrize(("value", "size"), [(4, 4), (4.0, 4), (1 << 70, 0), ("0e99", 0)])
def test_numbers_are_taken_as_their_texts(value: Any, size: int) -> None:
    assert units(value) == size


@pytest.mark.parametrize("value", ["", "x", "1 Gi", "1e", ".", "-", True, None, 0.5, [1], "9" * 2000])
def test_what_is_no_quantity_is_an_error(value: Any) -> None:
    with pytest.raises(QuantityError):
        units(value)
