"""A remedy carried out on the objects, as its reader would: the field of the document, with the new quantity."""

import re
from copy import deepcopy
from typing import Any, Final

Manifest = dict[str, Any]
_PART: Final = re.compile(r"([^.\[\]]+)|\[(\d+)\]|\[([^\]]+)\]")
_UNITS: Final = {"cpu": "m"}
"""What the amounts of schedulers of pods are counted in."""


def with_remedy(objects: list[Manifest], remedy: dict[str, Any]) -> list[Manifest] | None:
    """The objects after the remedy; None for one that changes the workload itself, or that no field states."""
    changes = remedy.get("changes") or [remedy, *remedy.get("also", ())]
    changed = deepcopy(objects)
    for change in changes:
        place = change.get("place")
        if place is None or not place.get("object") or change.get("kind") in ("priority", "policy"):
            return None
        found = next((each for each in changed if title(each) == place["object"]), None)
        if found is None or found["kind"] == "Workload":
            return None
        if change.get("kind") == "deletion":
            changed.remove(found)
        elif not _is_changed(found, _field(change, place["field"]), _value(change)):
            return None
    return changed


def with_own_remedy(work: list[Manifest], remedy: dict[str, Any]) -> list[Manifest] | None:
    """The Workload of Kueue after a change of its size or its priority; None for another remedy."""
    if remedy.get("change") not in ("count", "minimum", "request", "priority") or work[0]["kind"] != "Workload":
        return None
    changed = deepcopy(work)
    spec = changed[0]["spec"]
    if remedy["change"] == "priority":
        spec.pop("priorityClassRef", None)
        spec["priority"] = remedy["after"]
        return changed
    pods = next(each for each in spec["podSets"] if each["name"] == remedy["podSet"])
    if remedy["change"] == "request":
        pods["template"]["spec"]["containers"][0]["resources"]["requests"][remedy["resource"]] = remedy["afterQuantity"]
    elif remedy["change"] == "minimum":
        pods["minCount"] = remedy["after"]
    else:
        pods["count"] = remedy["after"]
        pods.pop("minCount", None)
    return changed


def title(manifest: Manifest) -> str:
    """The object as documents name it."""
    metadata = manifest.get("metadata", {})
    space = metadata.get("namespace")
    return f"{manifest['kind']} {space}/{metadata['name']}" if space else f"{manifest['kind']} {metadata.get('name')}"


def _field(change: dict[str, Any], field: str) -> str:
    """The field of the amount: an amount that is not there yet is at the end of the list that lacks it."""
    lists = change.get("kind") in ("min", "max") and not field.endswith(f".{change['resource']}")
    return f"spec.{change['kind']}.{change['resource']}" if lists else field


def _value(change: dict[str, Any]) -> str | None:
    if change.get("afterQuantity") is not None:
        return str(change["afterQuantity"])
    if change.get("kind") in ("min", "max") and isinstance(change.get("after"), int):
        return f"{change['after']}{_UNITS.get(change['resource'], '')}"
    return None


def _is_changed(manifest: Manifest, field: str, value: str | None) -> bool:
    """Whether the field is there and could be changed."""
    if value is None or not field.startswith("spec."):
        return False
    parts = parts_of(field)
    at: Any = manifest
    for part in parts[:-1]:
        if part in ("min", "max"):
            at.setdefault(part, {})
        elif not (isinstance(part, int) or part in at):
            return False
        at = at[part]
    if parts[-1] not in at and parts[1] not in ("min", "max"):
        return False
    at[parts[-1]] = value
    return True


def parts_of(field: str) -> list[str | int]:
    """The names and numbers of a field, as documents write it: ``spec.limits[0].max[nvidia.com/gpu]``."""
    return [int(number) if number else key or name for name, number, key in _PART.findall(field)]
