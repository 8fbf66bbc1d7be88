"""Why an object is rejected: the causes that the API server gives, field by field.

Source: kube-openapi's schema validation, list types and CEL rules of k8s.io/apiextensions-apiserver.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.api.causes import (
    BLOCKING,
    DUPLICATE,
    INVALID,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    UNSUPPORTED,
    WRONG_TYPE,
    Cause,
    MapKey,
    bracketed_path,
    dotted_path,
)
from kubectl_fairshare.api.moments import is_date_time
from kubectl_fairshare.api.ratcheting import is_unchanged, list_key, old_item
from kubectl_fairshare.api.structures.object_meta import META_FIELDS
from kubectl_fairshare.api.structures.structure import (
    Array,
    Boolean,
    CelRule,
    Duration,
    Integer,
    IntOrString,
    Map,
    Number,
    Quantity,
    Shape,
    String,
    Struct,
    Time,
    matches_pattern,
)
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.numbers import is_integer

_NEITHER: Final = "neither an integer nor a quantity in a string"


class SchemaViolation(NamedTuple):
    """A schema violation: ``owner`` is the node that was checked, ``path`` the field that is named."""

    owner: FieldPath
    path: FieldPath
    type: str
    message: str


def schema_refusal(
    struct: Struct, data: Json, meta: tuple[Cause, ...], old: Json = None, part: str = ""
) -> tuple[str, list[Cause]]:
    """The stage that rejects an object as read (``schema``, ``cel``, or empty) and all causes, metadata's included.

    ``old`` is the stored object of an update. With ``part`` only that field is checked against the schema, as in a
    write to a subresource.
    """
    complaints = list(_schema(struct, data, (), part))
    if old is not None:
        complaints = [each for each in complaints if not is_unchanged(struct, data, old, each.owner)]
    causes = [*meta, *(_cause(each, part) for each in complaints)]
    if old is None or not any(_repeated_items(struct, old, ())):
        causes += _repeated_items(struct, data, ())
    broken = [] if any(each.type in BLOCKING for each in causes) else list(_rule_causes(struct, data, old))
    stage = "schema" if causes else "cel" if broken else ""
    return stage, causes + broken


def _cause(complaint: SchemaViolation, part: str) -> Cause:
    """A violation in the API's terms. For a value of neither form, a subresource names only itself."""
    place = part if part and complaint.message == _NEITHER else dotted_path(complaint.path)
    return Cause(place, complaint.type, complaint.message, complaint.path)


def _schema(shape: Shape, value: Json, path: FieldPath, part: str = "") -> Iterator[SchemaViolation]:
    if value is None:
        yield SchemaViolation(path, path, WRONG_TYPE, "null is not allowed here")
        if isinstance(shape, String) and shape.choices:
            yield _choice(shape, path)
    elif isinstance(shape, Struct):
        yield from _object(shape, value, path, part)
    elif isinstance(shape, Map):
        yield from _table(shape, value, path)
    elif isinstance(shape, Array):
        yield from _listing(shape, value, path)
    elif isinstance(shape, String):
        yield from _text(shape, value, path)
    elif isinstance(shape, Quantity):
        yield from _quantity(value, path)
    elif isinstance(shape, Integer):
        yield from _whole(shape, value, path)
    elif isinstance(shape, Time):
        yield from _time(value, path)
    elif isinstance(shape, Number):
        yield from _number(shape, value, path)
    elif not _scalar_fits(shape, value):
        yield SchemaViolation(path, path, WRONG_TYPE, f"expected {_EXPECTED[type(shape)]}")


_EXPECTED: dict[type, str] = {Boolean: "a boolean", Duration: "a string", IntOrString: "an integer or a string"}


def _scalar_fits(shape: Shape, value: Json) -> bool:
    if isinstance(shape, Boolean):
        return isinstance(value, bool)
    return isinstance(value, str) or (isinstance(shape, IntOrString) and is_integer(value))


def _object(shape: Struct, value: Json, path: FieldPath, part: str = "") -> Iterator[SchemaViolation]:
    if not isinstance(value, dict):
        yield SchemaViolation(path, path, WRONG_TYPE, "expected an object")
        return
    for key, each in value.items():
        field = shape.fields.get(key)
        if field is not None and not (not path and key in META_FIELDS) and part in ("", key):
            yield from _schema(field.shape, each, (*path, key))
    if not part:
        for name in shape.required:
            if name not in value:
                yield SchemaViolation(path, (*path, name), REQUIRED, "required")


def _table(shape: Map, value: Json, path: FieldPath) -> Iterator[SchemaViolation]:
    if not isinstance(value, dict):
        yield SchemaViolation(path, path, WRONG_TYPE, "expected an object")
        return
    if shape.most is not None and len(value) > shape.most:
        yield SchemaViolation(path, path, TOO_MANY, f"{len(value)} entries, at most {shape.most}")
    for key, each in value.items():
        yield from _schema(shape.values, each, (*path, MapKey(key)))


def _listing(shape: Array, value: Json, path: FieldPath) -> Iterator[SchemaViolation]:
    if not isinstance(value, list):
        yield SchemaViolation(path, path, WRONG_TYPE, "expected a list")
        return
    for index, each in enumerate(value):
        yield from _schema(shape.items, each, (*path, index))
    if shape.least is not None and len(value) < shape.least:
        yield SchemaViolation(path, path, INVALID, f"{len(value)} items, at least {shape.least}")
    if shape.most is not None and len(value) > shape.most:
        yield SchemaViolation(path, path, TOO_MANY, f"{len(value)} items, at most {shape.most}")


def _text(shape: String, value: Json, path: FieldPath) -> Iterator[SchemaViolation]:
    if not isinstance(value, str):
        yield SchemaViolation(path, path, WRONG_TYPE, "expected a string")
    elif shape.most is not None and len(value) > shape.most:
        yield SchemaViolation(path, path, TOO_LONG, f"{len(value)} characters, at most {shape.most}")
    elif shape.least is not None and len(value) < shape.least:
        yield SchemaViolation(path, path, INVALID, f"{len(value)} characters, at least {shape.least}")
    elif shape.matcher is not None and shape.matcher.fullmatch(value) is None:
        yield SchemaViolation(path, path, INVALID, f"`{value[:64]}` does not match {shape.pattern}")
    if shape.choices and value not in shape.choices:
        yield _choice(shape, path)


def _choice(shape: String, path: FieldPath) -> SchemaViolation:
    return SchemaViolation(
        path, path, UNSUPPORTED, "expected one of " + ", ".join(f"`{each}`" for each in shape.choices)
    )


def _quantity(value: Json, path: FieldPath) -> Iterator[SchemaViolation]:
    if isinstance(value, str):
        if not matches_pattern(value):
            yield SchemaViolation(path, path, INVALID, f"`{value[:64]}` is not a quantity")
    elif not is_integer(value):
        yield SchemaViolation(path, path, WRONG_TYPE, "expected an integer or a string")
        yield SchemaViolation(path, path, INVALID, _NEITHER)


def _whole(shape: Integer, value: Json, path: FieldPath) -> Iterator[SchemaViolation]:
    if not is_integer(value):
        yield SchemaViolation(path, path, WRONG_TYPE, "expected an integer")
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and shape.least is not None and value < shape.least:
        yield SchemaViolation(path, path, INVALID, f"{value}, at least {shape.least}")


def _number(shape: Number, value: Json, path: FieldPath) -> Iterator[SchemaViolation]:
    if not isinstance(value, int | float) or isinstance(value, bool):
        yield SchemaViolation(path, path, WRONG_TYPE, "expected a number")
        return
    if shape.above is not None and value <= shape.above:
        yield SchemaViolation(path, path, INVALID, f"{value}, more than {shape.above}")
    if shape.most is not None and value > shape.most:
        yield SchemaViolation(path, path, INVALID, f"{value}, at most {shape.most}")


def _time(value: Json, path: FieldPath) -> Iterator[SchemaViolation]:
    if isinstance(value, list):  # let through: the API server asks no further once it sees the format
        return
    if not isinstance(value, str) or not is_date_time(value):
        yield SchemaViolation(path, path, WRONG_TYPE, "expected a date and time")


def _repeated_items(shape: Shape | None, value: Json, path: FieldPath) -> Iterator[Cause]:
    """Items of a list that have the same key, and equal items of a set."""
    if isinstance(value, list) and isinstance(shape, Array):
        if shape.keys:
            yield from _repeated_keys(shape, value, path)
        elif shape.unique:
            yield from _repetitions([_mark(each) for each in value], path, shape.law)
        for index, each in enumerate(value):
            yield from _repeated_items(shape.items, each, (*path, index))
    elif isinstance(value, dict) and isinstance(shape, Map):
        for key, each in value.items():
            yield from _repeated_items(shape.values, each, (*path, MapKey(key)))
    elif isinstance(value, dict) and isinstance(shape, Struct):
        for key, each in value.items():
            if key in shape.fields and (path or key not in META_FIELDS):
                yield from _repeated_items(shape.fields[key].shape, each, (*path, key))


def _repeated_keys(shape: Array, items: list[Json], path: FieldPath) -> Iterator[Cause]:
    for index, each in enumerate(items):
        if each is not None and not isinstance(each, dict):
            place = (*path, index)
            yield Cause(bracketed_path(place), INVALID, "expected an object in a list of keyed objects", place)
            return
    yield from _repetitions([list_key(shape, each or {}) or "" for each in items], path, shape.law)


def _repetitions(marks: list[str], path: FieldPath, law: str) -> Iterator[Cause]:
    times: dict[str, int] = {}
    for index, mark in enumerate(marks):
        times[mark] = times.get(mark, 0) + 1
        if times[mark] == 2:
            place = (*path, index)
            yield Cause(bracketed_path(place), DUPLICATE, "occurs twice", place, law)


def _mark(value: Json) -> str:
    return f"{type(value).__name__} {value!r}"


def _rule_causes(struct: Struct, data: Json, old: Json) -> Iterator[Cause]:
    for path, rule, evaluated in _broken_rules(struct, data, old, ()):
        if old is None or not evaluated or not is_unchanged(struct, data, old, path):
            yield Cause(bracketed_path(path), INVALID, rule.gist, path, rule.law)


def _broken_rules(
    shape: Shape | None, value: Json, old: Json, path: FieldPath
) -> Iterator[tuple[FieldPath, CelRule, bool]]:
    """Broken rules: where, which, and whether an unchanged value would excuse it."""
    if value is None or shape is None:
        return
    for rule in shape.rules:
        if rule.transition and old is None:
            continue
        verdict = rule.verdict(value, old)
        if not verdict:
            yield path, rule, verdict is not None and not rule.transition
    if isinstance(shape, Struct) and isinstance(value, dict):
        for key, each in value.items():
            if key in shape.fields and (path or key not in META_FIELDS):
                before = old.get(key) if isinstance(old, dict) else None
                yield from _broken_rules(shape.fields[key].shape, each, before, (*path, key))
    elif isinstance(shape, Map) and isinstance(value, dict):
        for key, each in value.items():
            before = old.get(key) if isinstance(old, dict) else None
            yield from _broken_rules(shape.values, each, before, (*path, MapKey(key)))
    elif isinstance(shape, Array) and isinstance(value, list):
        for index, each in enumerate(value):
            yield from _broken_rules(shape.items, each, old_item(shape, each, old), (*path, index))
