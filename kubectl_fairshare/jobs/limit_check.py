"""Whether the LimitRanges of a namespace reject a new pod, as an API server does before any scheduler sees it.

Source: Kubernetes 1.35, the admission plugin LimitRanger. Ratios of limits to requests are left out.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.jobs.limits import LimitSummary, bounds_of
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.quantity import nano

_NOTHING: Final[JsonObject] = {}
Sums = Mapping[str, int]


def is_outside_limits(spec: JsonObject, limits: LimitSummary) -> bool:
    """Whether a container, or the whole pod, has more than a maximum or less than a minimum.

    ``spec`` has its requests already, as ``completed_spec`` gives them.
    """
    if not limits:
        return False
    default = {r: bound.nano for r, bound in bounds_of(limits, "Container", "default").items()}
    steady = [_amounts(container, default) for container in spec.get("containers") or ()]
    starting = [_amounts(container, default) for container in spec.get("initContainers") or ()]
    requests, caps = (_whole(steady, starting, which) for which in (0, 1))
    return any(_is_outside(*each, limits, "Container") for each in (*steady, *starting)) or _is_outside(
        requests, caps, limits, "Pod"
    )


def _amounts(container: JsonObject, default: Sums) -> tuple[Sums, Sums]:
    """The requests and the limits of a container, in 10⁻⁹."""
    resources = container.get("resources") or _NOTHING
    return _nanos(resources.get("requests")), {**default, **_nanos(resources.get("limits"))}


def _nanos(amounts: JsonObject | None) -> Sums:
    return {resource: _nano(value) for resource, value in (amounts or _NOTHING).items()}


def _nano(value: Json) -> int:
    return nano(repr(value) if isinstance(value, float) else 0 if value is None else value)


def _whole(steady: Iterable[tuple[Sums, Sums]], starting: Iterable[tuple[Sums, Sums]], which: int) -> Sums:
    """The sum of the containers, or the largest of the init containers. What one container lacks is missing."""
    each = [amounts[which] for amounts in steady]
    common = set(each[0]).intersection(*each[1:]) if each else set()
    found = {resource: sum(amounts[resource] for amounts in each) for resource in common}
    for amounts in (amounts[which] for amounts in starting):
        found |= {r: max(value, amounts.get(r, 0)) for r, value in found.items()}
    return found


def _is_outside(requests: Sums, caps: Sums, limits: LimitSummary, kind: str) -> bool:
    """Whether amounts are outside the bounds of a type; a missing limit or request is outside, too."""
    for resource, bound in bounds_of(limits, kind, "max").items():
        if resource not in caps or max(caps[resource], requests.get(resource, 0)) > bound.nano:
            return True
    for resource, bound in bounds_of(limits, kind, "min").items():
        if resource not in requests or min(requests[resource], caps.get(resource, bound.nano)) < bound.nano:
            return True
    return False
