"""Whether a pod fits on a node: schedulable, taints, selector and affinity, then amounts.

Source: Kubernetes 1.35, the scheduler's filters NodeUnschedulable, TaintToleration, NodeAffinity, NodeResourcesFit.
"""

from collections.abc import Iterable, Iterator, Mapping

from kubectl_fairshare.jobs.node_demand import FilterStatus, NodeDemand, barrier
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.objects import Node, Pod

_PODS = "pods"


class Lack(Value, frozen=True):
    """What keeps a pod off a node. Amounts are in inner units, None if the reason is not an amount."""

    law: Law
    resource: str = ""
    requested: int | None = None
    used: int | None = None
    allocatable: int | None = None
    detail: str = ""


class Load(Value, frozen=True):
    """What a node holds, in inner units: the number of pods, and their sum; each pod is rounded by itself."""

    count: int = 0
    requested: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, pods: Iterable[Pod]) -> "Load":
        """The load of these pods."""
        count = 0
        requested: dict[str, int] = {}
        for pod in pods:
            count += 1
            for resource, value in pod.request.items():
                requested[resource] = requested.get(resource, 0) + whole(resource, value)
        return cls(count, requested)

    def without(self, pod: Pod) -> "Load":
        """The load without the pod."""
        return self._with(pod, -1)

    def including(self, pod: Pod) -> "Load":
        """The load with the pod."""
        return self._with(pod, 1)

    def _with(self, pod: Pod, sign: int) -> "Load":
        changed = {r: self.requested.get(r, 0) + sign * whole(r, v) for r, v in pod.request.items()}
        return Load(self.count + sign, {**self.requested, **changed})


class FilterResult(Value, frozen=True):
    """The filters' verdict on a node, and what it lacks."""

    status: FilterStatus
    lacks: tuple[Lack, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the pod fits."""
        return self.status is FilterStatus.SUCCESS


def filter_result(pod: Pod, demand: NodeDemand, node: Node, load: Load, peers: Iterable[Pod] = ()) -> FilterResult:
    """Whether the pod fits on the node, both with and without ``peers``, the pods that count as there already."""
    found = barrier(demand, node)
    if found is None:
        crowded = load
        for peer in peers:
            crowded = crowded.including(peer)
        result = room_result(pod, node, crowded)
        return result if crowded is load or not result.passed else room_result(pod, node, load)
    return FilterResult(FilterStatus.UNRESOLVABLE, (Lack(Law[found.kind.name], detail=found.detail),))


def keeps_off(demand: NodeDemand, node: Node) -> bool:
    """Whether the node excludes the pod, whatever amounts are free."""
    return barrier(demand, node) is not None


def room_result(pod: Pod, node: Node, load: Load) -> FilterResult:
    """The verdict by amounts alone."""
    lacks = tuple(_lacks(pod, node, load))
    if not lacks:
        return FilterResult(FilterStatus.SUCCESS)
    beyond = any(lack.law is Law.EXCEEDS_NODE for lack in lacks)
    return FilterResult(FilterStatus.UNRESOLVABLE if beyond else FilterStatus.UNSCHEDULABLE, lacks)


def _lacks(pod: Pod, node: Node, load: Load) -> Iterator[Lack]:
    slots = whole(_PODS, node.allocatable.get(_PODS, 0))
    if load.count + 1 > slots:
        yield Lack(Law.TOO_MANY_PODS, _PODS, 1, load.count, slots)
    for resource in sorted(pod.request):
        asked = whole(resource, pod.request[resource])
        there, used = whole(resource, node.allocatable.get(resource, 0)), load.requested.get(resource, 0)
        if resource != _PODS and asked > 0 and asked > there - used:
            law = Law.EXCEEDS_NODE if asked > there else Law.INSUFFICIENT
            yield Lack(law, resource, asked, used, there)
