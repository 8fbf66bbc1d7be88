"""The fields of a pod that its requests depend on; fast, because a question may load fifty thousand pods.

Pods of one shape are added up once. On a node, a container that is resized in place counts with the largest of its
amounts; in a quota only its requests count.
Source: Kubernetes 1.35, ``PodRequests`` with and without ``UseStatusResources``.
Tested in ``tests/unit/jobs/test_requests.py``.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.limits import LimitSummary, bounds_of
from kubectl_fairshare.jobs.requests import (
    AMOUNTS,
    Amounts,
    InitList,
    Stated,
    completed,
    completed_whole,
    of_containers,
    with_whole,
)
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.quantity import QuantityError, nano, native

Items = tuple[tuple[str, Json], ...]
_NOTHING: Final[JsonObject] = {}
_MILLI: Final = 10**6


class ContainerShape(NamedTuple):
    """The requests of one container; ``actual`` are those that an in-place resize has not released yet."""

    requests: Items
    sidecar: bool = False
    actual: tuple[Items, ...] = ()
    infeasible: bool = False


class RequestShape(NamedTuple):
    """What a pod's requests depend on, with all that an API server completes. ``whole`` is for the pod as a whole.

    ``stored``: amounts are as an API server holds them, otherwise it rounds them up to thousandths.
    """

    containers: tuple[ContainerShape, ...]
    init: tuple[ContainerShape, ...] = ()
    overhead: Items = ()
    whole: Items = ()
    stored: bool = True


class _ShapeReading(NamedTuple):
    """How the containers of a pod are read; ``items`` gives resources the names that count."""

    status: JsonObject
    defaults: JsonObject
    items: Callable[[JsonObject], Items]


def items_of(amounts: JsonObject | None) -> Items:
    """A resource list that can be compared and kept."""
    return tuple(amounts.items()) if amounts else ()


def shape_of(
    spec: JsonObject,
    status: JsonObject,
    limits: LimitSummary | None,
    overhead: Items,
    *,
    stored: bool,
    items: Callable[[JsonObject], Items] = items_of,
) -> RequestShape:
    """The shape of a pod. ``limits`` are the LimitRanges for a pod that no API server has completed yet.

    ``overhead`` is that of its RuntimeClass, for a pod that sets none. Raises the errors of fields of the wrong type.
    """
    default = bounds_of(limits, "Container", "defaultRequest") if limits else None
    defaults = {r: bound.text for r, bound in default.items()} if default else _NOTHING
    reading = _ShapeReading(status, defaults, items)
    starting, written, whole = spec.get("initContainers"), spec.get("overhead"), spec.get("resources")
    shape = RequestShape(
        tuple(_containers(spec.get("containers"), status.get("containerStatuses"), reading)),
        tuple(_containers(starting, status.get("initContainerStatuses"), reading)) if starting else (),
        items(written) if written else overhead,
        (),
        stored,
    )
    return shape._replace(whole=_whole(spec, whole, shape, reading)) if whole else shape


def _whole(spec: JsonObject, whole: JsonObject, shape: RequestShape, reading: _ShapeReading) -> Items:
    own = Stated(whole.get("requests") or _NOTHING, whole.get("limits") or _NOTHING)
    if own.limits.keys() <= own.requests.keys() and not (own.limits and reading.defaults):
        return reading.items(own.requests)  # nothing is missing: the rest is the sum of the containers
    if reading.defaults:  # LimitRanges add theirs later
        shape = shape_of({**spec, "resources": None}, _NOTHING, None, (), stored=shape.stored)
    together = {r: f"{amount}n" for r, amount in container_amounts(shape, resized=False).items()}
    completed = completed_whole(own, together)
    if not reading.defaults:  # then these are the sums of the containers, which messages print in their own notation
        completed = {r: value for r, value in completed.items() if value is not together.get(r)}
    return reading.items(completed)


def _containers(containers: Json, states: Json, reading: _ShapeReading) -> Iterator[ContainerShape]:
    status, defaults, items = reading
    reported = {state["name"]: state for state in states if state.get("resources") is not None} if states else {}
    for container in containers or ():
        resources = container.get("resources") or _NOTHING
        requests, limits = resources.get("requests") or _NOTHING, resources.get("limits")
        if defaults or (limits and not limits.keys() <= requests.keys()):  # mostly nothing is missing
            requests = completed(Stated(requests, limits or _NOTHING), Stated(defaults, _NOTHING))
        sidecar = container.get("restartPolicy") == "Always"
        if reported and container.get("name") in reported:
            actual = tuple(_actual(reported[container["name"]], requests, reading))
            yield ContainerShape(items(requests), sidecar, actual, bool(actual) and _is_infeasible(status))
        else:
            yield ContainerShape(items(requests), sidecar)


def _actual(state: JsonObject, requests: JsonObject, reading: _ShapeReading) -> Iterator[Items]:
    """The lists in a container's status, if one of them differs from the request."""
    lists = (state["resources"].get("requests") or _NOTHING, state.get("allocatedResources") or _NOTHING)
    if any(amounts and amounts != requests for amounts in lists):
        yield from map(reading.items, lists)


def _is_infeasible(status: JsonObject) -> bool:
    pending = [c for c in status.get("conditions") or () if c["type"] == "PodResizePending"]
    return bool(pending) and pending[0].get("reason") == "Infeasible"


def is_resized(shape: RequestShape) -> bool:
    """Whether a resize has not released some amounts yet."""
    return any(each.actual for each in (*shape.containers, *shape.init))


def request_of_shape(shape: RequestShape, *, resized: bool) -> Amounts:
    """What the pod requests, without overhead: ``resized`` on a node, otherwise in a quota.

    Raises ``QuantityError`` for a malformed or negative amount.
    """
    found = container_amounts(shape, resized=resized)
    return with_whole(found, item_amounts(shape.whole, shape), AMOUNTS) if shape.whole else found


def container_amounts(shape: RequestShape, *, resized: bool) -> Amounts:
    """The same without that of the pod as a whole."""
    containers = (_effective(each, shape, resized=resized) for each in shape.containers)
    init = (InitList(_effective(e, shape, resized=resized and e.sidecar), e.sidecar) for e in shape.init)
    return of_containers(containers, init, AMOUNTS)


def item_amounts(items: Items, shape: RequestShape) -> Amounts:
    """One resource list of the pod. Raises ``QuantityError`` for a malformed or negative amount."""
    amounts = {resource: nano(native(value)) for resource, value in items}
    if any(value < 0 for value in amounts.values()):
        raise QuantityError("a pod requests a negative amount")
    return amounts if shape.stored else {r: -(-value // _MILLI) * _MILLI for r, value in amounts.items()}


def _effective(of: ContainerShape, shape: RequestShape, *, resized: bool) -> Amounts:
    """The requests; during an in-place resize the largest of desired, allocated and actual ones."""
    requests = item_amounts(of.requests, shape)
    if not of.actual or not resized:
        return requests
    held: Iterable[Items] = of.actual
    found: Amounts = {} if of.infeasible else requests
    for items in held:
        found = AMOUNTS.largest(found, item_amounts(items, shape))
    return found
