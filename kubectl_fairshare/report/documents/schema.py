"""The JSON Schemas of our documents, derived from their types. Structure only: nothing is described twice."""

from collections.abc import Iterable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from kubectl_fairshare.report.documents.conformance import ConformanceDocument
from kubectl_fairshare.schedulers.elasticquota.documents.plan import (
    ElasticQuotaPlanDocument,
    ElasticQuotaPlanListDocument,
)
from kubectl_fairshare.schedulers.elasticquota.documents.shares import ElasticQuotaSharesDocument
from kubectl_fairshare.schedulers.kai.documents.course import KaiCourseDocument
from kubectl_fairshare.schedulers.kai.documents.plan import KaiPlansDocument
from kubectl_fairshare.schedulers.kai.documents.shares import KaiDerivationDocument, KaiSharesDocument
from kubectl_fairshare.schedulers.kueue.documents.cycle import CycleDocument
from kubectl_fairshare.schedulers.kueue.documents.plan import PlanDocument, PlanListDocument
from kubectl_fairshare.schedulers.kueue.documents.shares import DerivationDocument, SaturationDocument, SharesDocument
from kubectl_fairshare.schedulers.kueue.documents.waiting import WaitingDocument
from kubectl_fairshare.schedulers.kueue.documents.why import WhyDocument, WhyListDocument

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_FOLDER: Final = "fairshare/v1alpha1"
_DOCUMENTS: Final[tuple[type, ...]] = (
    PlanDocument,
    PlanListDocument,
    SharesDocument,
    CycleDocument,
    DerivationDocument,
    SaturationDocument,
    ElasticQuotaPlanDocument,
    ElasticQuotaPlanListDocument,
    ElasticQuotaSharesDocument,
    ConformanceDocument,
    KaiSharesDocument,
    KaiDerivationDocument,
    KaiPlansDocument,
    KaiCourseDocument,
    WhyDocument,
    WhyListDocument,
    WaitingDocument,
)
_SCALARS: Final[Mapping[object, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    NoneType: "null",
}
Schema = dict[str, Any]


def documents() -> Iterator[tuple[str, Schema]]:
    """The schema of every document, with its path below ``schemas/``."""
    return schemas_of(_DOCUMENTS)


def schemas_of(documents: Iterable[type]) -> Iterator[tuple[str, Schema]]:
    """The schema of each type of document, with its path below ``schemas/``."""
    for document in documents:
        (kind,) = get_args(get_type_hints(document)["kind"])
        yield f"{_FOLDER}/{kind.lower()}.json", schema_of(document)


def schema_of(document: type) -> Schema:
    """The schema of one document type; the types that it is made of stand under ``$defs``."""
    parts: dict[str, Schema] = {}
    root = _object(document, parts)
    return {"$schema": DIALECT, **root, "$defs": {name: parts[name] for name in sorted(parts)}}


def _object(kind: type, parts: dict[str, Schema]) -> Schema:
    hints = get_type_hints(kind)
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(hints),
        "properties": {name: _schema(hint, parts) for name, hint in hints.items()},
    }


def _schema(hint: Any, parts: dict[str, Schema]) -> Schema:
    """The schema of a type hint; raises ``TypeError`` for one that JSON has no counterpart of."""
    if hint in _SCALARS:
        return {"type": _SCALARS[hint]}
    if is_typeddict(hint):
        return _reference(hint, parts)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0], parts)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], parts)}
    if origin in (Union, UnionType):
        return _union([_schema(argument, parts) for argument in arguments])
    raise TypeError(f"{hint} has no counterpart in JSON")


def _reference(kind: type, parts: dict[str, Schema]) -> Schema:
    name = kind.__name__
    if name not in parts:
        parts[name] = {}  # stands for it while its own fields refer to it
        parts[name] = _object(kind, parts)
    return {"$ref": f"#/$defs/{name}"}


def _union(options: list[Schema]) -> Schema:
    """Scalars as one list of types, anything else as alternatives."""
    if all(set(option) == {"type"} for option in options):
        return {"type": [option["type"] for option in options]}
    return {"anyOf": options}
