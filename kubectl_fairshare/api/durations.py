"""Durations as Go writes them: ``1h30m``, ``500ms``, ``-2s``, ``0``."""

import re
from typing import Final

_UNITS: Final = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}
_PART: Final = r"(\d++(?:\.\d*+)?|\.\d++)(ns|us|µs|μs|ms|s|m|h)"
_WHOLE: Final = rf"[+-]?({_PART})+"
_LARGEST: Final = (1 << 63) - 1
_MOST_DIGITS: Final = 40


def nanoseconds(text: str) -> int:
    """The duration in nanoseconds. Raises ``ValueError`` for a text that Go cannot read."""
    if text in ("0", "+0", "-0"):
        return 0
    if re.fullmatch(_WHOLE, text, re.ASCII) is None:
        raise ValueError("not a span of time such as `5m` or `1h30m`")
    total = sum(_part(number, unit) for number, unit in re.findall(_PART, text, re.ASCII))
    if total > _LARGEST + text.startswith("-"):
        raise ValueError("a span of time beyond 292 years")
    return -total if text.startswith("-") else total


def _part(number: str, unit: str) -> int:
    """One number with its unit, in nanoseconds; digits that cannot change the result are not read."""
    whole, _, fraction = number.partition(".")
    if len(whole.lstrip("0")) > _MOST_DIGITS:
        return _LARGEST + 2
    digits = fraction[:_MOST_DIGITS]
    part: int = int(digits or 0) * _UNITS[unit] // 10 ** len(digits)
    return int(whole[-_MOST_DIGITS:] or 0) * _UNITS[unit] + part
