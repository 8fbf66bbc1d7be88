"""Every field of the objects that Kueue decides by, from their schemas, and how to give it two values."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).resolve().parents[3] / "schemas" / "kueue" / "v1beta2"
_WHOLE = ("PodTemplateSpec",)
"""Types that are one field here: ``test_pod_fields`` asks about what is in them."""
_ALTERNATIVES = ("anyOf", "oneOf", "allOf")
FieldNames = tuple[str, ...]


def fields(kind: str) -> Iterator[tuple[FieldNames, Any]]:
    """The fields of a kind that have no fields themselves: the way to each (``[]`` for any item), and its schema."""
    schema = json.loads((SCHEMAS / f"{kind}.json").read_text("utf-8"))
    for name, inner in schema["properties"].items():
        if name not in ("apiVersion", "kind", "metadata"):
            yield from _below(inner, schema.get("$defs", {}), (name,), ())


def _below(schema: Any, known: Any, way: FieldNames, above: FieldNames) -> Iterator[tuple[FieldNames, Any]]:
    name = schema.get("$ref", "").rpartition("/")[2]
    if name in _WHOLE or name in above:
        return
    schema = {**known.get(name, {}), **schema}
    above = (*above, name) if name else above
    nested = [each for key in _ALTERNATIVES for each in schema.get(key, ()) if _has_fields(each)]
    for each in nested:
        yield from _below(each, known, way, above)
    if "properties" in schema:
        for each, inner in schema["properties"].items():
            yield from _below(inner, known, (*way, each), above)
    elif isinstance(schema.get("items"), dict):
        yield from _below(schema["items"], known, (*way, "[]"), above)
    elif not nested:
        yield way, schema


def _has_fields(schema: Any) -> bool:
    return isinstance(schema, dict) and not {"$ref", "properties", "items"}.isdisjoint(schema)


def two_values(schema: Any) -> tuple[Any, Any]:
    """Two different values of a field's type."""
    kinds = schema.get("type", "string")
    kind = kinds if isinstance(kinds, str) else next(each for each in kinds if each != "null")
    if "enum" in schema:
        first, *_, last = [each for each in schema["enum"] if each is not None]
        return first, last
    if schema.get("format") == "date-time":
        return "2031-01-01T00:00:00Z", "2032-01-01T00:00:00Z"
    values: dict[str, tuple[Any, Any]] = {
        "boolean": (True, False),
        "integer": (1, 2),
        "number": (1, 2),
        "object": ({"one": "1"}, {"two": "2"}),
    }
    return values.get(kind, ("1", "2"))


def with_value(where: Any, way: FieldNames, value: Any) -> Any:
    """A copy with the value at the field, in every item of a list; objects and items that lack are made."""
    if not way:
        return value
    first, *rest = way
    if first == "[]":
        items = where if isinstance(where, list) and where else [None]
        return [with_value(each, tuple(rest), value) for each in items]
    inner = dict(where) if isinstance(where, dict) else {}
    return inner | {first: with_value(inner.get(first), tuple(rest), value)}
