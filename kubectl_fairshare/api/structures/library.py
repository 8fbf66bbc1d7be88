"""Structures as data: files that say what an API's objects look like, read when a kind is first needed.

A file maps names to definitions. ``"$uses"`` at its top lists the files that define the other names; those that
start with ``api/`` are next to this module and belong to Kubernetes itself. A definition is one of two:

- A structure: an object of its fields. ``"$like"`` names a structure whose fields come first, ``"$rules"`` the
  validation rules of the whole.
- A scalar with bounds: ``{"$is": "String", "most": 63}``.

A field is a shape and, after a space, flags: ``"[ResourceQuota] !k"``. A shape is a name, ``[X]`` for a list of X, or
``{X}`` for an object with free keys whose values are X. Flags are ``!`` required, ``*`` a pointer in Go, ``k`` a zero
value is written out, ``z`` a zero struct is left out. If there is more to say, the field is an object that has all
this under ``is``, next to ``default``, bounds, ``choices``, ``keys``, ``rules``.

The files are JSON because msgspec, which values are made of, reads them before another parser is imported.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec.json import decode

from kubectl_fairshare import shipped
from kubectl_fairshare.api.structures import structure
from kubectl_fairshare.api.structures.structure import UNSET, Array, CelRule, Map, Shape, Struct, StructField
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.values import replace

# Loads the rules, by the name under which the files ask for them.
Rules: TypeAlias = Callable[[], Mapping[str, tuple[CelRule, ...]]]

_SCALARS: Final[dict[str, Shape]] = {
    "String": structure.STRING,
    "Name": structure.NAME,
    "Label": structure.LABEL,
    "DnsLabel": structure.DNS_LABEL,
    "Key": structure.KEY,
    "LabelKey": structure.LABEL_KEY,
    "Time": structure.TIME,
    "Int32": structure.INT32,
    "Int64": structure.INT64,
    "Number": structure.NUMBER,
    "Boolean": structure.BOOLEAN,
    "Quantity": structure.QUANTITY,
    "IntOrString": structure.INT_OR_STRING,
    "Duration": structure.DURATION,
}
_SHARED: Final = "api/"


# Changes of files: by file and structure, the fields that are written otherwise; None for one that is not there.
Changes: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Json]]]


class Library:
    """The structures of one API: the files below ``folder`` of the package, and the rules that they name.

    ``changes`` are what one of its releases has otherwise.
    """

    def __init__(self, folder: str, rules: Rules, changes: Changes = MappingProxyType({})) -> None:
        self.folder = folder
        self.rules = rules
        self.changes = changes

    def struct(self, file: str, name: str) -> Struct:
        """A structure that a file defines or uses. Raises ``KeyError`` for a name that is not a structure's."""
        return _book(self, file).struct(name)


SHARED: Final = Library("api/structures", dict)


@cache
def _book(library: Library, file: str) -> "_Book":
    changes, shared = library.changes.get(file, {}), file.startswith(_SHARED)
    if shared and library is not SHARED and not changes:
        return _book(SHARED, file)
    folder = SHARED.folder if shared else library.folder
    definitions = decode(shipped.content(f"{folder}/{file.removeprefix(_SHARED)}.json"))
    for name, fields in changes.items():
        definitions[name] = _with_fields(definitions.get(name, {}), fields)
    return _Book(library, tuple(definitions.pop("$uses", ())), definitions)


def _with_fields(definition: JsonObject, fields: Mapping[str, Json]) -> JsonObject:
    """A definition with some fields otherwise: details of a field that a change does not name stay as they are."""
    made = dict(definition)
    for name, entry in fields.items():
        known = made.get(name)
        if entry is None:
            made.pop(name, None)
        elif isinstance(entry, dict) and known is not None:
            details = {**({"is": known} if isinstance(known, str) else known), **entry}
            made[name] = {key: each for key, each in details.items() if each is not None}
        else:
            made[name] = entry
    return made


class _Book:
    """One file: its definitions without those that were used, the shapes that were made of these, and used files."""

    __slots__ = ("definitions", "library", "made", "uses")

    def __init__(self, library: Library, uses: tuple[str, ...], definitions: dict[str, JsonObject]) -> None:
        self.library, self.uses, self.definitions = library, uses, definitions
        self.made = dict(_SCALARS)

    def struct(self, name: str) -> Struct:
        """The structure of that name. Raises ``KeyError``."""
        if isinstance(shape := self.shape(name), Struct):
            return shape
        raise KeyError(name)

    def shape(self, text: str) -> Shape:
        """The shape that a text names. Raises ``KeyError``."""
        if text not in self.made:
            self.made[text] = self._new(text)
        return self.made[text]

    def _new(self, text: str) -> Shape:
        if text[0] == "[":
            return Array(self.shape(text[1:-1]))
        if text[0] == "{":
            return Map(self.shape(text[1:-1]))
        if text in self.definitions:
            return self._defined(text, self.definitions.pop(text))
        for file in self.uses:
            book = _book(self.library, file)
            if text in book.definitions or text in book.made:
                return book.shape(text)
        raise KeyError(text)

    def _defined(self, name: str, definition: JsonObject) -> Shape:
        if "$is" in definition:
            return self._detailed(definition["$is"], definition)
        fields = dict(self.struct(definition["$like"]).fields) if "$like" in definition else {}
        fields |= {key: self._field(key, each) for key, each in definition.items() if key[0] != "$"}
        required = tuple(key for key, each in fields.items() if each.required)
        return Struct(name, fields, self._rules(definition.get("$rules")), required)

    def _rules(self, name: str | None) -> tuple[CelRule, ...]:
        return self.library.rules()[name] if name is not None else ()

    def _field(self, name: str, entry: Json) -> StructField:
        details: JsonObject = {} if isinstance(entry, str) else entry
        text, _, flags = str(details.get("is", entry)).partition(" ")
        default = details.get("default", UNSET)
        shape = self._detailed(text, details)
        return StructField(name, shape, "!" in flags, default, "*" in flags, "k" in flags, "z" in flags)

    def _detailed(self, text: str, details: JsonObject) -> Shape:
        shape, changes = self.shape(text), dict[str, Json]()
        for key, each in details.items():
            if key == "rules":
                changes[key] = self._rules(each)
            elif key not in ("is", "$is", "default"):
                changes[key] = tuple(each) if isinstance(each, list) else each
        return replace(shape, **changes) if changes else shape
