"""What the reproduced releases do not have, put into objects of a state: fields, values, names in domains."""

from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise
from typing import Any, Final

Manifest = dict[str, Any]
Change = Callable[[Manifest], None]
_FLAT: Final = ("KubeSchedulerConfiguration", "PriorityClass", "RuntimeClass")
"""The kinds without a ``spec``."""
DOMAINS: Final = {
    "kueue": "kueue.x-k8s.io",
    "kai": "kai.scheduler",
    "elasticquota": "scheduling.x-k8s.io",
    "koordinator": "quota.scheduling.koordinator.sh",
}


def field(manifest: Manifest) -> None:
    """A field of a newer release."""
    (manifest if manifest["kind"] in _FLAT else manifest.setdefault("spec", {}))["newThing"] = {"a": 1}


def mark(house: str, part: str) -> Change:
    """A label or an annotation in the domain of a scheduler."""

    def change(manifest: Manifest) -> None:
        manifest["metadata"].setdefault(part, {})[f"{DOMAINS[house]}/new-thing"] = "x"

    return change


def value(*path: str | int, to: Any) -> Change:
    """Another value of a field of the spec; what leads to it is made, a list with one item."""

    def change(manifest: Manifest) -> None:
        at: Any = manifest.setdefault("spec", {})
        for part, after in pairwise(path):
            at = at[part] if isinstance(part, int) else at.setdefault(part, [{}] if isinstance(after, int) else {})
        at[path[-1]] = to
        manifest["metadata"]["resourceVersion"] = "1"  # an API server that has the value has stored it

    return change


def recorded(manifest: Manifest) -> None:
    """What a controller of a newer release wrote."""
    manifest.setdefault("status", {})["newThing"] = {"a": 1}


def described(manifest: Manifest) -> None:
    """Metadata of others."""
    manifest["metadata"].setdefault("annotations", {})["example.com/new"] = "x"
    manifest["metadata"].setdefault("labels", {})["example.com/new"] = "x"


def changed(objects: list[Manifest], kind: str, change: Change) -> list[Manifest]:
    """A copy in which each object of a kind is changed."""
    copies = deepcopy(objects)
    for each in copies:
        if each["kind"] == kind:
            change(each)
    return copies
