"""The combined requirements of a namespace's LimitRanges, and whether they reject a new pod.

Source: defaults of a LimitRange as core/v1 fills them in; Kubernetes 1.35, the admission plugin LimitRanger, which
checks a pod before any scheduler sees it. Ratios of limits to requests are left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.requests import Amounts, amounts, containers_of, spec_limits, spec_requests
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.quantity_text import canonical


class Bound(NamedTuple):
    """An amount in 10⁻⁹, the field that it was read from, and the amount as Kubernetes writes it."""

    nano: int
    place: Place
    text: str


Bounds: TypeAlias = Mapping[str, Bound]
LimitSummary: TypeAlias = Mapping[tuple[str, str], Bounds]
"""Bounds by resource, under the type (Container or Pod) and the name (max, min, default, defaultRequest)."""

_NOTHING: Final[JsonObject] = {}
_UNBOUNDED: Final[Mapping[str, int]] = {}
"""One for all pods: most namespaces have no such LimitRange."""
_THOUSANDTH: Final = 10**6
_WHOLE: Final = 10**9
_CONTAINERS: Final = ("containers", "initContainers")
_NAMES = ("max", "min", "default", "defaultRequest")


def summarized(limit_ranges: Iterable[Field]) -> LimitSummary:
    """The lowest ``max``, the highest ``min`` and the first defaults of the LimitRanges, in the order given.

    One that a server has stored is complete; any other is completed as a server would do it.
    """
    summary: dict[tuple[str, str], dict[str, Bound]] = {}
    for limit_range in limit_ranges:
        stored = bool(limit_range.at("metadata", "resourceVersion").text())
        for item in limit_range.at("spec", "limits").entries():
            kind, written = item.at("type").text(), {n: _bounds(item.at(n)) for n in _NAMES}
            for name, bounds in (written if stored else _completed(kind, written)).items():
                _merge(name, summary.setdefault((kind, name), {}), bounds)
    return summary


def chance_defaults(limit_ranges: Sequence[Field]) -> Mapping[tuple[str, str, str], int]:
    """The lowest of the different amounts, in 10⁻⁹, to which LimitRanges set a default: by type, name and resource.

    A cluster takes that of whichever it lists first, and lists them in no order.
    """
    found: dict[tuple[str, str, str], set[int]] = {}
    for summary in (summarized((each,)) for each in limit_ranges) if len(limit_ranges) > 1 else ():
        for (kind, name), bounds in summary.items():
            for resource, bound in bounds.items() if name.startswith("default") else ():
                found.setdefault((kind, name, resource), set()).add(bound.nano)
    return {key: min(different) for key, different in found.items() if len(different) > 1}


def takes_chance_default(
    spec: Field, chances: Mapping[tuple[str, str, str], int], *, limits_first: bool = True
) -> bool:
    """Whether it counts for a pod which of the ``chance_defaults`` of its namespace it gets.

    ``limits_first``: a limit is a missing request before defaults are. A default limit does not count where the lowest
    one allows what is requested.
    """
    return any(_takes(spec, *default, lowest, limits_first) for default, lowest in chances.items())


def _takes(spec: Field, kind: str, name: str, resource: str, lowest: int, limits_first: bool) -> bool:
    containers = (*spec.at("initContainers").entries(), *spec.at("containers").entries())
    holders = [each.at("resources") for each in containers]
    if kind == "Pod":
        holders = [spec.at("resources")] if spec.at("resources").value is not None else []
    for each in holders:
        request, limit = each.at("requests", resource), each.at("limits", resource)
        if name == "default" and limit.value is None:
            if request.value is None or request.nano(native=True) > lowest:
                return True
        elif name != "default" and request.value is None and not (limits_first and limit.value is not None):
            return True
    return False


def bounds_of(summary: LimitSummary, kind: str, name: str) -> Bounds:
    """The bounds of that type and name; empty if no LimitRange sets one."""
    return summary.get((kind, name), {})


def has_type(summary: LimitSummary, kind: str) -> bool:
    """Whether a LimitRange has an item of that type."""
    return (kind, "max") in summary


def _bounds(field: Field) -> dict[str, Bound]:
    written = field.resources(native=True)
    return {r: Bound(nano, field.at(r).place, canonical(field.at(r).value)) for r, nano in written.items()}


def _completed(kind: str, item: dict[str, dict[str, Bound]]) -> dict[str, dict[str, Bound]]:
    """The item with the API server's defaults: ``max`` as default limit; it, otherwise ``min``, as default request."""
    if kind != "Container":
        return item
    default = item["max"] | item["default"]
    return item | {"default": default, "defaultRequest": item["min"] | default | item["defaultRequest"]}


def _merge(name: str, into: dict[str, Bound], bounds: Mapping[str, Bound]) -> None:
    for resource, bound in bounds.items():
        held = into.get(resource)
        if held is None or (name == "max" and bound.nano < held.nano) or (name == "min" and bound.nano > held.nano):
            into[resource] = bound


def with_default_limits(spec: JsonObject, limits: LimitSummary) -> JsonObject:
    """The spec of a new pod with the limits that LimitRanges add to its containers.

    ``spec`` has its requests already, as ``completed_spec`` gives them.
    """
    default = {resource: bound.text for resource, bound in bounds_of(limits, "Container", "default").items()}
    if not default:
        return spec
    lists = {name: [_limited(each, default) for each in spec.get(name) or ()] for name in _CONTAINERS}
    return {**spec, **lists}


def _limited(container: JsonObject, default: JsonObject) -> JsonObject:
    resources = container.get("resources") or _NOTHING
    return {**container, "resources": {**resources, "limits": {**default, **(resources.get("limits") or {})}}}


def is_outside_limits(spec: JsonObject, limits: LimitSummary) -> bool:
    """Whether a container, or the whole pod, has more than a maximum or less than a minimum.

    ``spec`` has its requests already, as ``completed_spec`` gives them. Overhead does not count.
    """
    if not limits:
        return False
    full = with_default_limits(spec, limits)
    containers = ((amounts(each, "requests"), amounts(each, "limits")) for each in containers_of(full))
    whole = spec_requests(full, overhead=False), spec_limits(full, overhead=False)
    return any(_is_outside(*each, limits, "Container") for each in containers) or _is_outside(*whole, limits, "Pod")


def least_requests(spec: JsonObject, limits: LimitSummary | None) -> Mapping[str, int]:
    """The smallest request of a pod that is not outside, by resource that LimitRanges bound from below.

    In thousandths of CPUs, and in units of the rest; without overhead.
    """
    if not limits:
        return _UNBOUNDED
    of_container, of_pod = bounds_of(limits, "Container", "min"), bounds_of(limits, "Pod", "min")
    if not of_container and not of_pod:
        return _UNBOUNDED
    sums = spec_requests({name: _lowest(spec.get(name), of_container) for name in _CONTAINERS}, overhead=False)
    found = {r: max(sums.get(r, 0), of_pod[r].nano if r in of_pod else 0) for r in sorted({*of_container, *of_pod})}
    return {r: -(-amount // (_THOUSANDTH if r == "cpu" else _WHOLE)) for r, amount in found.items()}


def _lowest(containers: Any, bounds: Bounds) -> list[Json]:
    """The containers with the least that each may request: one that requests less, or nothing, is outside."""
    least: Json = {"requests": {resource: bound.text for resource, bound in bounds.items()}}
    return [{**(each or _NOTHING), "resources": least} for each in containers or ()]


def _is_outside(requests: Amounts, caps: Amounts, limits: LimitSummary, kind: str) -> bool:
    """Whether amounts are outside the bounds of a type; a missing limit or request is outside, too."""
    for resource, bound in bounds_of(limits, kind, "max").items():
        if resource not in caps or max(caps[resource], requests.get(resource, 0)) > bound.nano:
            return True
    for resource, bound in bounds_of(limits, kind, "min").items():
        if resource not in requests or min(requests[resource], caps.get(resource, bound.nano)) < bound.nano:
            return True
    return False
