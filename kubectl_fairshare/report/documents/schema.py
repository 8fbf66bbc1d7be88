"""The JSON Schemas of our documents: msgspec derives them from the types, whose docstrings describe them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, get_args, get_type_hints

from msgspec.json import schema_components

from kubectl_fairshare.answers.calibration import Calibration
from kubectl_fairshare.answers.capacity import CapacityAnswer
from kubectl_fairshare.answers.churn import Churn
from kubectl_fairshare.answers.documents import AnswerPart, DocumentKind
from kubectl_fairshare.answers.forecast_calibration import ForecastCalibration
from kubectl_fairshare.answers.search import SearchAnswer
from kubectl_fairshare.answers.suite import TestReport
from kubectl_fairshare.report.documents.comparison import ComparisonDocument
from kubectl_fairshare.report.documents.conformance import ConformanceDocument
from kubectl_fairshare.report.documents.diff import DiffDocument, DiffListDocument
from kubectl_fairshare.report.documents.meanings import MEANINGS
from kubectl_fairshare.report.documents.parts import API_VERSION, OLDER_VERSION, RefusedObjectPart
from kubectl_fairshare.report.documents.structs import ANSWERS, document_type
from kubectl_fairshare.report.documents.trace import TracedJobPart, TraceDocument
from kubectl_fairshare.report.documents.workload_record import WorkloadRecord
from kubectl_fairshare.report.forecast.document import ForecastDocument
from kubectl_fairshare.report.simulation.document import SimulationDocument
from kubectl_fairshare.report.simulation.sweep import SweepDocument
from kubectl_fairshare.report.together import TogetherDocument
from kubectl_fairshare.report.units import UnitListDocument

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_DEFINED: Final = "#/$defs/"
_ANSWERS: Final[tuple[tuple[str, type[AnswerPart]], ...]] = (
    *(("Capacity", CapacityAnswer), ("Churn", Churn), ("Search", SearchAnswer), ("TestReport", TestReport)),
    *(("Calibration", Calibration), ("ForecastCalibration", ForecastCalibration)),
)
"""Kinds of documents that are answers."""
OWN: Final[tuple[type, ...]] = (
    *(ANSWERS.document_type("Conformance", ConformanceDocument), ANSWERS.document_type("Diff", DiffDocument)),
    ANSWERS.document_type("DiffList", DiffListDocument),
    *(SimulationDocument, WorkloadRecord, ForecastDocument),
    ANSWERS.document_type("Together", TogetherDocument),
    *(ANSWERS.document_type(kind, of) for kind, of in _ANSWERS),
    *(ComparisonDocument, SweepDocument, UnitListDocument),
)
"""The documents that are not about one scheduler."""
_LISTED: Final = ("Plan", "Why")
"""Kinds of which there are lists."""
Schema = dict[str, Any]


def schemas_of(documents: Iterable[type]) -> Iterator[tuple[str, Schema]]:
    """The schema of each type of document, with its path below ``schemas/``."""
    for document in documents:
        yield _path(_kind(document), _version(document)), schema_of(document)


def documents(houses: Mapping[str, Iterable[type | DocumentKind]]) -> Iterator[tuple[str, Schema]]:
    """The schema of every document, with its path below ``schemas/``; ``houses`` are those of each scheduler.

    Where several schedulers have documents of a kind, a document is one of theirs.
    """
    yield from schemas_of(OWN)
    yield _path("Trace", _version(TraceDocument)), _any_line(TraceDocument, TracedJobPart)
    by_kind: dict[str, dict[str, type]] = {}
    for house, types in houses.items():
        for each in types:
            document = document_type(each) if isinstance(each, DocumentKind) else each
            by_kind.setdefault(_kind(document), {})[house] = document
    for kind, alike in sorted(by_kind.items()):
        yield _path(kind), _any_of(alike)
        if kind in _LISTED:
            yield _path(f"{kind}List"), _list_of(kind)


def _any_line(*lines: type) -> Schema:
    """The schema of one line of a text, of which each is of one of these types."""
    references, parts = schema_components(lines, ref_template=f"{_DEFINED}{{name}}")
    kept = {name: _structure(parts[name]) for name in sorted(parts)}
    return {"$schema": DIALECT, "anyOf": list(references), "$defs": kept}


def _any_of(alike: Mapping[str, type]) -> Schema:
    """The schema of documents of one kind, by scheduler: a part that is the same for all is there once.

    A document within one of another kind is a reference to that kind's schema.
    """
    if len(alike) == 1:
        return schema_of(*alike.values())
    components = {house: _components(document) for house, document in alike.items()}
    shared = _same(components.values())
    choices: list[Schema] = []
    parts: Schema = {}
    for house, document in alike.items():
        name = document.__name__
        prefixes = {part: "" if part in shared else f"{house}." for part in components[house]}
        reference, own = _kept(name, components[house], prefixes)
        choices.append({"$ref": reference})
        parts |= own
    return {"$schema": DIALECT, "anyOf": choices, "$defs": parts}


def _kept(document: str, parts: Schema, prefixes: Mapping[str, str]) -> tuple[str, Schema]:
    """The reference to a document, and its parts by their names with ``prefixes``.

    Those of a document within it are in the schema of that one's kind.
    """
    names = {name: _reference(name, part, prefixes.get(name, ""), document) for name, part in parts.items()}
    reached: Schema = {}
    to_come = [document]
    while to_come:
        name = to_come.pop()
        if name not in reached and names[name].startswith(_DEFINED):
            reached[name] = parts[name]
            to_come += _references(parts[name])
    own = {names[name].removeprefix(_DEFINED): _referring(reached[name], names) for name in parts if name in reached}
    return names[document], own


def _same(components: Collection[Schema]) -> set[str]:
    """The names of the parts that all schedulers have, the same in each, down to what they are made of."""
    first, *others = components
    found = {name for name, part in first.items() if all(each.get(name) == part for each in others)}
    while differing := {name for name in found if not _references(first[name]) <= found}:
        found -= differing
    return found


def _reference(name: str, part: Schema, prefix: str, document: str) -> str:
    """The reference to a part: to the schema of its kind where it is a document within ``document``."""
    if name == document or "apiVersion" not in part.get("properties", {}):
        return f"{_DEFINED}{prefix}{name}"
    (kind,) = part["properties"]["kind"]["enum"]
    return f"{kind.lower()}.json{_DEFINED}{prefix}{name}" if prefix else f"{kind.lower()}.json"


def _references(of: Any) -> set[str]:
    """The names of the parts that a part is made of."""
    inner = of.values() if isinstance(of, dict) else of if isinstance(of, list) else ()
    own = {of["$ref"].removeprefix(_DEFINED)} if isinstance(of, dict) and isinstance(of.get("$ref"), str) else set()
    return own.union(*map(_references, inner))


def _referring(of: Any, names: Mapping[str, str]) -> Any:
    """The same with references to parts by other names."""
    if isinstance(of, list):
        return [_referring(each, names) for each in of]
    if not isinstance(of, dict):
        return of
    if isinstance(of.get("$ref"), str):
        return {**of, "$ref": names[of["$ref"].removeprefix(_DEFINED)]}
    return {name: _referring(each, names) for name, each in of.items()}


def _list_of(kind: str) -> Schema:
    """The schema of a list of documents of a kind, by a reference to that kind's."""
    fields: Schema = {
        "apiVersion": {"enum": [API_VERSION]},
        "kind": {"enum": [f"{kind}List"]},
        **({"exitCode": {"type": "integer"}} if kind == "Plan" else {}),
        "items": {"type": "array", "items": {"$ref": f"{kind.lower()}.json"}},
    }
    optional: Schema = {}
    parts: Schema = {}
    if kind == "Plan":
        optional = {"refused": {"type": "array", "items": {"$ref": f"{_DEFINED}{RefusedObjectPart.__name__}"}}}
        parts = {"$defs": _components(RefusedObjectPart)}
    return {
        "$schema": DIALECT,
        "type": "object",
        "additionalProperties": False,
        "required": list(fields),
        "properties": {**{name: _meant(name, each, "") for name, each in fields.items()}, **optional},
        **parts,
    }


def _kind(document: type) -> str:
    (kind,) = get_args(get_type_hints(document)["kind"])
    return str(kind)


def _version(document: type) -> str:
    (version,) = get_args(get_type_hints(document)["apiVersion"])
    return str(version)


def _path(kind: str, version: str = API_VERSION) -> str:
    return f"fairshare/{version.rpartition('/')[2]}/{kind.lower()}.json"


def in_older_version(written: Iterable[tuple[str, Schema]], changed: Collection[str]) -> Iterator[tuple[str, Schema]]:
    """The schemas of documents with ``--api``, but for the kinds that have changed since: theirs are as they were."""
    left = {_path(kind) for kind in changed}
    present, before = (_path("", each).rpartition("/")[0] for each in (API_VERSION, OLDER_VERSION))
    for path, schema in written:
        folder, _, name = path.rpartition("/")
        if folder == present and path not in left:
            yield f"{before}/{name}", _with_version(schema)


def _with_version(of: Any) -> Any:
    """The same where the version is the one before."""
    if isinstance(of, list):
        return [_with_version(each) for each in of]
    if isinstance(of, dict):
        return {name: _with_version(each) for name, each in of.items()}
    return OLDER_VERSION if of == API_VERSION else of


def schema_of(document: type) -> Schema:
    """The schema of one document type; its part types are under ``$defs``.

    Raises ``TypeError`` for a type that JSON has no counterpart of.
    """
    name = document.__name__
    _, parts = _kept(name, _components(document), {})
    return {"$schema": DIALECT, **parts.pop(name), "$defs": parts}


def _components(document: type) -> Schema:
    """The schemas of a document and of all its parts, by name."""
    _, parts = schema_components([document], ref_template=f"{_DEFINED}{{name}}")
    return {name: _structure(parts[name]) for name in sorted(parts)}


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
