"""The JSON Schemas of our documents, derived from their types. Structure only: nothing is described twice."""

from collections.abc import Iterable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from kubectl_fairshare.report.documents.conformance import ConformanceDocument
from kubectl_fairshare.report.documents.parts import API_VERSION

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_FOLDER: Final = "fairshare/v1alpha1"
OWN: Final[tuple[type, ...]] = (ConformanceDocument,)
"""The documents that are not about one scheduler."""
_LISTED: Final = ("Plan", "Why")
"""Kinds of which there are lists."""
_SCALARS: Final[Mapping[object, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    NoneType: "null",
}
Schema = dict[str, Any]


def schemas_of(documents: Iterable[type]) -> Iterator[tuple[str, Schema]]:
    """The schema of each type of document, with its path below ``schemas/``."""
    for document in documents:
        yield _path(_kind(document)), schema_of(document)


def documents(houses: Mapping[str, Iterable[type]]) -> Iterator[tuple[str, Schema]]:
    """The schema of every document, with its path below ``schemas/``; ``houses`` are those of each scheduler.

    Where several schedulers have documents of a kind, a document is one of theirs.
    """
    yield from schemas_of(OWN)
    by_kind: dict[str, dict[str, type]] = {}
    for house, types in houses.items():
        for document in types:
            by_kind.setdefault(_kind(document), {})[house] = document
    for kind, alike in sorted(by_kind.items()):
        yield _path(kind), _any_of(alike)
        if kind in _LISTED:
            yield _path(f"{kind}List"), _list_of(f"{kind}List", alike)


def _any_of(alike: Mapping[str, type]) -> Schema:
    """The schema of documents of one kind, by scheduler."""
    if len(alike) == 1:
        return schema_of(*alike.values())
    parts: dict[str, Schema] = {}
    choices = [_reference(document, parts, f"{house}.") for house, document in alike.items()]
    return {"$schema": DIALECT, "anyOf": choices, "$defs": {name: parts[name] for name in sorted(parts)}}


def _list_of(kind: str, alike: Mapping[str, type]) -> Schema:
    """The schema of a list of such documents."""
    parts: dict[str, Schema] = {}
    choices = [_reference(document, parts, f"{house}.") for house, document in alike.items()]
    fields: Schema = {
        "apiVersion": {"enum": [API_VERSION]},
        "kind": {"enum": [kind]},
        **({"exitCode": {"type": "integer"}} if kind == "PlanList" else {}),
        "items": {"type": "array", "items": {"anyOf": choices}},
    }
    return {
        "$schema": DIALECT,
        "type": "object",
        "additionalProperties": False,
        "required": list(fields),
        "properties": fields,
        "$defs": {name: parts[name] for name in sorted(parts)},
    }


def _kind(document: type) -> str:
    (kind,) = get_args(get_type_hints(document)["kind"])
    return str(kind)


def _path(kind: str) -> str:
    return f"{_FOLDER}/{kind.lower()}.json"


def schema_of(document: type) -> Schema:
    """The schema of one document type; the types that it is made of stand under ``$defs``."""
    parts: dict[str, Schema] = {}
    root = _object(document, parts, "")
    return {"$schema": DIALECT, **root, "$defs": {name: parts[name] for name in sorted(parts)}}


def _object(kind: type, parts: dict[str, Schema], prefix: str) -> Schema:
    hints = get_type_hints(kind)
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(hints),
        "properties": {name: _schema(hint, parts, prefix) for name, hint in hints.items()},
    }


def _schema(hint: Any, parts: dict[str, Schema], prefix: str) -> Schema:
    """The schema of a type hint; raises ``TypeError`` for one that JSON has no counterpart of."""
    if hint in _SCALARS:
        return {"type": _SCALARS[hint]}
    if is_typeddict(hint):
        return _reference(hint, parts, prefix)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0], parts, prefix)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], parts, prefix)}
    if origin in (Union, UnionType):
        return _union([_schema(argument, parts, prefix) for argument in arguments])
    raise TypeError(f"{hint} has no counterpart in JSON")


def _reference(kind: type, parts: dict[str, Schema], prefix: str) -> Schema:
    name = f"{prefix}{kind.__name__}"
    if name not in parts:
        parts[name] = {}  # stands for it while its own fields refer to it
        parts[name] = _object(kind, parts, prefix)
    return {"$ref": f"#/$defs/{name}"}


def _union(options: list[Schema]) -> Schema:
    """Scalars as one list of types, anything else as alternatives."""
    if all(set(option) == {"type"} for option in options):
        return {"type": [option["type"] for option in options]}
    return {"anyOf": options}
