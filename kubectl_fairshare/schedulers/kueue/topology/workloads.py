"""The places of a whole workload: unit after unit, flavor after flavor.

Example: two pod sets of 4 pods each, and a rack with room for 6. The second sees what the first took, and goes
elsewhere; each alone would fit.
Source: ``FindTopologyAssignmentsForFlavor``, ``findLeaderAndWorkers`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/tas_flavor_snapshot.go, KEP-2724; "topology"
in ``docs/laws.md``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.model.topology import PlacedPods, PlacementLaws, TopologyAssignment
from kubectl_fairshare.schedulers.kueue.topology.occupancy import TAKES, Occupancy
from kubectl_fairshare.schedulers.kueue.topology.placement import Placed, PlacementRequest, Unit, place_measured
from kubectl_fairshare.schedulers.kueue.topology.tree import TopologyTree
from kubectl_fairshare.trace import Step

Requests: TypeAlias = Mapping[str, Sequence[PlacementRequest]]
"""The pod sets to be placed, by flavor, in the order of the workload."""


class UnitPlaces(NamedTuple):
    """The places of a unit's pod sets, and what of them is new."""

    places: Placed
    added: Placed


PlaceUnit: TypeAlias = Callable[[TopologyTree, Occupancy, Unit], UnitPlaces | Step]


class UnplacedUnit(NamedTuple):
    """A unit that has no place: the flavor, its pod sets by number, and why."""

    flavor: str
    members: tuple[int, ...]
    reason: Step


class PodSetPlaces(Value, frozen=True):
    """The places of pod sets, by number; ``failures`` are units without one, of each flavor the first."""

    assignments: Mapping[int, TopologyAssignment] = field(default_factory=dict)
    failures: tuple[UnplacedUnit, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every unit has a place."""
        return not self.failures


class PlacesPods(Protocol):
    """Finds places for the pod sets of one workload; ``replaces``: for those of a lost node."""

    @property
    def replaces(self) -> bool:
        """Whether pods of a lost node are to be placed."""

    def places(self, asked: Requests, occupancy: Occupancy) -> PodSetPlaces:
        """The places, as far as there are any."""


def units_of(asked: Iterable[PlacementRequest]) -> list[Unit]:
    """The units, in the order of their first pod sets. The smaller of two pod sets in a group is the leader."""
    groups: dict[str | int, list[PlacementRequest]] = {}
    for one in asked:
        group = one.pod_set.group
        groups.setdefault(one.index if group is None else group, []).append(one)
    return [_unit(members) for members in groups.values()]


def _unit(members: Sequence[PlacementRequest]) -> Unit:
    if len(members) == 1:
        return Unit(members[0])
    workers, leader = members[:2]
    # Of equal counts the first is the workers.
    return Unit(leader, workers) if leader.count > workers.count else Unit(workers, leader)


def place_all(occupancy: Occupancy, requests: Requests, place_unit: PlaceUnit, *, grouped: bool = True) -> PodSetPlaces:
    """The places of all pod sets; each unit sees what those before it took. A flavor ends with its first failure.

    Unless ``grouped``, each pod set is a unit of its own.
    """
    hosts = tuple(f for f in sorted(requests) if occupancy.landscape.is_of_hosts(f))
    found: dict[int, TopologyAssignment] = {}
    failures: list[UnplacedUnit] = []
    taken: tuple[PlacedPods, ...] = ()
    for flavor in sorted(requests):
        tree = occupancy.landscape.tree(flavor)
        if tree is None:
            continue
        flavors = hosts if tree.of_hosts and occupancy.landscape.shares_hosts else (flavor,)
        for unit in units_of(requests[flavor]) if grouped else map(Unit, requests[flavor]):
            if taken:
                occupancy, taken = occupancy.changed(taken, TAKES), ()
            placed = place_unit(tree, occupancy, unit)
            if isinstance(placed, Step):
                failures.append(UnplacedUnit(flavor, tuple(m.index for m in unit.members), placed))
                # The others of the flavor are not looked at any more, and keep no place: Kueue reports one failure for
                # each flavor.
                break
            found.update(placed.places)
            taken = tuple(_taken(unit, placed.added, flavors))
    return PodSetPlaces(found, tuple(failures))


def _taken(unit: Unit, added: Placed, flavors: tuple[str, ...]) -> Iterable[PlacedPods]:
    for member in unit.members:
        if member.index in added:
            yield PlacedPods(flavors, member.pod_set.occupies, added[member.index].domains)


def place_anew(*, laws: PlacementLaws) -> PlaceUnit:
    """PlacedPods of units that have no place yet."""

    def placed(tree: TopologyTree, occupancy: Occupancy, unit: Unit) -> UnitPlaces | Step:
        places = place_measured(
            tree, occupancy.remaining(tree), unit, occupancy.measured(tree, unit, laws=laws), occupancy.named
        )
        return places if isinstance(places, Step) else UnitPlaces(places, places)

    return placed
