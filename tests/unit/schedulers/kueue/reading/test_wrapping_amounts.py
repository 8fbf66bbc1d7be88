"""Quantities as plain 64-bit integers, as Kueue v0.16.9 and v0.17.8 read them: recorded quotas of these releases."""

import pytest

from kubectl_fairshare.model.amounts import UNLIMITED, WrappingAmount, add, is_unlimited, subtract
from kubectl_fairshare.schedulers.kueue.reading.wrapping_amounts import wrapped


@pytest.mark.parametrize(
    ("resource", "text", "amount"),
    [
        ("cpu", "1500m", 1500),
        ("memory", "1Gi", 2**30),
        ("memory", "0.5", 1),
        ("memory", "10E", 0),
        ("cpu", "1E", 0),
        ("memory", "8Ei", 2**63 - 1),
        ("memory", "16Ei", 2**63 - 1),
        ("cpu", "8Ei", -1000),
        ("memory", "9223372036854775808", -(2**63)),
        ("cpu", "9223372036854776", -9223372036854775616),
        ("memory", "-3", -3),
    ],
)
def test_what_does_not_fit_counts_nothing_or_wraps(resource: str, text: str, amount: int) -> None:
    assert wrapped(resource, text) == amount


def test_sums_and_differences_wrap_and_are_never_unlimited() -> None:
    five = WrappingAmount(5 * 10**18)
    assert add(five, five) == 10**19 - 2**64
    assert subtract(WrappingAmount(-(2**63)), 1) == UNLIMITED
    assert add(0, WrappingAmount(UNLIMITED)) == UNLIMITED
    assert not is_unlimited(add(0, WrappingAmount(UNLIMITED)))
    assert five * 2 == 2 * five == 10**19 - 2**64
    assert 1 - WrappingAmount(3) == -2
