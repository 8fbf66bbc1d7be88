"""What each ClusterQueue has a right to: its own quota, its part when all are busy, the most that it can ever hold."""

from collections.abc import Iterable, Iterator, Mapping
from math import gcd
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.review import Entitlement
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers.kueue.cycle.saturation import saturate
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.words.figures import amount_of

_MOST_UNITS: Final = 1024
"""Units of work that one tree is filled with at most: where quotas are finer, the unit is coarser."""


def entitlements(state: State, busy: Iterable[int]) -> tuple[Entitlement, ...]:
    """The rights of each ClusterQueue, by name, flavor and resource: none of all for one that is not active.

    Its part when all are busy is found for the trees below the roots in ``busy``.
    """
    forest = state.forest
    entitled: dict[tuple[str, FlavorResource], int] = {}
    for root in busy:
        entitled |= _saturated(state, root)
    return tuple(
        _row(state, name, queue, pair, entitled.get((name, pair))) if state.is_active(queue) else _nothing(name, pair)
        for name, queue in sorted(forest.queue_ids.items())
        for pair in sorted(forest.nodes[queue].quotas)
    )


def is_same_tree(state: State, other: State, root: int) -> bool:
    """Whether a tree is in another state, too, and its queues get the same there when all are busy."""
    node = state.forest.nodes[root]
    ids = other.forest.queue_ids if node.is_queue else other.forest.cohort_ids
    there = ids.get(node.name)
    if there is None or other.forest.nodes[there].parent is not None:
        return False
    return _surroundings(state) == _surroundings(other) and _tree(state, root) == _tree(other, there)


def _surroundings(state: State) -> tuple[object, ...]:
    """All but the tree that decides what its queues get."""
    kueue = state.kueue
    return (
        *(kueue.configuration, kueue.flavors, kueue.topologies, kueue.checks),
        *(kueue.nodes, kueue.occupied, kueue.pods_given),
        dict(state.snapshot.namespaces),
    )


def _tree(state: State, root: int) -> dict[tuple[bool, str], tuple[object, ...]]:
    """The queues and cohorts of a tree, as far as they decide what its queues get."""
    nodes = [state.forest.nodes[number] for number in state.forest.below(root)]
    return {(n.is_queue, n.name): (n.spec, n.is_queue and n.name in state.inactive) for n in nodes}


def saturation_steps(state: State, root: int) -> int:
    """The nominations that fill a tree, about: each active queue's for each unit of quota, resource by resource."""
    active = sum(state.is_active(queue) for queue in state.forest.queues_below(root))
    units = (_units(state, root, resource) for resource in _resources(state, root))
    return active * sum(units) if active > 1 else 0


def _units(state: State, root: int, resource: str) -> int:
    """The units that a tree has quota for."""
    unit = _unit(state, root, resource)
    subtree = state.forest.nodes[root].subtree.items()
    return sum(min(amount, UNLIMITED) for pair, amount in subtree if pair.resource == resource) // unit if unit else 0


def _resources(state: State, root: int) -> list[str]:
    return sorted({pair.resource for pair in state.forest.nodes[root].subtree})


def _nothing(name: str, pair: FlavorResource) -> Entitlement:
    """The rights of a queue that admits no workload."""
    nothing = amount_of(pair, 0)
    return Entitlement(cluster_key("ClusterQueue", name), pair.resource, pair.flavor, nothing, nothing, nothing)


def _row(state: State, name: str, queue: int, pair: FlavorResource, entitled: int | None) -> Entitlement:
    most = state.forest.potential(queue, pair)
    return Entitlement(
        cluster_key("ClusterQueue", name),
        pair.resource,
        pair.flavor,
        guaranteed=amount_of(pair, state.forest.quota(queue, pair).nominal),
        entitled=None if entitled is None else amount_of(pair, entitled),
        most=_bounded(pair, most),
    )


def _bounded(pair: FlavorResource, value: int) -> Amount | None:
    return None if value >= UNLIMITED else amount_of(pair, value)


def _saturated(state: State, root: int) -> dict[tuple[str, FlavorResource], int]:
    """What each queue of a tree holds of each pair once all its queues have an endless backlog, resource by resource.

    A resource for which the tree has too much quota to be filled is left out, and so is what changes from cycle to
    cycle for ever. A quota of 0 is filled by nothing.
    """
    queues = [state.forest.nodes[queue].name for queue in state.forest.queues_below(root)]
    active = [name for name in queues if name not in state.inactive]
    found: dict[tuple[str, FlavorResource], int] = {}
    for resource in _resources(state, root):
        unit = _unit(state, root, resource)
        covered = [(name, pair) for name in active for pair in _pairs(state, name, resource)]
        if unit == 0:
            bounded = not any(state.forest.subtree(root, pair) >= UNLIMITED for _, pair in covered)
            found |= dict.fromkeys(covered, 0) if bounded else {}
            continue
        if len(active) == 1 and len(queues) == 1:
            found |= _alone(state, root, resource)
            continue
        try:
            held = saturate(state, {resource: unit}, dict.fromkeys(active), most_ways=0)
        except FairshareError:
            continue
        known = {(name, pair) for name in active for pair in held.pairs[name]}.union(covered)
        found |= {(name, pair): held.pairs[name].get(pair, 0) for name, pair in known if held.is_steady(name, pair)}
    return found


def _pairs(state: State, queue: str, resource: str) -> list[FlavorResource]:
    """The flavors of a resource for which a queue has quota."""
    return [pair for pair in state.forest.nodes[state.forest.queue_ids[queue]].quotas if pair.resource == resource]


def _alone(state: State, root: int, resource: str) -> Mapping[tuple[str, FlavorResource], int]:
    """A queue without others gets what it has."""
    node = state.forest.nodes[root]
    return {(node.name, pair): amount for pair, amount in node.subtree.items() if pair.resource == resource}


def _unit(state: State, root: int, resource: str) -> int:
    """The amount of one unit: what all quotas of the tree are multiples of, or so much that there are not too many."""
    total, common = 0, 0
    for amount in _amounts(state, root, resource):
        total, common = total + amount, gcd(common, amount)
    return 0 if common == 0 else common * max(1, -(-total // (common * _MOST_UNITS)))


def _amounts(state: State, root: int, resource: str) -> Iterator[int]:
    for node in state.forest.below(root):
        for pair, quota in state.forest.nodes[node].quotas.items():
            if pair.resource == resource:
                yield from _finite((quota.nominal, quota.borrowing_limit, quota.lending_limit))


def _finite(amounts: Iterable[int | None]) -> Iterator[int]:
    return (amount for amount in amounts if amount is not None and 0 < amount < UNLIMITED)
