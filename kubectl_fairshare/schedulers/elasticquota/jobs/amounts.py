"""What a pod adds to its quota, and what it uses on a node: two sums over the same containers.

The quota's sum rounds each container's list before it adds, takes the largest of the init containers, including
sidecars, and ignores pod-level resources and in-place resizes. The node's sum adds exactly, counts sidecars like
containers, and uses pod-level requests instead of the containers' requests.
Source: scheduler-plugins' CapacityScheduling; Kubernetes 1.35, requests of pods.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.limits import LimitSummary, bounds_of
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.quantity import QuantityError, nano
from kubectl_fairshare.schedulers.elasticquota.model import scaled
from kubectl_fairshare.schedulers.elasticquota.model.vector import (
    CPU,
    PODS,
    Vector,
    is_held,
    largest,
    plus,
    vector_from,
    vector_of,
)

Items = tuple[tuple[str, Json], ...]
_NANO: Final = 10**9
_CPU_NANO: Final = 10**6
_NOTHING: Final[JsonObject] = {}


class ContainerRequest(NamedTuple):
    """The requests of one container; ``actual`` are those that an in-place resize has not released yet."""

    requests: Items
    sidecar: bool = False
    actual: tuple[Items, ...] = ()
    infeasible: bool = False


class Shape(NamedTuple):
    """The fields that a pod's sums depend on; pods of one shape are computed once."""

    containers: tuple[ContainerRequest, ...]
    init: tuple[ContainerRequest, ...] = ()
    overhead: Items = ()
    whole: tuple[Items, Items] | None = None


class Amounts(NamedTuple):
    """What a pod adds to its quota, and what it uses on a node; ``bare`` is the charge without overhead."""

    charge: Vector
    request: Vector
    bare: Vector


def shape_of(spec: JsonObject, status: JsonObject, limits: LimitSummary | None, overhead: Items) -> Shape:
    """The shape of a pod. ``limits`` are the LimitRanges for a pod that no API server has completed yet.

    ``overhead`` is that of its RuntimeClass, for a pod that sets none. Raises the errors of fields of the wrong type.
    """
    whole = spec.get("resources")
    return Shape(
        tuple(_requests(spec.get("containers"), status.get("containerStatuses"), status, limits)),
        tuple(_requests(spec.get("initContainers"), status.get("initContainerStatuses"), status, limits)),
        tuple((spec.get("overhead") or _NOTHING).items()) or overhead,
        None if whole is None else (_items(whole.get("requests")), _items(whole.get("limits"))),
    )


def _items(amounts: JsonObject | None) -> Items:
    return tuple(amounts.items()) if amounts else ()


def _requests(
    containers: Json, states: Json, status: JsonObject, limits: LimitSummary | None
) -> Iterable[ContainerRequest]:
    reported = {state["name"]: state for state in states or () if state.get("resources") is not None}
    for container in containers or ():
        resources = container.get("resources") or _NOTHING
        requests = resources.get("requests") or _NOTHING
        if bounds := resources.get("limits"):
            requests = {**bounds, **requests}
        if limits:
            requests = _with_defaults(requests, limits)
        sidecar = container.get("restartPolicy") == "Always"
        if container.get("name") in reported:
            actual = tuple(_actual(reported[container["name"]], requests))
            if actual:
                yield ContainerRequest(tuple(requests.items()), sidecar, actual, _is_infeasible(status))
                continue
        yield ContainerRequest(tuple(requests.items()), sidecar)


def _with_defaults(requests: JsonObject, limits: LimitSummary) -> JsonObject:
    """The requests, with missing ones filled from LimitRanges."""
    default = bounds_of(limits, "Container", "defaultRequest")
    return {**{r: f"{bound.nano}n" for r, bound in default.items()}, **requests}


def _actual(state: JsonObject, requests: JsonObject) -> Iterable[Items]:
    """The lists in a container's status, if one of them differs from the request."""
    lists = (state["resources"].get("requests") or _NOTHING, state.get("allocatedResources") or _NOTHING)
    if any(amounts and amounts != requests for amounts in lists):
        yield from (tuple(amounts.items()) for amounts in lists)


def _is_infeasible(status: JsonObject) -> bool:
    pending = [c for c in status.get("conditions") or () if c["type"] == "PodResizePending"]
    return bool(pending) and pending[0].get("reason") == "Infeasible"


@lru_cache(maxsize=4096)
def amounts_of(shape: Shape) -> Amounts:
    """Both sums. Raises ``QuantityError`` for a malformed amount."""
    bare = _bare(shape)
    charge = plus(bare, vector_of(dict(shape.overhead))) if shape.overhead else bare
    return Amounts(charge, _request(shape), bare)


def _bare(shape: Shape) -> Vector:
    charge = Vector()
    for claim in shape.containers:
        charge = plus(charge, vector_of(dict(claim.requests)))
    for claim in shape.init:
        charge = largest(charge, vector_of(dict(claim.requests)))
    return charge


def _request(shape: Shape) -> Vector:
    asked = _of_containers(shape)
    if shape.whole is not None:
        requests, limits = shape.whole
        asked.update(_of_the_whole(_nanos(requests), _nanos(limits), asked))
    asked = _sum(asked, _nanos(shape.overhead))
    return vector_from({r: _whole_units(shape, r, amount) for r, amount in asked.items() if is_held(r) and r != PODS})


def _nanos(items: Items) -> dict[str, int]:
    """Amounts in 10⁻⁹. Raises ``QuantityError`` for negative ones too, because no API server accepts such a pod."""
    amounts = {resource: nano(value) for resource, value in items}
    if any(value < 0 for value in amounts.values()):
        raise QuantityError("a pod requests a negative amount")
    return amounts


def _of_containers(shape: Shape) -> dict[str, int]:
    """The larger of: containers plus sidecars; an init container plus the sidecars before it."""
    running: dict[str, int] = {}
    for claim in shape.containers:
        running = _sum(running, _effective(claim, may_resize=True))
    sidecars: dict[str, int] = {}
    peak: dict[str, int] = {}
    for claim in shape.init:
        requests = _effective(claim, may_resize=claim.sidecar)
        moment = _sum(sidecars, requests)
        if claim.sidecar:
            sidecars, running = moment, _sum(running, requests)
        peak = _largest(peak, moment)
    return _largest(running, peak)


def _effective(claim: ContainerRequest, *, may_resize: bool) -> dict[str, int]:
    """The requests; during an in-place resize the largest of desired, allocated and actual ones."""
    requests = _nanos(claim.requests)
    if not claim.actual or not may_resize:
        return requests
    held: dict[str, int] = {} if claim.infeasible else requests
    for items in claim.actual:
        held = _largest(held, _nanos(items))
    return held


def _of_the_whole(requests: dict[str, int], limits: Mapping[str, int], asked: Mapping[str, int]) -> dict[str, int]:
    """Pod-level requests. If the pod has only pod-level limits, its containers' requests come before the limit."""
    found = {**limits, **asked, **requests} if limits else requests
    return {r: v for r, v in found.items() if r in ("cpu", "memory") or r.startswith("hugepages-")}


def _sum(a: dict[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {**a, **{r: a.get(r, 0) + v for r, v in b.items()}}


def _largest(a: dict[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {**a, **{r: max(a.get(r, v), v) for r, v in b.items()}}


def _whole_units(shape: Shape, resource: str, amount: int) -> int:
    """An amount of 10⁻⁹ in the scheduler's units. A single amount that does not fit is read from its text."""
    units = -(-amount // (_CPU_NANO if resource == CPU else _NANO))
    if units <= scaled.LARGEST:
        return units
    lists = [c.requests for c in (*shape.containers, *shape.init)] + [shape.overhead]
    texts = [items[resource] for items in map(dict, lists) if resource in items]
    if len(texts) == 1:
        return scaled.milli(texts[0]) if resource == CPU else scaled.units(texts[0])
    return scaled.wrapped(units)
