"""Equality of JSON values as the API server sees it: numbers of different kinds differ."""

from typing import Final

from kubectl_fairshare.model.json import Json

ABSENT: Final = object()


def same(new: Json, old: Json) -> bool:
    """Whether both are the same JSON value: ``1``, ``1.0`` and ``true`` are three values."""
    if isinstance(new, dict):
        return isinstance(old, dict) and new.keys() == old.keys() and all(same(v, old[k]) for k, v in new.items())
    if isinstance(new, list):
        return isinstance(old, list) and len(new) == len(old) and all(map(same, new, old))
    return type(new) is type(old) and bool(new == old)
