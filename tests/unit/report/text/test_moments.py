"""Times as people read them."""

import pytest

from kubectl_fairshare.report.text.moments import when

SECOND = 10**9
DAY = 86_400 * SECOND


@pytest.mark.parametrize(
    ("moment", "now", "text"),
    [
        (None, 5, "an unknown time"),
        (0, 5, "an unknown time"),
        (DAY, None, "1970-01-02T00:00:00Z"),
        (DAY, DAY, "1970-01-02T00:00:00Z (now)"),
        (DAY, DAY + 59 * SECOND, "1970-01-02T00:00:00Z (59 s ago)"),
        (DAY, DAY + 3_599 * SECOND, "1970-01-02T00:00:00Z (59 min ago)"),
        (DAY, 3 * DAY, "1970-01-02T00:00:00Z (2 d ago)"),
        (2 * DAY, 2 * DAY - 7_200 * SECOND, "1970-01-03T00:00:00Z (in 2 h)"),
    ],
)
def test_a_time_is_shown_with_its_distance_if_now_is_known(moment: int | None, now: int | None, text: str) -> None:
    assert when(moment, now) == text
