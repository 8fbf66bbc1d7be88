"""What placement by topology makes of an assignment of flavors: places, or Preempt, or NoFit.

Flavors are chosen by quota alone; a place that is missing never sends the search to the next flavor.
Example: quota is free in h100, no rack of it has room for the gang, and a100 has both. The workload waits, or preempts
in h100, and does not go to a100.
Source: ``tas_flavorassigner.go`` in https://github.com/kubernetes-sigs/kueue/tree/v0.19.2/pkg/scheduler/flavorassigner,
KEP-2724; "topology" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment, Mode, PodSetAssignment, Token, mode_of
from kubectl_fairshare.schedulers.kueue.flavors.tokens import workload_token
from kubectl_fairshare.schedulers.kueue.laws import Grade, Law
from kubectl_fairshare.schedulers.kueue.model.topology import DomainPods, PlacedPods, TopologyAssignment
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet, SecondPass
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.topology.occupancy import Occupancy
from kubectl_fairshare.schedulers.kueue.topology.placement import PlacementRequest
from kubectl_fairshare.schedulers.kueue.topology.replacement import place_again
from kubectl_fairshare.schedulers.kueue.topology.requests import is_asked, is_implied, is_topology_only, request_of
from kubectl_fairshare.schedulers.kueue.topology.workloads import PodSetPlaces, UnplacedUnit, place_all, place_anew
from kubectl_fairshare.schedulers.kueue.tree.activity import MULTIKUEUE, PROVISIONING
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Step

_NOWHERE: Final = PodSetPlaces()


class _Requests(Value, frozen=True):
    """The pod sets to be placed, by flavor; those that cannot be, by number; those placed after the checks."""

    asked: dict[str, list[PlacementRequest]] = field(default_factory=dict)
    errors: dict[int, Step] = field(default_factory=dict)
    delayed: list[int] = field(default_factory=list)


class TopologyPlacing:
    """The placement of one workload in one queue; ``second``: it holds quota already and needs a new place.

    Where no node is known (``grounded``), the assignment stays what quota makes of it.
    """

    def __init__(self, state: State, queue: int, pod_sets: Sequence[PodSet], second: SecondPass | None = None) -> None:
        self.state = state
        self.node = queue
        self.queue = state.forest.nodes[queue].queue
        self.pod_sets = pod_sets
        self.second = second
        self.topology_only = is_topology_only(self.queue, state.kueue.flavors)
        self.grounded = bool(state.kueue.nodes)
        self.unhealthy = frozenset(second.unhealthy) if second is not None else frozenset()

    @property
    def replaces(self) -> bool:
        """Whether pods of a lost node are to be placed."""
        return bool(self.unhealthy)

    @property
    def in_search(self) -> "TopologyPlacing":
        """The placement that the search for victims makes possible: in some releases that of all pods."""
        replaces = self.state.configuration.release.search_replaces
        return self if replaces else TopologyPlacing(self.state, self.node, self.pod_sets)

    @property
    def asks(self) -> bool:
        """Whether any pod set is placed by topology."""
        return any(is_asked(p, topology_only=self.topology_only) for p in self.pod_sets)

    def applied(self, assignment: Assignment) -> Assignment:
        """The assignment with the places of its pod sets, or with what it comes to where they have none."""
        if not self.asks or assignment.mode is Mode.NO_FIT:
            return assignment
        requests = self._requests(assignment)
        assignment = _noted(assignment, requests)
        release = self.state.configuration.release
        # Flavors that no topology can place are an error of the configuration, and no preemption helps.
        if requests.errors and release.topology_errors_refuse:
            return self._without_fit(assignment)
        if not self.grounded:
            return assignment
        ways = [assignment]
        if assignment.mode is Mode.FIT:
            found = self.places(requests.asked, self.state.occupancy)
            if found.complete:
                return with_places(assignment, found)
            ways = [self._needing_preemption(assignment, *each) for each in _named(found)]
        # Kueue preempts none for the pods of a lost node: the workload waits, or is evicted.
        if self.unhealthy:
            return _one_of(ways)
        # Even on empty nodes: if not, no victim helps, whatever quota says.
        found = self.places(requests.asked, self.state.occupancy.emptied())
        if not found.complete:
            return _one_of([self._never(way, *each) for way in ways for each in _named(found)])
        indices = [a.index for asked in requests.asked.values() for a in asked]
        # All resources of these pod sets, those that fit by quota too: what is missing may be room in one piece.
        return _one_of([_regraded(way, indices, Grade.PREEMPT) if indices else way for way in ways])

    def requests(self, assignment: Assignment) -> Mapping[str, Sequence[PlacementRequest]]:
        """The pod sets of an assignment that are to be placed, by flavor; none where no node is known."""
        return self._requests(assignment).asked if self.asks and self.grounded else {}

    def is_due(self, assignment: Assignment) -> bool:
        """Whether a topology must place pod sets of the assignment now, successful or not."""
        return self.second is not None or (self.asks and bool(self._requests(unplaced(assignment)).asked))

    def places(self, asked: Mapping[str, Sequence[PlacementRequest]], occupancy: Occupancy) -> PodSetPlaces:
        """Their places, if no other workload comes or goes."""
        if not asked:
            return _NOWHERE
        laws = self.state.configuration.placement_laws
        if self.second is not None and self.unhealthy:
            return place_all(occupancy, asked, place_again(self.second, laws=laws), grouped=False)
        return place_all(occupancy, asked, place_anew(laws=laws))

    def reserved(self, assignment: Assignment, occupancy: Occupancy) -> Assignment:
        """An assignment that needs preemption, with the places that it would have then."""
        if not self.asks or assignment.mode is not Mode.PREEMPT or self.unhealthy:
            return assignment
        return with_places(assignment, self.places(self.requests(assignment), occupancy))

    def taken(self, assignment: Assignment) -> tuple[PlacedPods, ...]:
        """What the assignment takes of the nodes, beyond what the workload holds already."""
        found: list[PlacedPods] = []
        release = self.state.configuration.release
        books, charged = release.books_replacements, release.charges_on_nodes
        for index, pod_set in enumerate(assignment.pod_sets if self.asks else ()):
            flavors = self._topology_flavors(pod_set)
            # Only from v0.19.2 on the new place of a lost node is booked in the cycle.
            if pod_set.topology is None or len(flavors) != 1 or (self._held(index) is not None and not books):
                continue
            domains = _beyond(pod_set.topology, self._held(index))
            if domains and charged:
                found += self._booked(pod_set, domains)
            elif domains:
                found.append(PlacedPods(flavors, self.pod_sets[index].occupies, domains))
        return tuple(found)

    def lasting(self, assignment: Assignment, taken: tuple[PlacedPods, ...]) -> tuple[PlacedPods, ...]:
        """What the workload takes of the nodes from the next cycle on: what the cycle booked, or its charges."""
        if not taken or not self.state.configuration.release.charges_on_nodes:
            return taken
        placed = ((p, p.topology, self._topology_flavors(p)) for p in assignment.pod_sets)
        return tuple(PlacedPods(fs, of_one(p.requests, p.count), t.domains) for p, t, fs in placed if t is not None)

    def _booked(self, pod_set: PodSetAssignment, domains: tuple[DomainPods, ...]) -> Iterable[PlacedPods]:
        """What a cycle books of charges: those of flavors with a topology, once for each of these resources."""
        landscape = self.state.occupancy.landscape
        flavors = {r: f for r, (f, _) in pod_set.flavors.items() if landscape.with_topology(f)}
        request = of_one({r: a for r, a in pod_set.requests.items() if r in flavors}, pod_set.count)
        return (PlacedPods((flavors[resource],), request, domains) for resource in sorted(flavors))

    def _held(self, index: int) -> TopologyAssignment | None:
        return None if self.second is None else self.second.admitted[index].topology

    def _requests(self, assignment: Assignment) -> _Requests:
        found = _Requests()
        for index, served in enumerate(assignment.pod_sets):
            pod_set = self.pod_sets[index]
            if not is_asked(pod_set, topology_only=self.topology_only) or served.error is not None:
                continue
            if served.count == 0 or (served.topology is not None and not self._has_lost_node(served)):
                continue
            flavors = self._topology_flavors(served)
            error = self._error(flavors)
            if error is not None:
                found.errors[index] = error
            elif self._is_delayed(flavors[0]):
                found.delayed.append(index)
            else:
                implied = is_implied(pod_set, topology_only=self.topology_only)
                asked = PlacementRequest(index, pod_set, served.count, request_of(pod_set), implied)
                found.asked.setdefault(flavors[0], []).append(asked)
        return found

    def _has_lost_node(self, served: PodSetAssignment) -> bool:
        domains = () if served.topology is None else served.topology.domains
        return any(d.values[-1] in self.unhealthy for d in domains)

    def _topology_flavors(self, served: PodSetAssignment) -> tuple[str, ...]:
        landscape = self.state.occupancy.landscape
        own = {flavor for group in self.queue.groups for flavor in group.flavors}  # not those that it no longer has
        return tuple(sorted({f for f, _ in served.flavors.values() if f in own and landscape.with_topology(f)}))

    def _error(self, flavors: tuple[str, ...]) -> Step | None:
        """Why no flavor can place the pod set, of those that it was given."""
        landscape = self.state.occupancy.landscape
        if not any(landscape.with_topology(f) for group in self.queue.groups for f in group.flavors):
            return Step(Law.NO_TOPOLOGY, (("resource groups", len(self.queue.groups)),), holds=False)
        if not flavors:
            return Step(TopologyLaw.NO_FLAVOR_ASSIGNED, (), holds=False)
        if len(flavors) > 1:
            return Step(TopologyLaw.SEVERAL_FLAVORS, (("flavors", ", ".join(flavors)),), holds=False)
        return None

    def _is_delayed(self, flavor: str) -> bool:
        """Whether the place is found after the admission checks, or on another cluster."""
        for use in self.queue.checks:
            check = self.state.kueue.checks.get(use.name)
            if check is None:
                continue
            of_flavor = not use.on_flavors or flavor in use.on_flavors
            if check.controller == MULTIKUEUE or (
                check.controller == PROVISIONING and of_flavor and self.second is None
            ):
                return True
        return False

    def _without_fit(self, assignment: Assignment) -> Assignment:
        return replace(assignment, mode=Mode.NO_FIT, token=workload_token(self.queue, assignment.pod_sets))

    def _needing_preemption(self, assignment: Assignment, index: int, failure: UnplacedUnit) -> Assignment:
        """The assignment after one unit has no place: one of its pod sets says why."""
        assignment = replace(assignment, pod_sets=_naming(assignment.pod_sets, index, failure))
        return replace(self._regraded_group(assignment, index, Grade.PREEMPT), mode=Mode.PREEMPT)

    def _never(self, assignment: Assignment, index: int, failure: UnplacedUnit) -> Assignment:
        """The assignment after one unit has no place even on empty nodes, which is said of one of its pod sets."""
        marked = {}
        for member in self._group(index):
            served = assignment.pod_sets[member]
            attempts = [
                replace(a, ruled_out=True, token=Token.TOPOLOGY_PLACEMENT_FAILED) if a.flavor == failure.flavor else a
                for a in served.attempts
            ]
            marked[member] = replace(served, attempts=tuple(attempts))
        assignment = replace(assignment, pod_sets=_with(assignment.pod_sets, marked))
        return self._without_fit(self._regraded_group(assignment, index, Grade.NO_FIT))

    def _group(self, index: int) -> list[int]:
        group = self.pod_sets[index].group
        return [i for i, p in enumerate(self.pod_sets) if i == index or (group is not None and p.group == group)]

    def _regraded_group(self, assignment: Assignment, index: int, grade: Grade) -> Assignment:
        """The grade of all the resources of a pod set, and of the same ones of its whole group."""
        own = assignment.pod_sets[index].flavors.keys()
        changed = {}
        for member in self._group(index):
            served = assignment.pod_sets[member]
            flavors = {r: (f, grade if r in own else g) for r, (f, g) in served.flavors.items()}
            changed[member] = replace(served, flavors=flavors)
        return replace(assignment, pod_sets=_with(assignment.pod_sets, changed))


def of_one(charges: Mapping[str, int], count: int) -> dict[str, int]:
    """What one of ``count`` pods is charged."""
    return {resource: amount // max(1, count) for resource, amount in charges.items()}


def unplaced(assignment: Assignment) -> Assignment:
    """The assignment as if no place had been looked for."""
    return replace(assignment, pod_sets=tuple(replace(p, topology=None) for p in assignment.pod_sets))


def with_places(assignment: Assignment, places: PodSetPlaces) -> Assignment:
    """The assignment with the places that were found."""
    placed = {i: replace(assignment.pod_sets[i], topology=found) for i, found in places.assignments.items()}
    return replace(assignment, pod_sets=_with(assignment.pod_sets, placed))


def _noted(assignment: Assignment, requests: _Requests) -> Assignment:
    """The assignment with what keeps pod sets from being placed now."""
    noted = {i: replace(assignment.pod_sets[i], error=error) for i, error in requests.errors.items()}
    noted |= {i: replace(assignment.pod_sets[i], delayed=True) for i in requests.delayed}
    return replace(assignment, pod_sets=_with(assignment.pod_sets, noted)) if noted else assignment


def _regraded(assignment: Assignment, indices: Iterable[int], grade: Grade) -> Assignment:
    """All resources of these pod sets with one grade, and the mode that goes with it."""
    changed = {}
    for index in indices:
        served = assignment.pod_sets[index]
        changed[index] = replace(served, flavors={r: (f, grade) for r, (f, _) in served.flavors.items()})
    return replace(assignment, pod_sets=_with(assignment.pod_sets, changed), mode=mode_of(grade))


def _with(
    pod_sets: Sequence[PodSetAssignment], changed: Mapping[int, PodSetAssignment]
) -> tuple[PodSetAssignment, ...]:
    return tuple(changed.get(i, p) for i, p in enumerate(pod_sets))


def _naming(pod_sets: Sequence[PodSetAssignment], index: int, failure: UnplacedUnit) -> tuple[PodSetAssignment, ...]:
    """The pod sets, of which one says why its unit has no place."""
    failing = pod_sets[index]
    return _with(pod_sets, {index: replace(failing, reasons=(*failing.reasons, failure.reason))})


def _named(found: PodSetPlaces) -> list[tuple[int, UnplacedUnit]]:
    """The pod sets without a place: Kueue takes one of them by the order of a Go map."""
    return [(index, failure) for failure in found.failures for index in failure.members]


def _one_of(ways: Sequence[Assignment]) -> Assignment:
    """The first, which notes how the others differ from it."""
    first, *others = ways
    return replace(first, renamed=tuple(each.pod_sets for each in others)) if others else first


def _beyond(topology: TopologyAssignment, held: TopologyAssignment | None) -> tuple[DomainPods, ...]:
    """The pods in each domain beyond those that are held there."""
    had: dict[str, int] = {}
    for domain in held.domains if held is not None else ():
        had[domain.id] = had.get(domain.id, 0) + domain.pods
    found = (DomainPods(d.values, d.pods - had.get(d.id, 0)) for d in topology.domains)
    # Where fewer pods are than before nothing is given back: a cycle can only add.
    return tuple(d for d in found if d.pods > 0)
