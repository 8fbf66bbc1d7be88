"""The nodes of one flavor as a tree of topology domains, with what is free of each leaf.

Leaves are sorted by their values, so the leaves of any domain, and the children of any, are neighbours, and order by
number is order by values.
Why a leaf is known by its host name alone: a node moves from rack 1 to rack 2, and an assignment names it by its host
name; it is found in its new rack. Leaves that are racks are known by all their values.
Source: ``newTopologyTree``, ``addNode`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/tas_topology_tree.go, KEP-2724; "topology" in
``docs/laws.md``.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.model.objects import ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.topology import Node, Topology

Columns: TypeAlias = dict[str, list[int]]
"""By resource, an amount for each leaf."""


class Span(NamedTuple):
    """The children of a domain, by number: from ``first`` up to, not including, ``end``."""

    first: int
    end: int


class TopologyTree(Value, frozen=True):
    """The domains of a flavor's topology, by level from the widest to the leaves.

    ``values[level]`` are the value tuples of a level's domains, ``children[level]`` theirs on the next. ``nodes`` are
    the nodes of each leaf, ``free`` what they offer beyond pods that no topology places. ``shared`` names host names
    that several nodes carry: which of them gives the leaf its place is left to chance. ``tainted``: some node has
    taints. ``absent`` are the numbers of nodes of the flavor that do not count, by the reason.
    """

    flavor: ResourceFlavor
    topology: Topology
    values: tuple[tuple[tuple[str, ...], ...], ...]
    children: tuple[tuple[Span, ...], ...]
    nodes: tuple[tuple[Node, ...], ...]
    free: Columns
    leaf_ids: Mapping[str, int]
    tainted: bool
    shared: tuple[str, ...] = ()
    absent: tuple[tuple[str, int], ...] = ()

    @property
    def levels(self) -> tuple[str, ...]:
        """The node labels, the widest first."""
        return self.topology.levels

    @property
    def of_hosts(self) -> bool:
        """Whether a leaf is one host."""
        return self.topology.of_hosts

    @property
    def leaves(self) -> tuple[tuple[str, ...], ...]:
        """The value tuples of the leaves."""
        return self.values[-1]

    @property
    def namesakes(self) -> tuple[Node, ...]:
        """The nodes whose host name is the name of a domain of the widest level."""
        if not self.of_hosts or len(self.levels) < 2:
            return ()
        widest = {values[0] for values in self.values[0]}
        return tuple(
            node for leaf, nodes in zip(self.leaves, self.nodes, strict=True) if leaf[-1] in widest for node in nodes
        )

    def leaf(self, values: Sequence[str]) -> int | None:
        """The number of the leaf that an assignment names by ``values``; None where there is none."""
        return self.leaf_ids.get(",".join(values))

    def assigned_values(self, leaf: int) -> tuple[str, ...]:
        """How an assignment names the leaf: by its host name alone, or by all its values."""
        values = self.values[-1][leaf]
        return values[-1:] if self.of_hosts else values

    @property
    def assigned_levels(self) -> tuple[str, ...]:
        """The levels that an assignment names."""
        return self.levels[-1:] if self.of_hosts else self.levels

    def ancestor(self, leaf: int, level: int) -> int:
        """The number of the leaf's domain on ``level``."""
        return bisect_left(self.values[level], self.values[-1][leaf][: level + 1])

    def leaves_below(self, level: int, domain: int) -> range:
        """The numbers of the leaves of a domain."""
        first, end = domain, domain + 1
        for spans in self.children[level:]:
            first, end = spans[first].first, spans[end - 1].end
        return range(first, end)


def selects(flavor: ResourceFlavor, node: Node) -> bool:
    """Whether the flavor's labels select the node; an empty value also selects a node without the label."""
    # As a Go map reads: an absent label is the empty text.
    return all(node.labels.get(key, "") == value for key, value in flavor.node_labels.items())


def tree_of(
    flavor: ResourceFlavor, topology: Topology, nodes: Iterable[Node], occupied: Mapping[str, Mapping[str, int]]
) -> TopologyTree:
    """The tree of the nodes that count for the flavor."""
    nodes = tuple(nodes)
    members = _members(flavor, topology, nodes)
    leaves = sorted(members)
    grouped = tuple(members[values] for values in leaves)
    host = topology.of_hosts
    values = [tuple(leaves)]
    children: list[tuple[Span, ...]] = []
    for level in range(len(topology.levels) - 2, -1, -1):
        domains, spans = _parents(values[0], level + 1)
        values.insert(0, domains)
        children.insert(0, spans)
    ids = {(v[-1] if host else ",".join(v)): i for i, v in enumerate(leaves)}
    shared = tuple(v[-1] for v, found in zip(leaves, grouped, strict=True) if len(found) > 1) if host else ()
    free, tainted = _free(grouped, occupied), any(node.taints for found in grouped for node in found)
    return TopologyTree(
        flavor,
        topology,
        tuple(values),
        tuple(children),
        grouped,
        free,
        ids,
        tainted,
        shared,
        _absent(flavor, topology, nodes),
    )


def _absent(flavor: ResourceFlavor, topology: Topology, nodes: Iterable[Node]) -> tuple[tuple[str, int], ...]:
    """How many nodes of the flavor do not count, by the reason."""
    absent = [n for n in nodes if not n.counts and selects(flavor, n) and all(lv in n.labels for lv in topology.levels)]
    return tuple(sorted(Counter(node.absence for node in absent).items()))


def _members(
    flavor: ResourceFlavor, topology: Topology, nodes: Iterable[Node]
) -> dict[tuple[str, ...], tuple[Node, ...]]:
    """The nodes of each leaf, by its values; of nodes with one host name the first gives the values."""
    levels, host = topology.levels, topology.of_hosts
    known: dict[str, tuple[str, ...]] = {}
    members: dict[tuple[str, ...], tuple[Node, ...]] = {}
    for node in nodes:
        labels = node.labels
        if not node.counts or not selects(flavor, node) or any(level not in labels for level in levels):
            continue
        values = tuple([labels[level] for level in levels])
        if host:
            # Nodes with one host name are one leaf, in the domain of the first: which one that is, Kueue leaves to a
            # map.
            values = known.setdefault(values[-1], values)
        members[values] = (*members.get(values, ()), node)
    return members


def _parents(below: Sequence[tuple[str, ...]], length: int) -> tuple[tuple[tuple[str, ...], ...], tuple[Span, ...]]:
    """The domains of ``length`` values above ``below``, which is sorted, and the children of each."""
    domains: list[tuple[str, ...]] = []
    starts: list[int] = []
    for i, values in enumerate(below):
        if not domains or domains[-1] != values[:length]:
            domains.append(values[:length])
            starts.append(i)
    ends = [*starts[1:], len(below)]
    return tuple(domains), tuple(map(Span, starts, ends))


def _free(leaves: Sequence[Sequence[Node]], occupied: Mapping[str, Mapping[str, int]]) -> Columns:
    free: Columns = {}
    for i, nodes in enumerate(leaves):
        for node in nodes:
            for resource, amount in node.allocatable.items():
                if resource not in free:
                    free[resource] = [0] * len(leaves)
                free[resource][i] += amount
            for resource, amount in occupied.get(node.name, {}).items():
                if resource not in free:
                    free[resource] = [0] * len(leaves)
                free[resource][i] -= amount
    return free
