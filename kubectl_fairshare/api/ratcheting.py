"""Mistakes that an update may keep: the API server excuses what did not change.

Source: validation ratcheting of k8s.io/apiextensions-apiserver.
"""

import json
from collections.abc import Iterator

from kubectl_fairshare.api.sameness import same
from kubectl_fairshare.api.structures.structure import Array, Map, Shape, Struct
from kubectl_fairshare.model.json import FieldPath, Json


def is_unchanged(struct: Struct, new: Json, old: Json, path: FieldPath) -> bool:
    """Whether the value at ``path``, or one above it, equals its counterpart in the old object.

    The object as a whole never counts as unchanged, because its metadata is not compared.
    """
    return any(_equal(shape, a, b) for shape, a, b in _counterparts(struct, new, old, path))


def _counterparts(shape: Shape | None, new: Json, old: Json, path: FieldPath) -> Iterator[tuple[Shape, Json, Json]]:
    for part in path:
        shape, new, old = _child(shape, new, old, part)
        if shape is None or old is None:
            return
        yield shape, new, old


def _child(shape: Shape | None, new: Json, old: Json, part: str | int) -> tuple[Shape | None, Json, Json]:
    if isinstance(part, int):
        if isinstance(shape, Array) and isinstance(new, list) and part < len(new):
            return shape.items, new[part], old_item(shape, new[part], old)
        return None, None, None
    if not isinstance(new, dict) or not isinstance(old, dict) or part not in new:
        return None, None, None
    if isinstance(shape, Struct) and part in shape.fields:
        return shape.fields[part].shape, new[part], old.get(part)
    if isinstance(shape, Map):
        return shape.values, new[part], old.get(part)
    return None, None, None


def list_key(shape: Array, item: Json) -> str | None:
    """The key that identifies an item of a keyed list; None if the item is not an object."""
    if not isinstance(item, dict):
        return None
    return json.dumps([[key, item[key]] for key in shape.keys if key in item], sort_keys=True)


def old_item(shape: Array, item: Json, old: Json) -> Json:
    """The old item with the same key, or None: only items of keyed lists have a counterpart."""
    if not shape.keys or not isinstance(old, list):
        return None
    key = list_key(shape, item)
    return next((each for each in old if list_key(shape, each) == key), None) if key is not None else None


def _equal(shape: Shape, new: Json, old: Json) -> bool:
    if isinstance(shape, Array) and shape.keys and isinstance(new, list) and isinstance(old, list):
        if len(new) != len(old):
            return False
        matched = [(each, old_item(shape, each, old)) for each in new]
        return all(before is not None and _equal(shape.items, each, before) for each, before in matched)
    if isinstance(shape, Struct) and isinstance(new, dict) and isinstance(old, dict):
        fields = shape.fields
        return new.keys() == old.keys() and all(
            key in fields and _equal(fields[key].shape, each, old[key]) for key, each in new.items()
        )
    return same(new, old)
