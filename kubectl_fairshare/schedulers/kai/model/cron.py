"""Schedules of cron windows as KAI reads them, and their last moment. Moments are nanoseconds, in UTC.

Five fields, six with a year at the end, seven with seconds in front as well; names, steps, and ``L``, ``W``, ``#`` for
days. If both fields for days are restricted, a day counts if one of them names it.
Source: the cron expressions of supercronic v0.2, which KAI-Scheduler v0.17 uses; "kai usage" in ``docs/laws.md``.
"""

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

from kubectl_fairshare.model.values import Value

_SECOND: Final = 10**9
_EPOCH: Final = date(1970, 1, 1).toordinal()
_SHORT: Final = {
    "@yearly": "0 0 0 1 1 * *",
    "@annually": "0 0 0 1 1 * *",
    "@monthly": "0 0 0 1 * * *",
    "@weekly": "0 0 0 * * 0 *",
    "@daily": "0 0 0 * * * *",
    "@hourly": "0 0 * * * * *",
}
_DAYS: Final = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)


def _numbers_by_name(names: tuple[str, ...], first: int) -> dict[str, int]:
    return {text: number for number, name in enumerate(names, first) for text in (name, name[:3])}


class _Field(NamedTuple):
    """The values that one field may have."""

    name: str
    least: int
    most: int
    names: Mapping[str, int]


_SECONDS: Final = _Field("second", 0, 59, {})
_MINUTES: Final = _Field("minute", 0, 59, {})
_HOURS: Final = _Field("hour", 0, 23, {})
_DAY: Final = _Field("day of the month", 1, 31, {})
_MONTH: Final = _Field("month", 1, 12, _numbers_by_name(_MONTHS, 1))
_WEEKDAY: Final = _Field("day of the week", 0, 6, {**_numbers_by_name(_DAYS, 0), "7": 0, "07": 0})
_YEAR: Final = _Field("year", 1970, 2099, {})
_ITEM: Final = re.compile(r"(\*|[0-9a-z]+)(?:-([0-9a-z]+))?(?:/([0-9]{1,4}))?", re.ASCII)


class Schedule(Value, frozen=True):
    """The moments of an expression. Days are as written; ``None`` means any."""

    seconds: frozenset[int]
    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[str | int] | None
    months: frozenset[int]
    weekdays: frozenset[str | int] | None
    years: frozenset[int]

    def has(self, day: date) -> bool:
        """Whether it names a moment of the day."""
        if day.year not in self.years or day.month not in self.months:
            return False
        named = []
        if self.days is not None:
            named.append(any(_is_day(item, day) for item in self.days))
        if self.weekdays is not None:
            named.append(any(_is_weekday(item, day) for item in self.weekdays))
        return any(named) if named else True

    def last_of(self, until: int) -> int | None:
        """The last second of a day that it names, up to and including ``until``; None without one."""
        for hour in sorted(self.hours, reverse=True):
            for minute in sorted(self.minutes, reverse=True):
                if hour * 3600 + minute * 60 > until:
                    continue
                for second in sorted(self.seconds, reverse=True):
                    if hour * 3600 + minute * 60 + second <= until:
                        return hour * 3600 + minute * 60 + second
        return None


def schedule(expression: str) -> Schedule:
    """The schedule of an expression. Raises ``ValueError`` for a malformed one."""
    written = expression
    for short, long in _SHORT.items():
        written = written.replace(short, long)
    fields = written.lower().split()[:7]
    if len(fields) < 5:
        raise ValueError(f"`{expression[:64]}` is not a schedule: {len(fields)} of at least five fields")
    seconds = fields.pop(0) if len(fields) == 7 else "0"
    minutes, hours, days, months, weekdays, *years = fields
    return Schedule(
        _numbers(seconds, _SECONDS),
        _numbers(minutes, _MINUTES),
        _numbers(hours, _HOURS),
        _days(days, _DAY, r"l|lw|[0-9]{1,2}w"),
        _numbers(months, _MONTH),
        _days(weekdays, _WEEKDAY, r"[0-9a-z]+?(l|#[1-5])"),
        _numbers(years[0] if years else "*", _YEAR),
    )


def last_before(expression: str, now: int) -> int:
    """The last moment strictly before ``now`` that an expression names, in whole seconds.

    Raises ``ValueError`` for a malformed expression, and for one without a moment since 1970.
    """
    found = schedule(expression)
    last = (now - 1) // _SECOND
    day, until = date.fromordinal(_EPOCH + last // 86400), last % 86400
    while day.year >= _YEAR.least:
        second = found.last_of(until) if found.has(day) else None
        if second is not None:
            return ((day.toordinal() - _EPOCH) * 86400 + second) * _SECOND
        day, until = day - timedelta(days=1), 86399
    raise ValueError(f"`{expression[:64]}` has named no moment yet")


def _numbers(text: str, field: _Field) -> frozenset[int]:
    found: set[int] = set()
    for item in text.split(","):
        if item in ("*", "?"):
            return frozenset(range(field.least, field.most + 1))
        found.update(_range(item, field))
    return frozenset(found)


def _days(text: str, field: _Field, special: str) -> frozenset[str | int] | None:
    """The days of a field: numbers, and the special ones as written; None if every day matches."""
    found: set[str | int] = set()
    items = text.split(",")
    for item in items:
        if item in ("*", "?"):
            continue
        if re.fullmatch(special, item, re.ASCII) and item not in field.names:
            found.add(_special_day(item, field))
        else:
            found.update(_range(item, field))
    return None if {"*", "?"} & {*items} else frozenset(found)


def _special_day(item: str, field: _Field) -> str:
    """A special day with its number, where it has one: ``15w``, ``5l``, ``5#3``."""
    body = re.sub(r"(#[1-5]|l?w|l)$", "", item)
    if not body:
        return item
    return f"{_value(body, field, item)}{item.removeprefix(body)}"


def _range(item: str, field: _Field) -> range:
    """The numbers of one item; a backward range is an error, or empty if it has a step."""
    match = _ITEM.fullmatch(item)
    if match is None:
        raise _none(item, field)
    first, last, step = match.groups()
    if first == "*":
        if last is not None or step is None:
            raise _none(item, field)
        start, end = field.least, field.most
    else:
        start = _value(first, field, item)
        end = _value(last, field, item) if last is not None else field.most if step is not None else start
    stride = 1 if step is None else int(step)
    if (end < start and step is None) or not 1 <= stride <= field.most:
        raise _none(item, field)
    return range(start, end + 1, stride)


def _value(text: str, field: _Field, item: str) -> int:
    if text in field.names:
        return field.names[text]
    if not text.isdecimal() or len(text) > 4 or not field.least <= int(text) <= field.most:
        raise _none(item, field)
    return int(text)


def _none(item: str, field: _Field) -> ValueError:
    return ValueError(f"`{item[:64]}` is not a valid {field.name}")


def _is_day(item: str | int, day: date) -> bool:
    if isinstance(item, int):
        return day.day == item
    last = monthrange(day.year, day.month)[1]
    if item == "l":
        return day.day == last
    target = last if item == "lw" else int(item.removesuffix("w"))
    return target <= last and day.day == _working_day(day.replace(day=target), last)


def _working_day(day: date, last: int) -> int:
    """The weekday of the same month that is nearest to ``day``."""
    if day.isoweekday() == 6:
        return day.day - 1 if day.day > 1 else day.day + 2
    if day.isoweekday() == 7:
        return day.day + 1 if day.day < last else day.day - 2
    return day.day


def _is_weekday(item: str | int, day: date) -> bool:
    weekday = day.isoweekday() % 7
    if isinstance(item, int):
        return weekday == item
    if item.endswith("l"):
        return weekday == int(item[:-1]) and day.day + 7 > monthrange(day.year, day.month)[1]
    wanted, _, week = item.partition("#")
    return weekday == int(wanted) and (day.day - 1) // 7 + 1 == int(week)
