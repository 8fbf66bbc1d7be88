"""The requests and the limits of a whole pod, as Kubernetes adds them up.

Source: Kubernetes 1.35, ``PodRequests`` and ``PodLimits``.
Tested in ``tests/unit/jobs/test_creation.py``.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.quantity import nano

Which = Literal["requests", "limits"]
_POD_LEVEL: Final = ("cpu", "memory")
_NOTHING: Final[JsonObject] = {}


def containers_of(spec: JsonObject) -> Iterator[JsonObject]:
    """All containers, init containers and sidecars among them."""
    for field in ("containers", "initContainers"):
        yield from (container or _NOTHING for container in spec.get(field) or ())


def amounts(owner: JsonObject, which: Which) -> dict[str, int]:
    """The requests or the limits of a container, or those of the pod as a whole, in 10⁻⁹.

    Raises ``QuantityError`` for an amount that is not a quantity.
    """
    listed = (owner.get("resources") or _NOTHING).get(which) or _NOTHING
    return {resource: _nano(value) for resource, value in listed.items()}


def spec_amounts(spec: JsonObject, which: Which) -> dict[str, int]:
    """The requests or the limits of a pod, in 10⁻⁹; pod-level amounts replace those of its containers."""
    found: dict[str, int] = {}
    for container in spec.get("containers") or ():
        _add(found, amounts(container or _NOTHING, which))
    sidecars: dict[str, int] = {}
    peak: dict[str, int] = {}
    for container in spec.get("initContainers") or ():
        own = amounts(container or _NOTHING, which)
        if (container or _NOTHING).get("restartPolicy") == "Always":
            _add(sidecars, own)
            own = sidecars
        else:
            own = {**sidecars, **{r: value + sidecars.get(r, 0) for r, value in own.items()}}
        peak |= {r: max(value, peak.get(r, 0)) for r, value in own.items()}
    _add(found, sidecars)
    found |= {r: max(value, found.get(r, 0)) for r, value in peak.items()}
    found |= {r: v for r, v in _of_whole(spec, found, which).items() if r in _POD_LEVEL or r.startswith("hugepages-")}
    overhead = {resource: _nano(value) for resource, value in (spec.get("overhead") or _NOTHING).items()}
    _add(found, {r: value for r, value in overhead.items() if which == "requests" or found.get(r)})
    return found


def _of_whole(spec: JsonObject, found: Mapping[str, int], which: Which) -> Mapping[str, int]:
    """The pod-level amounts; without a pod-level request it is what containers request, else the pod-level limit."""
    stated = amounts(spec, which)
    return stated if which == "limits" else {**amounts(spec, "limits"), **found, **stated}


def _add(into: dict[str, int], more: Mapping[str, int]) -> None:
    for resource, value in more.items():
        into[resource] = into.get(resource, 0) + value


def _nano(value: Json) -> int:
    return nano(repr(value) if isinstance(value, float) else 0 if value is None else value)
