"""A written object as the API server reads it, before anything judges it.

Unknown fields are dropped, nulls count as absent, defaults are filled in: one pass over the object, compiled once for
each structure. Source: structural schemas of k8s.io/apiextensions-apiserver (pruning, defaulting).
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from kubectl_fairshare.api.structures.object_meta import META_FIELDS, is_kind
from kubectl_fairshare.api.structures.structure import UNSET, Array, Map, Shape, Struct
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.numbers import as_read

# Returns the value as read; a flag is appended where something was dropped as unknown (True) and where a
# number is a float (False).
Reader: TypeAlias = Callable[[Json, list[bool]], Json]


class ReadObject(NamedTuple):
    """An object as read; ``dropped``: it had unknown fields, ``floats``: it has floating-point numbers."""

    data: dict[str, Json]
    dropped: bool
    floats: bool


def read(struct: Struct, data: JsonObject) -> ReadObject:
    """The object as read. Type and metadata stay as they are."""
    flags: list[bool] = []
    out = _read_root(struct, data, True, flags)
    return ReadObject(out, True in flags, False in flags)


def prune(struct: Struct, data: JsonObject) -> dict[str, Json]:
    """The object without unknown fields and without nulls; defaults are not filled in."""
    return _read_root(struct, data, False, [])


def _read_root(struct: Struct, data: JsonObject, fill: bool, flags: list[bool]) -> dict[str, Json]:
    meta = {key: data[key] for key in META_FIELDS if key in data}
    rest = _struct_reader(struct, fill)({key: each for key, each in data.items() if key not in META_FIELDS}, flags)
    return {**meta, **rest}


@cache
def _struct_reader(struct: Struct, fill: bool) -> Reader:
    readers, defaults = _readers(struct, fill), _defaults(struct) if fill else []
    kept = frozenset(name for name, field in struct.fields.items() if field.default is not UNSET and not fill)

    def reader(value: Json, flags: list[bool]) -> Json:
        if value.__class__ is not dict:
            return _strip(value, flags)
        out: dict[str, Json] = {}
        for key, each in value.items():
            if key not in readers:
                flags.append(True)
            elif each.__class__ is str:
                out[key] = each
            elif each is not None or key in kept:
                out[key] = each if each is None else readers[key](each, flags)
        for name, make in defaults:
            if name not in out:
                out[name] = make()
        return out

    return reader


def _readers(struct: Struct, fill: bool) -> dict[str, Reader]:
    apart = META_FIELDS if is_kind(struct) else ()
    return {name: _reader(field.shape, fill) for name, field in struct.fields.items() if name not in apart}


def _defaults(struct: Struct) -> list[tuple[str, Callable[[], Json]]]:
    with_default = (field for field in struct.fields.values() if field.default is not UNSET)
    return [(field.name, _maker(field.shape, field.default)) for field in with_default]


def _maker(shape: Shape, default: Json) -> Callable[[], Json]:
    if isinstance(default, dict):
        reader = _reader(shape, True)
        return lambda: reader(default, [])
    return lambda: default


def _reader(shape: Shape, fill: bool) -> Reader:
    if isinstance(shape, Struct):
        return _struct_reader(shape, fill)
    if isinstance(shape, Array):
        return _list_reader(_reader(shape.items, fill))
    if isinstance(shape, Map):
        return _table_reader(_reader(shape.values, fill))
    return _scalar


def _list_reader(item: Reader) -> Reader:
    def reader(value: Json, flags: list[bool]) -> Json:
        if value.__class__ is not list:
            return _strip(value, flags)
        return [each if each is None else item(each, flags) for each in value]

    return reader


def _table_reader(item: Reader) -> Reader:
    def reader(value: Json, flags: list[bool]) -> Json:
        if value.__class__ is not dict:
            return _strip(value, flags)
        return {key: item(each, flags) for key, each in value.items() if each is not None}

    return reader


def _scalar(value: Json, flags: list[bool]) -> Json:
    if value.__class__ is int:
        value = as_read(value)
    if value.__class__ is float:
        flags.append(False)
    return _strip(value, flags) if isinstance(value, dict | list) else value


def _strip(value: Json, flags: list[bool]) -> Json:
    """A value where the schema expects another type: objects inside have no known fields."""
    if isinstance(value, dict):
        flags.extend([True] * bool(value))
        return {}
    if isinstance(value, list):
        return [_strip(each, flags) for each in value]
    return as_read(value)


def unknown_paths(struct: Struct, data: JsonObject, root: bool = True) -> Iterator[FieldPath]:
    """The paths of the fields that are dropped."""
    for key, value in data.items():
        if root and key in META_FIELDS:
            continue
        field = struct.fields.get(key)
        if field is None:
            yield (key,)
        else:
            yield from ((key, *rest) for rest in _unknown_below(field.shape, value))


def _unknown_below(shape: Shape | None, value: Json) -> Iterator[FieldPath]:
    if isinstance(value, dict):
        yield from _unknown_in_object(shape, value)
    elif isinstance(value, list):
        items = shape.items if isinstance(shape, Array) else None
        for index, each in enumerate(value):
            yield from ((index, *rest) for rest in _unknown_below(items, each))


def _unknown_in_object(shape: Shape | None, value: JsonObject) -> Iterator[FieldPath]:
    if isinstance(shape, Struct):
        yield from unknown_paths(shape, value, root=False)
    elif isinstance(shape, Map):
        for key, each in value.items():
            yield from ((key, *rest) for rest in _unknown_below(shape.values, each))
    else:
        yield from ((key,) for key in value)
