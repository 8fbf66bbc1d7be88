"""What a pod requests: exact sums over its containers.

The larger of containers plus sidecars, and an init container plus the sidecars before it; pod-level requests replace
those; overhead is added. On a node, a container that is resized in place counts with the largest of its amounts; in a
quota only its requests count.
Source: Kubernetes 1.35, ``PodRequests``; Koordinator calls it without options.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.limits import LimitSummary, bounds_of
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.quantity import QuantityError, nano
from kubectl_fairshare.schedulers.koordinator.model import written
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts
from kubectl_fairshare.schedulers.koordinator.model.names import RENAMED, renamed
from kubectl_fairshare.schedulers.koordinator.model.written import WrittenList, written_list

Items = tuple[tuple[str, Json], ...]
_NOTHING: Final[JsonObject] = {}
_MILLI: Final = 10**6
_POD_LEVEL: Final = ("cpu", "memory")


class ContainerAmounts(NamedTuple):
    """The requests of one container; ``actual`` are those that an in-place resize has not released yet."""

    requests: Items
    sidecar: bool = False
    actual: tuple[Items, ...] = ()
    infeasible: bool = False


class PodShape(NamedTuple):
    """The fields that a pod's sums depend on; pods of one shape are computed once.

    ``finest``: no amount is rounded to thousandths, because an API server has stored it as it is.
    """

    containers: tuple[ContainerAmounts, ...]
    init: tuple[ContainerAmounts, ...] = ()
    overhead: Items = ()
    whole: tuple[Items, Items] | None = None
    finest: bool = True


class PodAmounts(NamedTuple):
    """What a pod adds to its quota, the same without overhead, and what it uses on a node."""

    charged: Amounts
    bare: Amounts
    request: Amounts


def shape_of(
    spec: JsonObject, status: JsonObject, limits: LimitSummary | None, overhead: Items, *, taken: bool
) -> PodShape:
    """The shape of a pod. ``limits`` are the LimitRanges for a pod that no API server has completed yet.

    ``overhead`` is that of its RuntimeClass, for a pod that sets none. Raises the errors of fields of the wrong type.
    """
    whole = spec.get("resources")
    return PodShape(
        tuple(_containers(spec.get("containers"), status.get("containerStatuses"), status, limits)),
        tuple(_containers(spec.get("initContainers"), status.get("initContainerStatuses"), status, limits)),
        _items(spec.get("overhead")) or overhead,
        None if whole is None else (_items(whole.get("requests")), _items(whole.get("limits"))),
        taken,
    )


def _items(amounts: JsonObject | None) -> Items:
    return tuple(renamed(amounts, RENAMED).items()) if amounts else ()


def _containers(
    containers: Json, states: Json, status: JsonObject, limits: LimitSummary | None
) -> Iterator[ContainerAmounts]:
    reported = {state["name"]: state for state in states or () if state.get("resources") is not None}
    for container in containers or ():
        resources = container.get("resources") or _NOTHING
        requests = resources.get("requests") or _NOTHING
        if bounds := resources.get("limits"):
            requests = {**bounds, **requests}
        if limits:
            default = bounds_of(limits, "Container", "defaultRequest")
            requests = {**{r: f"{bound.nano}n" for r, bound in default.items()}, **requests}
        actual = tuple(_actual(reported[container["name"]], requests)) if container.get("name") in reported else ()
        sidecar = container.get("restartPolicy") == "Always"
        yield ContainerAmounts(_items(requests), sidecar, actual, bool(actual) and _is_infeasible(status))


def _actual(state: JsonObject, requests: JsonObject) -> Iterator[Items]:
    """The lists in a container's status, if one of them differs from the request."""
    lists = (state["resources"].get("requests") or _NOTHING, state.get("allocatedResources") or _NOTHING)
    if any(amounts and amounts != requests for amounts in lists):
        yield from map(_items, lists)


def _is_infeasible(status: JsonObject) -> bool:
    pending = [c for c in status.get("conditions") or () if c["type"] == "PodResizePending"]
    return bool(pending) and pending[0].get("reason") == "Infeasible"


@lru_cache(maxsize=4096)
def amounts_of_shape(shape: PodShape) -> PodAmounts:
    """All three sums. Raises ``QuantityError`` for a malformed or negative amount."""
    bare = _request(shape, resizing=False)
    overhead = _nanos(shape.overhead, shape)
    charged = _sum(bare, overhead) if overhead else bare
    resized = any(c.actual for c in (*shape.containers, *shape.init))
    return PodAmounts(charged, bare, _sum(_request(shape, resizing=True), overhead) if resized else charged)


def _nanos(items: Items, shape: PodShape) -> dict[str, int]:
    amounts = {resource: nano(value) for resource, value in items}
    if any(value < 0 for value in amounts.values()):
        raise QuantityError("a pod requests a negative amount")
    return amounts if shape.finest else {r: -(-value // _MILLI) * _MILLI for r, value in amounts.items()}


def _request(shape: PodShape, *, resizing: bool) -> dict[str, int]:
    """The sum without overhead."""
    found = _of_containers(shape, resizing=resizing)
    if shape.whole is not None:
        requests, limits = (_nanos(items, shape) for items in shape.whole)
        whole = {**limits, **found, **requests} if limits else requests
        found.update({r: v for r, v in whole.items() if r in _POD_LEVEL or r.startswith("hugepages-")})
    return found


def _of_containers(shape: PodShape, *, resizing: bool) -> dict[str, int]:
    running: dict[str, int] = {}
    for each in shape.containers:
        running = _sum(running, _effective(each, shape, resizing=resizing))
    sidecars: dict[str, int] = {}
    peak: dict[str, int] = {}
    for each in shape.init:
        requests = _effective(each, shape, resizing=resizing and each.sidecar)
        moment = _sum(sidecars, requests)
        if each.sidecar:
            sidecars, running = moment, _sum(running, requests)
        peak = _largest(peak, moment)
    return _largest(running, peak)


def _effective(of: ContainerAmounts, shape: PodShape, *, resizing: bool) -> dict[str, int]:
    """The requests; during an in-place resize the largest of desired, allocated and actual ones."""
    requests = _nanos(of.requests, shape)
    if not of.actual or not resizing:
        return requests
    held: dict[str, int] = {} if of.infeasible else requests
    for items in of.actual:
        held = _largest(held, _nanos(items, shape))
    return held


def _sum(a: dict[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {**a, **{r: a.get(r, 0) + v for r, v in b.items()}}


def _largest(a: dict[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {**a, **{r: max(a.get(r, v), v) for r, v in b.items()}}


@lru_cache(maxsize=4096)
def written_request(shape: PodShape, *, overhead: bool) -> WrittenList:
    """The pod's request as messages print it."""
    running = _written(each.requests for each in shape.containers)
    sidecars: WrittenList = {}
    peak: WrittenList = {}
    for each in shape.init:
        requests = written_list(dict(each.requests))
        moment = written.plus(sidecars, requests) if sidecars else requests
        if each.sidecar:
            running, sidecars = written.plus(running, requests), moment
        peak = written.larger(peak, moment)
    found = written.larger(running, peak)
    if shape.whole is not None:
        found = {**found, **written_list(dict(shape.whole[0]))}
    return written.plus(found, written_list(dict(shape.overhead))) if overhead else found


def _written(each: Iterable[Items]) -> WrittenList:
    return written.total_of(written_list(dict(items)) for items in each)
