"""The last moment that a schedule names, as KAI reads schedules."""

import pytest

from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.kai.model.cron import last_before

NOW = nanoseconds("2026-08-05T12:34:56Z")  # a Wednesday


@pytest.mark.parametrize(
    ("expression", "moment"),
    [
        ("0 0 * * *", "2026-08-05T00:00:00Z"),
        ("@hourly", "2026-08-05T12:00:00Z"),
        ("@weekly", "2026-08-02T00:00:00Z"),
        ("@monthly", "2026-08-01T00:00:00Z"),
        ("@yearly", "2026-01-01T00:00:00Z"),
        ("34 12 * * *", "2026-08-05T12:34:00Z"),
        ("35 12 * * ?", "2026-08-04T12:35:00Z"),
        ("0 0 * * 0", "2026-08-02T00:00:00Z"),
        ("0 0 * * Sunday", "2026-08-02T00:00:00Z"),
        ("0 0 * * 7", "2026-08-02T00:00:00Z"),
        ("0 0 * * mon-fri", "2026-08-05T00:00:00Z"),
        ("0 0 1 jan *", "2026-01-01T00:00:00Z"),
        ("*/20 6-8 * * *", "2026-08-05T08:40:00Z"),
        ("5/20 * * * *", "2026-08-05T12:25:00Z"),
        ("0 6-10/3,11 * * *", "2026-08-05T11:00:00Z"),
        ("0 0 29 2 *", "2024-02-29T00:00:00Z"),
        ("0 0 L * *", "2026-07-31T00:00:00Z"),
        ("0 0 LW 5 *", "2026-05-29T00:00:00Z"),
        ("0 0 1W 8 *", "2026-08-03T00:00:00Z"),
        ("0 0 31W 5 *", "2026-05-29T00:00:00Z"),
        ("0 0 * * 5L", "2026-07-31T00:00:00Z"),
        ("0 0 * * tue#1", "2026-08-04T00:00:00Z"),
        ("0 0 1 1 * 2020", "2020-01-01T00:00:00Z"),
        ("55,57 34 12 * * * *", "2026-08-05T12:34:55Z"),
        ("0 0 0 1 1 * 2025 and more", "2025-01-01T00:00:00Z"),
    ],
)
def test_the_last_moment_named_is_found(expression: str, moment: str) -> None:
    assert last_before(expression, NOW) == nanoseconds(moment)


def test_a_day_counts_when_either_of_two_restricted_fields_names_it() -> None:
    assert last_before("0 0 1 * mon", NOW) == nanoseconds("2026-08-03T00:00:00Z")
    assert last_before("0 0 1-31 * mon", NOW) == nanoseconds("2026-08-05T00:00:00Z")


def test_a_day_counts_when_the_only_restricted_field_names_it() -> None:
    assert last_before("0 0 *,3 * mon", NOW) == nanoseconds("2026-08-03T00:00:00Z")
    assert last_before("0 0 4 * *", NOW) == nanoseconds("2026-08-04T00:00:00Z")


def test_now_itself_is_not_before_now() -> None:
    noon = nanoseconds("2026-08-05T12:00:00Z")
    assert last_before("0 12 * * *", noon) == nanoseconds("2026-08-04T12:00:00Z")
    assert last_before("0 12 * * *", noon + 1) == noon


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        ("", "0 of at least five fields"),
        ("* * * *", "4 of at least"),
        ("@midnight", "1 of at least"),
        ("61 * * * *", "`61` is not a valid minute"),
        ("a * * * *", "`a` is not a valid minute"),
        ("*/0 * * * *", "`*/0` is not a valid minute"),
        ("*/60 * * * *", "`*/60` is not a valid minute"),
        ("*-3 * * * *", "`*-3` is not a valid minute"),
        ("5-1 * * * *", "`5-1` is not a valid minute"),
        ("1, * * * *", "`` is not a valid minute"),
        ("0 24 * * *", "`24` is not a valid hour"),
        ("0 0 0 * *", "`0` is not a valid day of the month"),
        ("0 0 40W * *", "`40w` is not a valid day of the month"),
        ("0 0 * foo *", "`foo` is not a valid month"),
        ("0 0 * * 8", "`8` is not a valid day of the week"),
        ("0 0 * * 5-7", "`5-7` is not a valid day of the week"),
        ("0 0 * * mon#6", "`mon#6` is not a valid day of the week"),
        ("0 0 * * * 1969", "`1969` is not a valid year"),
        ("٣ * * * *", "is not a valid minute"),
        ("0 0 30 2 *", "has named no moment"),
        ("0 0 * 5-4/1 *", "has named no moment"),
        ("0 0 * * * 2099", "has named no moment"),
    ],
)
def test_an_expression_that_names_nothing_is_refused(expression: str, named: str) -> None:
    with pytest.raises(ValueError, match=r"is no|has named") as caught:
        last_before(expression, NOW)
    assert named in str(caught.value)
