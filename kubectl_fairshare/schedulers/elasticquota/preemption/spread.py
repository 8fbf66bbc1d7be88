"""What all nodes together could give a pod that no single one can.

The scheduler takes victims from one node alone, even where only a quota is in the way. KEP-9 calls this its
cross-node limitation.
"""

from collections.abc import Iterable, Mapping, Sequence

from kubectl_fairshare.model.values import dataclass
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
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Load, keeps_off
from kubectl_fairshare.schedulers.elasticquota.nodes.importance import least_first
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import Scene, Taken, excesses_of, take
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State


@dataclass(frozen=True, slots=True)
class NodeRoom:
    """What one node could give: what is free, and what pods that may be taken hold there.

    ``node`` may be one of which only pods are known; then ``free`` is None. ``excesses`` is what quotas would
    still lack if all those pods left this node and no other.
    """

    node: str
    free: Vector | None
    takeable: Vector
    pods: int
    excesses: tuple[Excess, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """Why no single node does where all of them together would.

    ``quotas_allow``: with every pod gone that may be taken on any node, the quotas admit the pod. ``in_sum``: free and
    takeable amounts of all nodes together are enough. ``rooms`` are the nodes, the roomiest first.
    """

    rooms: tuple[NodeRoom, ...]
    quotas_allow: bool
    in_sum: bool
    takeable: int

    @property
    def is_reason(self) -> bool:
        """Whether being scattered over nodes is all that keeps the pod out."""
        return self.quotas_allow and self.in_sum


def spread(state: State, attempt: Attempt) -> Spread:
    """What each node could give, and what all could give together."""
    asker, gate = attempt.asker, attempt.gate
    on = _by_node(state)
    everybody = least_first([pod for pods in on.values() for pod in pods])
    taken, scene = take(state, asker, gate, Scene(Load(), state.ledger), everybody)
    open_nodes = [name for name, node in state.nodes.items() if not keeps_off(asker.demand, node)]
    names = open_nodes if state.nodes else list(on)
    rooms = [_room(state, attempt, name, on.get(name, ())) for name in names]
    rooms.sort(key=lambda room: (-_share(room, asker.pod.request), room.node))
    return Spread(
        tuple(rooms),
        quotas_allow=excesses_of(asker.pod, gate, scene.ledger)[0] is None,
        in_sum=_enough(rooms, _held_by_node(taken), asker.pod.request),
        takeable=len(taken),
    )


def _held_by_node(taken: Iterable[Taken]) -> Mapping[str, Vector]:
    """What pods that may all be taken at once hold of each node."""
    held: dict[str, Vector] = {}
    for each in taken:
        held[each.pod.node] = plus(held.get(each.pod.node, ZERO), each.pod.request)
    return held


def _by_node(state: State) -> Mapping[str, Sequence[Pod]]:
    """The pods on each node; on nodes that are only named by their pods too, where no node is given."""
    if state.nodes:
        return state.pods
    on: dict[str, list[Pod]] = {}
    for pod in state.source.pods:
        if pod.node:
            on.setdefault(pod.node, []).append(pod)
    return {name: on[name] for name in sorted(on)}


def _room(state: State, attempt: Attempt, name: str, pods: Sequence[Pod]) -> NodeRoom:
    asker, gate = attempt.asker, attempt.gate
    scene = Scene(state.loads.get(name, Load()), state.ledger)
    taken, bare = take(state, asker, gate, scene, least_first(pods))
    held = ZERO
    for each in taken:
        held = plus(held, each.pod.request)
    node = state.nodes.get(name)
    free = None if node is None else minus(node.allocatable, state.loads[name].requested)
    return NodeRoom(name, free, held, len(taken), excesses_of(asker.pod, gate, bare.ledger)[1])


def _asked(request: Vector) -> list[str]:
    return [r for r in (CPU, MEMORY, STORAGE, *sorted(request.scalars)) if request.of(r) > 0]


def _share(room: NodeRoom, request: Vector) -> float:
    """How much of the request the node could give, of the resource of which it gives least: at most 1."""
    given = plus(room.free or ZERO, room.takeable)
    return min((max(0, min(given.of(r), request.of(r))) / request.of(r) for r in _asked(request)), default=1.0)


def _enough(rooms: Sequence[NodeRoom], held: Mapping[str, Vector], request: Vector) -> bool:
    """Whether all nodes together have enough of everything once those are gone that may go at once.

    That may be less than what the nodes could give one by one: a namespace that borrows a little does so on each.
    A node that is overfull takes nothing from others.
    """
    given = [plus(room.free or ZERO, held.get(room.node, ZERO)) for room in rooms]
    return all(sum(max(0, each.of(r)) for each in given) >= request.of(r) for r in _asked(request))
