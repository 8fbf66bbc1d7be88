"""The types of decoded JSON: what a manifest is made of."""

from collections.abc import Mapping
from typing import Any, TypeAlias

# ``Any`` on purpose: manifests are foreign data, and each reader checks what it reads.
Json: TypeAlias = Any
JsonObject: TypeAlias = Mapping[str, Json]
FieldPath: TypeAlias = tuple[str | int, ...]


class Line(int):
    """A part of a path that goes on inside a field's text: a line of it, from 1."""

    __slots__ = ()


class Column(int):
    """A part of a path, after a ``Line``: a column of it, from 1."""

    __slots__ = ()


def field_text(path: FieldPath) -> str:
    """The path as kube-apiserver writes it: ``spec.resourceGroups[0].flavors``. Lines of a text are left out."""
    text = ""
    for part in path:
        if isinstance(part, Line | Column):
            continue
        if isinstance(part, int):
            text += f"[{part}]"
        elif part and all(c.isalnum() or c in "-_" for c in part):
            text += f".{part}" if text else part
        else:
            text += f"[{part}]"
    return text


def inside(value: Json, *path: str | int) -> Json:
    """What stands at a path; None where nothing does."""
    for part in path:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def mapping(value: Json, *path: str | int) -> dict[str, Json]:
    """The mapping at a path; whatever else stands there counts as an empty one, as it does to Go."""
    found = inside(value, *path)
    return found if isinstance(found, dict) else {}


def listed(value: Json, *path: str | int) -> list[Json]:
    """The list at a path; whatever else stands there counts as an empty one."""
    found = inside(value, *path)
    return found if isinstance(found, list) else []


def rows(value: Json, *path: str | int) -> list[dict[str, Json]]:
    """The mappings of the list at a path, each in its place; whatever else stands there counts as an empty one."""
    return [mapping(each) for each in listed(value, *path)]
