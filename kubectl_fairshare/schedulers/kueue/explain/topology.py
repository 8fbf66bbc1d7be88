"""Where a plan's pods go, or why they go nowhere: the domains that count, level by level.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from collections.abc import Iterator, Mapping

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, DomainRow, LevelTried, Limit, UnitGround
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment, Mode
from kubectl_fairshare.schedulers.kueue.flavors.placing import lacks_place
from kubectl_fairshare.schedulers.kueue.flavors.topology import TopologyPlacing, unplaced
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.model.topology import PODS, Node, PlacedPods
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.topology.occupancy import GIVES_BACK, TAKES, Occupancy
from kubectl_fairshare.schedulers.kueue.topology.placement import Measured, Placed, Unit, place_measured
from kubectl_fairshare.schedulers.kueue.topology.tree import TopologyTree, selects
from kubectl_fairshare.schedulers.kueue.topology.workloads import units_of
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Step

_BEST = 3


def grounds(state: State, nomination: Nomination) -> tuple[UnitGround, ...]:
    """The domains of each unit that is to be placed; none where quota alone keeps the workload out."""
    assignment, queue = nomination.assignment, nomination.queue
    if assignment is None or queue is None or not nomination.placed or not state.kueue.nodes:
        return ()
    targets = () if nomination.search is None else nomination.search.targets
    if assignment.mode is not Mode.FIT and not targets and not lacks_place(assignment):
        return ()
    occupancy = state.occupancy.changed((p for t in targets for p in t.holder.freed), GIVES_BACK)
    placing = TopologyPlacing(state, queue, nomination.workload.pod_sets)
    return tuple(_grounds(state, placing, unplaced(assignment), occupancy))


def _grounds(
    state: State, placing: TopologyPlacing, assignment: Assignment, occupancy: Occupancy
) -> Iterator[UnitGround]:
    for flavor, asked in sorted(placing.requests(assignment).items()):
        tree = occupancy.landscape.tree(flavor)
        for unit in units_of(asked) if tree is not None else ():
            assert tree is not None
            laws = state.configuration.placement_laws
            found = occupancy.measured(tree, unit, laws=laws)
            if isinstance(found, Step) or not tree.leaves:
                continue
            placed = place_measured(tree, occupancy.remaining(tree), unit, found)
            yield _ground(state, tree, occupancy, unit, found, placed)
            if isinstance(placed, Step):
                break
            taken = (PlacedPods((flavor,), m.pod_set.occupies, placed[m.index].domains) for m in unit.members)
            occupancy = occupancy.changed(taken, TAKES)


def _ground(
    state: State, tree: TopologyTree, occupancy: Occupancy, unit: Unit, found: Measured, placed: Placed | Step
) -> UnitGround:
    resource, each = _telling(unit.workers.pod_set)
    given = {} if isinstance(placed, Step) else _pods_by_leaf(tree, unit, placed)
    leader = None
    if unit.leader is not None and not isinstance(placed, Step):
        leader = next((tree.leaf(d.values) for d in placed[unit.leader.index].domains), None)
    free = occupancy.remaining(tree).get(resource, [0] * len(tree.leaves))
    show = _Show(tree, found, given, leader, free)
    return UnitGround(
        pod_sets=tuple(m.pod_set.name for m in unit.members),
        flavor=tree.flavor.name,
        topology=tree.topology.name,
        levels=tree.levels,
        level=found.wanted.level,
        required=found.wanted.required,
        unconstrained=found.wanted.unconstrained,
        pods=found.wanted.count,
        slice_size=found.wanted.size,
        resource=resource,
        per_pod=each,
        tried=tuple(show.tried()),
        rows=tuple(show.chosen() if given else show.best()),
        excluded=found.excluded(tree, occupancy.remaining(tree), unit, occupancy.named(tree)),
        absent=tuple(_absent(state, tree)),
        placed=bool(given),
    )


def _telling(pod_set: PodSet) -> tuple[str, int]:
    """The resource that says most of a pod, a device before cpu, and how much of it one pod takes."""
    asked = {r: v for r, v in pod_set.occupies.items() if v}
    device = next((r for r in sorted(asked) if "/" in r), "cpu" if "cpu" in asked else "")
    return (device, asked[device]) if device else (PODS, 1)


def _pods_by_leaf(tree: TopologyTree, unit: Unit, placed: Placed) -> dict[int, int]:
    found: dict[int, int] = {}
    for domain in placed[unit.workers.index].domains:
        leaf = tree.leaf(domain.values)
        if leaf is not None:
            found[leaf] = domain.pods
    return found


def _absent(state: State, tree: TopologyTree) -> Iterator[tuple[Node, str]]:
    """Nodes of the flavor that do not count, and why."""
    for node in state.kueue.nodes:
        if not node.counts and selects(tree.flavor, node) and all(level in node.labels for level in tree.levels):
            yield node, node.absence


class _Show(Value, frozen=True):
    """What of one unit's domains is shown."""

    tree: TopologyTree
    found: Measured
    given: Mapping[int, int]
    leader: int | None
    free: list[int]

    def tried(self) -> Iterator[LevelTried]:
        """The levels at which one domain was looked for, and the best that each had."""
        wanted, counts = self.found.wanted, self.found.counts
        slices = wanted.count // wanted.size
        level = wanted.level
        while level >= 0:
            fits = counts.slices_beside[level]
            best = max(range(len(fits)), key=lambda d: (fits[d], -d))
            yield LevelTried(level, self._path(level, best), fits[best] * wanted.size, slices * wanted.size)
            if fits[best] >= slices or wanted.required or wanted.unconstrained:
                return
            level -= 1

    def chosen(self) -> Iterator[DomainRow]:
        """The domains that get pods, with those above them."""
        yield from self._below(0, range(len(self.tree.values[0])), 0)

    def _below(self, level: int, domains: range, depth: int) -> Iterator[DomainRow]:
        for domain in domains:
            leaves = self.tree.leaves_below(level, domain)
            pods = sum(self.given.get(leaf, 0) for leaf in leaves)
            if pods or self.leader in leaves:
                yield self._row(level, domain, depth, pods)
                if level < len(self.tree.levels) - 1:
                    span = self.tree.children[level][domain]
                    yield from self._below(level + 1, range(span.first, span.end), depth + 1)

    def best(self) -> Iterator[DomainRow]:
        """The domains with the most room on the level at which one was looked for."""
        level = self.found.wanted.level if self.found.wanted.required else 0
        pods = self.found.counts.pods[level]
        for domain in sorted(range(len(pods)), key=lambda d: (-pods[d], d))[:_BEST]:
            yield self._row(level, domain, 0, 0)

    def _row(self, level: int, domain: int, depth: int, pods: int) -> DomainRow:
        leaves = self.tree.leaves_below(level, domain)
        name = self.tree.values[level][domain][-1] if depth else self._path(level, domain)
        free = sum(max(0, self.free[leaf]) for leaf in leaves)
        room = self.found.counts.pods[level][domain]
        return DomainRow(depth, self.tree.levels[level], name, room, free, pods, leader=self.leader in leaves)

    def _path(self, level: int, domain: int) -> str:
        """The domain with those above it; a host by its name alone."""
        values = self.tree.values[level][domain]
        return values[-1] if self.tree.of_hosts and level == len(self.tree.levels) - 1 else "/".join(values)


def ground_bindings(nomination: Nomination, found: tuple[UnitGround, ...]) -> tuple[Binding, ...]:
    """The domain with the most room, where that is too little for a unit."""
    return tuple(_binding(nomination, ground) for ground in found if not ground.placed and ground.tried)


def _binding(nomination: Nomination, ground: UnitGround) -> Binding:
    last = ground.tried[-1]
    room = last.room
    fits = next((r.operand("fits") for r in _reasons(nomination) if "fits" in dict(r.operands)), None)
    if not ground.required and isinstance(fits, int):  # all domains together are too small
        room = fits * ground.slice_size
    token = None if nomination.assignment is None else nomination.assignment.token
    return Binding(
        pair=FlavorResource(ground.flavor, ground.resource),
        node=f"{ground.levels[last.level]} {last.best}",
        node_kind=ground.topology,
        kind=Limit.DOMAIN,
        value=room * ground.per_pod,
        place=Place(cluster_key("Topology", ground.topology), ("spec", "levels", last.level, "nodeLabel")),
        needed=last.asked * ground.per_pod,
        reachable=room * ground.per_pod,
        ever=token is not None,
    )


def _reasons(nomination: Nomination) -> Iterator[Step]:
    for pod_set in () if nomination.assignment is None else nomination.assignment.pod_sets:
        yield from (r for r in pod_set.reasons if r.law is TopologyLaw.TOO_FEW)
