"""A remedy carried out on the objects, as its reader would: the field of the document, with the new quantity."""

import json
import re
from typing import Any, Final

Manifest = dict[str, Any]
_PART: Final = re.compile(r"([^.\[\]]+)|\[(\d+)\]|\[([^\]]+)\]")
UNITS: Final = {"cpu": "m"}
"""What the amounts of schedulers of pods are counted in."""


def with_own_remedy(work: list[Manifest], remedy: dict[str, Any]) -> list[Manifest] | None:
    """The Workload of Kueue after a change of its size or its priority; None for another remedy."""
    if "changes" in remedy:
        (remedy, *more) = remedy["changes"]
        if more:
            return None
    if remedy.get("change") not in ("count", "minimum", "request", "priority") or work[0]["kind"] != "Workload":
        return None
    changed: list[Manifest] = json.loads(json.dumps(work))  # a part that several objects share is changed in one
    spec = changed[0]["spec"]
    if remedy["change"] == "priority":
        spec.pop("priorityClassRef", None)
        spec["priority"] = remedy["after"]
        return changed
    pods = next(each for each in spec["podSets"] if each["name"] == remedy["podSet"])
    if remedy["change"] == "request":
        _requests(pods["template"]["spec"], remedy["resource"])[remedy["resource"]] = remedy["afterQuantity"]
    elif remedy["change"] == "minimum":
        pods["minCount"] = remedy["after"]
    else:
        pods["count"] = remedy["after"]
        pods.pop("minCount", None)
    return changed


def _requests(spec: Manifest, resource: str) -> Manifest:
    """The requests of the first container that has this one, else of the first."""
    containers = spec["containers"]
    of = (each for each in containers if resource in each.get("resources", {}).get("requests", {}))
    requests: Manifest = next(of, containers[0]).setdefault("resources", {}).setdefault("requests", {})
    return requests


def title(manifest: Manifest) -> str:
    """The object as documents name it."""
    metadata = manifest.get("metadata", {})
    space = metadata.get("namespace")
    return f"{manifest['kind']} {space}/{metadata['name']}" if space else f"{manifest['kind']} {metadata.get('name')}"


def field_of(change: dict[str, Any], field: str) -> str:
    """The field of the amount: an amount that is not there yet is at the end of the list that lacks it."""
    is_limit = change.get("kind") in ("min", "max")
    return f"spec.{change['kind']}[{change['resource']}]" if is_limit else field


def parts_of(field: str) -> list[str | int]:
    """The names and numbers of a field, as documents write it: ``spec.limits[0].max[nvidia.com/gpu]``."""
    return [int(number) if number else key or name for name, number, key in _PART.findall(field)]
