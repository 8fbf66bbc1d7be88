"""JSON Schemas of kinds, generated from the structures that judge them.

They hold structure only: types, bounds, patterns, choices, defaults, list keys. Unknown fields are not allowed, as in
kubectl's default validation.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.kinds import Api
from kubectl_fairshare.api.structures.object_meta import META_FIELDS, is_kind
from kubectl_fairshare.api.structures.structure import (
    QUANTITY_PATTERN,
    UNSET,
    Array,
    Boolean,
    Duration,
    Integer,
    IntOrString,
    Map,
    Number,
    Quantity,
    Shape,
    String,
    Struct,
    StructField,
    Time,
)
from kubectl_fairshare.model.json import Json

Document = dict[str, Json]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_SCALARS: Final[dict[type, Document]] = {
    Time: {"type": "string", "format": "date-time"},
    Boolean: {"type": "boolean"},
    Duration: {"type": "string"},
    IntOrString: {"type": ["integer", "string"]},
    Quantity: {"type": ["integer", "string"], "pattern": QUANTITY_PATTERN},
}


def documents(house: str, api: Api) -> Iterator[tuple[str, Document]]:
    """The schema of every kind and version, with its path below ``schemas/``."""
    for kind in api.kinds.values():
        for version in kind.versions:
            struct = api.structure(version, kind.name)
            yield f"{house}/{version}/{kind.name}.json", _document(struct, f"{kind.group}/{version}", kind.name)


def _document(struct: Struct, api_version: str, kind: str) -> Document:
    parts: dict[str, Document] = {}
    apart = META_FIELDS if is_kind(struct) else ("apiVersion", "kind")
    body = _object(struct, parts, apart)
    body["properties"] |= {"apiVersion": {"const": api_version}, "kind": {"const": kind}}
    body["required"] = sorted({*body.get("required", []), "apiVersion", "kind"})
    if is_kind(struct):
        body["properties"]["metadata"] = {"type": "object"}
    return {"$schema": _DIALECT, "title": kind, **body, "$defs": dict(sorted(parts.items()))}


def _object(struct: Struct, parts: dict[str, Document], apart: tuple[str, ...] = ()) -> Document:
    fields = {name: field for name, field in struct.fields.items() if name not in apart}
    body: Document = {
        "type": "object",
        "properties": {name: _field(field, parts) for name, field in sorted(fields.items())},
        "additionalProperties": False,
    }
    if struct.required:
        body["required"] = sorted(struct.required)
    return body


def _field(field: StructField, parts: dict[str, Document]) -> Document:
    body = _shape(field.shape, parts)
    return body if field.default is UNSET else {**body, "default": field.default}


def _shape(shape: Shape, parts: dict[str, Document]) -> Document:
    if isinstance(shape, Struct):
        if shape.name not in parts:
            parts[shape.name] = _object(shape, parts)
        return {"$ref": f"#/$defs/{shape.name}"}
    if isinstance(shape, Array):
        return _list(shape, parts)
    if isinstance(shape, Map):
        body = {"type": "object", "additionalProperties": _shape(shape.values, parts)}
        return body | _bounds(maxProperties=shape.most)
    if isinstance(shape, String):
        text = {"type": "string"} | _bounds(minLength=shape.least, maxLength=shape.most, pattern=shape.pattern)
        return {**text, "enum": list(shape.choices)} if shape.choices else text
    if isinstance(shape, Integer):
        return {"type": "integer", "format": f"int{shape.bits}"} | _bounds(minimum=shape.least)
    if isinstance(shape, Number):
        return {"type": "number"} | _bounds(exclusiveMinimum=shape.above, maximum=shape.most)
    return dict(_SCALARS[type(shape)])


def _list(shape: Array, parts: dict[str, Document]) -> Document:
    body: Document = {"type": "array", "items": _shape(shape.items, parts)}
    body |= _bounds(minItems=shape.least, maxItems=shape.most)
    if shape.unique:
        body |= {"uniqueItems": True, "x-kubernetes-list-type": "set"}
    if shape.keys:
        body |= {"x-kubernetes-list-map-keys": list(shape.keys), "x-kubernetes-list-type": "map"}
    return body


def _bounds(**bounds: int | str | None) -> Document:
    return {name: bound for name, bound in bounds.items() if bound is not None}
