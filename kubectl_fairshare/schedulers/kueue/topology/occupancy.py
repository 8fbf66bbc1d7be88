"""What workloads placed by topology take of each flavor's leaves, as a value: a what-if shares what it leaves alone.

When a cycle begins, flavors whose leaves are hosts see each other's pods; within the cycle they do not.
Why flavors see each other's pods: flavors a and b select the same host of 8 GPUs. A workload of a that takes 6 leaves 2
to b; without that both would fill it.
Source: ``addUsage`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/tas_flavor.go;
``snapshotTopologyDomainUsages`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/snapshot.go, TASHandleOverlappingFlavors;
"topology" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.schedulers.kueue.model.objects import ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.topology import PODS, DomainPods, PlacedPods, PlacementLaws
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, PodSet

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.topology.placement import Measured, Unit
    from kubectl_fairshare.schedulers.kueue.topology.tree import Columns, TopologyTree
    from kubectl_fairshare.trace import Step

TAKES: Final = -1
GIVES_BACK: Final = 1


class Landscape:
    """The trees of all flavors with a topology, each made when it is first asked for.

    ``shares_hosts``: flavors whose leaves are hosts see each other's pods. ``zeros_need_no_room`` and
    ``absent_first``: see ``KueueRelease``.
    """

    __slots__ = ("_state", "_trees", "absent_first", "empty", "shares_hosts", "zeros_need_no_room")

    def __init__(self, state: KueueState) -> None:
        self._state = state
        self.shares_hosts = state.configuration.shared_hosts
        self.absent_first = state.configuration.release.absent_first
        self.zeros_need_no_room = state.configuration.release.zeros_need_no_room
        self._trees: dict[str, TopologyTree | None] = {}
        self.empty = Occupancy(self, ())

    def tree(self, flavor: str) -> "TopologyTree | None":
        """The tree of a flavor; None where it, or its Topology, is not there, or it has none."""
        if flavor not in self._trees:
            self._trees[flavor] = self._grow(self._state.flavors.get(flavor))
        return self._trees[flavor]

    def _grow(self, flavor: ResourceFlavor | None) -> "TopologyTree | None":
        topology = self._state.topologies.get(flavor.topology or "") if flavor is not None else None
        if flavor is None or topology is None or not topology.levels:
            return None
        from kubectl_fairshare.schedulers.kueue.topology.tree import tree_of

        return tree_of(flavor, topology, self._state.nodes, self._state.occupied)

    def is_of_hosts(self, flavor: str) -> bool:
        """Whether the flavor's leaves are hosts, by its Topology alone."""
        found = self._state.flavors.get(flavor)
        topology = None if found is None else self._state.topologies.get(found.topology or "")
        return topology is not None and topology.of_hosts

    def with_topology(self, flavor: str) -> bool:
        """Whether there is a tree for the flavor, by its Topology alone."""
        found = self._state.flavors.get(flavor)
        return found is not None and found.topology in self._state.topologies


class Occupancy:
    """The rest of each leaf, flavor by flavor; the columns of a flavor are made when it is first asked for.

    ``placements`` are where pods are when the cycle begins. What was measured once is kept.
    """

    __slots__ = ("_measured", "_named", "_placements", "_remaining", "landscape")

    def __init__(self, landscape: Landscape, placements: tuple[PlacedPods, ...]) -> None:
        self.landscape = landscape
        self._placements = placements
        self._named = placements
        self._remaining: dict[str, Columns] = {}
        self._measured: dict[tuple[str, int, int, bool, PlacementLaws], tuple[PodSet, Measured | Step]] = {}

    def measured(self, tree: "TopologyTree", unit: "Unit", *, laws: PlacementLaws) -> "Measured | Step":
        """How much of the unit fits each domain now, or why it cannot be asked."""
        from kubectl_fairshare.schedulers.kueue.topology.placement import measure

        workers = unit.workers
        key = (tree.flavor.name, workers.index, workers.count, workers.implied, laws)
        known = self._measured.get(key) if unit.leader is None else None
        if known is not None and known[0] is workers.pod_set:
            return known[1]
        found = measure(tree, self.remaining(tree), unit, laws=laws)
        # With a leader two pod sets decide, and the key names one.
        if unit.leader is None:
            self._measured[key] = (workers.pod_set, found)
        return found

    def named(self, tree: "TopologyTree") -> dict[int, set[str]]:
        """By leaf, the resources of the pods that were ever counted there: even of amount 0 they are known to it."""
        found: dict[int, set[str]] = {}
        for placement in self._named:
            if self._times_seen(tree, placement):
                leaves = (tree.leaf(values) for values, _ in placement.domains)
                for leaf in (each for each in leaves if each is not None):
                    found.setdefault(leaf, set()).update(placement.request)
        return found

    def remaining(self, tree: "TopologyTree") -> "Columns":
        """The rest of the tree's leaves; may be negative."""
        flavor = tree.flavor.name
        known = self._remaining.get(flavor)
        if known is None:
            known = self._remaining[flavor] = {r: column.copy() for r, column in tree.free.items()}
            for placement in self._placements:
                times = self._times_seen(tree, placement)
                if times:
                    _move(known, tree, placement.domains, placement.request, TAKES * times)
        return known

    def _times_seen(self, tree: "TopologyTree", placement: PlacedPods) -> int:
        """How often the flavor sees the pods: a host's once for each of their flavors, others those of its own."""
        if tree.of_hosts and self.landscape.shares_hosts:
            # Once for each of their flavors: a pod set with two flavors of the same hosts counts twice there, as in
            # Kueue.
            return sum(map(self.landscape.is_of_hosts, placement.flavors))
        return int(tree.flavor.name in placement.flavors)

    def after(self, left: Sequence[PlacedPods], arrived: Sequence[PlacedPods]) -> "Occupancy":
        """The occupancy when the next cycle begins, after some pods have left and others arrived."""
        if not left and not arrived:
            return self
        gone = {id(placement) for placement in left}
        # By identity: equal placements are of different workloads.
        stay = [p for p in self._placements if id(p) not in gone]
        return Occupancy(self.landscape, (*stay, *arrived))

    def on(self, state: KueueState) -> "Occupancy":
        """The same pods on other nodes, when a cycle begins."""
        return Occupancy(Landscape(state), self._placements)

    def emptied(self) -> "Occupancy":
        """The occupancy without any workload that a topology places."""
        return self.landscape.empty

    def changed(self, placements: Iterable[PlacedPods], sign: int) -> "Occupancy":
        """The occupancy after the pods of ``placements`` came (``TAKES``) or left, each in its own flavors alone."""
        # Within a cycle each flavor's snapshot is its own: what another flavor took is not seen before the next cycle.
        changed: dict[str, Columns] = {}
        moved = tuple(placements)
        for placement in moved:
            for flavor in placement.flavors:
                tree = self.landscape.tree(flavor)
                if tree is not None:
                    columns = changed.setdefault(flavor, {})
                    self._copy(tree, (*placement.request, PODS), columns)
                    _move(columns, tree, placement.domains, placement.request, sign)
        return self._with_columns(changed, moved) if changed else self

    def fits(self, placements: Iterable[PlacedPods]) -> bool:
        """Whether each domain of each pod set has room for its pods, each for itself; ``pods`` are not counted."""
        return all(
            self._holds(tree, values, count, placement.request)
            for placement in placements
            for flavor in placement.flavors
            if (tree := self.landscape.tree(flavor)) is not None
            for values, count in placement.domains
        )

    def _holds(self, tree: "TopologyTree", values: Sequence[str], count: int, request: Mapping[str, int]) -> bool:
        from kubectl_fairshare.schedulers.kueue.topology.counting import fitting_count

        leaf, columns = tree.leaf(values), self.remaining(tree)
        if leaf is None:
            return False
        if not self.landscape.zeros_need_no_room:
            # Earlier releases leave out amounts of 0, and then pods that request nothing but 0 fit nowhere.
            request = {resource: amount for resource, amount in request.items() if amount}
        room = {resource: columns[resource][leaf] for resource in request if resource in columns}
        return fitting_count(room, request) >= count

    def _copy(self, tree: "TopologyTree", resources: Iterable[str], columns: "Columns") -> None:
        """Puts a copy of the rest of each resource into ``columns``, unless it is there."""
        remaining = self.remaining(tree)
        for resource in resources:
            if resource not in columns:
                known = remaining.get(resource)
                columns[resource] = [0] * len(tree.leaves) if known is None else known.copy()

    def _with_columns(self, changed: Mapping[str, "Columns"], moved: tuple[PlacedPods, ...]) -> "Occupancy":
        other = Occupancy(self.landscape, self._placements)
        if self.landscape.absent_first:
            other._named = (*self._named, *moved)
        other._remaining = {**self._remaining}
        for flavor, columns in changed.items():
            other._remaining[flavor] = {**self._remaining[flavor], **columns}
        return other


def _move(
    columns: "Columns", tree: "TopologyTree", domains: Iterable[DomainPods], request: Mapping[str, int], sign: int
) -> None:
    """Takes pods out of the leaves that they are in, or gives them back; a domain without a leaf is passed over."""
    length = len(tree.leaves)
    for values, count in domains:
        leaf = tree.leaf(values)
        if leaf is None:
            continue
        for resource, amount in request.items():
            column = columns.get(resource)
            if column is None:
                column = columns[resource] = [0] * length
            column[leaf] += sign * amount * count
        column = columns.get(PODS)
        if column is None:
            column = columns[PODS] = [0] * length
        column[leaf] += sign * count


def occupancy_of(state: KueueState, holders: Iterable[Holder]) -> Occupancy:
    """The occupancy when a cycle begins."""
    placed = tuple(p for holder in holders for p in holder.placements) if state.topologies else ()
    return Occupancy(Landscape(state), placed)
