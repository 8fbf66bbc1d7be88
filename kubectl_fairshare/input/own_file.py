"""A file in a format of this project, validated against its JSON Schema: each error at its line, with a remedy.

Slow to import, so imported only where such a file is read. The schemas are those under ``schemas/fairshare``.
"""

from collections.abc import Iterator
from typing import Any, Final

import orjson
from jsonschema import Draft202012Validator, ValidationError

from kubectl_fairshare import shipped
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.marks import mark
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import FieldPath, Json, field_text
from kubectl_fairshare.model.location import Location, Origin
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted

_VERSION: Final = "v1alpha1"
_TYPES: Final = {
    "array": "a list",
    "object": "a mapping",
    "string": "text",
    "boolean": "`true` or `false`",
    "number": "a number",
    "integer": "a whole number",
}
_LONGEST: Final = 64
"""Characters of a wrong value that a message quotes."""


class OwnFile:
    """The one document of a file; ``data`` is None where the file holds none, or several.

    ``schema`` names the schema. With ``any_case`` fields are read in any case; ``data`` has them as the schema does.
    Raises ``FairshareError`` for bytes that are neither YAML nor JSON.
    """

    def __init__(self, name: str, content: bytes, schema: str, *, any_case: bool = False) -> None:
        path = shipped.schemas() / "fairshare" / _VERSION / f"{schema}.json"
        self._schema = orjson.loads(path.read_bytes())
        self.text, documents = decode(name, content)
        written = [(number, each) for number, each in enumerate(documents) if each is not None]
        self._several = len(written) > 1
        number, document = written[0] if len(written) == 1 else (0, None)
        self._written: Json = document
        self.data: Json = _in_case(self._written, self._schema) if any_case else self._written
        self.origin = Origin(name, number)
        self._texts = Texts([self.text])

    def at(self, path: FieldPath, *, at_key: bool = False) -> Location:
        """The place of the value at ``path``, or of its key."""
        if not self.text.starts:  # a file without a document
            return Location(self.origin.source, 1, 1)
        written = self._as_written(path)
        if at_key:
            return mark(self._texts, self.origin, written, at_key=True).location
        return self._texts.locate(self.origin, written)

    def problems(self, remedy: str) -> list[Problem]:
        """What keeps the file from being valid, in the order of the text; ``remedy`` is the help for a wrong value.

        In a schema, ``title`` says what the fields of a mapping are called.
        """
        if self._several:
            return [Problem("contains more than one document", self.text.name, "keep one of them")]
        errors = Draft202012Validator(self._schema).iter_errors(self.data)
        return sorted(dict.fromkeys(p for error in errors for p in self._of(error, remedy)), key=_position)

    def _as_written(self, path: FieldPath) -> FieldPath:
        """The path with each field in the case in which the file has it."""
        found: list[str | int] = []
        value = self._written
        for part in path:
            alike = [key for key in value if key.lower() == str(part).lower()] if isinstance(value, dict) else []
            name = part if not alike or part in alike else alike[-1]
            found.append(name)
            value = value[name] if alike or isinstance(value, list) else None
        return tuple(found)

    def _of(self, error: ValidationError, remedy: str) -> Iterator[Problem]:
        path = tuple(error.absolute_path)
        value: Json = error.instance
        schema: Any = error.schema
        if error.validator == "additionalProperties":
            yield from (self._unknown(path, name, schema) for name in value if name not in schema["properties"])
        elif error.validator == "required":
            missing = [name for name in schema["required"] if name not in value]
            yield from (Problem(f"`{name}` is missing", self.at(path), f"write `{name}`") for name in missing)
        else:
            subject = f"`{field_text(path)}`" if path else "the whole"
            message = f"{subject} must be {_expected_text(schema)}{_instead(value, schema)}"
            meant = likely(value, map(str, schema.get("enum", ()))) if isinstance(value, str) else []
            yield Problem(message, self.at(path), did_you_mean(meant) or remedy)

    def _unknown(self, path: FieldPath, name: str, schema: Any) -> Problem:
        fields = schema["properties"]
        meant = likely(name.lower().replace("_", "-"), fields, 1) or likely(name, fields, 1)
        remedy = did_you_mean(meant) or f"use one of {quoted(fields)}"
        message = f"unknown {schema.get('title', 'field')} `{name[:_LONGEST]}`"
        return Problem(message, self.at((*path, name), at_key=True), remedy)


def _in_case(value: Json, schema: Any) -> Json:
    """The value with its fields in the case of the schema."""
    if isinstance(value, list):
        return [_in_case(each, schema.get("items", {})) for each in value]
    if not isinstance(value, dict):
        return value
    fields = schema.get("properties", {})
    names = {name.lower(): name for name in fields}
    rest = schema.get("additionalProperties") or {}
    named = ((names.get(key.lower(), key), each) for key, each in value.items())
    return {name: _in_case(each, fields.get(name, rest)) for name, each in named}


def _position(problem: Problem) -> tuple[int, int, str]:
    place = problem.place
    return (place.line, place.column, problem.message) if isinstance(place, Location) else (0, 0, problem.message)


def _expected_text(schema: Any) -> str:
    """What a value must be, by the part of the schema that it violates."""
    if "enum" in schema:
        return f"{'one of ' if len(schema['enum']) > 1 else ''}{quoted(map(str, schema['enum']))}"
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    expected = " or ".join(_TYPES[each] for each in types if each != "null")
    if "minimum" in schema:
        expected += f" from {schema['minimum']:,} to {schema['maximum']:,}"
    return expected + (" that is not empty" if "minItems" in schema or "minLength" in schema else "")


def _instead(value: Json, schema: Any) -> str:
    """The value that was found instead."""
    if isinstance(value, list | dict):
        return f", not {_TYPES['array' if isinstance(value, list) else 'object']}" if value else ""
    if schema.get("type") == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return ": put it in quotes"
    written = value if isinstance(value, str) else "true" if value is True else "false" if value is False else value
    return "" if value is None else f", not `{str(written)[:_LONGEST]}`"
