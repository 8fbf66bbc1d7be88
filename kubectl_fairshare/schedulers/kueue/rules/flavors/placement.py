"""Nodes for the pods of known workloads: node selectors, sizes, gangs."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.figures import few, figure, several
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.demand import demands, least_count, pods_place, source_of, usable
from kubectl_fairshare.schedulers.kueue.rules.quotas.nodes import in_counted_units
from kubectl_fairshare.schedulers.kueue.rules.quotas.reachability import too_large

_UNIFORM: Final = ("kubernetes.io/os", "kubernetes.io/arch")


@warning_rule("K103")
def pod_above_nodes(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod set that no flavor's Nodes can hold even if they are empty."""
    if not given.machines:
        return
    rooms, larger = _Rooms(given), too_large(given)
    for pending, queue in demands(given):
        if pending.key in larger:
            continue
        for pod_set in pending.pod_sets:
            wanted = least_count(pod_set)
            found = [room for f in _flavors(given, queue, pod_set) if (room := rooms.of(f, pod_set)) is not None]
            if found and all(room.pods < wanted for room in found):
                yield from _no_room(pending, pod_set, wanted, max(found, key=lambda room: room.pods))


def _flavors(given: KueueGiven, queue: ClusterQueue, pod_set: PodSet) -> list[str]:
    """The flavors without topology for the group that covers most of the pod's requests."""
    groups = [g for g in queue.groups if any(pod_set.requests.get(r) for r in g.covered)]
    if not groups:
        return []
    group = max(groups, key=lambda g: sum(1 for r in g.covered if pod_set.requests.get(r)))
    found = usable(given, group, (pod_set,))
    return [] if any(given.kueue.flavors[f].topology is not None for f in found) else found


class _Room(Value, frozen=True, dict=True):
    """The room for one kind of pods on the Nodes of a flavor. ``shapes`` are equal Nodes with their number."""

    flavor: str
    asked: Mapping[str, int]
    shapes: Mapping[tuple[tuple[str, int], ...], int]

    @cached_property
    def pods(self) -> int:
        """The number of pods that fit on the Nodes, each pod on one Node."""
        return sum(self._held(dict(shape)) * number for shape, number in self.shapes.items())

    @cached_property
    def nodes(self) -> int:
        """The number of Nodes."""
        return sum(self.shapes.values())

    def _held(self, allocatable: Mapping[str, int]) -> int:
        return min(allocatable[r] // v for r, v in self.asked.items())

    def most(self, resource: str) -> int:
        """The largest amount of a resource on a Node."""
        return max(dict(shape)[resource] for shape in self.shapes)

    def short(self) -> str:
        """The first resource of which a pod requests more than every Node has, otherwise the first resource."""
        return next((r for r, v in self.asked.items() if v > self.most(r)), next(iter(self.asked)))

    def in_sum(self, pods: int) -> bool:
        """Whether the Nodes together have the requests of that many pods."""
        sums = {r: sum(dict(shape)[r] * number for shape, number in self.shapes.items()) for r in self.asked}
        return all(sums[r] >= v * pods for r, v in self.asked.items())


class _Rooms:
    """The room for pods; equal requests are computed once."""

    def __init__(self, given: KueueGiven) -> None:
        self._given = given
        self._known: dict[object, _Room | None] = {}

    def of(self, flavor: str, pod_set: PodSet) -> _Room | None:
        """The room in a flavor; None if it has no Nodes, or if the pods request nothing that Nodes have."""
        resources = self._given.machines.resources
        asked = tuple((r, v) for r, v in sorted(pod_set.requests.items()) if v and r in resources)
        key = (flavor, pod_set.node_selector, asked)
        if key not in self._known:
            self._known[key] = self._room(flavor, pod_set, dict(asked)) if asked else None
        return self._known[key]

    def _room(self, flavor: str, pod_set: PodSet, asked: dict[str, int]) -> _Room | None:
        eligible = self._given.machines.eligible(self._given.kueue.flavors[flavor].node_labels)
        shapes: dict[tuple[tuple[str, int], ...], int] = {}
        for machine in eligible:
            if all(requirement.matches(machine.labels) for requirement in pod_set.node_selector):
                shape = tuple((r, in_counted_units(r, machine.allocatable.get(r, 0))) for r in asked)
                shapes[shape] = shapes.get(shape, 0) + 1
        return _Room(flavor, asked, shapes) if shapes else None


def _no_room(pending: Pending, pod_set: PodSet, wanted: int, room: _Room) -> Iterator[Finding]:
    resource = room.short()
    asked, most = figure(resource, room.asked[resource]), figure(resource, room.most(resource))
    place = pods_place(pending, pod_set)
    evidence = (
        ("per pod", asked),
        ("largest Node", most),
        ("Nodes", str(room.nodes)),
        ("pods", str(wanted)),
        ("pods that fit", str(room.pods)),
    )
    if room.pods == 0:
        message = f"a pod of {source_of(pending)} requests {asked}, but the largest Node of `{room.flavor}` has {most}"
        yield Finding(place, message, Remedy("request less per pod"), evidence, elsewhere="Nodes")
    elif room.in_sum(wanted):
        message = (
            f"{room.pods} of {several(wanted, 'pod')} of {source_of(pending)} fit on the Nodes of "
            f"`{room.flavor}`, although the Nodes have enough in total: {asked} each, {most} on the largest Node"
        )
        remedy = Remedy("use smaller pods, or topology-aware scheduling")
        yield Finding(place, message, remedy, evidence, elsewhere="Nodes")


@warning_rule("K109")
def selector_key_unknown(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each workload with a choice of flavors, at its first pod set with such a key."""
    for pending, queue in demands(given):
        known = _keys_of_choice(given, queue)
        if known is None:
            continue
        for pod_set in pending.pod_sets:
            unknown = sorted(_required_keys(pod_set) - known - {*_UNIFORM})
            if unknown:
                selector = {r.key for r in pod_set.node_selector}
                path = ("nodeSelector", unknown[0]) if unknown[0] in selector else ("affinity", "nodeAffinity")
                place = pods_place(pending, pod_set)
                yield Finding(
                    Place(place.object, (*place.path, *path)),
                    f"{source_of(pending)} selects Nodes by {few(unknown)}, which no flavor of ClusterQueue "
                    f"`{queue.name}` has: Kueue ignores it",
                    Remedy("add the label to the flavors whose Nodes have it"),
                    evidence=(("labels of the flavors", few(sorted(known)) or "none"),),
                )
                break


def _keys_of_choice(given: KueueGiven, queue: ClusterQueue) -> set[str] | None:
    """The label keys of the queue's flavors; None if no group has a choice of known flavors."""
    flavors = given.kueue.flavors
    if not any(len(group.flavors) > 1 for group in queue.groups):
        return None
    names: Sequence[str] = [flavor for group in queue.groups for flavor in group.flavors]
    if not all(name in flavors for name in names):
        return None
    return {key for name in names for key in flavors[name].node_labels}


def _required_keys(pod_set: PodSet) -> set[str]:
    keys = {requirement.key for requirement in pod_set.node_selector}
    terms = [{r.key for r in term.expressions} for term in pod_set.affinity or ()]
    return keys | (set.intersection(*terms) if terms else set())
