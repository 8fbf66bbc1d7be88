"""The API server's reasons to reject objects, ready for findings: one cause per field, with its value.

Tested in ``tests/unit/lint/test_refused_writes.py``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.api.causes import (
    DUPLICATE,
    FORBIDDEN,
    INVALID,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    UNSUPPORTED,
    WRONG_TYPE,
    Cause,
)
from kubectl_fairshare.api.judgement import NOT_FOUND
from kubectl_fairshare.api.structures.structure import (
    LABEL_KEY_PATTERN,
    LABEL_PATTERN,
    NAME_PATTERN,
    Quantity,
    Shape,
    String,
)
from kubectl_fairshare.lint.given import Examined, Given
from kubectl_fairshare.model.json import FieldPath, Json, field_text
from kubectl_fairshare.model.location import ObjectKey

MISSING: Final = object()
# If several causes are about one field, the first of these is the most specific.
_TELLING: Final = (WRONG_TYPE, REQUIRED, UNSUPPORTED, TOO_LONG, TOO_MANY, DUPLICATE, FORBIDDEN, INVALID)
_LONGEST: Final = 64
_FEW: Final = 3
_FORMS: Final = {
    NAME_PATTERN: "a name has only lower-case letters and digits, with `-` or `.` between them",
    LABEL_PATTERN: "a name has only lower-case letters and digits, with `-` between them",
    LABEL_KEY_PATTERN: "a label key has letters and digits with `-`, `_` or `.`, after an optional domain and `/`",
}


def schema_causes(given: Given) -> Iterator[tuple[Examined, Cause]]:
    """The schema violations of all objects: one cause per field.

    Versions that are not served, and values that a webhook cannot decode, are left out.
    """
    for each, causes in _by_object(given.causes("")):
        if each.judgement is None or each.judgement.stage == NOT_FOUND:
            continue
        best: dict[FieldPath, Cause] = {}
        for cause in causes:
            if cause.type in _TELLING:
                best[cause.path] = min(best.get(cause.path, cause), cause, key=lambda c: _TELLING.index(c.type))
        for cause in best.values():
            yield each, cause


def undecodable_causes(given: Given) -> Iterator[tuple[Examined, Cause]]:
    """Values that cannot be decoded; such an object has no other cause."""
    for each, cause in given.causes(""):
        if not cause.type:
            yield each, cause


def unserved_objects(given: Given, group: str) -> Iterator[Examined]:
    """The objects of an API group in a version that is not served."""
    for each, _ in given.causes(""):
        if each.key.group == group and each.judgement is not None and each.judgement.stage == NOT_FOUND:
            yield each


def lawful(given: Given, *laws: str) -> Iterator[tuple[Examined, Cause]]:
    """The rejections under any of the laws, object by object."""
    for law in laws:
        yield from given.causes(law)


def by_object(given: Given, *laws: str) -> Iterator[tuple[Examined, list[Cause]]]:
    """The objects that are rejected under any of the laws, each with those causes."""
    yield from _by_object(lawful(given, *laws))


def _by_object(causes: Iterable[tuple[Examined, Cause]]) -> Iterator[tuple[Examined, list[Cause]]]:
    found: dict[ObjectKey, tuple[Examined, list[Cause]]] = {}
    for each, cause in causes:
        found.setdefault(each.key, (each, []))[1].append(cause)
    yield from found.values()


def as_written(each: Examined, path: FieldPath) -> FieldPath:
    """The place in the text of a field of the stored form."""
    return each.house.as_written(each.manifest, path)


def value_at(each: Examined, path: FieldPath) -> Json:
    """The value at a path, given in fields of the text or of the stored form; ``MISSING`` if there is none."""
    value: Json = each.manifest.data
    for part in as_written(each, path):
        if isinstance(value, dict):
            value = value.get(part, MISSING)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return MISSING
    return value


def quote(value: Json) -> str:
    """A value for people, in backticks; a long one is cut."""
    if value is MISSING or value is None:
        return "nothing" if value is MISSING else "`null`"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        few = 0 < len(value) <= _FEW and not any(isinstance(each, dict | list) for each in value)
        return ", ".join(map(quote, value)) if few else "a list"
    text = str(value) or '""'
    return f"`{text[:_LONGEST]}…`" if len(text) > _LONGEST else f"`{text}`"


def field_named(path: FieldPath) -> str:
    """The field in backticks, as the API server writes its path."""
    return f"`{field_text(path)}`"


def shape_of(each: Examined, path: FieldPath) -> Shape | None:
    """The shape that the value at a path must have; None if unknown."""
    from kubectl_fairshare.api.structures.descent import shape_at

    struct = each.structure
    return shape_at(struct, as_written(each, path)) if struct is not None else None


def gist(each: Examined, cause: Cause) -> str:
    """The message of a cause, with patterns in words."""
    shape, value = shape_of(each, cause.path), value_at(each, cause.path)
    if not isinstance(shape, String) or shape.matcher is None or not isinstance(value, str):
        return cause.message
    is_long_enough = (shape.least or 0) <= len(value) <= (shape.most or len(value))
    if not is_long_enough or shape.matcher.fullmatch(value):
        return cause.message
    return _FORMS.get(shape.pattern or "", cause.message)


def is_fraction(each: Examined, cause: Cause) -> bool:
    """Whether the cause is an unquoted fraction in place of a quantity."""
    value = value_at(each, cause.path)
    return isinstance(value, float) and not value.is_integer() and isinstance(shape_of(each, cause.path), Quantity)
