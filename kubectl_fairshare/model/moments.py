"""Moments in time: RFC 3339 texts as nanoseconds since the epoch."""

import re
from datetime import date
from functools import lru_cache
from typing import Final

_TEXT: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII
)
_EPOCH: Final = date(1970, 1, 1).toordinal()
_SECOND: Final = 10**9


@lru_cache(maxsize=65536)
def nanoseconds(text: str) -> int:
    """Nanoseconds since the epoch of an RFC 3339 text. Raises ``ValueError`` for anything else."""
    match = _TEXT.fullmatch(text)
    if match is None:
        raise ValueError(f"`{text[:64]}` is not a moment")
    day, hour, minute, second, fraction, sign, hours, minutes = match.groups()
    if hour > "23" or minute > "59" or second > "59":
        raise ValueError(f"`{text[:64]}` is not a moment")
    seconds = _days(day) * 86400 + int(hour) * 3600 + int(minute) * 60 + int(second)
    if sign:
        seconds -= (1 if sign == "+" else -1) * (int(hours) * 3600 + int(minutes) * 60)
    return seconds * _SECOND + (int(fraction[:9].ljust(9, "0")) if fraction else 0)


@lru_cache(maxsize=4096)
def _days(day: str) -> int:
    """Days since the epoch: thousands of moments fall on a few of them."""
    return date.fromisoformat(day).toordinal() - _EPOCH
