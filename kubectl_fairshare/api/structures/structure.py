"""The parts of structures: shapes, fields, rules.

A structure serves three readers: the API server's structural schema (types, bounds, defaults, list keys), the Go
types of a scheduler's webhooks and conversion (pointers, omitted zero values), and the JSON Schemas that we ship.
``library`` reads structures from files.

Tested in ``tests/unit/api/test_judge.py``.
"""

import re
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.values import Value

UNSET: Final = object()

# The result of a CEL rule: True, False, or None if it cannot be evaluated (which also rejects the object).
Verdict: TypeAlias = bool | None


class CelRule(Value, frozen=True):
    """A validation rule of a schema node: ``holds(new, old)``.

    A ``transition`` rule is about changes and is only checked if there is an old value. Causes of the rule are filed
    under ``law``.
    """

    gist: str
    holds: Callable[[Json, Json], Verdict]
    transition: bool = False
    law: str = ""

    def verdict(self, new: Json, old: Json) -> Verdict:
        """The result of the rule; None if a field that it needs is absent."""
        try:
            return self.holds(new, old)
        except KeyError:
            return None


class String(Value, frozen=True, dict=True):
    """A string. ``pattern`` is anchored at both ends; lengths count characters."""

    pattern: str | None = None
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    rules: tuple[CelRule, ...] = ()

    @cached_property
    def matcher(self) -> re.Pattern[str] | None:
        """The pattern, for ``fullmatch``."""
        return re.compile(self.pattern.removeprefix("^").removesuffix("$")) if self.pattern else None


class Scalar(Value, frozen=True):
    """A value without bounds of its own."""

    rules: tuple[CelRule, ...] = ()


class Time(Scalar, frozen=True):
    """A date-time in a string."""


class Integer(Value, frozen=True):
    """An integer. The schema does not enforce ``bits``; the Go type does."""

    bits: int
    least: int | None = None
    rules: tuple[CelRule, ...] = ()


class Number(Value, frozen=True):
    """A floating-point number, greater than ``above`` and not greater than ``most``."""

    above: int | None = None
    most: int | None = None
    rules: tuple[CelRule, ...] = ()


class Boolean(Scalar, frozen=True):
    """A boolean."""


class Quantity(Scalar, frozen=True):
    """A resource quantity: an integer, or a string in the serialization format of quantities."""


class IntOrString(Scalar, frozen=True):
    """An integer or a string, as ports are written."""


class Duration(Scalar, frozen=True):
    """A duration in a string. The schema accepts any string; the Go type does not."""


class Array(Value, frozen=True):
    """A list. ``keys`` are the fields that identify its objects; ``unique`` lists are sets.

    A repeated item is filed under ``law``.
    """

    items: "Shape"
    least: int | None = None
    most: int | None = None
    keys: tuple[str, ...] = ()
    unique: bool = False
    rules: tuple[CelRule, ...] = ()
    law: str = ""


class Map(Value, frozen=True):
    """An object with free keys, all values of one shape."""

    values: "Shape"
    most: int | None = None
    rules: tuple[CelRule, ...] = ()


class StructField(Value, frozen=True):
    """A field of an object.

    ``required`` and ``default`` belong to the schema. ``pointer``, ``kept`` (a zero value is written out) and
    ``zeroless`` (a zero struct is left out) belong to the Go type.
    """

    name: str
    shape: "Shape"
    required: bool = False
    default: Json = UNSET
    pointer: bool = False
    kept: bool = False
    zeroless: bool = False


class Struct(Value, frozen=True, eq=False, dict=True):
    """An object with known fields. Compared by identity, so that each structure can keep its compiled forms."""

    name: str
    fields: Mapping[str, StructField]
    rules: tuple[CelRule, ...] = ()
    required: tuple[str, ...] = ()


Shape: TypeAlias = String | Time | Integer | Number | Boolean | Quantity | IntOrString | Duration | Array | Map | Struct


NAME_PATTERN: Final = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
LABEL_PATTERN: Final = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"
LABEL_KEY_PATTERN: Final = (
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
)
QUANTITY_PATTERN: Final = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
    r"(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
_QUANTITY: Final = re.compile(QUANTITY_PATTERN.removeprefix("^").removesuffix("$"))

STRING: Final = String()
NAME: Final = String(pattern=NAME_PATTERN, most=253)
LABEL: Final = String(pattern=LABEL_PATTERN)
DNS_LABEL: Final = String(pattern=LABEL_PATTERN, most=63)
KEY: Final = String(pattern=LABEL_KEY_PATTERN, most=316)
LABEL_KEY: Final = String(pattern=LABEL_KEY_PATTERN, least=1, most=316)
TIME: Final = Time()
INT32: Final = Integer(32)
INT64: Final = Integer(64)
NUMBER: Final = Number()
BOOLEAN: Final = Boolean()
QUANTITY: Final = Quantity()
INT_OR_STRING: Final = IntOrString()
DURATION: Final = Duration()


@lru_cache(maxsize=65536)
def matches_pattern(text: str) -> bool:
    """Whether the API's pattern for quantities accepts the text."""
    return _QUANTITY.fullmatch(text) is not None
