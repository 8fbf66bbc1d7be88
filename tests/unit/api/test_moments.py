"""Moments and spans of time, as schema and Go take them."""

import pytest

from kubectl_fairshare.api.durations import nanoseconds
from kubectl_fairshare.api.moments import go_time, is_date_time


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("2026-08-01T12:00:00Z", True),
        ("2026-08-01t12:00:00.5z", True),
        ("2026-08-01T12:00:00+02:00", True),
        ("2026-08-01T24:00:00Z", False),
        ("2026-02-30T12:00:00Z", False),
        ("2026-08-01 12:00:00Z", False),
        ("2026-08-01T12:00:00", False),
        ("", False),
    ],
)
def test_the_format_of_the_schema(text: str, taken: bool) -> None:
    assert is_date_time(text) is taken


def test_go_writes_moments_in_utc_and_whole_seconds() -> None:
    assert go_time("2026-08-01T00:30:00.9+02:00") == "2026-07-31T22:30:00Z"
    assert go_time("0001-01-01T00:00:00Z") is None
    with pytest.raises(ValueError, match="RFC 3339"):
        go_time("2026-08-01")


@pytest.mark.parametrize(
    ("text", "span"), [("0", 0), ("5m", 300 * 10**9), ("1h30m", 5400 * 10**9), ("-1.5s", -15 * 10**8), ("1us2ns", 1002)]
)
def test_spans(text: str, span: int) -> None:
    assert nanoseconds(text) == span


@pytest.mark.parametrize("text", ["", "5", "m", "1d", "1h 30m", "300000h0m0s" * 9])
def test_what_is_no_span(text: str) -> None:
    with pytest.raises(ValueError, match="span of time"):
        nanoseconds(text)
