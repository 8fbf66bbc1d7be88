"""Causes: why a write is rejected, field by field, in the API server's terms."""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.values import Value, replace

INVALID: Final = "FieldValueInvalid"
REQUIRED: Final = "FieldValueRequired"
DUPLICATE: Final = "FieldValueDuplicate"
FORBIDDEN: Final = "FieldValueForbidden"
UNSUPPORTED: Final = "FieldValueNotSupported"
NOT_FOUND: Final = "FieldValueNotFound"
TOO_LONG: Final = "FieldValueTooLong"
TOO_MANY: Final = "FieldValueTooMany"
WRONG_TYPE: Final = "FieldValueTypeInvalid"

# After a cause of these types the API server no longer asks the CEL rules.
BLOCKING: Final = frozenset({UNSUPPORTED, REQUIRED, TOO_LONG, TOO_MANY, WRONG_TYPE})


class MapKey(str):
    """A key of a map inside a path: written in brackets."""

    __slots__ = ()


class Cause(Value, frozen=True):
    """One complaint about one field.

    ``field`` is the place as kube-apiserver spells it, ``path`` the same place in the object as written, ``type``
    kube-apiserver's token, ``message`` the reason in our own words. ``law`` names the API's own rule that is broken; it
    is empty for what any schema checks.
    """

    field: str
    type: str
    message: str
    path: FieldPath
    law: str = ""


def bracketed_path(path: FieldPath) -> str:
    """A path as the API's Go code spells it; the root is ``(root)``."""
    text = ""
    for part in path:
        if isinstance(part, int | MapKey):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text or "(root)"


def dotted_path(path: FieldPath) -> str:
    """A path as the API server's schema validation spells it: keys of any kind follow a dot."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.removeprefix(".")


def cause(kind: str, path: FieldPath, message: str, law: str = "") -> Cause:
    """A cause whose field is spelt as the API's Go code spells it."""
    return Cause(bracketed_path(path), kind, message, path, law)


def invalid(path: FieldPath, message: str, law: str = "") -> Cause:
    """A value that is not allowed."""
    return cause(INVALID, path, message, law)


def of_law(law: str, causes: Iterable[Cause]) -> Iterator[Cause]:
    """The causes, each filed under a law."""
    for each in causes:
        yield replace(each, law=law)
