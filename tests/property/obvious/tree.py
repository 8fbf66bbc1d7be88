"""The cohort tree: quotas, usage, what is left, who borrows, and shares.

Quotas depend on the manifests alone, usage on a ``State`` as well. Each function is the formula of the description,
evaluated anew; each state counts from the first workload on.
"""

from dataclasses import dataclass

from tests.property.obvious.amounts import UNLIMITED, Amounts, FlavorResource, minus, plus
from tests.property.obvious.world import Node, World


@dataclass(frozen=True)
class Change:
    """Amounts added to a queue, or removed from it."""

    queue: str
    amounts: Amounts
    added: bool


@dataclass(frozen=True)
class State:
    """What happened since the running workloads were counted, in order, and the usage that results.

    The order matters in two corners: a usage that once reached unlimited stays so when the amount goes away again,
    and a negative amount lowers a queue but not its cohort.
    """

    world: World
    changes: list[Change]
    used: dict[tuple[Node, FlavorResource], int]


def initial_state(world: World) -> State:
    """The state in which exactly the running workloads hold quota."""
    return _replayed(world, [])


def holding(state: State, queue: str, amounts: Amounts) -> State:
    """The state with the amounts added to the queue's usage."""
    return _replayed(state.world, [*state.changes, Change(queue, amounts, added=True)])


def releasing(state: State, queue: str, amounts: Amounts) -> State:
    """The state with the amounts removed from the queue's usage."""
    return _replayed(state.world, [*state.changes, Change(queue, amounts, added=False)])


def _replayed(world: World, changes: list[Change]) -> State:
    """Count the running workloads, then make every change again from the first on."""
    state = State(world, changes, {})
    frs = {fr for workload in world.running.values() for fr in workload.usage}
    for node in world.parents:
        if not in_cycle(world, node):
            for fr in frs:
                state.used[node, fr] = counted_usage(world, node, fr)
    for change in changes:
        for fr, amount in change.amounts.items():
            (_add if change.added else _remove)(state, ("ClusterQueue", change.queue), fr, amount)
    return state


def counted_usage(world: World, node: Node, fr: FlavorResource) -> int:
    """What running workloads hold in a queue; for a cohort, what its children hold beyond their local parts."""
    total = 0
    if node[0] == "ClusterQueue":
        for _, workload in sorted(world.running.items()):
            if workload.queue == node[1]:
                total = plus(total, workload.usage.get(fr, 0))
        return total
    for child in children(world, node):
        total = plus(total, max(0, minus(counted_usage(world, child, fr), local(world, child, fr))))
    return total


def _add(state: State, node: Node, fr: FlavorResource, amount: int) -> None:
    """Add to the node; what its free local part does not take goes on to its parent."""
    parent, passed_on = state.world.parents[node], minus(amount, free_local(state, node, fr))
    state.used[node, fr] = plus(usage(state, node, fr), amount)
    if parent is not None and passed_on > 0:
        _add(state, parent, fr, passed_on)


def _remove(state: State, node: Node, fr: FlavorResource, amount: int) -> None:
    """Remove from the node; as much as went beyond its local part is removed from its parent, too."""
    parent, beyond = state.world.parents[node], minus(usage(state, node, fr), local(state.world, node, fr))
    state.used[node, fr] = minus(usage(state, node, fr), amount)
    if parent is not None and beyond > 0:
        _remove(state, parent, fr, min(amount, beyond))


def ancestors(world: World, node: Node) -> list[Node]:
    """The node's parent, grandparent, …, root. Ends where a node would come again."""
    found: list[Node] = []
    parent = world.parents[node]
    while parent is not None and parent not in found:
        found.append(parent)
        parent = world.parents[parent]
    return found


def in_cycle(world: World, node: Node) -> bool:
    """Whether the node's ancestry runs into a cycle."""
    top = [node, *ancestors(world, node)][-1]
    return world.parents[top] is not None


def root_of(world: World, node: Node) -> Node:
    """The top of the node's tree, perhaps the node itself."""
    return [node, *ancestors(world, node)][-1]


def children(world: World, node: Node) -> list[Node]:
    """The queues and cohorts right below a cohort, by kind and name."""
    return sorted(child for child, parent in world.parents.items() if parent == node)


def flavor_resources(world: World, node: Node) -> list[FlavorResource]:
    """The flavor-resources of the node's own groups and of everything below it."""
    below = {fr for child in children(world, node) for fr in flavor_resources(world, child)}
    return sorted(below | set(world.nominal[node]))


def subtree(world: World, node: Node, fr: FlavorResource) -> int:
    """Own nominal quota, plus what the children lend."""
    total = world.nominal[node].get(fr, 0)
    for child in children(world, node):
        total = plus(total, minus(subtree(world, child, fr), local(world, child, fr)))
    return total


def local(world: World, node: Node, fr: FlavorResource) -> int:
    """The part of the quota that never leaves the node."""
    if fr not in world.lending_limit[node]:
        return 0
    return max(0, minus(subtree(world, node, fr), world.lending_limit[node][fr]))


def usage(state: State, node: Node, fr: FlavorResource) -> int:
    """What is held in the node."""
    return state.used.get((node, fr), 0)


def free_local(state: State, node: Node, fr: FlavorResource) -> int:
    """What is left of the node's local part."""
    return max(0, minus(local(state.world, node, fr), usage(state, node, fr)))


def available(state: State, node: Node, fr: FlavorResource) -> int:
    """What is left for the node, its limits and those of its ancestors considered. May be negative."""
    world, parent = state.world, state.world.parents[node]
    if parent is None:
        return minus(subtree(world, node, fr), usage(state, node, fr))
    from_parent = available(state, parent, fr)
    if fr in world.borrowing_limit[node]:
        own = local(world, node, fr)
        lent = minus(subtree(world, node, fr), own)
        taken = max(0, minus(usage(state, node, fr), own))
        from_parent = min(from_parent, plus(minus(lent, taken), world.borrowing_limit[node][fr]))
    return plus(free_local(state, node, fr), from_parent)


def takeable(state: State, queue: str, fr: FlavorResource) -> int:
    """What a workload of the queue may take now."""
    return max(0, available(state, ("ClusterQueue", queue), fr))


def potential(world: World, node: Node, fr: FlavorResource) -> int:
    """What the node could have if nothing were in use."""
    parent = world.parents[node]
    if parent is None:
        return subtree(world, node, fr)
    most = plus(local(world, node, fr), potential(world, parent, fr))
    if fr in world.borrowing_limit[node]:
        most = min(most, plus(subtree(world, node, fr), world.borrowing_limit[node][fr]))
    return most


def borrows(state: State, node: Node, fr: FlavorResource, more: int = 0) -> bool:
    """Whether the node's usage, with ``more`` added, exceeds its own quota."""
    return subtree(state.world, node, fr) < plus(usage(state, node, fr), more)


def within(state: State, node: Node, frs: list[FlavorResource]) -> bool:
    """Whether the node borrows on none of the flavor-resources."""
    return not any(borrows(state, node, fr) for fr in frs)


def height(world: World, cohort: Node) -> int:
    """0 without children, 1 above active queues only, otherwise one more than the tallest child cohort."""
    cohorts = [child for child in children(world, cohort) if child[0] == "Cohort"]
    queues = [child for child in children(world, cohort) if child[0] == "ClusterQueue" and is_active(world, child[1])]
    if not cohorts and not queues:
        return 0
    return 1 + max([height(world, child) for child in cohorts], default=0)


def is_active(world: World, queue: str) -> bool:
    """Whether the queue is in service: in no cycle, not stopped, and all its flavors there."""
    return not in_cycle(world, ("ClusterQueue", queue)) and not is_stopped_or_incomplete(world, queue)


def is_stopped_or_incomplete(world: World, queue: str) -> bool:
    """Whether the queue is out of service for a reason of its own."""
    spec = world.queues[queue]
    names = [f["name"] for group in spec.get("resourceGroups") or [] for f in group["flavors"]]
    return spec.get("stopPolicy", "None") != "None" or any(name not in world.flavors for name in names)


def borrowing_level(state: State, queue: str, fr: FlavorResource, amount: int) -> tuple[int, bool]:
    """How high the amount reaches when put into the queue, and whether it may reclaim within the hierarchy.

    The level is the height of the lowest cohort that would not borrow (0: the queue itself).
    """
    world, node = state.world, ("ClusterQueue", queue)
    way = ancestors(world, node)
    if not way or not borrows(state, node, fr, amount):
        return 0, bool(way)
    rest = minus(amount, free_local(state, node, fr))
    for cohort in way:
        if not borrows(state, cohort, fr, rest):
            return height(world, cohort), cohort != way[-1]
        rest = minus(rest, free_local(state, cohort, fr))
    return height(world, way[-1]), False


@dataclass(frozen=True)
class Share:
    """A node's dominant share: the unweighted ratio in thousandths, its resource, and the weighted value."""

    borrowing: bool
    ratio: float
    resource: str | None
    value: float

    def rank(self) -> tuple[bool, float]:
        """Sorts shares: infinite ones last and by ratio, finite ones by value."""
        infinite = self.value == float("inf")
        return infinite, self.ratio if infinite else self.value


def share(state: State, node: Node) -> Share:
    """What the node borrows, as the largest part of what could be lent to it of any resource, over its weight."""
    world, parent = state.world, state.world.parents[node]
    if parent is None:
        return Share(False, 0.0, None, 0.0)
    borrowed: dict[str, int] = {}
    for fr in flavor_resources(world, node):
        excess = max(0, minus(usage(state, node, fr), subtree(world, node, fr)))
        borrowed[fr[1]] = plus(borrowed.get(fr[1], 0), excess)
    best, dominant = 0.0, None
    for resource in sorted(borrowed):
        lendable = _lendable(world, parent, resource)
        if borrowed[resource] > 0 and lendable > 0:
            ratio = float(borrowed[resource]) * 1000 / float(lendable)
            if ratio > best:
                best, dominant = ratio, resource
    weight = world.weights[node]
    value = best / weight if weight else (float("inf") if best > 0 else 0.0)
    return Share(any(borrowed.values()), best, dominant, value)


def _lendable(world: World, parent: Node, resource: str) -> int:
    total = 0
    for fr in flavor_resources(world, root_of(world, parent)):
        if fr[1] == resource:
            total = plus(total, potential(world, parent, fr))
    return total


def rounded(value: float) -> int:
    """The share as the status shows it: rounded up, the largest number when infinite."""
    if value == float("inf"):
        return UNLIMITED
    return int(value) + (value > int(value))
