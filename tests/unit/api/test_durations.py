"""Spans of time are read as Go reads them."""

import pytest

from kubectl_fairshare.api.durations import nanoseconds


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("0", 0),
        ("-0", 0),
        ("1h30m", 5_400 * 10**9),
        ("-1.5s", -1_500_000_000),
        (".5ms", 500_000),
        ("1.us", 1_000),
        ("0.5ns0.5ns", 0),
        ("2562047h47m16.854775807s", 2**63 - 1),
        ("-2562047h47m16.854775808s", -(2**63)),
    ],
)
def test_what_go_reads(text: str, span: int) -> None:
    assert nanoseconds(text) == span


@pytest.mark.parametrize(
    "text", ["", "5", "1d", ".s", "s", "1 s", "1e3s", "--1s", "1S", "2562047h47m16.854775808s", "٣s"]
)
def test_what_go_does_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="span of time"):
        nanoseconds(text)
