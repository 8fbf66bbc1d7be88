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
CORDON_TAINT: Final = "node.kubernetes.io/unschedulable"
_UNSCHEDULABLE: Final = Taint(CORDON_TAINT, "", "NoSchedule")
_CONDITIONS: Final = (
    *("not-ready", "unreachable", "memory-pressure", "disk-pressure", "pid-pressure"),
    "network-unavailable",
)
PASSING_TAINTS: Final = frozenset({CORDON_TAINT, *(f"node.kubernetes.io/{name}" for name in _CONDITIONS)})
"""The taints that Kubernetes' node lifecycle controller adds, and removes, by the state of the node."""


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


class NodeInService(NamedTuple):
    """A node once it is ready and not cordoned. Its state passes, so a pod that waits for it may be placed later."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    unschedulable: bool = False


def in_service(node: LabelledNode) -> NodeInService:
    """The node without its cordon, and without the taints of conditions that pass by themselves."""
    taints = tuple(taint for taint in node.taints if taint.key not in PASSING_TAINTS)
    return NodeInService(node.name, node.labels, taints)


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

    They have room now, or if not ``roomy``, they are the only ones that are large enough. If not ``large``, they are
    all nodes, and too small as well. Those that only their present state bars come first: the pod waits for them.
    """

    nodes: tuple[str, ...]
    first: Barrier
    roomy: bool
    large: bool = True


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


def is_only_cordoned(demand: NodeDemand, node: LabelledNode, uncordoned: LabelledNode) -> bool:
    """Whether the cordon alone excludes the pod from the node; ``uncordoned`` is the node without it."""
    return barrier(demand, node) is not None and barrier(demand, uncordoned) is None


def barred_nodes(
    demand: NodeDemand, nodes: Iterable[LabelledNode], has_room: Callable[[str], bool], is_large: Callable[[str], bool]
) -> BarredNodes | None:
    """The nodes that only a barrier keeps from a pod; None without one, or if other nodes are large enough.

    Where all nodes are barred, and none is large enough, they are all of them.
    """
    passing, lasting, open_ones = dict[str, Barrier](), dict[str, Barrier](), list[str]()
    for node in nodes:
        for_ever, now = barrier(demand, in_service(node)), barrier(demand, node)
        if for_ever is not None:
            lasting[node.name] = for_ever
        elif now is not None:
            passing[node.name] = now
        else:
            open_ones.append(node.name)
    kept_off = {**passing, **lasting}
    roomy = tuple(filter(has_room, kept_off))
    if roomy:
        return BarredNodes(roomy, kept_off[roomy[0]], roomy=True)
    if any(map(is_large, open_ones)):
        return None
    large = tuple(filter(is_large, kept_off))
    if large:
        return BarredNodes(large, kept_off[large[0]], roomy=False)
    if open_ones or not kept_off:
        return None
    return BarredNodes(tuple(kept_off), next(iter(kept_off.values())), roomy=False, large=False)


def _matches(term: NodeTerm, node: LabelledNode) -> bool:
    """Whether every requirement of a term holds; an empty term matches no node."""
    if not term.expressions and not term.fields:
        return False
    return _all(term.expressions, node.labels) and _all(term.fields, {"metadata.name": node.name})


def _all(requirements: Sequence[Requirement], labels: Mapping[str, str]) -> bool:
    return all(r.matches(labels) for r in requirements)
