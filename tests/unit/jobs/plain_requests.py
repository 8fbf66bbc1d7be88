"""A slow, plain statement of what a pod requests, and the pods to hold the package against: random and recorded ones.

The statement follows the life of a pod: an API server, or Kueue, writes into the manifest what is missing; then each
moment has its own containers, and of each resource the moment with the most counts.
"""

import copy
import gzip
import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.pod_check import check_pod
from kubectl_fairshare.jobs.requests import RequestLaw
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey

Spec = dict[str, Any]
FOLDER: Final = Path(__file__).resolve().parents[3] / "testdata" / "conformance"
RESOURCES: Final = ("cpu", "memory", "hugepages-2Mi", "nvidia.com/gpu")
OVERHEAD: Final = {"cpu": "250m", "memory": "160Mi"}
_COUNTED: Final = ("resources", "restartPolicy")
_UNITS: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}


def quantity(value: object) -> Fraction:
    """A quantity in 10⁻⁹, rounded away from zero."""
    match = re.fullmatch(r"([-+]?[0-9.]+)([KMGTPE]i|[numkMGTPE]?)", str(value))
    if match is None:  # with an exponent
        return Fraction(str(value)) * 10**9
    number, suffix = match.groups()
    factor = Fraction(1024 ** _BINARY[suffix]) if suffix in _BINARY else Fraction(10) ** _UNITS[suffix]
    exact = Fraction(number) * factor * 10**9
    return Fraction(-(-exact.numerator // exact.denominator))


def resources_of(owner: Spec, which: str) -> dict[str, Any]:
    """The requests or limits of a container or of a pod as a whole, to write into."""
    lists = owner.get("resources") or {}
    owner["resources"] = lists
    lists[which] = lists.get(which) or {}
    found: dict[str, Any] = lists[which]
    return found


def all_containers(spec: Spec) -> list[Spec]:
    return [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]


def created(spec: Spec, default_request: Mapping[str, str]) -> Spec:
    """The pod as an API server stores it: its own defaults, then those of a LimitRange."""
    pod = copy.deepcopy(spec)
    for container in all_containers(pod):
        for resource, amount in resources_of(container, "limits").items():
            resources_of(container, "requests").setdefault(resource, amount)
    if (pod.get("resources") or {}).get("limits"):
        whole = resources_of(pod, "requests")
        containers = requested({**pod, "overhead": None}, RequestLaw(whole=False))
        for resource in ("cpu", "memory"):
            if resource in containers:
                whole.setdefault(resource, f"{containers[resource]}n")
        for resource, amount in resources_of(pod, "limits").items():
            whole.setdefault(resource, amount)
    for container in all_containers(pod):
        for resource, amount in default_request.items():
            resources_of(container, "requests").setdefault(resource, amount)
    return pod


def adjusted(spec: Spec, default: Mapping[str, str], default_request: Mapping[str, str], law: RequestLaw) -> Spec:
    """The template as Kueue adjusts it."""
    pod = copy.deepcopy(spec)
    has_whole = pod.get("resources") is not None
    for container in all_containers(pod):
        if law.limits_first:
            for resource, amount in resources_of(container, "limits").items():
                resources_of(container, "requests").setdefault(resource, amount)
        for resource, amount in default.items():
            resources_of(container, "limits").setdefault(resource, amount)
        for resource, amount in default_request.items():
            resources_of(container, "requests").setdefault(resource, amount)
        for resource, amount in resources_of(container, "limits").items():
            resources_of(container, "requests").setdefault(resource, amount)
    if has_whole and law.whole_defaults:
        for resource, amount in resources_of(pod, "limits").items():
            resources_of(pod, "requests").setdefault(resource, amount)
    return pod


def rounded(spec: Spec, lists: tuple[str, ...] = ("containers", "initContainers", "overhead")) -> Spec:
    """The pod with the amounts of these lists in whole units, cpu in thousandths, as schedulers hold integers."""
    pod = copy.deepcopy(spec)
    owners = [each for name in lists if name != "overhead" for each in pod.get(name) or ()]
    overhead = [pod.get("overhead") or {}] if "overhead" in lists else []
    for amounts in (*(resources_of(each, "requests") for each in owners), *overhead):
        for resource, value in amounts.items():
            unit = 10**6 if resource == "cpu" else 10**9
            amounts[resource] = f"{-(-quantity(value) // unit) * unit}n"
    return pod


def requested(spec: Spec, law: RequestLaw) -> dict[str, int]:
    """What a completed pod requests, in 10⁻⁹, moment by moment."""
    containers = list(spec.get("containers") or ())
    init = list(spec.get("initContainers") or ())
    stays = [each.get("restartPolicy") == "Always" and law.sidecars_stay for each in init]
    moments = [[*(init[j] for j in range(i) if stays[j]), each] for i, each in enumerate(init)]
    moments.append([*containers, *(each for each, stay in zip(init, stays, strict=True) if stay)])
    found: dict[str, Fraction] = {}
    for resource in {r for each in all_containers(spec) for r in _listed(each)}:
        sums = [
            [quantity(_listed(each)[resource]) for each in moment if resource in _listed(each)] for moment in moments
        ]
        found[resource] = max(sum(amounts, Fraction(0)) for amounts in sums if amounts)
    for resource, amount in _listed(spec).items():
        if law.whole and (resource in ("cpu", "memory") or resource.startswith("hugepages-")):
            least = found.get(resource, Fraction(0)) if law.whole_at_least else Fraction(0)
            found[resource] = max(quantity(amount), least)
    for resource, amount in (spec.get("overhead") or {}).items():
        found[resource] = found.get(resource, Fraction(0)) + quantity(amount)
    return {resource: int(amount) for resource, amount in found.items()}


def _listed(owner: Spec) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (owner.get("resources") or {}).get("requests") or {}
    return found


def _amounts(dice: Random, share: float) -> Spec:
    values = ("1", "2", "3500m", 4, "8")
    listed = [resource for resource in RESOURCES if dice.random() < share]
    return {r: dice.choice(values) if r == "cpu" else dice.randrange(1, 9) for r in listed}


def _container(dice: Random, *, init: bool) -> Spec:
    limits = dict.fromkeys(_amounts(dice, 0.4), "9")
    sidecar = {"restartPolicy": "Always"} if init and dice.random() < 0.4 else {}
    resources = {"requests": _amounts(dice, 0.5), "limits": limits}
    return {"name": f"c{dice.randrange(99)}", "resources": resources, **sidecar}


def random_spec(dice: Random) -> Spec:
    """A pod with up to three containers and three init containers, a third with resources of the pod as a whole."""
    spec: Spec = {
        "containers": [_container(dice, init=False) for _ in range(dice.randrange(1, 4))],
        "initContainers": [_container(dice, init=True) for _ in range(dice.randrange(0, 4))],
    }
    if dice.random() < 0.3:
        spec["resources"] = {"requests": _amounts(dice, 0.4), "limits": dict.fromkeys(_amounts(dice, 0.4), "90")}
    if dice.random() < 0.5:
        spec["overhead"] = OVERHEAD
    return spec


def random_defaults(dice: Random) -> tuple[Spec, Spec]:
    """The default limits and requests of a LimitRange; often none."""
    default = dict.fromkeys(_amounts(dice, 0.3), "5") if dice.random() < 0.5 else {}
    return default, {**default, **(dict.fromkeys(_amounts(dice, 0.3), "1") if dice.random() < 0.5 else {})}


@cache
def recorded_specs() -> tuple[Spec, ...]:
    """The pods and pod templates of all recordings that the repository has, each once."""
    found: dict[str, Spec] = {}
    for path in sorted(FOLDER.glob("*.jsonl.gz")):
        with gzip.open(path, "rt") as lines:
            for line in lines:
                for spec in _specs(json.loads(line)):
                    part = {name: spec[name] for name in ("resources", "overhead") if spec.get(name)}
                    for name in ("containers", "initContainers"):
                        part[name] = [{key: each.get(key) for key in _COUNTED} for each in spec.get(name) or ()]
                    found.setdefault(json.dumps(part, sort_keys=True), part)
    return tuple(found.values())


def _is_well_formed(spec: Spec) -> bool:
    """Whether the amounts are quantities, none below 0; some recordings are of writes that an API server rejects."""
    try:
        check_pod(Field(ObjectKey("", "Pod", "", ""), (), {"spec": spec}))
    except FairshareError:
        return False
    return all(map(bool, spec["containers"]))


def _specs(value: Any) -> Iterator[Spec]:
    if isinstance(value, dict):
        if isinstance(value.get("containers"), list) and _is_well_formed(value):
            yield value
        for each in value.values():
            yield from _specs(each)
    elif isinstance(value, list):
        for each in value:
            yield from _specs(each)
