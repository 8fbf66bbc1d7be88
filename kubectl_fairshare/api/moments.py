"""Points in time as text: what the schema accepts, and what Go reads and writes."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final

_CLOCK: Final = r"(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})"
_RFC3339: Final = r"(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,]\d+)?(?:Z|([+-])(\d{2}):(\d{2}))"
_ZERO: Final = "0001-01-01T00:00:00Z"


def is_date_time(text: str) -> bool:
    """Whether the schema's format ``date-time`` accepts the text."""
    day, mark, rest = text.lower().partition("t")
    if len(text) < 4 or not mark or not _is_date(day):
        return False
    match = re.fullmatch(_CLOCK, rest.partition("t")[0], re.ASCII)
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


def _is_date(text: str) -> bool:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return text.startswith("0000-")  # Go has a year 0, Python has not
    return True


def go_time(text: str) -> str | None:
    """The text as Go writes the time back: UTC, whole seconds; None for Go's zero time.

    Raises ``ValueError`` for a text that is not in the form of RFC 3339.
    """
    match = re.fullmatch(_RFC3339, text, re.ASCII)
    if match is None:
        raise ValueError("not a time in the form of RFC 3339")
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    if match[7]:
        offset = timedelta(hours=int(match[8]), minutes=int(match[9]))
        try:
            moment = moment - offset if match[7] == "+" else moment + offset
        except OverflowError:
            raise ValueError("out of range") from None
    written = moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(len(_ZERO), "0")
    return None if written == _ZERO else written
