"""Kubernetes quantities: exact values in, canonical texts out.

Source: the serialization format of ``k8s.io/apimachinery`` resource quantities.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.json import Json

_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_TEXT: Final = re.compile(r"([+-]?)(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d+)", re.ASCII)
_NANO: Final = 10**9
_LONGEST_EXPONENT: Final = 6
_LONGEST_TEXT: Final = 1024


class QuantityError(ValueError):
    """Raised for a text that is no quantity."""


def nano(value: Json) -> int:
    """The value of a quantity in units of 10⁻⁹, fractions below that rounded away from zero.

    Accepts what JSON may hold for one: an integer, a whole float, or a string. Raises
    ``QuantityError`` for anything else.
    """
    if isinstance(value, str):
        return _nano_of_text(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value * _NANO
    if isinstance(value, float) and value.is_integer():
        return int(value) * _NANO
    raise QuantityError(f"{value!r} is not a quantity")


@lru_cache(maxsize=65536)
def _nano_of_text(text: str) -> int:
    match = _TEXT.fullmatch(text) if len(text) <= _LONGEST_TEXT else None
    if match is None:
        raise QuantityError(f"`{text[:64]}` is not a quantity")
    sign, number, suffix = match.groups()
    whole, _, fraction = number.partition(".")
    digits = Fraction(int((whole + fraction) or "0"), 10 ** len(fraction))
    value = digits * _scale(suffix) * _NANO
    rounded = -(-value.numerator // value.denominator)
    return -rounded if sign == "-" else rounded


def _scale(suffix: str) -> Fraction:
    if suffix in _BINARY:
        return Fraction(1 << _BINARY[suffix])
    if suffix in _DECIMAL:
        return Fraction(10) ** _DECIMAL[suffix]
    if len(suffix) > _LONGEST_EXPONENT:
        raise QuantityError(f"exponent `{suffix[:16]}` is out of range")
    exponent = int(suffix[1:])
    return Fraction(10) ** max(-10_000, min(exponent, 10_000))


def units(value: Json) -> int:
    """Whole units of a quantity, rounded up; at most ``UNLIMITED`` (cut, as in requests)."""
    return min(-(-nano(value) // _NANO), UNLIMITED)


def milli(value: Json) -> int:
    """Milli-units of a quantity, rounded up; at most ``UNLIMITED`` (cut, as in requests)."""
    return min(-(-nano(value) // 1_000_000), UNLIMITED)


def amount(resource: str, value: Json) -> int:
    """A quantity of ``resource`` as Kueue counts it: cpu in milli-units, the rest in units, rounded up."""
    return milli(value) if resource == "cpu" else units(value)


def is_binary(resource: str) -> bool:
    """Whether Kubernetes prints the resource with binary suffixes (Ki, Mi, …)."""
    return resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-")


def text(resource: str, value: int) -> str:
    """An amount of ``resource`` in canonical form: ``4Gi``, ``9900m``, ``8190Mi``, ``5k``."""
    if resource == "cpu":
        return _decimal_text(value, -3)
    return _binary_text(value) if is_binary(resource) else _decimal_text(value, 0)


def _binary_text(value: int) -> str:
    if -1024 < value < 1024:  # too small for a binary suffix: Kubernetes falls back to decimal ones
        return _decimal_text(value, 0)
    for suffix, power in reversed(_BINARY.items()):
        if value % (1 << power) == 0:
            return f"{value >> power}{suffix}"
    return _decimal_text(value, 0)


def _decimal_text(value: int, exponent: int) -> str:
    if value == 0:
        return "0"
    while value % 1000 == 0 and exponent < 18:
        value //= 1000
        exponent += 3
    suffix = next(s for s, e in _DECIMAL.items() if e == exponent)
    return f"{value}{suffix}"
