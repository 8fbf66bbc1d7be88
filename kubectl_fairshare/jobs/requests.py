"""What a pod requests: one law, with options for what schedulers really do differently.

A pod requests, of each resource, the most that runs together: its containers with the sidecars, or an init container
with the sidecars before it. Requests of the pod as a whole replace that, and overhead is added.

- works: containers 1 and 1, a sidecar 1, then an init container 4: the larger of 1 + 1 + 1 and 1 + 4, so 5
- does not: all containers added (7), because init containers have ended before the containers start; nor the larger of
  the containers and any init container (4), because a sidecar goes on next to both

Resource lists come in several forms, each with its ``Arithmetic``: amounts, the parts that they are made of, texts as
messages print them, a scheduler's own integers.
Source: Kubernetes 1.35, ``PodRequests`` (KEP-753, KEP-2837) and the defaults of Pods. A house has
the law of its scheduler, with the source.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.quantity import nano, native
from kubectl_fairshare.model.values import Value

Which = Literal["requests", "limits"]
Amounts: TypeAlias = Mapping[str, int]
"""Amounts in 10⁻⁹, by resource."""
List = TypeVar("List")
Amount = TypeVar("Amount")
_SHARED: Final = ("cpu", "memory")
"""The resources of which a pod as a whole may request less than its limit."""


class RequestLaw(Value, frozen=True):
    """How a scheduler adds up a pod, and completes its requests before. The defaults are those of Kubernetes itself.

    - ``limits_first``: a missing request is the limit, and only without a limit a LimitRange's default: an API server
      completes Pods in this order
    - ``containers_first``: what the pod as a whole does not request is what its containers request, before it is the
      limit of the whole: an API server again
    - ``whole``: requests of the pod as a whole count
    - ``whole_defaults``: the whole gets requests from its limits and from LimitRanges
    - ``whole_at_least``: the requests of the whole count only where they are larger
    - ``sidecars_stay``: sidecars count next to the containers, otherwise as other init containers do
    - ``sidecars_peak``: the sidecars alone are a moment, too, which matters only where sums are odd: an amount below 0
    - ``native``: amounts get the defaults of Kubernetes' own kinds; ``negative``: those below 0 count, else they are an
      error
    """

    limits_first: bool = True
    containers_first: bool = True
    whole: bool = True
    whole_defaults: bool = True
    whole_at_least: bool = False
    sidecars_stay: bool = True
    sidecars_peak: bool = True
    native: bool = True
    negative: bool = False


class Arithmetic(NamedTuple, Generic[List]):
    """How resource lists of one form add up; of equal amounts, ``largest`` keeps that of its first list."""

    nothing: List
    plus: Callable[[List, List], List]
    largest: Callable[[List, List], List]


class InitList(NamedTuple, Generic[List]):
    """What an init container requests."""

    requests: List
    sidecar: bool


class Stated(NamedTuple, Generic[Amount]):
    """What one place states, by resource: a container, the pod as a whole, or the defaults of LimitRanges for it."""

    requests: Mapping[str, Amount]
    limits: Mapping[str, Amount]


def _plus(a: Amounts, b: Amounts) -> Amounts:
    return {**a, **{r: a.get(r, 0) + v for r, v in b.items()}} if a and b else a or b


def _largest(a: Amounts, b: Amounts) -> Amounts:
    return {**a, **{r: max(a.get(r, v), v) for r, v in b.items()}} if a and b else a or b


POD_LAW: Final = RequestLaw()
_NOTHING: Final[JsonObject] = {}
_MILLI: Final = 10**6
AMOUNTS: Final = Arithmetic[Amounts]({}, _plus, _largest)


def of_containers(
    containers: Iterable[List], init: Iterable[InitList[List]], by: Arithmetic[List], law: RequestLaw = POD_LAW
) -> List:
    """The most that the containers of a pod request together."""
    running = peak = sidecars = by.nothing
    for each in containers:
        running = by.plus(running, each)
    for requests, sidecar in init:
        if sidecar and law.sidecars_stay:
            sidecars = by.plus(sidecars, requests)
            peak = by.largest(peak, sidecars) if law.sidecars_peak else peak
        else:  # what an init container requests comes first: a sum is written like its first part
            moment = by.plus(requests, sidecars) if law.sidecars_stay else requests
            peak = by.largest(peak, moment)
    return by.largest(by.plus(running, sidecars), peak)


def with_whole(
    found: Mapping[str, Amount],
    whole: Mapping[str, Amount],
    by: Arithmetic[Mapping[str, Amount]],
    law: RequestLaw = POD_LAW,
) -> Mapping[str, Amount]:
    """What the containers request together, with the requests of the pod as a whole."""
    counting = {r: amount for r, amount in whole.items() if law.whole and is_pod_level(r)}
    return by.largest(found, counting) if law.whole_at_least else {**found, **counting}


def is_pod_level(resource: str) -> bool:
    """Whether a pod as a whole can request the resource; what it requests of others does not count."""
    return resource in _SHARED or resource.startswith("hugepages-")


def completed(own: Stated[Amount], defaults: Stated[Amount], law: RequestLaw = POD_LAW) -> dict[str, Amount]:
    """The requests of a place, with those that it does not write; ``defaults`` are those of LimitRanges."""
    if law.limits_first:
        return {**defaults.requests, **own.limits, **own.requests}
    return {**defaults.limits, **own.limits, **defaults.requests, **own.requests}


def completed_whole(own: Stated[Amount], containers: Mapping[str, Amount]) -> dict[str, Amount]:
    """The requests of a pod as a whole as an API server completes them, if the whole has limits.

    ``containers`` is what these request together, before LimitRanges add defaults: that comes later. Huge pages cannot
    be shared out twice, so the whole requests its limit.
    """
    if not own.limits:
        return dict(own.requests)
    shared = {r: amount for r, amount in containers.items() if r in _SHARED}
    return {**own.limits, **shared, **own.requests}


def containers_of(spec: JsonObject) -> Iterator[JsonObject]:
    """All containers of a manifest, init containers and sidecars among them."""
    for field in ("containers", "initContainers"):
        yield from (container or _NOTHING for container in spec.get(field) or ())


def amounts(owner: JsonObject, which: Which) -> Amounts:
    """The requests or the limits of a container, or those of the pod as a whole, as an API server stores them.

    Raises ``QuantityError`` for an amount that is not a quantity.
    """
    return _stored((owner.get("resources") or _NOTHING).get(which))


def _stored(listed: JsonObject | None) -> Amounts:
    return {resource: -(-nano(native(value)) // _MILLI) * _MILLI for resource, value in (listed or _NOTHING).items()}


def spec_requests(spec: JsonObject, *, overhead: bool = True) -> Amounts:
    """What a pod requests that an API server has completed. Raises ``QuantityError`` as ``amounts`` does."""
    found = _of_spec(spec, "requests")
    return AMOUNTS.plus(found, _stored(spec.get("overhead"))) if overhead else found


def spec_limits(spec: JsonObject, *, overhead: bool = True) -> Amounts:
    """The limits of a pod, which add up like requests; overhead only raises a limit that is there.

    Source: Kubernetes 1.35, ``PodLimits``.
    """
    found = _of_spec(spec, "limits")
    more = {r: value for r, value in _stored(spec.get("overhead")).items() if overhead and found.get(r)}
    return AMOUNTS.plus(found, more)


def _of_spec(spec: JsonObject, which: Which) -> Amounts:
    containers = (amounts(each or _NOTHING, which) for each in spec.get("containers") or ())
    init = [each or _NOTHING for each in spec.get("initContainers") or ()]
    starting = (InitList(amounts(each, which), each.get("restartPolicy") == "Always") for each in init)
    found = of_containers(containers, starting, AMOUNTS)
    return with_whole(found, amounts(spec, which), AMOUNTS) if spec.get("resources") else found
