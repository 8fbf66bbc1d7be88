"""Annotations as Go decodes them, with its error messages.

Source: Go's ``encoding/json``; ``k8s.io/apimachinery``, ``Quantity.UnmarshalJSON``.
"""

import json
from collections.abc import Mapping
from typing import Final, NoReturn

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.numbers import integer
from kubectl_fairshare.model.quantity_text import ZERO, ParsedQuantity, QuantitySyntaxError, parse

_FORM: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_REASONS: Final = {
    "unknown suffix": "unable to parse quantity's suffix",
    "no number before the suffix": "unable to parse numeric part of quantity",
}
_AFTER: Final = {
    "Expecting value": "looking for beginning of value",
    "Expecting property name enclosed in double quotes": "looking for beginning of object key string",
    "Illegal trailing comma before end of object": "looking for beginning of object key string",
    "Expecting ':' delimiter": "after object key",
    "Expecting ',' delimiter": "after object key:value pair",
    "Extra data": "after top-level value",
}
_KINDS: Final = {list: "array", dict: "object", str: "string", int: "number", float: "number", bool: "bool"}


class GoJsonError(ValueError):
    """Raised with the message that Go's decoder has for a text."""


def _no_constant(name: str) -> NoReturn:
    raise GoJsonError(f"invalid character '{name[0]}' looking for beginning of value")


def decoded(text: str) -> Json:
    """The value of a JSON text. Raises ``GoJsonError``."""
    try:
        return json.loads(text, parse_constant=_no_constant, parse_int=integer)
    except json.JSONDecodeError as error:
        raise GoJsonError(_syntax(text, error)) from None


def _syntax(text: str, error: json.JSONDecodeError) -> str:
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return "unexpected end of JSON input"
    return f"invalid character '{text[error.pos]}' {_AFTER.get(error.msg, 'looking for beginning of value')}"


def decoded_amounts(text: str) -> Mapping[str, ParsedQuantity] | None:
    """A resource list; None for ``null``. Raises ``GoJsonError``, also for one bad quantity."""
    value = decoded(text)
    if value is None:
        return None
    if not isinstance(value, dict):
        kind = _KINDS[type(value)]
        raise GoJsonError(f"json: cannot unmarshal {kind} into Go value of type v1.ResourceList")
    return {name: _quantity(each) for name, each in value.items()}


def _quantity(value: Json) -> ParsedQuantity:
    if value is None:
        return ZERO
    try:
        return parse(value)
    except QuantitySyntaxError as error:
        raise GoJsonError(_REASONS.get(str(error), _FORM)) from None


def decoded_names(text: str) -> tuple[str, ...]:
    """A list of resource names; ``null`` is an empty list. Raises ``GoJsonError``."""
    value = decoded(text)
    if value is None:
        return ()
    if not isinstance(value, list):
        kind = _KINDS[type(value)]
        raise GoJsonError(f"json: cannot unmarshal {kind} into Go value of type []v1.ResourceName")
    for each in value:
        if each is not None and not isinstance(each, str):
            raise GoJsonError(f"json: cannot unmarshal {_KINDS[type(each)]} into Go value of type v1.ResourceName")
    return tuple(each or "" for each in value)
