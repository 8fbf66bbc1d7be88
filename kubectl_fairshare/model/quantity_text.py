"""Quantities as Go's parser reads and writes them.

The parser accepts more than the API's pattern (a suffix or a sign alone is zero) and keeps some texts unchanged.
``text`` is what a Go program would write back. Source: k8s.io/apimachinery, resource quantities.
"""

import re
from functools import lru_cache
from typing import Final

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.numbers import LARGEST, LEAST
from kubectl_fairshare.model.numbers import text as number_text
from kubectl_fairshare.model.values import Value

_PARTS: Final = re.compile(r"([+-]?)0*+(\d*+)(?:\.(\d*+))?([eEinumkKMGTP]*[+-]?\d*)", re.ASCII)
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX: Final = {power: suffix for suffix, power in _DECIMAL.items()}
_BINARY_SUFFIX: Final = {power: suffix for suffix, power in _BINARY.items()}
_EXPONENT: Final = re.compile(r"[eE][+-]?\d+$", re.ASCII)
_NANO: Final = -9
_MILLI: Final = 10**6
"""A thousandth in units of 10⁻⁹."""
_FAST_DIGITS: Final = 18
_FARTHEST: Final = 5_000  # larger powers of ten are cut: no comparison of quantities can see the difference
_LONGEST: Final = 10_000
"""The most characters of a quantity. The exact value of a longer one takes long, and no cluster has that much."""
_SPACE: Final = " \x85\xa0"  # other characters reach the parser escaped, and are rejected


class QuantitySyntaxError(ValueError):
    """Raised for a text that Go's parser rejects."""


class ParsedQuantity(Value, frozen=True):
    """A parsed quantity: its exact value in units of 10⁻⁹, and the text that Go writes for it."""

    nano: int
    text: str


ZERO: Final = ParsedQuantity(0, "0")


def parse(value: Json) -> ParsedQuantity:
    """The quantity in a JSON value. Raises ``QuantitySyntaxError``."""
    if isinstance(value, str):
        return _parse(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise QuantitySyntaxError("not a quantity")
    return _parse(number_text(value))


def canonical(value: Json) -> str:
    """The text that Kubernetes' own kinds return for a quantity: at most thousandths, rounded up; null is 0.

    Raises ``QuantitySyntaxError``.
    """
    found = ZERO if value is None else parse(value)
    if found.nano % _MILLI == 0:
        return found.text
    exponent = isinstance(value, str) and _EXPONENT.search(value) is not None
    return _parse(f"{-(-found.nano // _MILLI)}{'e-3' if exponent else 'm'}").text


@lru_cache(maxsize=65536)
def _parse(raw: str) -> ParsedQuantity:
    if len(raw) > _LONGEST:
        raise QuantitySyntaxError(f"longer than {_LONGEST:,} characters")
    written = raw.strip(_SPACE)
    if written == "0":
        return ZERO
    match = _PARTS.fullmatch(written)
    if not written or match is None:
        raise QuantitySyntaxError("not in the form of a quantity")
    sign, whole, fraction, suffix = match.groups()
    base, exponent = _scale(suffix)
    fraction = fraction or ""
    exact = _fast(sign, whole or "0", fraction, base, exponent, written)
    return exact or _slow(written, suffix, base, exponent)


def _scale(suffix: str) -> tuple[str, int]:
    if suffix in _DECIMAL:
        return "decimal", _DECIMAL[suffix]
    if suffix in _BINARY:
        return "binary", _BINARY[suffix]
    power = suffix[1:]
    if suffix[0] not in "eE" or not power or not re.fullmatch(r"[+-]?\d+", power, re.ASCII):
        raise QuantitySyntaxError("unknown suffix")
    if len(power.lstrip("+-0")) > len(str(LARGEST)) or not LEAST <= int(power) <= LARGEST:
        raise QuantitySyntaxError("unknown suffix")
    return "exponent", ((int(power) + (1 << 31)) % (1 << 32)) - (1 << 31)


def _fast(sign: str, whole: str, fraction: str, base: str, exponent: int, written: str) -> ParsedQuantity | None:
    digits = whole + fraction
    if base == "binary":
        if fraction or 15 - len(whole) - exponent * 3 // 10 - 1 < 0:
            return None
        mantissa, scale = int(whole) << exponent, 0
    else:
        if len(digits) > _FAST_DIGITS or exponent - len(fraction) < _NANO:
            return None
        mantissa, scale = int(digits), exponent - len(fraction)
    if mantissa > LARGEST:
        return None
    signed = -mantissa if sign == "-" else mantissa
    canonical = int(whole) & 7 != 0 if base == "binary" else _canonical(digits, scale)
    return ParsedQuantity(
        signed * 10 ** (min(scale, _FARTHEST) - _NANO), written if canonical else canonical_text(signed, scale, base)
    )


def _canonical(digits: str, scale: int) -> bool:
    return scale % 3 == 0 and not digits.endswith("000") and not digits.startswith("0")


def _slow(written: str, suffix: str, base: str, exponent: int) -> ParsedQuantity:
    number = written.removesuffix(suffix) if suffix else written
    if not any(c.isdigit() for c in number):
        raise QuantitySyntaxError("no number before the suffix")
    from decimal import Decimal

    value, parts = Decimal(number).as_integer_ratio()  # unlike int, it accepts any number of digits
    power = max(-_FARTHEST, min(exponent, _FARTHEST))
    value *= 1 << exponent if base == "binary" else 10 ** max(power, 0)
    parts *= 10 ** max(-power, 0) if base != "binary" else 1
    nano = -(-abs(value) * 10**9 // parts)
    if base == "binary":
        nano = min(nano, LARGEST * 10**9)
        base = "decimal" if 0 < nano < 10**9 else base
    signed = -nano if value < 0 else nano
    return ParsedQuantity(signed, canonical_text(signed, _NANO, base))


def canonical_text(mantissa: int, scale: int, base: str) -> str:
    """The text that Go writes for ``mantissa · 10^scale`` in the notation ``base``: binary, decimal or exponent."""
    if mantissa == 0:
        return "0"
    if base == "binary" and scale < 0 and mantissa % 10**-scale == 0:
        mantissa, scale = mantissa // 10**-scale, 0
    if base == "binary" and scale == 0 and abs(mantissa) >= 1024:
        return _binary_text(mantissa)
    while mantissa % 10 == 0:
        mantissa //= 10
        scale += 1
    while scale % 3:
        mantissa *= 10
        scale -= 1
    if base == "exponent":
        return f"{number_text(mantissa)}e{scale}" if scale else number_text(mantissa)
    return f"{number_text(mantissa)}{_DECIMAL_SUFFIX.get(scale, '')}"


def _binary_text(mantissa: int) -> str:
    power = 0
    while mantissa % 1024 == 0:
        mantissa //= 1024
        power += 10
    return f"{mantissa}{_BINARY_SUFFIX.get(power, '')}"


@lru_cache(maxsize=65536)
def is_rounded(value: str | int) -> bool:
    """Whether the text of a quantity is finer than what is kept: a fraction of 10⁻⁹."""
    written = str(value)
    match = _PARTS.fullmatch(written.strip(_SPACE))
    if match is None or not (match[2] or match[3]):
        return False
    _, whole, fraction, suffix = match.groups()
    try:
        base, exponent = _scale(suffix)
    except QuantitySyntaxError:
        return False
    fraction = (fraction or "").rstrip("0")
    if base != "binary":
        digits = (whole or "0") + fraction
        return exponent - len(fraction) < _NANO and _least_digit(digits, exponent - len(fraction)) < _NANO
    if not fraction:
        return False
    from decimal import Decimal
    from fractions import Fraction

    exact = Fraction(int(Decimal((whole or "0") + fraction)), 10 ** len(fraction)) * (1 << exponent) * 10**9
    return exact.denominator != 1


def _least_digit(digits: str, scale: int) -> int:
    """The power of ten of the last digit other than 0; for 0, that of the number itself."""
    kept = digits.rstrip("0")
    return scale + len(digits) - len(kept) if kept else 0
