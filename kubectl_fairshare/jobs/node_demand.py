"""Which nodes a pod may use, and which evictions a disruption budget counts, as kube-scheduler decides both."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.nodes import node_selector, required_affinity, tolerations
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import LabelSelector, NodeTerm, Requirement, Taint, Toleration
from kubectl_fairshare.model.values import Value

_FILTERING: Final = ("NoSchedule", "NoExecute")
_UNSCHEDULABLE: Final = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")


class NodeDemand(Value, frozen=True):
    """The nodes that a pod may use: its requirements apart from amounts.

    ``affinity`` None means no requirement; an empty tuple matches no node.
    """

    selector: tuple[Requirement, ...] = ()
    affinity: tuple[NodeTerm, ...] | None = None
    tolerations: tuple[Toleration, ...] = ()


class LabelledNode(Protocol):
    """What of a node keeps pods off it, whatever amounts are free."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def labels(self) -> Mapping[str, str]:
        """Its labels."""

    @property
    def taints(self) -> tuple[Taint, ...]:
        """Its taints."""

    @property
    def unschedulable(self) -> bool:
        """Whether it is cordoned."""


class LabelledPod(Protocol):
    """What of a pod a disruption budget selects by."""

    @property
    def key(self) -> ObjectKey:
        """Its namespace and name."""

    @property
    def labels(self) -> Mapping[str, str]:
        """Its labels."""


class FilterStatus(StrEnum):
    """The filters' verdict on a node, in the scheduler's words."""

    SUCCESS = "Success"
    UNSCHEDULABLE = "Unschedulable"
    UNRESOLVABLE = "UnschedulableAndUnresolvable"


class BarrierKind(StrEnum):
    """Why a node excludes a pod."""

    UNSCHEDULABLE = "unschedulable"
    UNTOLERATED_TAINT = "untolerated taint"
    AFFINITY_MISMATCH = "affinity mismatch"


class Barrier(NamedTuple):
    """What excludes a pod from a node; ``detail`` is the taint, or the label that the pod requires."""

    kind: BarrierKind
    detail: str = ""


class BarredNodes(Value, frozen=True):
    """Nodes that only a barrier keeps from a pod; ``first`` is the barrier of the first.

    They have room now, or if not ``roomy``, they are the only ones that are large enough.
    """

    nodes: tuple[str, ...]
    first: Barrier
    roomy: bool


class DisruptionBudget(Value, frozen=True):
    """A PodDisruptionBudget; ``selector`` None matches no pod. ``disrupted`` are pods whose eviction has begun."""

    key: ObjectKey
    selector: LabelSelector | None
    allowed: int
    disrupted: frozenset[str] = frozenset()

    def covers(self, pod: LabelledPod) -> bool:
        """Whether the budget counts a disruption of the pod; never of one without labels."""
        selector = self.selector
        return (
            self.key.namespace == pod.key.namespace
            and selector is not None
            and bool(selector.requirements)
            and bool(pod.labels)
            and selector.matches(pod.labels)
            and pod.key.name not in self.disrupted
        )


def read_demand(spec: Field) -> NodeDemand:
    """The nodes that a pod may use. Raises ``FairshareError`` for fields of the wrong type."""
    return NodeDemand(node_selector(spec), required_affinity(spec), tolerations(spec))


def barrier(demand: NodeDemand, node: LabelledNode) -> Barrier | None:
    """What excludes the pod from the node, whatever amounts are free."""
    if node.unschedulable and not any(t.tolerates(_UNSCHEDULABLE) for t in demand.tolerations):
        return Barrier(BarrierKind.UNSCHEDULABLE)
    for taint in node.taints:
        if taint.effect in _FILTERING and not any(t.tolerates(taint) for t in demand.tolerations):
            return Barrier(BarrierKind.UNTOLERATED_TAINT, f"{taint.key}={taint.value}:{taint.effect}")
    for requirement in demand.selector:
        if not requirement.matches(node.labels):
            return Barrier(BarrierKind.AFFINITY_MISMATCH, f"{requirement.key}={requirement.values[0]}")
    if demand.affinity is not None and not any(_matches(term, node) for term in demand.affinity):
        return Barrier(BarrierKind.AFFINITY_MISMATCH)
    return None


def barred_nodes(
    demand: NodeDemand, nodes: Iterable[LabelledNode], has_room: Callable[[str], bool], is_large: Callable[[str], bool]
) -> BarredNodes | None:
    """The nodes that only a barrier keeps from a pod; None without one, or if other nodes are large enough."""
    barriers = {node.name: barrier(demand, node) for node in nodes}
    kept_off = {name: found for name, found in barriers.items() if found is not None}
    roomy = tuple(filter(has_room, kept_off))
    if roomy:
        return BarredNodes(roomy, kept_off[roomy[0]], roomy=True)
    if any(is_large(name) for name in barriers if name not in kept_off):
        return None
    large = tuple(filter(is_large, kept_off))
    return BarredNodes(large, kept_off[large[0]], roomy=False) if large else None


def _matches(term: NodeTerm, node: LabelledNode) -> bool:
    """Whether every requirement of a term holds; an empty term matches no node."""
    if not term.expressions and not term.fields:
        return False
    return _all(term.expressions, node.labels) and _all(term.fields, {"metadata.name": node.name})


def _all(requirements: Sequence[Requirement], labels: Mapping[str, str]) -> bool:
    return all(r.matches(labels) for r in requirements)
