"""Scalars as kubectl reads them: go-yaml v2's rules, then a passage through JSON.

Plain ``yes``, ``on`` and ``y`` are true, ``0777`` and ``0o17`` are octal, dates stay strings, and a number
ends as JSON leaves it: whole floats as integers, integers beyond int64 as floats. Measured against the
real kubectl; ``testdata/input/scalars.json`` is the record.

Tested in ``tests/unit/input/text/test_decoding.py``.
"""

import math
import re
import struct
from typing import Final

from kubectl_fairshare.model.json import Json

_TAG: Final = "tag:yaml.org,2002:"
MERGE: Final = "<<"
"""The key that asks for the keys of other mappings, where it is unquoted or tagged ``MERGE_TAG``."""
MERGE_TAG: Final = _TAG + "merge"
_NAN, _INFINITY = math.nan, math.inf

_WORDS: Final[dict[str, Json]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), _NAN),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), _INFINITY),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -_INFINITY),
}
_NUMERIC_START: Final = frozenset("+-0123456789")
_POINT_FLOAT: Final = re.compile(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INTEGER: Final = re.compile(
    r"([-+]?)(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<binary>[01]+)|0[oO]?(?P<octal>[0-7]+)|(?P<decimal>0|[1-9][0-9]*))"
)
_SIGNED_BINARY: Final = re.compile(r"0b([-+])([01]+)")  # go-yaml looks twice: a sign after the prefix counts
_BASES: Final = {"hex": 16, "binary": 2, "octal": 8, "decimal": 10}
_INT64: Final = range(-(1 << 63), 1 << 63)
_UINT64_END: Final = 1 << 64
_LONGEST_NUMBER: Final = 4096
"""Digits past which a text is not worth converting: every such number is out of float64's range or precision."""
_STRAY_BYTE: Final = re.compile("[\udc80-\udcff]")
_DATE: Final = re.compile(
    r"[0-9]{4}-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"(?:[Tt ](?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):(?P<second>[0-9]{1,2})(?:[.,][0-9]+)?"
    r"(?P<zone>Z|[-+][0-9]{2}:[0-9]{2})?)?"
)


class ScalarError(ValueError):
    """Raised for a scalar that kubectl rejects; the message is for the user."""


def plain(text: str) -> Json:
    """The value of a plain, untagged scalar. Raises ``ScalarError`` for infinities and not-a-number."""
    value = _resolve(text)
    return through_json(value, text) if type(value) in (int, float) else value


def tagged(tag: str, text: str) -> Json:
    """The value of a scalar with an explicit tag. Raises ``ScalarError`` where kubectl refuses it.

    Tags outside YAML's core types, and ``!``, leave the text as it is.
    """
    value = _resolve_tagged(tag, text)
    return through_json(value, text) if type(value) in (int, float) else value


def key(text: str, tag: str | None = None) -> str:
    """The key for a plain or tagged scalar: JSON has only strings. Raises ``ScalarError``.

    Floats are written as kubectl does, in the shortest form of single precision: ``1e6`` is ``1e+06``.
    """
    value = _resolve(text) if tag is None else _resolve_tagged(tag, text)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        raise ScalarError("a key cannot be null")
    if isinstance(value, float):
        return _float_key(value)
    if value not in _INT64:
        raise ScalarError(f"`{text}` is too large for a key")
    return str(value)


def through_json(value: int | float, text: str) -> int | float:
    """A number after go's JSON: whole floats become integers, integers beyond int64 floats.

    ``text`` is how the user wrote it. Raises ``ScalarError`` for what JSON can't hold.
    """
    if isinstance(value, int):
        return value if value in _INT64 else float(value)
    if not math.isfinite(value):
        raise ScalarError(f"`{text}` is a number that JSON cannot represent")
    if value.is_integer() and abs(value) < 2.0**63:
        from decimal import Decimal

        whole = int(Decimal(repr(value)))  # the digits that go writes, zeros after the significant ones
        return whole if whole in _INT64 else value
    return value


def _resolve(text: str) -> Json:
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if first == ".":
        return float(text) if _POINT_FLOAT.fullmatch(text) and math.isfinite(float(text)) else text
    if first not in _NUMERIC_START or not text.isascii():
        return text
    number = _number(text.replace("_", ""))
    return text if number is None else number


def _number(digits: str) -> int | float | None:
    """The number that go-yaml reads from a text without underscores; None for any other text."""
    integer = _integer(digits)
    if integer is not None:
        return integer
    if _FLOAT.fullmatch(digits):
        value = float(digits)
        return value if math.isfinite(value) else None
    return _second_look(digits)


def _integer(digits: str) -> int | None:
    """An integer within int64, or an unsigned one within uint64; None for all else."""
    match = _INTEGER.fullmatch(digits) if len(digits) <= _LONGEST_NUMBER else None
    if match is None or match.lastgroup is None:
        return None
    value = int(match[match.lastgroup], _BASES[match.lastgroup])
    if match[1] == "-":
        value = -value
    fits = value in _INT64 or (not match[1] and value < _UINT64_END)
    return value if fits else None


def _second_look(digits: str) -> int | None:
    match = _SIGNED_BINARY.fullmatch(digits) if len(digits) <= _LONGEST_NUMBER else None
    if match is None:
        return None
    value = int(match[1] + match[2], 2)
    return value if value in _INT64 else None


def _resolve_tagged(tag: str, text: str) -> Json:
    kind = tag.removeprefix(_TAG) if tag.startswith(_TAG) else ""
    if kind == "binary":
        return _binary(text)
    if kind == "timestamp":
        if _is_timestamp(text):
            return text
        raise ScalarError(f"`{text}` is not a timestamp")
    if kind not in ("bool", "int", "float", "null"):
        return text
    value = _resolve(text)
    if _kind(value) == kind:
        return value
    if kind == "float" and _kind(value) == "int" and value in _INT64:
        return float(value)
    raise ScalarError(f"`{text}` is tagged `!!{kind}` but is not one")


def _kind(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    return {int: "int", float: "float"}.get(type(value), "str")


def _binary(text: str) -> str:
    import base64

    try:
        data = base64.b64decode(text.replace("\n", "").replace("\r", ""), validate=True)
    except ValueError:
        raise ScalarError("the text tagged `!!binary` is not base64") from None
    return _STRAY_BYTE.sub("\ufffd", data.decode("utf-8", "surrogateescape"))  # go replaces byte by byte


def _is_timestamp(text: str) -> bool:
    match = _DATE.fullmatch(text)
    if match is None or not _calendar(int(text[:4]), int(match["month"]), int(match["day"])):
        return False
    if match["hour"] is None:
        return True
    spaced = " " in text
    if spaced == (match["zone"] is not None):
        return False
    return int(match["hour"]) < 24 and int(match["minute"]) < 60 and int(match["second"]) < 60


def _calendar(year: int, month: int, day: int) -> bool:
    if not 1 <= month <= 12 or day < 1:
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= (29 if month == 2 and leap else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1])


def _float_key(value: float) -> str:
    from decimal import Decimal

    if math.isnan(value):
        return ".nan"
    single = _single(value)
    if math.isinf(single):
        return ".inf" if single > 0 else "-.inf"
    text = next(t for p in range(9) if _single(float(t := f"{single:.{p}e}")) == single)
    mantissa, _, exponent = text.partition("e")
    if -4 <= int(exponent) < 6:
        decimals = max(len(mantissa.lstrip("-").replace(".", "")) - 1 - int(exponent), 0)
        return f"{Decimal(text):.{decimals}f}"
    return f"{mantissa}e{int(exponent):+03d}"


def _single(value: float) -> float:
    try:
        narrowed: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return narrowed


class Values(dict[str, Json]):
    """Plain scalars to their values, each resolved once."""

    def __missing__(self, text: str) -> Json:
        value = self[text] = plain(text)
        return value


class Keys(dict[str, str]):
    """Plain scalars in the place of a key to their keys, each resolved once."""

    def __missing__(self, text: str) -> str:
        name = self[text] = key(text)
        return name


class Scalars:
    """What plain scalars mean, as values and as keys; made once for all texts that are read together."""

    __slots__ = ("keys", "values")

    def __init__(self) -> None:
        self.values, self.keys = Values(), Keys()
