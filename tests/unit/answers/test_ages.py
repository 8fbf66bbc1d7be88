"""Ages as people read them: as kubectl writes them."""

import re

import pytest

from kubectl_fairshare.answers.ages import AsOf, age, lasting, length_text, span_text, when
from tests.screens import ROOT

SECOND = 10**9
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86_400 * SECOND


@pytest.mark.parametrize(
    ("span", "text"),
    [
        (-SECOND, "0s"),
        (119 * SECOND, "119s"),
        (120 * SECOND, "2m"),
        (599 * SECOND, "9m59s"),
        (10 * MINUTE + 5 * SECOND, "10m"),
        (3 * HOUR - SECOND, "179m"),
        (3 * HOUR, "3h"),
        (3 * HOUR + 12 * MINUTE, "3h12m"),
        (8 * HOUR + 12 * MINUTE, "8h"),
        (2 * DAY - SECOND, "47h"),
        (2 * DAY + 5 * HOUR, "2d5h"),
        (8 * DAY + 5 * HOUR, "8d"),
        (729 * DAY, "729d"),
        (731 * DAY, "2y1d"),
        (8 * 365 * DAY, "8y"),
    ],
)
def test_an_age_is_written_as_kubectl_does(span: int, text: str) -> None:
    assert span_text(span) == text


def test_an_age_needs_both_moments() -> None:
    assert age(DAY, 3 * DAY) == "2d"
    assert age(None, 5) == age(0, 5) == age(DAY, None) == ""


@pytest.mark.parametrize(
    ("moment", "now", "text"),
    [
        (None, 5, "at an unknown time"),
        (0, 5, "at an unknown time"),
        (DAY, None, "1970-01-02T00:00:00Z"),
        (DAY, DAY + 59 * SECOND, "59s ago"),
        (2 * DAY, 2 * DAY - 4 * HOUR, "in 4h"),
    ],
)
def test_a_moment_is_shown_by_its_distance_if_now_is_known(moment: int | None, now: int | None, text: str) -> None:
    assert when(moment, now) == text


def test_what_lasts_says_how_long_or_since_when() -> None:
    assert lasting(DAY, DAY + 3 * HOUR + 12 * MINUTE) == "for 3h12m"
    assert lasting(DAY, None) == "since 1970-01-02T00:00:00Z"
    assert lasting(None, DAY) == "since an unknown time"


def test_where_ages_come_from_is_said_unless_the_reader_knows() -> None:
    assert AsOf(DAY, "the newest object").clause == "ages as of 1970-01-02T00:00:00Z, the newest object"
    assert AsOf(DAY).clause == AsOf().clause == ""


def test_durations_have_their_two_largest_units_in_the_spelling_of_ages() -> None:
    assert [length_text(each * SECOND) for each in (0, 0.5, 31.64, 59, 60, 90, 901, 7200, 12_000, 200_000, -90)] == [
        *("0s", "0.5s", "31.6s", "59s", "1m", "1m30s", "15m1s", "2h", "3h20m", "2d7h", "−1m30s"),
    ]


OTHER_SPELLING = re.compile(r"(?<![\w.:<>])(?:\d|\})\s(?:ms|s|m|min|h|d)\b(?!\s*[=>])")
"""A number, or what makes one in a source, with a unit of time after a space."""


@pytest.mark.parametrize("folder", ["kubectl_fairshare", "tests/golden", "docs"])
def test_no_duration_has_another_spelling(folder: str) -> None:
    """Neither in what the program may print, nor on kept screens and pages: ``15m1s``, not ``15 m 1 s``."""
    files = [path for end in ("py", "toml", "txt", "md") for path in sorted((ROOT / folder).rglob(f"*.{end}"))]
    assert len(files) > 10
    lines = ((path, line) for path in files for line in path.read_text(encoding="utf-8").splitlines())
    assert [f"{path}: {line}" for path, line in lines if OTHER_SPELLING.search(line)] == []
