import pytest

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.quantity import QuantityError, amount, milli, nano, text, units
from kubectl_fairshare.model.quantity_text import canonical


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3_000_000_000),
        (3.0, 3_000_000_000),
        ("3", 3_000_000_000),
        ("+3", 3_000_000_000),
        ("-3", -3_000_000_000),
        ("1.5", 1_500_000_000),
        ("1.", 1_000_000_000),
        (".5", 500_000_000),
        ("100m", 100_000_000),
        ("7u", 7_000),
        ("7n", 7),
        ("1k", 10**12),
        ("1Ki", 1024 * 10**9),
        ("1e3", 10**12),
        ("1E3", 10**12),
        ("1E", 10**27),
        ("1Ei", (1 << 60) * 10**9),
        ("1e-3", 1_000_000),
        ("0.1n", 1),
        ("-0.1n", -1),
        ("1e-20", 1),
        ("0", 0),
    ],
)
def test_value_in_nano_units(value: Json, expected: int) -> None:
    assert nano(value) == expected


@pytest.mark.parametrize(
    "value",
    ["", "m", "1K", "1ki", "1 Gi", " 1", "1.2.3", "1e", "1e1.5", "0x10", "1_000", "٣", "--1", ".", True, None, 1.5, []],
)
def test_no_quantity(value: Json) -> None:
    with pytest.raises(QuantityError):
        nano(value)


@pytest.mark.parametrize("value", ["1" * 1025, "1e1234567"])
def test_a_quantity_of_endless_digits_is_refused_at_once(value: str) -> None:
    with pytest.raises(QuantityError):
        nano(value)


@pytest.mark.parametrize(
    ("resource", "value", "expected"),
    [
        ("cpu", "1", 1000),
        ("cpu", "100m", 100),
        ("cpu", "100.5m", 101),
        ("cpu", "1u", 1),
        ("cpu", "9300Pi", UNLIMITED),
        ("memory", "1Gi", 1 << 30),
        ("memory", "1.5Ki", 1536),
        ("memory", "500m", 1),
        ("memory", "8Ei", UNLIMITED),
        ("gpu", "1001m", 2),
        ("gpu", "-1500m", -1),
        ("pods", 4, 4),
    ],
)
def test_amount_rounds_up_and_is_cut_at_the_largest(resource: str, value: Json, expected: int) -> None:
    assert amount(resource, value) == expected


def test_units_and_milli_are_the_same_value() -> None:
    assert (units("2"), milli("2")) == (2, 2000)


@pytest.mark.parametrize(
    ("resource", "value", "expected"),
    [
        ("cpu", 0, "0"),
        ("cpu", 9900, "9900m"),
        ("cpu", 4000, "4"),
        ("cpu", 5_000_000, "5k"),
        ("cpu", -500, "-500m"),
        ("memory", 4 << 30, "4Gi"),
        ("memory", 8190 << 20, "8190Mi"),
        ("memory", 1025, "1025"),
        ("memory", 1000, "1k"),
        ("memory", 1023, "1023"),
        ("memory", 1024, "1Ki"),
        ("memory", -2048, "-2Ki"),
        ("hugepages-2Mi", 2048, "2Ki"),
        ("ephemeral-storage", 1 << 40, "1Ti"),
        ("gpu", 8, "8"),
        ("gpu", 5000, "5k"),
        ("gpu", 2048, "2048"),
    ],
)
def test_canonical_text(resource: str, value: int, expected: str) -> None:
    assert text(resource, value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, "1"),
        (1000, "1k"),
        (0.5, "500m"),
        (None, "0"),
        ("0m", "0"),
        ("0.5", "500m"),
        ("1.500", "1.500"),
        ("1e0", "1e0"),
        ("1e9", "1e9"),
        ("1000e3", "1e6"),
        ("1000m", "1"),
        ("0.1005", "101m"),
        ("1.5Gi", "1536Mi"),
        ("1024Mi", "1Gi"),
        ("1000Mi", "1000Mi"),
        ("2.5Ki", "2560"),
        ("1.953125Ki", "2000"),
        ("0.1Gi", "107374182400m"),
        ("300M", "300M"),
    ],
)
def test_a_pods_amounts_are_given_back_as_kubernetes_writes_them(value: Json, expected: str) -> None:
    assert canonical(value) == expected


def test_bytes_that_no_binary_suffix_divides_have_a_decimal_one() -> None:
    assert text("memory", 1_000_000_000) == "1G"
    assert text("memory", 1_000_000_001) == "1000000001"
    assert text("memory", 1536) == "1536"
