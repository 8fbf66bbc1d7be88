"""Whether a pod fits on a node: schedulable, taints, selector and affinity, then amounts.

Source: Kubernetes 1.35, the scheduler's filters NodeUnschedulable, TaintToleration, NodeAffinity, NodeResourcesFit.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum

from kubectl_fairshare.model.selectors import NodeTerm, Requirement, Taint
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.objects import NodeDemand, Pod, SharedNode

_FILTERING = ("NoSchedule", "NoExecute")
_UNSCHEDULABLE = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")
_PODS = "pods"


class FilterStatus(StrEnum):
    """The filters' verdict on a node, in the scheduler's words."""

    SUCCESS = "Success"
    UNSCHEDULABLE = "Unschedulable"
    UNRESOLVABLE = "UnschedulableAndUnresolvable"


@dataclass(frozen=True, slots=True)
class NodeLack:
    """What keeps a pod off a node. Amounts are in inner units, None if the reason is not an amount."""

    law: Law
    resource: str = ""
    requested: int | None = None
    used: int | None = None
    allocatable: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class NodeLoad:
    """What a node holds, in inner units: the number of pods, and their sum; each pod is rounded by itself."""

    count: int = 0
    requested: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, pods: Iterable[Pod]) -> "NodeLoad":
        """The load of these pods."""
        count = 0
        requested: dict[str, int] = {}
        for pod in pods:
            count += 1
            for resource, value in pod.request.items():
                requested[resource] = requested.get(resource, 0) + whole(resource, value)
        return cls(count, requested)

    def without(self, pod: Pod) -> "NodeLoad":
        """The load without the pod."""
        return self._with(pod, -1)

    def including(self, pod: Pod) -> "NodeLoad":
        """The load with the pod."""
        return self._with(pod, 1)

    def _with(self, pod: Pod, sign: int) -> "NodeLoad":
        changed = {r: self.requested.get(r, 0) + sign * whole(r, v) for r, v in pod.request.items()}
        return NodeLoad(self.count + sign, {**self.requested, **changed})


@dataclass(frozen=True, slots=True)
class FilterResult:
    """The filters' verdict on a node, and what it lacks."""

    status: FilterStatus
    lacks: tuple[NodeLack, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the pod fits."""
        return self.status is FilterStatus.SUCCESS


def filter_result(pod: Pod, demand: NodeDemand, node: SharedNode, load: NodeLoad) -> FilterResult:
    """Whether the pod fits on the node."""
    barrier = _barrier(demand, node)
    return room_result(pod, node, load) if barrier is None else FilterResult(FilterStatus.UNRESOLVABLE, (barrier,))


def keeps_off(demand: NodeDemand, node: SharedNode) -> bool:
    """Whether the node excludes the pod, whatever amounts are free."""
    return _barrier(demand, node) is not None


def room_result(pod: Pod, node: SharedNode, load: NodeLoad) -> FilterResult:
    """The verdict by amounts alone."""
    lacks = tuple(_lacks(pod, node, load))
    if not lacks:
        return FilterResult(FilterStatus.SUCCESS)
    beyond = any(lack.law is Law.EXCEEDS_NODE for lack in lacks)
    return FilterResult(FilterStatus.UNRESOLVABLE if beyond else FilterStatus.UNSCHEDULABLE, lacks)


def _lacks(pod: Pod, node: SharedNode, load: NodeLoad) -> Iterator[NodeLack]:
    slots = whole(_PODS, node.allocatable.get(_PODS, 0))
    if load.count + 1 > slots:
        yield NodeLack(Law.TOO_MANY_PODS, _PODS, 1, load.count, slots)
    for resource in sorted(pod.request):
        asked = whole(resource, pod.request[resource])
        there, used = whole(resource, node.allocatable.get(resource, 0)), load.requested.get(resource, 0)
        if resource != _PODS and asked > 0 and asked > there - used:
            law = Law.EXCEEDS_NODE if asked > there else Law.INSUFFICIENT
            yield NodeLack(law, resource, asked, used, there)


def _barrier(demand: NodeDemand, node: SharedNode) -> NodeLack | None:
    """What excludes the pod from the node, whatever amounts are free."""
    if node.unschedulable and not any(t.tolerates(_UNSCHEDULABLE) for t in demand.tolerations):
        return NodeLack(Law.UNSCHEDULABLE)
    for taint in node.taints:
        if taint.effect in _FILTERING and not any(t.tolerates(taint) for t in demand.tolerations):
            return NodeLack(Law.UNTOLERATED_TAINT, detail=f"{taint.key}={taint.value}:{taint.effect}")
    for requirement in demand.selector:
        if not requirement.matches(node.labels):
            return NodeLack(Law.AFFINITY_MISMATCH, detail=f"{requirement.key}={requirement.values[0]}")
    if demand.affinity is not None and not any(_matches(term, node) for term in demand.affinity):
        return NodeLack(Law.AFFINITY_MISMATCH)
    return None


def _matches(term: NodeTerm, node: SharedNode) -> bool:
    """Whether every requirement of a term holds; an empty term matches no node."""
    if not term.expressions and not term.fields:
        return False
    return _all(term.expressions, node.labels) and _all(term.fields, {"metadata.name": node.name})


def _all(requirements: Sequence[Requirement], labels: Mapping[str, str]) -> bool:
    return all(r.matches(labels) for r in requirements)
