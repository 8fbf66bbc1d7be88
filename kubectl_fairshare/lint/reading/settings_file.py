"""``.fairshare.yaml``: found, read, and told where it is wrong."""

import os
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final, TypeAlias

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.input.files.paths import SETTINGS, shown
from kubectl_fairshare.input.files.raw_bytes import Budget, of_file
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.marks import mark
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.lint.settings import PerPath, Settings
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import FieldPath, Json, field_text
from kubectl_fairshare.model.location import Location, Origin

Unknown: TypeAlias = Callable[[str, Location], Problem | None]
"""Tells a word that names no rule, at its place."""
_MOST: Final = 1 << 20
_NEVER: Final = "never"
_SEVERITIES: Final = tuple(severity.value for severity in Severity)
_WORDS: Final[Mapping[str, Any]] = {"type": "array", "items": {"type": "string"}}
_PER_PATH: Final[Mapping[str, Any]] = {"path": {"type": "string"}, "ignore": _WORDS}
_FIELDS: Final[Mapping[str, Any]] = {
    "select": _WORDS,
    "ignore": _WORDS,
    "fail-on": {"enum": [*_SEVERITIES, _NEVER]},
    "complete": {"type": "boolean"},
    "kueue-version": {"type": "string"},
    "baseline": {"type": "string"},
    "severity": {"type": "object", "additionalProperties": {"enum": list(_SEVERITIES)}},
    "per-path": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": _PER_PATH,
            "required": list(_PER_PATH),
            "additionalProperties": False,
        },
    },
}
_TYPES: Final = {
    "array": (list, "a list"),
    "object": (dict, "a mapping"),
    "string": (str, "text"),
    "boolean": (bool, "`true` or `false`"),
}


def documents() -> Iterator[tuple[str, dict[str, Any]]]:
    """The schema of the file, with its path below ``schemas/``."""
    yield (
        "fairshare/v1alpha1/settings.json",
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": ["object", "null"],
            "properties": dict(_FIELDS),
            "additionalProperties": False,
        },
    )


def find_settings(directory: str) -> str | None:
    """The settings of ``directory``: in it, or above it up to the root of its git repository."""
    for at in _up_to_root(directory):
        path = os.path.join(at, SETTINGS)
        if os.path.lexists(path):
            return os.path.relpath(path, directory)
    return None


def _up_to_root(directory: str) -> list[str]:
    """The directory and those above it in its repository; outside of one, the directory alone."""
    ways = [os.path.abspath(directory)]
    while not os.path.lexists(os.path.join(ways[-1], ".git")):
        above = os.path.dirname(ways[-1])
        if above == ways[-1]:
            return ways[:1]
        ways.append(above)
    return ways


def read_settings(path: str, unknown: Unknown) -> Settings:
    """The settings in a file. Raises ``UsageError`` with all that is wrong in it, and for text that is no YAML.

    Raises ``FairshareError`` where it can't be read.
    """
    text, found = decode(shown(path), of_file(path, Budget(_MOST)))
    checked = _Checked(text, unknown)
    data = checked.settings(found)
    if checked.problems:
        raise UsageError(*checked.problems)
    return Settings(
        os.path.dirname(os.path.abspath(path)),
        tuple(data.get("select", ())),
        tuple(data.get("ignore", ())),
        data.get("fail-on"),
        data.get("complete"),
        data.get("kueue-version"),
        data.get("baseline"),
        {word: Severity(value) for word, value in data.get("severity", {}).items()},
        tuple(PerPath(each["path"], tuple(each["ignore"])) for each in data.get("per-path", ())),
    )


class _Checked:
    """A look over what was written; ``problems`` are in the order of the fields."""

    def __init__(self, text: Text, unknown: Unknown) -> None:
        self.problems: list[Problem] = []
        self._texts = Texts([text])
        self._name = text.name
        self._unknown = unknown

    def settings(self, found: list[Json]) -> dict[str, Json]:
        """The document; empty where there is none, or nothing in it. ``problems`` tells what is wrong."""
        written = [document for document in found if document is not None]
        if len(written) > 1:
            self.problems.append(Problem("holds more than one document", self._name, "keep one of them"))
        if not written or len(written) > 1:
            return {}
        data = written[0]
        self._object(data, _FIELDS, (), required=())
        return data if isinstance(data, dict) else {}

    def _object(self, data: Json, fields: Mapping[str, Any], path: FieldPath, required: tuple[str, ...]) -> None:
        if not isinstance(data, dict):
            self._wrong(path, "a mapping")
            return
        for name in data:
            if name not in fields:
                near = get_close_matches(name.lower().replace("_", "-"), fields, n=1)
                known = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(f'`{n}`' for n in fields)}"
                self.problems.append(Problem(f"there is no setting `{name}`", self._at_key((*path, name)), known))
        for name in required:
            if name not in data:
                self._add(f"`{name}` is missing", path, f"write `{name}`")
        for name, schema in fields.items():
            if name in data:
                self._value(data[name], schema, (*path, name))

    def _value(self, value: Json, schema: Mapping[str, Any], path: FieldPath) -> None:
        if "enum" in schema:
            if value not in schema["enum"] or not isinstance(value, str):
                self._wrong(path, "one of " + ", ".join(f"`{each}`" for each in schema["enum"]))
            return
        kind, expected = _TYPES[schema["type"]]
        if not isinstance(value, kind):
            quoted = expected == "text" and isinstance(value, int | float) and not isinstance(value, bool)
            self._wrong(path, f"{expected}: put it in quotes" if quoted else expected)
        elif "properties" in schema:
            self._object(value, schema["properties"], path, tuple(schema["required"]))
        elif isinstance(value, list):
            for number, item in enumerate(value):
                self._value(item, schema["items"], (*path, number))
                self._word(item, self._at((*path, number)))
        elif isinstance(value, dict):
            for word, held in value.items():
                self._value(held, schema["additionalProperties"], (*path, word))
                self._word(word, self._at_key((*path, word)))

    def _word(self, word: Json, at: Location) -> None:
        problem = self._unknown(word, at) if isinstance(word, str) else None
        if problem is not None:
            self.problems.append(problem)

    def _wrong(self, path: FieldPath, expected: str) -> None:
        named = f"`{field_text(path)}`" if path else "the whole"
        self._add(f"{named} must be {expected}", path, "see docs/lint.md")

    def _add(self, message: str, path: FieldPath, remedy: str) -> None:
        self.problems.append(Problem(message, self._at(path), remedy))

    def _at(self, path: FieldPath) -> Location:
        return self._texts.locate(Origin(self._name, 0), path)

    def _at_key(self, path: FieldPath) -> Location:
        return mark(self._texts, Origin(self._name, 0), path, at_key=True).location
