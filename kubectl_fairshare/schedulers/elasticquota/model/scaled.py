"""A quantity as the 64-bit integer that Go programs read from it, including values that do not fit.

Rounding is away from zero. A value that does not fit raises no error: depending on the form of its text it becomes 0,
wraps around, or, with a binary suffix, is cut to the largest integer.
Source: ``k8s.io/apimachinery`` resource quantities, their fast form (up to 18 digits) and their exact form.
"""

import re
from functools import lru_cache
from typing import Final

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.quantity import QuantityError

LARGEST: Final = (1 << 63) - 1
LEAST: Final = -(1 << 63)
UNITS: Final = 0
MILLI: Final = -3
_NANO: Final = -9
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_TEXT: Final = re.compile(r"([+-]?)0*+(\d*+)(?:\.(\d*+))?([KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d+)", re.ASCII)
_FAST_DIGITS: Final = 18
_WRAPPING_POWERS: Final = (0, 1, 2, 3, 6, 9)
_VANISHING_POWER: Final = 64  # ten to this power is a multiple of 2⁶⁴
_LONGEST_TEXT: Final = 1024


def wrapped(value: int) -> int:
    """The 64-bit integer that remains of ``value`` without its higher bits."""
    return value if LEAST <= value <= LARGEST else ((value - LEAST) & ((1 << 64) - 1)) + LEAST


def cut(value: int) -> int:
    """The nearest 64-bit integer: for figures that no scheduler computes."""
    return max(LEAST, min(LARGEST, value))


def units(value: Json) -> int:
    """A quantity in whole units. Raises ``QuantityError`` for a malformed one."""
    return _scaled(_text(value), UNITS)


def milli(value: Json) -> int:
    """A quantity in thousandths. Raises ``QuantityError`` for a malformed one."""
    return _scaled(_text(value), MILLI)


def _text(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    raise QuantityError(f"`{value}` is not a quantity")


@lru_cache(maxsize=65536)
def _scaled(text: str, scale: int) -> int:
    match = _TEXT.fullmatch(text) if len(text) <= _LONGEST_TEXT else None
    if match is None or not any(c.isdigit() for c in text):
        raise QuantityError(f"`{text[:64]}` is not a quantity")
    sign, whole, fraction, suffix = match[1], match[2] or "0", match[3] or "", match[4]
    digits = int(whole + fraction) * (-1 if sign == "-" else 1)
    if suffix in _BINARY:
        return _binary(digits << _BINARY[suffix], len(fraction), scale)
    power = _DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:])
    power -= len(fraction)
    if power > _VANISHING_POWER:
        return 0
    if len(whole) + len(fraction) <= _FAST_DIGITS and power >= _NANO:
        return _fast(digits, power - scale)
    nano = digits * _ten_to(power - _NANO) if power >= _NANO else _away_from_zero(digits, _ten_to(_NANO - power))
    return _exact(nano, scale)


def _ten_to(power: int) -> int:
    """Ten to a power of 0 or more; powers that no text here can need are cut."""
    return int(10 ** min(power, 2 * _LONGEST_TEXT))


def _fast(digits: int, power: int) -> int:
    """``digits · 10^power``; a result that does not fit wraps around or becomes 0, depending on the power."""
    if power < 0:
        return _away_from_zero(digits, _ten_to(-power))
    product = digits * _ten_to(power)
    if LEAST <= product <= LARGEST or power in _WRAPPING_POWERS:
        return wrapped(product)
    return 0


def _binary(digits: int, decimals: int, scale: int) -> int:
    """The size of a quantity with a binary suffix: cut to the largest integer, in whole units."""
    nano = _away_from_zero(digits * 10**9, _ten_to(decimals))
    if abs(nano) > LARGEST * 10**9:
        return wrapped((-LARGEST if nano < 0 else LARGEST) * _ten_to(UNITS - scale))
    return _exact(nano, scale)


def _exact(nano: int, scale: int) -> int:
    """Amounts of 10⁻⁹ in the given scale, rounded up; negative ones lose their high bits first."""
    divisor = _ten_to(scale - _NANO)
    if nano >= LARGEST:
        return wrapped(-(-nano // divisor))
    held = wrapped(nano)
    cut = abs(held) // divisor
    return (cut if held >= 0 else -cut) + (held % divisor != 0)


def _away_from_zero(value: int, divisor: int) -> int:
    size = -(-abs(value) // divisor)
    return -size if value < 0 else size
