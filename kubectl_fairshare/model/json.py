"""The types of decoded JSON."""

from collections.abc import Mapping
from typing import Any, TypeAlias

# ``Any`` on purpose: manifests are foreign data, and each reader checks what it reads.
Json: TypeAlias = Any
JsonObject: TypeAlias = Mapping[str, Json]
FieldPath: TypeAlias = tuple[str | int, ...]


class LinePart(int):
    """A part of a path that continues inside a field's text: a line number, from 1."""

    __slots__ = ()


class ColumnPart(int):
    """A part of a path, after a ``LinePart``: a column number, from 1."""

    __slots__ = ()


def field_text(path: FieldPath) -> str:
    """The path as kube-apiserver writes it: ``spec.resourceGroups[0].flavors``. Lines of a text are left out."""
    text = ""
    for part in path:
        if isinstance(part, LinePart | ColumnPart):
            continue
        if isinstance(part, int):
            text += f"[{part}]"
        elif part and all(c.isalnum() or c in "-_" for c in part):
            text += f".{part}" if text else part
        else:
            text += f"[{part}]"
    return text


def inside(value: Json, *path: str | int) -> Json:
    """The value at a path; None without one."""
    for part in path:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def is_same(one: Json, other: Json) -> bool:
    """Whether two values are the same JSON, whatever the order of keys. Unlike with ``==``, true is not 1."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return len(one) == len(other) and all(
            name in other and is_same(each, other[name]) for name, each in one.items()
        )
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


def mapping(value: Json, *path: str | int) -> dict[str, Json]:
    """The mapping at a path; any other value counts as an empty one, as in Go."""
    found = inside(value, *path)
    return found if isinstance(found, dict) else {}


def listed(value: Json, *path: str | int) -> list[Json]:
    """The list at a path; any other value counts as an empty one."""
    found = inside(value, *path)
    return found if isinstance(found, list) else []


def rows(value: Json, *path: str | int) -> list[dict[str, Json]]:
    """The mappings of the list at a path, in their positions; any other item counts as an empty one."""
    return [mapping(each) for each in listed(value, *path)]


def mappings(value: Json) -> list[dict[str, Json]]:
    """The mappings of a list; its other items are left out, and any other value counts as an empty one."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
