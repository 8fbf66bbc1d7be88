"""Kubernetes quantities: exact values in, canonical texts out.

Source: the serialization format of ``k8s.io/apimachinery`` resource quantities.
"""

import re
from functools import lru_cache
from typing import Final

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.quantity_text import QuantitySyntaxError, canonical_text, parse

_TEXT: Final = re.compile(r"([+-]?)(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d{1,5})", re.ASCII)
_NANO: Final = 10**9
_LONGEST_TEXT: Final = 1024


class QuantityError(ValueError):
    """Raised for a text that is not a quantity."""


def nano(value: Json) -> int:
    """The value of a quantity in units of 10⁻⁹; smaller fractions are rounded away from zero.

    Accepts an integer, a whole float, or a string, as JSON may have them. Raises ``QuantityError`` for anything else.
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
    """The value by the rules of Go's parser, for texts that match the API's pattern."""
    if len(text) <= _LONGEST_TEXT and _TEXT.fullmatch(text) is not None:
        try:
            return parse(text).nano
        except QuantitySyntaxError:
            pass
    raise QuantityError(f"`{text[:64]}` is not a quantity")


def native(value: Json) -> Json:
    """A quantity of Kubernetes' own kinds, which accept fractions without quotes as well, and null as 0."""
    return 0 if value is None else repr(value) if isinstance(value, float) else value


def units(value: Json) -> int:
    """Whole units of a quantity, rounded up; at most ``UNLIMITED`` (cut, as in requests)."""
    return min(-(-nano(value) // _NANO), UNLIMITED)


def milli(value: Json) -> int:
    """Milli-units of a quantity, rounded up; at most ``UNLIMITED`` (cut, as in requests)."""
    return min(-(-nano(value) // 1_000_000), UNLIMITED)


def amount(resource: str, value: Json) -> int:
    """A quantity of ``resource`` as an integer: cpu in milli-units, the rest in units, rounded up."""
    return milli(value) if resource == "cpu" else units(value)


def is_binary(resource: str) -> bool:
    """Whether Kubernetes prints the resource with binary suffixes (Ki, Mi, …)."""
    return resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-")


def nano_text(resource: str, nano_value: int) -> str:
    """An amount of ``resource`` in 10⁻⁹ in canonical form, however small."""
    unit = 1_000_000 if resource == "cpu" else _NANO
    if nano_value % unit:
        return canonical_text(nano_value, -9, "decimal")
    return text(resource, nano_value // unit)


@lru_cache(maxsize=65536)
def text(resource: str, value: int) -> str:
    """An amount of ``resource`` in canonical form: ``4Gi``, ``9900m``, ``8190Mi``, ``5k``."""
    if resource == "cpu":
        return canonical_text(value, -3, "decimal")
    return canonical_text(value, 0, "binary" if is_binary(resource) and value % 1024 == 0 else "decimal")
