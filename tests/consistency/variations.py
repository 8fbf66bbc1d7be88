"""A state made odd: something stopped, missing, cordoned, foreign, limited elsewhere, or changed by chance.

A variation changes the objects in place; one that finds nothing to change does nothing.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from tests.consistency import kueue_variations, pod_variations

Manifest = dict[str, Any]
Variation = Callable[[list[Manifest], Random], None]
_NEVER_GONE: Final = ("Workload", "Pod", "PodGroup", "Deployment", "ConfigMap")
_WORK: Final = ("Workload", "Pod", "PodGroup")


def varied(house: str, objects: list[Manifest], dice: Random) -> list[Manifest]:
    """The objects after one to three variations."""
    known = [*_ANY, *(kueue_variations.VARIATIONS if house == "kueue" else pod_variations.VARIATIONS[house])]
    for variation in dice.sample(known, dice.choice([1, 1, 2, 3])):
        variation(objects, dice)
    return objects


def _of(objects: list[Manifest], *kinds: str) -> list[Manifest]:
    return [each for each in objects if each["kind"] in kinds]


def _missing(objects: list[Manifest], dice: Random) -> None:
    """An object that others name is not in the input."""
    kinds = sorted({each["kind"] for each in objects} - {*_NEVER_GONE})
    if kinds:
        objects.remove(dice.choice(_of(objects, dice.choice(kinds))))


def _cordoned(objects: list[Manifest], dice: Random) -> None:
    for node in _some(_of(objects, "Node"), dice):
        node.setdefault("spec", {})["unschedulable"] = True


def _tainted(objects: list[Manifest], dice: Random) -> None:
    effect = dice.choice(["NoSchedule", "NoExecute", "PreferNoSchedule"])
    for node in _some(_of(objects, "Node"), dice):
        node.setdefault("spec", {})["taints"] = [{"key": "dedicated", "value": "x", "effect": effect}]


def _limited(objects: list[Manifest], dice: Random) -> None:
    """A plain ResourceQuota, perhaps full, in a namespace that has work."""
    spaces = sorted({each["metadata"].get("namespace", "default") for each in _of(objects, *_WORK)})
    if not spaces:
        return
    hard = {dice.choice(["pods", "requests.cpu", "requests.nvidia.com/gpu"]): dice.choice(["0", "2", "50"])}
    objects.append(
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": "plain", "namespace": dice.choice(spaces)},
            "spec": {"hard": hard},
            "status": {"hard": hard, "used": dict.fromkeys(hard, "0")},
        }
    )


def _foreign(objects: list[Manifest], dice: Random) -> None:
    """Pods of a scheduler that nobody knows and of the default one, on a node and waiting."""
    nodes = [each["metadata"]["name"] for each in _of(objects, "Node")]
    spaces = sorted({each["metadata"].get("namespace", "default") for each in _of(objects, *_WORK)}) or ["default"]
    for number, scheduler in enumerate(("default-scheduler", "yunikorn", "volcano")[: dice.choice([1, 2, 3])]):
        spec: Manifest = {
            "schedulerName": scheduler,
            "containers": [{"name": "main", "image": "busybox", "resources": {"requests": {"cpu": "500m"}}}],
        }
        placed = bool(nodes) and dice.random() < 0.5
        objects.append(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {
                    "name": f"foreign{number}",
                    "namespace": dice.choice(spaces),
                    "uid": f"foreign{number}",
                    "creationTimestamp": "2026-08-01T10:00:00Z",
                },
                "spec": spec | ({"nodeName": dice.choice(nodes)} if placed else {}),
                "status": {"phase": "Running" if placed else "Pending"},
            }
        )


def _equal_ages(objects: list[Manifest], _: Random) -> None:
    """All work was created in the same second."""
    for each in _of(objects, *_WORK):
        each["metadata"]["creationTimestamp"] = "2026-08-01T09:00:00Z"


def _idle(objects: list[Manifest], dice: Random) -> None:
    """Some running work is gone."""
    for each in _some([w for w in _of(objects, "Workload", "Pod") if _runs(w)], dice):
        objects.remove(each)


def _runs(work: Manifest) -> bool:
    return "admission" in work.get("status", {}) or "nodeName" in work["spec"]


def _some(of: list[Manifest], dice: Random) -> Iterator[Manifest]:
    """At least one of what is there."""
    yield from dice.sample(of, dice.randint(1, len(of))) if of else ()


_ANY: Final[list[Variation]] = [_missing, _cordoned, _tainted, _limited, _foreign, _equal_ages, _idle]
