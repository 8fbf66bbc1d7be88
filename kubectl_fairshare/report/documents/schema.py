"""The JSON Schemas of our documents: msgspec derives them from the types, whose docstrings describe them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, get_args, get_type_hints

from msgspec.json import schema_components

from kubectl_fairshare.answers.documents import DocumentKind
from kubectl_fairshare.report.capacity import CapacityDocument
from kubectl_fairshare.report.churn import ChurnDocument
from kubectl_fairshare.report.documents.comparison import ComparisonDocument
from kubectl_fairshare.report.documents.conformance import ConformanceDocument
from kubectl_fairshare.report.documents.diff import DiffDocument, DiffListDocument
from kubectl_fairshare.report.documents.meanings import MEANINGS
from kubectl_fairshare.report.documents.parts import API_VERSION, RefusedObjectPart
from kubectl_fairshare.report.documents.structs import document_type
from kubectl_fairshare.report.documents.suite import TestReportDocument
from kubectl_fairshare.report.documents.trace import TracedJobPart, TraceDocument
from kubectl_fairshare.report.documents.workload_record import WorkloadRecord
from kubectl_fairshare.report.forecast.calibration import ForecastCalibrationDocument
from kubectl_fairshare.report.forecast.document import ForecastDocument
from kubectl_fairshare.report.search import SearchDocument
from kubectl_fairshare.report.simulation.calibration import CalibrationDocument
from kubectl_fairshare.report.simulation.document import SimulationDocument
from kubectl_fairshare.report.simulation.sweep import SweepDocument
from kubectl_fairshare.report.together import TogetherDocument
from kubectl_fairshare.report.units import UnitListDocument

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_FOLDER: Final = "fairshare/v1alpha1"
OWN: Final[tuple[type, ...]] = (
    *(ConformanceDocument, DiffDocument, DiffListDocument, TestReportDocument, SearchDocument, CapacityDocument),
    *(SimulationDocument, WorkloadRecord, ForecastDocument, ForecastCalibrationDocument),
    *(TogetherDocument, ChurnDocument),
    *(ComparisonDocument, CalibrationDocument, SweepDocument, UnitListDocument),
)
"""The documents that are not about one scheduler."""
_LISTED: Final = ("Plan", "Why")
"""Kinds of which there are lists."""
Schema = dict[str, Any]


def schemas_of(documents: Iterable[type]) -> Iterator[tuple[str, Schema]]:
    """The schema of each type of document, with its path below ``schemas/``."""
    for document in documents:
        yield _path(_kind(document)), schema_of(document)


def documents(houses: Mapping[str, Iterable[type | DocumentKind]]) -> Iterator[tuple[str, Schema]]:
    """The schema of every document, with its path below ``schemas/``; ``houses`` are those of each scheduler.

    Where several schedulers have documents of a kind, a document is one of theirs.
    """
    yield from schemas_of(OWN)
    yield _path("Trace"), _any_line(TraceDocument, TracedJobPart)
    by_kind: dict[str, dict[str, type]] = {}
    for house, types in houses.items():
        for each in types:
            document = document_type(each) if isinstance(each, DocumentKind) else each
            by_kind.setdefault(_kind(document), {})[house] = document
    for kind, alike in sorted(by_kind.items()):
        yield _path(kind), _any_of(alike)
        if kind in _LISTED:
            yield _path(f"{kind}List"), _list_of(f"{kind}List", alike)


def _any_line(*lines: type) -> Schema:
    """The schema of one line of a text, of which each is of one of these types."""
    references, parts = schema_components(lines, ref_template="#/$defs/{name}")
    kept = {name: _structure(parts[name]) for name in sorted(parts)}
    return {"$schema": DIALECT, "anyOf": list(references), "$defs": kept}


def _any_of(alike: Mapping[str, type]) -> Schema:
    """The schema of documents of one kind, by scheduler."""
    if len(alike) == 1:
        return schema_of(*alike.values())
    choices, parts = _choices(alike)
    return {"$schema": DIALECT, "anyOf": choices, "$defs": parts}


def _choices(alike: Mapping[str, type]) -> tuple[list[Schema], Schema]:
    """References to the documents of a kind, and all that they are made of, each under its scheduler's name."""
    choices: list[Schema] = []
    parts: Schema = {}
    for house, document in alike.items():
        reference, own = _components(document, f"{house}.")
        choices.append(reference)
        parts |= own
    return choices, parts


def _list_of(kind: str, alike: Mapping[str, type]) -> Schema:
    """The schema of a list of such documents."""
    choices, parts = _choices(alike)
    fields: Schema = {
        "apiVersion": {"enum": [API_VERSION]},
        "kind": {"enum": [kind]},
        **({"exitCode": {"type": "integer"}} if kind == "PlanList" else {}),
        "items": {"type": "array", "items": {"anyOf": choices}},
    }
    optional: Schema = {}
    if kind == "PlanList":
        refused, own = _components(RefusedObjectPart, "")
        optional, parts = {"refused": {"type": "array", "items": refused}}, {**parts, **own}
    return {
        "$schema": DIALECT,
        "type": "object",
        "additionalProperties": False,
        "required": list(fields),
        "properties": {**{name: _meant(name, each, "") for name, each in fields.items()}, **optional},
        "$defs": parts,
    }


def _kind(document: type) -> str:
    (kind,) = get_args(get_type_hints(document)["kind"])
    return str(kind)


def _path(kind: str) -> str:
    return f"{_FOLDER}/{kind.lower()}.json"


def schema_of(document: type) -> Schema:
    """The schema of one document type; its part types are under ``$defs``.

    Raises ``TypeError`` for a type that JSON has no counterpart of.
    """
    _, parts = _components(document, "")
    return {"$schema": DIALECT, **parts.pop(document.__name__), "$defs": parts}


def _components(document: type, prefix: str) -> tuple[Schema, Schema]:
    """A reference to a document's schema, and the schemas of all its parts by name, with ``prefix``."""
    (reference,), parts = schema_components([document], ref_template=f"#/$defs/{prefix}{{name}}")
    return reference, {f"{prefix}{name}": _structure(parts[name]) for name in sorted(parts)}


def _structure(part: Schema) -> Schema:
    """A part with what its type says of it, and with none but its own fields."""
    kept = {key: value for key, value in part.items() if key not in ("title", "description")}
    about = " ".join(part.get("description", "").replace("``", "`").split())
    if "apiVersion" in part.get("properties", {}):
        kept["properties"] = {name: _meant(name, each, about) for name, each in part["properties"].items()}
    return {**({"description": about} if about else {}), **kept, "additionalProperties": False}


def _meant(name: str, field: Schema, about: str) -> Schema:
    """A field of a document with its meaning, unless its type or the document's description says it."""
    said = name not in MEANINGS or "$ref" in field or f"`{name}`" in about
    return field if said else {"description": MEANINGS[name], **field}
