"""JSON Schemas of Kueue's kinds and of its Configuration, derived from the tables that judge them.

They hold structure only: types, bounds, patterns, choices, defaults, list keys. Unknown fields are not
admitted, as under kubectl's default validation.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Final

from kubectl_fairshare.admission.kueue.configuration import GROUP as CONFIGURATION_GROUP
from kubectl_fairshare.admission.kueue.configuration import configuration_structure
from kubectl_fairshare.admission.kueue.kinds import GROUP, KINDS, VERSIONS, structure
from kubectl_fairshare.admission.structures.object_meta import META_FIELDS, is_kind
from kubectl_fairshare.admission.structures.structure import (
    QUANTITY_PATTERN,
    UNSET,
    Duration,
    Field,
    Listing,
    Number,
    Port,
    Quantity,
    Shape,
    Struct,
    Table,
    Text,
    Time,
    Truth,
    Whole,
)
from kubectl_fairshare.model.json import Json

Document = dict[str, Json]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_MODULES: Final = (
    "admission.kueue.structures.admission_check",
    "admission.kueue.structures.cluster_queue",
    "admission.kueue.structures.cohort",
    "admission.structures.condition",
    "admission.kueue.structures.configuration",
    "admission.kueue.structures.local_queue",
    "admission.kueue.structures.multikueue",
    "admission.structures.object_meta",
    "admission.structures.pod_affinity",
    "admission.structures.pod_container",
    "admission.structures.pod_template",
    "admission.structures.pod_volume",
    "admission.kueue.structures.priority_class",
    "admission.kueue.structures.provisioning",
    "admission.kueue.structures.quota",
    "admission.kueue.structures.resource_flavor",
    "admission.structures.selector",
    "admission.kueue.structures.topology",
    "admission.kueue.structures.workload",
    "admission.kueue.structures.workload_status",
)
_SCALARS: Final[dict[type, Document]] = {
    Time: {"type": "string", "format": "date-time"},
    Truth: {"type": "boolean"},
    Number: {"type": "number"},
    Duration: {"type": "string"},
    Port: {"type": ["integer", "string"]},
    Quantity: {"type": ["integer", "string"], "pattern": QUANTITY_PATTERN},
}


def documents() -> Iterator[tuple[str, Document]]:
    """Every schema with its path below ``schemas/``."""
    for version in VERSIONS:
        for kind in KINDS:
            yield f"kueue/{version}/{kind}.json", _document(structure(version, kind), f"{GROUP}/{version}", kind)
        configuration = configuration_structure(version)
        if configuration is not None:
            place = f"kueue/{version}/Configuration.json"
            yield place, _document(configuration, f"{CONFIGURATION_GROUP}/{version}", "Configuration")


def _document(struct: Struct, api_version: str, kind: str) -> Document:
    parts: dict[str, Document] = {}
    body = _object(struct, parts)
    body["properties"] |= {"apiVersion": {"const": api_version}, "kind": {"const": kind}}
    body["required"] = sorted({*body.get("required", []), "apiVersion", "kind"})
    if is_kind(struct):
        body["properties"]["metadata"] = {"type": "object"}
    return {"$schema": _DIALECT, "title": kind, **body, "$defs": dict(sorted(parts.items()))}


def _object(struct: Struct, parts: dict[str, Document]) -> Document:
    apart = META_FIELDS if is_kind(struct) else ("apiVersion", "kind")
    fields = {name: field for name, field in struct.fields.items() if name not in apart or not _is_root(struct)}
    body: Document = {
        "type": "object",
        "properties": {name: _field(field, parts) for name, field in sorted(fields.items())},
        "additionalProperties": False,
    }
    if struct.required:
        body["required"] = sorted(struct.required)
    return body


def _is_root(struct: Struct) -> bool:
    return _names()[id(struct)] in {*KINDS, "Configuration"}


def _field(field: Field, parts: dict[str, Document]) -> Document:
    body = _shape(field.shape, parts)
    return body if field.default is UNSET else {**body, "default": field.default}


def _shape(shape: Shape, parts: dict[str, Document]) -> Document:
    if isinstance(shape, Struct):
        name = _names()[id(shape)]
        if name not in parts:
            parts[name] = {}  # a place first, in case the structure contains itself
            parts[name] = _object(shape, parts)
        return {"$ref": f"#/$defs/{name}"}
    if isinstance(shape, Listing):
        return _list(shape, parts)
    if isinstance(shape, Table):
        body = {"type": "object", "additionalProperties": _shape(shape.values, parts)}
        return body | _bounds(maxProperties=shape.most)
    if isinstance(shape, Text):
        text = {"type": "string"} | _bounds(minLength=shape.least, maxLength=shape.most, pattern=shape.pattern)
        return {**text, "enum": list(shape.choices)} if shape.choices else text
    if isinstance(shape, Whole):
        return {"type": "integer", "format": f"int{shape.bits}"} | _bounds(minimum=shape.least)
    return dict(_SCALARS[type(shape)])


def _list(shape: Listing, parts: dict[str, Document]) -> Document:
    body: Document = {"type": "array", "items": _shape(shape.items, parts)}
    body |= _bounds(minItems=shape.least, maxItems=shape.most)
    if shape.unique:
        body |= {"uniqueItems": True, "x-kubernetes-list-type": "set"}
    if shape.keys:
        body |= {"x-kubernetes-list-map-keys": list(shape.keys), "x-kubernetes-list-type": "map"}
    return body


def _bounds(**bounds: int | str | None) -> Document:
    return {name: bound for name, bound in bounds.items() if bound is not None}


@cache
def _names() -> dict[int, str]:
    """The structures' names, by identity: those of the tables that define them."""
    found: dict[int, str] = {}
    for module in _MODULES:
        tables = vars(import_module(f"kubectl_fairshare.{module}"))
        for constant, value in tables.items():
            if isinstance(value, Struct) and id(value) not in found:
                found[id(value)] = constant.removesuffix("_V1BETA1").title().replace("_", "")
    return found
