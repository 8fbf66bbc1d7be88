"""Cases with one field changed, as somebody would change it in a manifest."""

from copy import deepcopy
from typing import Any

from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.schedulers.recording import manifest_of

Manifest = dict[str, Any]


def key_of(manifest: Manifest) -> ObjectKey:
    """The identity of an object of a case."""
    return manifest_of(manifest, Origin("drawn", 0)).key


def with_field(case: Manifest, key: ObjectKey, path: FieldPath, value: object) -> Manifest:
    """The case with another value at ``path`` of one object, which is there; None takes the field away."""
    return case | {"objects": [_changed(o, path, value) if key_of(o) == key else o for o in case["objects"]]}


def _changed(manifest: Manifest, path: FieldPath, value: object) -> Manifest:
    changed = deepcopy(manifest)
    at: Any = changed
    for part in path[:-1]:
        at = at[part] if isinstance(part, int) else at.setdefault(part, {})
    if value is None:
        at.pop(path[-1], None)
    else:
        at[path[-1]] = value
    return changed


def with_object(case: Manifest, manifest: Manifest) -> Manifest:
    """The case with one object more."""
    return case | {"objects": [*case["objects"], manifest]}


def without_objects(case: Manifest, keys: set[ObjectKey]) -> Manifest:
    """The case without the objects of ``keys``."""
    return case | {"objects": [o for o in case["objects"] if key_of(o) not in keys]}


def quantity_text(resource: str, amount: int) -> str:
    """An amount in the engine's units as a quantity: cpu in milli-units, all else in units."""
    return f"{amount}m" if resource == "cpu" else str(amount)
