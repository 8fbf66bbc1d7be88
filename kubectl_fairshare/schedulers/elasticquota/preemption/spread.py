"""What all nodes together could give a pod if no single node can.

The scheduler evicts pods of one node only, even if only a quota keeps the pod out. KEP-9 calls this its cross-node
limitation.
Example: ``a`` may reclaim 4 cpu, and ``b`` borrows 2 cpu on each of two nodes. No single node gives 4 cpu, so nothing
is evicted, although all nodes together would.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/capacity_scheduling.go,
``SelectVictimsOnNode``; https://github.com/kubernetes-sigs/scheduler-plugins/tree/903da7d/kep/9-capacity-scheduling.
"""

from collections.abc import Iterable, Mapping, Sequence

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import (
    CPU,
    MEMORY,
    STORAGE,
    ZERO,
    Excess,
    Vector,
    minus,
    plus,
)
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Load
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import (
    QuotaPreemption,
    Scene,
    Taken,
    excesses_of,
    take,
)
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.fit import keeps_off
from kubectl_fairshare.schedulers.kubescheduler.importance import least_first


class NodeRoom(Value, frozen=True):
    """What one node could give: what is free, and what preemptible pods hold there.

    ``free`` is None for a node that is known only by its pods. ``excesses`` is what the quotas would still lack if all
    those pods left this node and no other.
    """

    node: str
    free: Vector | None
    takeable: Vector
    pods: int
    excesses: tuple[Excess, ...]


class Spread(Value, frozen=True):
    """Why no single node is enough although all together would be.

    ``quotas_allow``: with every preemptible pod of all nodes gone, the quotas admit the pod. ``in_sum``: free and
    preemptible amounts of all nodes together are enough. ``rooms`` are the nodes, largest room first.
    """

    rooms: tuple[NodeRoom, ...]
    quotas_allow: bool
    in_sum: bool
    takeable: int

    @property
    def is_reason(self) -> bool:
        """Whether the split over nodes is the only reason that keeps the pod out."""
        return self.quotas_allow and self.in_sum


def spread(state: State, attempt: Attempt) -> Spread:
    """What each node could give, and what all nodes could give together."""
    pod, search = attempt.pod, _question(state, attempt)
    on = _by_node(state)
    # All pods in one order, as on one large node: a borrower gives only until it is within its min, on whichever node.
    everybody = least_first([pod for pods in on.values() for pod in pods])
    taken, scene = take(search, Scene(Load(), state.ledger), everybody)
    open_nodes = [name for name, node in state.nodes.items() if not keeps_off(attempt.demand, node)]
    names = open_nodes if state.nodes else list(on)
    rooms = [_room(state, attempt, name, on.get(name, ())) for name in names]
    rooms.sort(key=lambda room: (-_share(room, pod.request), room.node))
    return Spread(
        tuple(rooms),
        quotas_allow=excesses_of(pod, attempt.gate, scene.ledger)[0] is None,
        in_sum=_enough(rooms, _held_by_node(taken), pod.request),
        takeable=len(taken),
    )


def _question(state: State, attempt: Attempt) -> QuotaPreemption:
    return QuotaPreemption(state, attempt.pod, attempt.demand, attempt.gate)


def _held_by_node(taken: Iterable[Taken]) -> Mapping[str, Vector]:
    """What the pods that can be evicted together hold on each node."""
    held: dict[str, Vector] = {}
    for each in taken:
        held[each.pod.node] = plus(held.get(each.pod.node, ZERO), each.pod.request)
    return held


def _by_node(state: State) -> Mapping[str, Sequence[Pod]]:
    """The pods on each node; without Node objects, also for nodes that only pods name."""
    if state.nodes:
        return state.pods
    on: dict[str, list[Pod]] = {}
    for pod in state.source.pods:
        if pod.node:
            on.setdefault(pod.node, []).append(pod)
    return {name: on[name] for name in sorted(on)}


def _room(state: State, attempt: Attempt, name: str, pods: Sequence[Pod]) -> NodeRoom:
    scene = Scene(state.loads.get(name, Load()), state.ledger)
    taken, bare = take(_question(state, attempt), scene, least_first(pods))
    held = ZERO
    for each in taken:
        held = plus(held, each.pod.request)
    node = state.nodes.get(name)
    free = None if node is None else minus(node.allocatable, state.loads[name].requested)
    return NodeRoom(name, free, held, len(taken), excesses_of(attempt.pod, attempt.gate, bare.ledger)[1])


def _requested_resources(request: Vector) -> list[str]:
    return [r for r in (CPU, MEMORY, STORAGE, *sorted(request.scalars)) if request.of(r) > 0]


def _share(room: NodeRoom, request: Vector) -> float:
    """The part of the request that the node could give, for the resource with the smallest part: at most 1."""
    given = plus(room.free or ZERO, room.takeable)
    return min(
        (max(0, min(given.of(r), request.of(r))) / request.of(r) for r in _requested_resources(request)), default=1.0
    )


def _enough(rooms: Sequence[NodeRoom], held: Mapping[str, Vector], request: Vector) -> bool:
    """Whether all nodes together have enough of every resource after the pods that can leave together are gone.

    That can be less than the sum over nodes: a namespace that borrows a little does so on each of them. An overfull
    node does not reduce the others.
    """
    given = [plus(room.free or ZERO, held.get(room.node, ZERO)) for room in rooms]
    # An overfull node counts 0, not less: its lack takes nothing from other nodes.
    return all(sum(max(0, each.of(r)) for each in given) >= request.of(r) for r in _requested_resources(request))
