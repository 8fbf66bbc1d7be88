"""How many pods fit each domain: which leaves qualify, what each holds, and the sums above them.

Why not divide the free total of a rack: two hosts with 3 free GPUs each hold two pods of 2, not three; pods are counted
in each leaf, and only then added up.
Source: ``fillInCounts``, ``fillLeafCounts``, ``fillInCountsHelper`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/tas_flavor_snapshot.go, KEP-2724; "topology"
in ``docs/laws.md``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from operator import floordiv
from typing import Final, NamedTuple

from kubectl_fairshare.model.selectors import NodeTerm, Requirement, Taint, Toleration
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.model.topology import Node
from kubectl_fairshare.schedulers.kueue.topology.tree import Columns, TopologyTree

UNBOUNDED: Final = 2**31 - 1
_FILTERING: Final = ("NoSchedule", "NoExecute")


class PodPlacing(Value, frozen=True):
    """What of a pod decides on which nodes it may run; ``tolerations`` hold those of the flavor, too."""

    node_selector: tuple[Requirement, ...] = ()
    affinity: tuple[NodeTerm, ...] | None = None
    tolerations: tuple[Toleration, ...] = ()


class Qualified(Value, frozen=True):
    """The leaves that pods may use, by number, and why others are left out.

    ``excluded`` counts leaves by reason: ``nodeSelector``, ``affinity``, ``topologyDomain``, or a taint's text.
    """

    leaves: Sequence[int]
    excluded: Mapping[str, int]


def qualified(tree: TopologyTree, pods: PodPlacing, within: Collection[int] | None = None) -> Qualified:
    """The leaves that qualify; where leaves are no hosts, neither taints nor labels of nodes are looked at.

    ``within``: the only leaves that may be used, where a lost node is replaced.
    """
    excluded: dict[str, int] = {}
    leaves: Sequence[int] = range(len(tree.leaves))
    # Where a leaf is a rack it has no labels or taints of its own, and Kueue asks none of its nodes.
    if tree.of_hosts and (tree.tainted or pods.node_selector or pods.affinity is not None):
        kept = []
        for leaf, nodes in enumerate(tree.nodes):
            reason = exclusion(nodes[0], pods)
            if reason is None:
                kept.append(leaf)
            else:
                excluded[reason] = excluded.get(reason, 0) + 1
        leaves = kept
    if within is not None:
        inside = [leaf for leaf in leaves if leaf in within]
        if len(inside) < len(leaves):
            excluded["topologyDomain"] = len(leaves) - len(inside)
        leaves = inside
    return Qualified(leaves, excluded)


def exclusion(node: Node, pods: PodPlacing) -> str | None:
    """The first reason that keeps the pods off the node, as Kueue counts it; None where they may run."""
    if node.taints:
        # Taints before the selector before affinity: each leaf counts under its first reason in Kueue's message.
        taint = _untolerated(node.taints, pods.tolerations)
        if taint is not None:
            return taint_text(taint)
    labels = node.labels
    for requirement in pods.node_selector:
        if not requirement.matches(labels):
            return "nodeSelector"
    if pods.affinity is not None and not _is_affine(node, pods.affinity):
        return "affinity"
    return None


@lru_cache(maxsize=4096)
def _untolerated(taints: tuple[Taint, ...], tolerations: tuple[Toleration, ...]) -> Taint | None:
    """The first taint that keeps pods away and that nothing tolerates."""
    for taint in taints:
        if taint.effect in _FILTERING and not any(t.tolerates(taint, numeric=True) for t in tolerations):
            return taint
    return None


def taint_text(taint: Taint) -> str:
    """The taint as Kueue writes it, in quotes."""
    pair = f"{taint.key}={taint.value}" if taint.value else taint.key
    return f'taint "{pair}:{taint.effect}"'


def _is_affine(node: Node, terms: Sequence[NodeTerm]) -> bool:
    """Whether one term matches: all its expressions on labels, and its fields, of which nodes have a name alone."""
    fields = {"metadata.name": node.name}
    for term in terms:
        # An empty term matches nothing, unlike in the choice of a flavor.
        if not term.expressions and not term.fields:
            continue
        if all(r.matches(node.labels) for r in term.expressions) and all(r.matches(fields) for r in term.fields):
            return True
    return False


class Capacity(NamedTuple):
    """What each leaf holds: pods, and pods next to a leader; ``leaders`` is 1 where one has a place."""

    pods: list[int]
    beside: list[int]
    leaders: list[int]


def capacity(
    remaining: Columns, size: int, leaves: Sequence[int], request: Mapping[str, int], leader: Mapping[str, int] | None
) -> Capacity:
    """What each of ``size`` leaves holds of pods that ask for ``request``, if it is one of ``leaves``."""
    every = _fitting(remaining, size, request)
    pods = every if len(leaves) == size else _only(every, leaves)
    if leader is None:
        return Capacity(pods, pods, [0] * size)
    leaders, beside = [0] * size, pods.copy()
    room = _fitting(remaining, size, leader)
    for leaf in leaves:
        if room[leaf]:
            leaders[leaf] = 1
            rest = {r: c[leaf] - leader.get(r, 0) for r, c in remaining.items() if r in request}
            # Pods next to the leader, where it has a place; elsewhere as many as without it.
            beside[leaf] = fitting_count(rest, request)
    return Capacity(pods, beside, leaders)


def lacking(
    tree: TopologyTree, named: Mapping[int, Collection[str]], leaves: Iterable[int], request: Mapping[str, int]
) -> dict[int, str]:
    """By leaf, the first resource that neither its nodes offer nor pods there name; Kueue takes any of several."""
    found: dict[int, str] = {}
    asked = sorted(resource for resource, amount in request.items() if amount)
    for leaf in leaves:
        offered = {resource for node in tree.nodes[leaf] for resource in node.allocatable}
        missing = (r for r in asked if r not in offered and r not in named.get(leaf, ()))
        first = next(missing, None)
        if first is not None:
            found[leaf] = first
    return found


def exhausted(remaining: Columns, full: Sequence[int], request: Mapping[str, int]) -> dict[str, int]:
    """How many leaves that hold no pod, by the first resource, by name, of which not one pod's amount is left."""
    found: dict[str, int] = {}
    for resource in sorted(r for r, amount in request.items() if amount):
        amount, column = request[resource], remaining.get(resource)
        if column and min(column) >= amount:
            continue
        rest = [] if column is None else [leaf for leaf in full if column[leaf] >= amount]
        if len(rest) < len(full):
            found[resource] = len(full) - len(rest)
        full = rest
    return found


def fitting_count(room: Mapping[str, int], request: Mapping[str, int]) -> int:
    """How many times the request fits in the room; an empty request none, amounts of 0 any number of times."""
    # Rounded down also below 0: a leaf that is overdrawn holds none.
    counts = [UNBOUNDED if not q else room.get(r, 0) // q for r, q in request.items()]
    return max(0, min(*counts, UNBOUNDED)) if counts else 0


def _fitting(remaining: Columns, size: int, request: Mapping[str, int]) -> list[int]:
    """How many times the request fits in each leaf.

    Devices are counted first, as the scarcest: most others then have room for more in every leaf, and need no division.
    """
    if not request or not size:
        return [0] * size
    asked = {resource: amount for resource, amount in request.items() if amount}
    if any(resource not in remaining for resource in asked):
        return [0] * size
    found = [UNBOUNDED] * size
    lowest = highest = UNBOUNDED
    for resource in sorted(asked, key=_is_common):
        column, amount = remaining[resource], asked[resource]
        least = min(column) // amount
        lowest = min(lowest, least)
        if least < highest:
            counts = map(floordiv, column, repeat(amount))
            found = list(counts) if highest == UNBOUNDED else list(map(min, found, counts))
            highest = max(found)
    if highest > UNBOUNDED or lowest < 0:
        return [max(0, min(count, UNBOUNDED)) for count in found]
    return found


def _is_common(resource: str) -> bool:
    """Whether nodes of all kinds have the resource; devices are scarcer."""
    return "/" not in resource


def _only(counts: list[int], leaves: Sequence[int]) -> list[int]:
    kept = [0] * len(counts)
    for leaf in leaves:
        kept[leaf] = counts[leaf]
    return kept


class DomainCounts(NamedTuple):
    """Pods, slices and places for a leader that each domain of each level holds.

    ``pods_beside`` and ``slices_beside`` are those that fit next to the leader.
    """

    pods: list[list[int]]
    pods_beside: list[list[int]]
    slices: list[list[int]]
    slices_beside: list[list[int]]
    leaders: list[list[int]]


def counts_of(
    tree: TopologyTree, leaf: Capacity, slice_size: int, slice_level: int, inner: Mapping[int, int], *, leader: bool
) -> DomainCounts:
    """The counts of all domains. ``inner``: by level, the size of the slices in which a domain there can be used."""
    depth = len(tree.levels)
    found = DomainCounts([leaf.pods], [leaf.beside], [], [], [leaf.leaders])
    at_leaves = slice_level == depth - 1
    found.slices.append(_divided(leaf.pods, slice_size, at_leaves))
    found.slices_beside.append(
        found.slices[0] if leaf.beside is leaf.pods else _divided(leaf.beside, slice_size, at_leaves)
    )
    for level in range(depth - 2, -1, -1):
        _add_level(found, tree.children[level], inner.get(level + 1, 1), leader=leader)
        if level == slice_level:
            found.slices[0] = [p // slice_size for p in found.pods[0]]
            found.slices_beside[0] = [p // slice_size for p in found.pods_beside[0]]
    return found


def _divided(amounts: list[int], size: int, counts: bool) -> list[int]:
    if not counts:
        return [0] * len(amounts)
    return amounts if size == 1 else [a // size for a in amounts]


def _add_level(found: DomainCounts, spans: Sequence[tuple[int, int]], unit: int, *, leader: bool) -> None:
    """Puts the sums over ``spans`` of the lowest level so far before it; each child counts in whole ``unit``."""
    # A child gives whole slices of its layer only, so the rest of it is of no use above.
    below = found.pods[0] if unit == 1 else [p // unit * unit for p in found.pods[0]]
    pods = [sum(below[a:b]) for a, b in spans]
    slices = pods if found.slices[0] is below else [sum(found.slices[0][a:b]) for a, b in spans]
    if not leader:
        found.leaders.insert(0, [0] * len(spans))
        found.pods_beside.insert(0, pods)
        found.slices_beside.insert(0, slices)
    else:
        beside = found.pods_beside[0] if unit == 1 else [p // unit * unit for p in found.pods_beside[0]]
        places, above = found.leaders[0], [max(found.leaders[0][a:b], default=0) for a, b in spans]
        found.pods_beside.insert(0, _beside(spans, pods, below, beside, places))
        found.slices_beside.insert(0, _beside(spans, slices, found.slices[0], found.slices_beside[0], places))
        found.leaders.insert(0, above)
    found.pods.insert(0, pods)
    found.slices.insert(0, slices)


def _beside(
    spans: Sequence[tuple[int, int]], totals: list[int], alone: list[int], beside: list[int], places: list[int]
) -> list[int]:
    """The totals less what a leader costs in the child where it costs least; 0 where none has a place for it."""
    found = []
    for total, (a, b) in zip(totals, spans, strict=True):
        costs = [alone[i] - beside[i] for i in range(a, b) if places[i]]
        # The leader goes where it costs the workers least; it is placed there only if the way down comes to it.
        found.append(total - min(costs) if costs else 0)
    return found
