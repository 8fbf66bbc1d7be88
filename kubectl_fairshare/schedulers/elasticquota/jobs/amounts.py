"""What a pod adds to its quota, and what it uses on a node: two sums over the same containers.

The quota's sum rounds each container's list before it adds, takes the largest of the init containers, including
sidecars, and ignores pod-level resources and in-place resizes. The node's sum is that of Kubernetes.
Source: scheduler-plugins' CapacityScheduling, ``computePodResourceRequest``; Kubernetes 1.35, requests of pods.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.pod_shape import Items, RequestShape, item_amounts, request_of_shape
from kubectl_fairshare.jobs.requests import AMOUNTS, Arithmetic, InitList, RequestLaw, of_containers
from kubectl_fairshare.model.quantity import native
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

CHARGE: Final = RequestLaw(sidecars_stay=False, whole=False)
"""How a pod adds up for its quota."""
_VECTORS: Final = Arithmetic(Vector(), plus, largest)
_NANO: Final = 10**9
_CPU_NANO: Final = 10**6


class Amounts(NamedTuple):
    """What a pod adds to its quota, and what it uses on a node; ``bare`` is the charge without overhead."""

    charge: Vector
    request: Vector
    bare: Vector


@lru_cache(maxsize=4096)
def amounts_of(shape: RequestShape) -> Amounts:
    """Both sums. Raises ``QuantityError`` for a malformed amount, and for a negative one: no API server takes it."""
    init = (InitList(_vector(each.requests), each.sidecar) for each in shape.init)
    bare = of_containers((_vector(each.requests) for each in shape.containers), init, _VECTORS, CHARGE)
    charge = plus(bare, _vector(shape.overhead)) if shape.overhead else bare
    return Amounts(charge, _request(shape), bare)


def _vector(items: Items) -> Vector:
    return vector_of({resource: native(value) for resource, value in items})


def _request(shape: RequestShape) -> Vector:
    asked = AMOUNTS.plus(request_of_shape(shape, resized=True), item_amounts(shape.overhead, shape))
    return vector_from({r: _whole_units(shape, r, amount) for r, amount in asked.items() if is_held(r) and r != PODS})


def _whole_units(shape: RequestShape, resource: str, amount: int) -> int:
    """An amount of 10⁻⁹ in the scheduler's units. A single amount that does not fit is read from its text."""
    units = -(-amount // (_CPU_NANO if resource == CPU else _NANO))
    if units <= scaled.LARGEST:
        return units
    lists = [c.requests for c in (*shape.containers, *shape.init)] + [shape.overhead]
    texts = [items[resource] for items in map(dict, lists) if resource in items]
    if len(texts) == 1:
        return scaled.milli(texts[0]) if resource == CPU else scaled.units(texts[0])
    return scaled.wrapped(units)
