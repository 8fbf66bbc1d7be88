"""Windows of usage as they are meant, spans, and the text of queries."""

import pytest

from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.kai.model.objects import Resources
from kubectl_fairshare.schedulers.kai.model.usage import (
    CRON,
    SECOND,
    TUMBLING,
    Counted,
    UsageParams,
    query_of,
    since,
    span_of,
    span_text,
)

NOW = nanoseconds("2026-08-05T12:34:56Z")
HOUR = 3600 * SECOND


def test_a_sliding_window_ends_now() -> None:
    assert since(UsageParams(window=HOUR), NOW) == NOW - HOUR


def test_a_tumbling_window_starts_at_its_last_start_strictly_before_now() -> None:
    start = nanoseconds("2026-08-05T00:00:00Z")
    params = UsageParams(window=HOUR, kind=TUMBLING, start=start)
    assert since(params, NOW) == start + 12 * HOUR
    assert since(params, start + HOUR) == start
    assert since(params, start + HOUR + 1) == start + HOUR


@pytest.mark.parametrize("later", [0, 1])
def test_a_tumbling_window_that_starts_now_or_later_is_empty(later: int) -> None:
    assert since(UsageParams(kind=TUMBLING, start=NOW + later, window=0), NOW) == NOW


def test_a_cron_window_starts_at_the_last_moment_named() -> None:
    assert since(UsageParams(kind=CRON, cron="0 0 * * sun"), NOW) == nanoseconds("2026-08-02T00:00:00Z")


@pytest.mark.parametrize(
    ("params", "named"),
    [
        (UsageParams(kind="rolling"), "rolling"),
        (UsageParams(kind=TUMBLING), "needs a start"),
        (UsageParams(kind=TUMBLING, start=0, window=0), "needs a size"),
        (UsageParams(kind=CRON, cron="x"), "not a schedule"),
    ],
)
def test_a_window_that_is_none_is_refused(params: UsageParams, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        since(params, NOW)


@pytest.mark.parametrize(
    ("text", "seconds"), [("1w", 604800), ("1d12h", 129600), ("90m", 5400), ("1y", 31536000), ("0", 0), ("1500ms", 1.5)]
)
def test_a_span_is_read_as_prometheus_writes_it(text: str, seconds: float) -> None:
    assert span_of(text) == seconds * SECOND


@pytest.mark.parametrize("text", ["", "1", "1.5h", "-1h", "1h1d", "w", "1 h", "٣h"])
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a duration"):
        span_of(text)


@pytest.mark.parametrize("text", ["1w", "1d12h", "1h30m", "12w2d4h5m6s7ms", "0s"])
def test_a_span_is_written_so_that_it_is_read_again(text: str) -> None:
    assert span_text(span_of(text)) == text


def test_a_query_is_a_sum_over_the_window() -> None:
    assert query_of("m", UsageParams(), 10**18) == "sum_over_time((m)[1w:1m])"
    tumbling = UsageParams(kind=TUMBLING, start=10**18 - 1500 * 10**6, resolution=15 * SECOND)
    assert query_of("m", tumbling, 10**18) == "sum_over_time((m)[1s500ms:15s])"


def test_a_query_halves_a_sample_for_each_half_life() -> None:
    params = UsageParams(window=HOUR, half_life=600 * SECOND)
    query = "sum_over_time((((a or b) * (0.5^((1000000000 - time()) / 600.000000))))[1h:1m])"
    assert query_of("a or b", params, 10**18 + 999) == query


def test_usage_is_what_was_used_by_what_there_was() -> None:
    used = {"a": Resources(1.0, 2.0, 3.0)}
    assert Counted(UsageParams(), 0, 1, used, Resources(4.0, 0.0, 4.0)).fractions == {"a": (0.25, 0.0, 0.75)}
