"""A remedy carried out on the objects, as its reader would: the field of the document, with the new quantity."""

import json
import re
from typing import Any, Final

from kubectl_fairshare.model.quantity import nano

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
        asked, resource = pods["template"]["spec"], remedy["resource"]
        before, after = (nano(remedy.get(name, 0)) for name in ("beforeQuantity", "afterQuantity"))
        if not requests_less(asked, resource, before, after):  # a default counts, or what is added to the pod
            _requests(asked, resource)[resource] = remedy["afterQuantity"]
    elif remedy["change"] == "minimum":
        pods["minCount"] = remedy["after"]
    else:
        pods["count"] = remedy["after"]
        pods.pop("minCount", None)
    return changed


def requests_less(spec: Manifest, resource: str, before: int, after: int) -> bool:
    """Lets the pod request less, in 10⁻⁹, as Kubernetes adds it up; whether it requested ``before`` of it.

    At each moment at which it requests more, the container that requests most is made smaller.
    """
    if max(map(_sum, _moments(spec, resource))) + _overhead(spec, resource) != before:
        return False
    bound = after - _overhead(spec, resource)
    while (most := max(_moments(spec, resource), key=_sum)) and _sum(most) > bound:
        amount, container = max(most, key=lambda part: part[0])
        requests = container["resources"]["requests"]
        requests[resource] = f"{amount - min(amount, _sum(most) - bound)}n"
    return True


_Claims = list[tuple[int, Manifest]]


def _sum(claims: _Claims) -> int:
    return sum(amount for amount, _ in claims)


def _moments(spec: Manifest, resource: str) -> list[_Claims]:
    """The containers that request at one time, with their amounts: all of them, and each init container in turn."""

    def claim(container: Manifest) -> tuple[int, Manifest]:
        requests = container.get("resources", {}).get("requests", {})
        return nano(requests.get(resource, 0)), container

    sidecars: _Claims = []
    found = []
    for each in spec.get("initContainers", ()):
        found.append([*sidecars, claim(each)])
        sidecars += [claim(each)] if each.get("restartPolicy") == "Always" else []
    return [[*sidecars, *map(claim, spec["containers"])], *found]


def _overhead(spec: Manifest, resource: str) -> int:
    return nano(spec.get("overhead", {}).get(resource, 0))


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
