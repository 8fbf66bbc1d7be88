"""Moments in time: RFC 3339 texts as nanoseconds since the epoch."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

_TEXT: Final = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = 10**9


@lru_cache(maxsize=65536)
def nanoseconds(text: str) -> int:
    """Nanoseconds since the epoch of an RFC 3339 text. Raises ``ValueError`` for anything else."""
    match = _TEXT.fullmatch(text)
    if match is None:
        raise ValueError(f"`{text[:64]}` is not a moment")
    day, clock, fraction, sign, hours, minutes = match.groups()
    whole = datetime.fromisoformat(f"{day}T{clock}+00:00") - _EPOCH
    seconds = whole // timedelta(seconds=1)
    if sign:
        seconds -= (1 if sign == "+" else -1) * (int(hours) * 3600 + int(minutes) * 60)
    return seconds * _SECOND + int((fraction or "0")[:9].ljust(9, "0"))
