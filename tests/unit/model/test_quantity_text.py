"""Quantities are read and written as Go's parser does."""

import pytest

from kubectl_fairshare.api.structures.structure import matches_pattern
from kubectl_fairshare.model.quantity_text import QuantitySyntaxError, is_rounded, parse

NANO = 10**9


@pytest.mark.parametrize(
    ("written", "text", "nano"),
    [
        ("0", "0", 0),
        ("-0", "0", 0),
        ("4", "4", 4 * NANO),
        ("+4", "+4", 4 * NANO),
        ("007", "007", 7 * NANO),
        (" 1", "1", NANO),
        ("1000", "1k", 1000 * NANO),
        ("1.5", "1500m", 1_500_000_000),
        ("0.1n", "1n", 1),
        ("-1.1n", "-2n", -2),
        ("1024Ki", "1Mi", 1024 * 1024 * NANO),
        ("1.5Gi", "1536Mi", 1536 * 1024 * 1024 * NANO),
        ("12e2", "1200", 1200 * NANO),
        ("1e3", "1e3", 1000 * NANO),
        ("Gi", "0", 0),
        ("+", "0", 0),
        ("e3", "0", 0),
        ("8Ei", "9223372036854775807", ((1 << 63) - 1) * NANO),
        ("1000E", "1", 10**21 * NANO),  # Go loses the suffix that it has no letter for
        (0.5, "500m", 500_000_000),
        (2.0, "2", 2 * NANO),
        (1e-7, "100e-9", 100),
        (1e21, "1e+21", 10**21 * NANO),
    ],
)
def test_quantities_in_gos_spelling(written: str | float, text: str, nano: int) -> None:
    amount = parse(written)
    assert (amount.text, amount.nano) == (text, nano)


@pytest.mark.parametrize(
    "written", ["", " ", "Pi", "1gi", "1e1.5", "1e", "1.2.3", "1 Gi", "1\t", "--1", "1ee3", True, [], {}]
)
def test_what_gos_parser_refuses(written: object) -> None:
    with pytest.raises(QuantitySyntaxError):
        parse(written)


@pytest.mark.parametrize(
    ("text", "admitted"), [("1e1.5", True), ("1.", True), (".5", True), ("Gi", False), ("1\n", False)]
)
def test_the_pattern_of_the_api(text: str, admitted: bool) -> None:
    assert matches_pattern(text) is admitted


@pytest.mark.parametrize(
    ("written", "rounded"),
    [
        ("1n", False),
        ("1.0n", False),
        ("0.1n", True),
        ("1.000000001", False),
        ("1.0000000001", True),
        ("1.0000000010", False),
        ("10e-10", False),
        ("1e-10", True),
        ("0.5Ki", False),
        ("0.0000000001Ki", True),
        ("0e-30", False),
        (7, False),
    ],
)
def test_what_is_below_a_billionth_is_rounded(written: str | int, rounded: bool) -> None:
    assert is_rounded(written) is rounded


def test_a_quantity_has_a_longest_form() -> None:
    assert parse("1" * 10_000).nano > 0
    with pytest.raises(QuantitySyntaxError, match="longer than 10,000"):
        parse("1" * 10_001)
