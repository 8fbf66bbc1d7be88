import pytest

from kubectl_fairshare.model.moments import nanoseconds

SECOND = 10**9


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:01Z", SECOND),
        ("1969-12-31T23:59:59Z", -SECOND),
        ("1970-01-02t00:00:00z", 86400 * SECOND),
        ("1970-01-01T00:00:00.5Z", SECOND // 2),
        ("1970-01-01T00:00:00.000000001Z", 1),
        ("1970-01-01T00:00:00.1234567899Z", 123456789),
        ("1970-01-01T02:00:00+02:00", 0),
        ("1970-01-01T00:00:00-01:30", 5400 * SECOND),
        ("1969-12-31T23:59:59.25Z", -SECOND * 3 // 4),
        ("2026-08-01T12:00:00Z", 1785585600 * SECOND),
    ],
)
def test_moment(text: str, expected: int) -> None:
    assert nanoseconds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-08-01",
        "2026-08-01T12:00:00",
        "2026-08-01 12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-08-01T25:00:00Z",
        "2026-08-01T24:00:00Z",
        "2026-02-30T12:00:00Z",
        "2026-W10-1T10:00:00Z",
        "9999-12-31T23:59:59-01:00",  # the year 10000 in UTC
        "0001-01-01T00:00:00+01:00",
        "2026-08-01T12:60:00Z",
        "2026-08-01T12:00:60Z",
        "2026-08-01T12:0a:00Z",
        "2026-08-01T12:00:00z ",
        "2026-08-01T12:00:00X",
        "2026-08-01T12-00:00Z",
        "20260801T12:00:00.0Z",
        "２026-08-01T12:00:00Z",
    ],
)
def test_no_moment(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a moment|must be in|hour|month"):
        nanoseconds(text)


@pytest.mark.parametrize("text", ["2026-0x-01T12:34:56Z", "2026-08-01T2:034:56Z"])
def test_the_text_is_cited_as_it_is(text: str) -> None:
    with pytest.raises(ValueError, match=f"`{text}` is not a moment"):
        nanoseconds(text)
