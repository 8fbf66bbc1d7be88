"""Moments: RFC 3339 texts as nanoseconds since the epoch."""

import re
from datetime import date
from functools import lru_cache
from typing import Final

_TEXT: Final = r"(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))"
_EPOCH: Final = date(1970, 1, 1).toordinal()
_SECOND: Final = 10**9
_YEARS: Final = range((1 - _EPOCH) * 86400, (date.max.toordinal() + 1 - _EPOCH) * 86400)
"""The seconds of the years 1 to 9999 in UTC: no other moment has an RFC 3339 text."""
_ZEROS: Final = ":00:00Z"
_DIGITS: Final = frozenset(f"{number:02d}" for number in range(60))


def nanoseconds(text: str) -> int:
    """Nanoseconds since the epoch of an RFC 3339 text. Raises ``ValueError`` for anything else.

    A server writes whole seconds of UTC. Ten thousand of those are in few hours, and end in the same way.
    """
    hour, _, rest = text.partition(":")  # in half the time of two slices
    offset = _OFFSETS[rest]
    start = None if offset is None else _HOURS[hour]
    return _any_moment(text) if offset is None or start is None else start + offset


class _Offsets(dict[str, int | None]):
    """The nanoseconds of minutes and seconds such as ``59:01Z``; None for any other text, which is not kept."""

    def __missing__(self, text: str) -> int | None:
        minutes, seconds = text[:2], text[3:5]
        if not (len(text) == 6 and text[2::3] == ":Z" and minutes in _DIGITS and seconds in _DIGITS):
            return None
        self[text] = found = (int(minutes) * 60 + int(seconds)) * _SECOND
        return found


class _Hours(dict[str, int | None]):
    """The moments that hours begin with, by their texts such as ``2026-03-01T14``; None for any other text."""

    def __missing__(self, text: str) -> int | None:
        try:
            self[text] = found = _any_moment(text + _ZEROS)
        except ValueError:
            return None
        return found


_OFFSETS: Final = _Offsets()
_HOURS: Final = _Hours()


@lru_cache(maxsize=4096)
def _any_moment(text: str) -> int:
    match = re.fullmatch(_TEXT, text, re.ASCII)
    if match is None:
        raise ValueError(f"`{text[:64]}` is not a moment")
    day, hour, minute, second, fraction, sign, hours, minutes = match.groups()
    if hour > "23" or minute > "59" or second > "59":
        raise ValueError(f"`{text[:64]}` is not a moment")
    seconds = _days(day) * 86400 + int(hour) * 3600 + int(minute) * 60 + int(second)
    if sign:
        seconds -= (1 if sign == "+" else -1) * (int(hours) * 3600 + int(minutes) * 60)
    if seconds not in _YEARS:
        raise ValueError(f"`{text[:64]}` is not a moment")
    return seconds * _SECOND + (int(fraction[:9].ljust(9, "0")) if fraction else 0)


@lru_cache(maxsize=4096)
def _days(day: str) -> int:
    """Days since the epoch; cached, because thousands of moments are on few days."""
    return date.fromisoformat(day).toordinal() - _EPOCH


def moment_text(moment: int) -> str:
    """The RFC 3339 text of nanoseconds since the epoch, in UTC and whole seconds, as servers write it."""
    days, seconds = divmod(moment // _SECOND, 86400)
    day = date.fromordinal(_EPOCH + days).isoformat()
    return f"{day}T{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}Z"


def exact_text(moment: int) -> str:
    """The RFC 3339 text of nanoseconds since the epoch, in UTC, with as many decimals as it needs."""
    text, fraction = moment_text(moment), moment % _SECOND
    return text if not fraction else f"{text[:-1]}.{fraction:09d}".rstrip("0") + "Z"
