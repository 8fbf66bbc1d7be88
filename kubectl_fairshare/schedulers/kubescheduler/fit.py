"""What the filters of nodes say: whether a pod fits, and what the node lacks.

Why not one verdict for all nodes without room: a pod of 8 cpu on a node of 6 cpu cannot be helped by any eviction, and
on a full node of 8 cpu it can. Preemption is tried on the second only.
Source: https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/framework/plugins/noderesources/fit.go,
``fitsRequest``; the filters NodeUnschedulable, TaintToleration and NodeAffinity.
Tested in ``tests/unit/schedulers/elasticquota/nodes/test_fit.py``.
"""

from collections.abc import Callable, Collection, Iterable
from enum import StrEnum
from typing import Any, Protocol, Self, TypeVar

from kubectl_fairshare.jobs.node_demand import Barrier, FilterStatus, LabelledNode, NodeDemand, barrier
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kubescheduler.objects import PluginPod


class Lack(Value, frozen=True):
    """What keeps a pod off a node. Amounts are None if the reason is not an amount; ``detail`` then names it."""

    law: StrEnum
    resource: str = ""
    requested: int | None = None
    used: int | None = None
    allocatable: int | None = None
    detail: str = ""


class FilterResult(Value, frozen=True):
    """The filters' verdict on a node, and what it lacks."""

    status: FilterStatus
    lacks: tuple[Lack, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the pod fits."""
        return self.status is FilterStatus.SUCCESS


class NodeLoad(Protocol):
    """What a node holds, in the plugin's amounts."""

    def including(self, pod: Any) -> Self:
        """The load with the pod."""


AnyLoad = TypeVar("AnyLoad", bound=NodeLoad)
PASSED = FilterResult(FilterStatus.SUCCESS)


def barred_result(found: Barrier, laws: type[StrEnum]) -> FilterResult:
    """The verdict on a node that excludes the pod, whatever amounts are free."""
    # Also a cordoned node or a taint: evicting pods changes none of these, so that no victim is looked for there.
    return FilterResult(FilterStatus.UNRESOLVABLE, (Lack(laws[found.kind.name], detail=found.detail),))


def room_verdict(load: AnyLoad, peers: Iterable[Any], lacks: Callable[[AnyLoad], Iterable[Lack]]) -> FilterResult:
    """The verdict by amounts alone, both with and without ``peers``, the pods that count as there already."""
    crowded = load
    for peer in peers:
        crowded = crowded.including(peer)
    result = _verdict(lacks(crowded))
    # Once more without the nominated pods, as the scheduler does: they may never come.
    return result if crowded is load or not result.passed else _verdict(lacks(load))


def _verdict(lacks: Iterable[Lack]) -> FilterResult:
    """Preemption cannot make room beyond what the node has."""
    found = tuple(lacks)
    if not found:
        return PASSED
    # One such resource is enough, whatever else may be freed. Too many pods never is: that can be helped by evictions.
    beyond = any(lack.law.name == "EXCEEDS_NODE" for lack in found)
    return FilterResult(FilterStatus.UNRESOLVABLE if beyond else FilterStatus.UNSCHEDULABLE, found)


def beyond_nodes(results: Iterable[FilterResult]) -> list[dict[str, tuple[int, int]]]:
    """For each node what the pod requests beyond all that the node has, and how much that is."""
    lacking = ([lack for lack in result.lacks if lack.law.name == "EXCEEDS_NODE"] for result in results)
    return [{lack.resource: (lack.requested or 0, lack.allocatable or 0) for lack in lacks} for lacks in lacking]


Nominated = TypeVar("Nominated", bound=PluginPod[Any])


def known_nominated(
    pod: PluginPod[Any], there: Iterable[Nominated], profiles: Collection[str] | None
) -> list[Nominated]:
    """The nominated pods that the pod's scheduler knows: its own."""
    # Profiles of one program share the list of nominated pods; another program has its own.
    names = {pod.scheduler, *profiles} if profiles is not None and pod.scheduler in profiles else {pod.scheduler}
    return [other for other in there if other.scheduler in names]


def nominated_peers(
    pod: PluginPod[Any], there: Iterable[Nominated], profiles: Collection[str] | None
) -> tuple[Nominated, ...]:
    """Pods nominated to a node that are at least as important: the scheduler counts them as if they ran there.

    Source: ``addGENominatedPods`` of the scheduler's framework.
    """
    known = known_nominated(pod, there, profiles)
    # Equal priorities count: the pod that was nominated first keeps its place.
    return tuple(other for other in known if other.priority >= pod.priority and other.uid != pod.uid)


def keeps_off(demand: NodeDemand, node: LabelledNode) -> bool:
    """Whether the node excludes the pod, whatever amounts are free."""
    return barrier(demand, node) is not None
