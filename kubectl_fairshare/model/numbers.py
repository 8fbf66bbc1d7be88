"""Numbers in the API server: how it reads them, and how Go writes them."""

import math
import re
from typing import Final

from kubectl_fairshare.model.json import Json

LARGEST: Final = (1 << 63) - 1
LEAST: Final = -(1 << 63)
_LARGEST_WHOLE_FLOAT: Final = (1 << 53) - 1
_FEW_DIGITS: Final = 1_000
_MOST_DIGITS: Final = 10_000
_FIXED_FROM: Final = 1e-6
_FIXED_BELOW: Final = 1e21
_WHOLE: Final = re.compile(r"([+-]?)0*([0-9]{1,19})")


def as_read(value: Json) -> Json:
    """A number as the API server holds it: integers beyond 64 bits become floats."""
    if type(value) is int and not LEAST <= value <= LARGEST:
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    return value


def integer(digits: str) -> int | float:
    """The integer of a JSON text, also one with more digits than ``int`` reads; infinity past any amount."""
    if len(digits) <= _FEW_DIGITS:
        return int(digits)
    from decimal import Decimal

    return int(Decimal(digits)) if len(digits) <= _MOST_DIGITS else float(digits)


def whole_number(text: str) -> int | None:
    """The number that Go's ``Atoi`` reads in a text, such as ``+07``; None for any other text, or beyond 64 bits."""
    match = _WHOLE.fullmatch(text)
    number = LARGEST + 1 if match is None else int(match[1] + match[2])
    return number if LEAST <= number <= LARGEST else None


def is_integer(value: Json) -> bool:
    """Whether the schema accepts ``value`` as an integer: whole floats pass up to 2⁵³ - 1."""
    if type(value) is int:
        return True
    return type(value) is float and value.is_integer() and abs(value) <= _LARGEST_WHOLE_FLOAT


def text(value: int | float) -> str:
    """A number as Go's JSON encoder writes it: the shortest digits, scientific below 10⁻⁶ and from 10²¹ on."""
    if isinstance(value, int):
        return _digits(value)
    if not math.isfinite(value):
        return str(value)
    from decimal import Decimal

    exact = Decimal(repr(value))
    if value == 0 or _FIXED_FROM <= abs(value) < _FIXED_BELOW:
        return _without_zeros(f"{exact:f}")
    exponent = exact.adjusted()
    return f"{_without_zeros(f'{exact.scaleb(-exponent):f}')}e{exponent:+}"


def _digits(number: int) -> str:
    """All digits of an integer, even more than ``str`` would write."""
    if number.bit_length() <= _FEW_DIGITS:
        return str(number)
    from decimal import Decimal

    return f"{Decimal(number):f}"


def _without_zeros(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def stored_value(value: Json) -> Json:
    """A JSON value as stored in etcd: whole floats are written like integers, with the shortest digits."""
    if isinstance(value, dict):
        return {key: stored_value(each) for key, each in value.items()}
    if isinstance(value, list):
        return [stored_value(each) for each in value]
    if type(value) is float and value.is_integer() and abs(value) < _FIXED_BELOW:
        return int(text(value))
    return value
