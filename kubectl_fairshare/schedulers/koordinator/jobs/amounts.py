"""What a pod requests in a quota and on a node, in Koordinator's resource names, and as its messages print it.

Source: Kubernetes 1.35, ``PodRequests``; Koordinator calls it without options.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.limits import LimitSummary
from kubectl_fairshare.jobs.pod_shape import (
    Items,
    RequestShape,
    is_resized,
    item_amounts,
    items_of,
    request_of_shape,
    shape_of,
)
from kubectl_fairshare.jobs.requests import AMOUNTS, Arithmetic, InitList, of_containers, with_whole
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.koordinator.model import written
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts
from kubectl_fairshare.schedulers.koordinator.model.names import RENAMED, renamed
from kubectl_fairshare.schedulers.koordinator.model.written import WrittenList, written_list

_TEXTS: Final = Arithmetic[WrittenList]({}, written.plus, written.larger)


class PodAmounts(NamedTuple):
    """What a pod adds to its quota, the same without overhead, and what it uses on a node."""

    charge: Amounts
    bare: Amounts
    request: Amounts


def renamed_shape(
    spec: JsonObject, status: JsonObject, limits: LimitSummary | None, overhead: Items, *, stored: bool
) -> RequestShape:
    """The shape of a pod, its resources under their present names; see ``shape_of``."""
    return shape_of(spec, status, limits, overhead, stored=stored, items=_items)


def _items(amounts: JsonObject | None) -> Items:
    return items_of(amounts and renamed(amounts, RENAMED))


@lru_cache(maxsize=4096)
def amounts_of_shape(shape: RequestShape) -> PodAmounts:
    """All three sums. Raises ``QuantityError`` for a malformed or negative amount."""
    bare, overhead = request_of_shape(shape, resized=False), item_amounts(shape.overhead, shape)
    charge = AMOUNTS.plus(bare, overhead)
    on_node = AMOUNTS.plus(request_of_shape(shape, resized=True), overhead) if is_resized(shape) else charge
    return PodAmounts(charge, bare, on_node)


@lru_cache(maxsize=4096)
def written_request(shape: RequestShape, *, overhead: bool) -> WrittenList:
    """The pod's request as messages print it."""
    init = (InitList(written_list(dict(each.requests)), each.sidecar) for each in shape.init)
    found = of_containers((written_list(dict(each.requests)) for each in shape.containers), init, _TEXTS)
    found = with_whole(found, written_list(dict(shape.whole)), _TEXTS)
    return written.plus(found, written_list(dict(shape.overhead))) if overhead else found
