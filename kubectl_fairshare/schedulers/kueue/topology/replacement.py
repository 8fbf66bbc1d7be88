"""A place for the pods of a lost node: what is left stays, and the new place honours what the old one did.

Why not any free node: three of four pods of a slice run in rack 1, and the fourth lost its node. A node of rack 2 would
break the slice, so only rack 1 is looked at.
Source: ``findReplacementAssignment``, ``requiredReplacementDomain``, ``findIncompleteSliceDomain`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/tas_flavor_snapshot.go, KEP-2724,
TASFailedNodeReplacement; "topology" in ``docs/laws.md``.
"""

from collections.abc import Collection
from typing import NamedTuple

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.topology import DomainPods, PlacementLaws, SliceLayer, TopologyAssignment
from kubectl_fairshare.schedulers.kueue.model.workload import SecondPass
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.topology.occupancy import Occupancy
from kubectl_fairshare.schedulers.kueue.topology.placement import PlacementRequest, Unit, place
from kubectl_fairshare.schedulers.kueue.topology.requests import level_key
from kubectl_fairshare.schedulers.kueue.topology.tree import TopologyTree
from kubectl_fairshare.schedulers.kueue.topology.workloads import PlaceUnit, UnitPlaces
from kubectl_fairshare.trace import Step


class _Domain(NamedTuple):
    """A domain that the new place must be in: its level and number."""

    level: int
    number: int


def place_again(second: SecondPass, *, laws: PlacementLaws) -> PlaceUnit:
    """PlacedPods of pod sets whose workload lost a node; a workload that one Pod owns stays where it is."""

    def placed(tree: TopologyTree, occupancy: Occupancy, unit: Unit) -> UnitPlaces | Step:
        asked = unit.workers
        present = second.admitted[asked.index].topology
        if present is None:
            return UnitPlaces({}, {})
        if second.sole_pod:
            return UnitPlaces({asked.index: present}, {})
        # The first of them alone, as Kueue does.
        return _replaced(tree, occupancy, asked, present, second.unhealthy[0], laws=laws)

    return placed


def _replaced(
    tree: TopologyTree,
    occupancy: Occupancy,
    asked: PlacementRequest,
    present: TopologyAssignment,
    lost: str,
    *,
    laws: PlacementLaws,
) -> UnitPlaces | Step:
    """The whole assignment after the replacement, and what is new of it."""
    missing = sum(d.pods for d in present.domains if d.values[-1] == lost)
    rest = tuple(d for d in present.domains if d.values[-1] != lost)
    # Another domain that is gone makes the rest of the place useless, though its node was not reported.
    stale = next((d for d in rest if tree.leaf(d.values) is None), None)
    if stale is not None:
        return Step(TopologyLaw.STALE_DOMAIN, (("domain", stale.values[0]),), holds=False)
    layers = asked.request.layers
    if layers and layers[0].size <= 0:
        return Step(TopologyLaw.SLICE_SIZE_MISSING, (), holds=False)
    domain = _required_domain(tree, asked, rest, missing)
    request = asked.request
    if layers and domain is not None and missing % layers[0].size:
        # The innermost layer that the missing pods fill; without one each of them is placed alone.
        whole = next((layer for layer in reversed(layers) if not missing % layer.size), None)
        request = replace(request, layers=() if whole is None else (whole,))
    unit = Unit(replace(asked, count=missing, request=request))
    within = None if domain is None else _leaves_in(tree, domain, whole=laws.whole_domains)
    placed = place(tree, occupancy.remaining(tree), unit, laws=laws, within=within)
    if isinstance(placed, Step):
        return placed
    added = placed[asked.index]
    if not added.domains:
        return Step(TopologyLaw.NO_REPLACEMENT, (("node", lost),), holds=False)
    return UnitPlaces({asked.index: _merged(tree, rest, added)}, placed)


def _leaves_in(tree: TopologyTree, domain: _Domain, *, whole: bool) -> Collection[int]:
    """The leaves that belong to the domain; none where it is itself a host below other levels.

    Kueue compares the whole path of a leaf with the host name alone there. Unless it compares ``whole`` names, a leaf
    belongs to each domain with whose name its path begins.
    """
    if not whole:
        values = tree.values[domain.level][domain.number]
        name = values[-1] if tree.of_hosts and domain.level == len(tree.levels) - 1 else ",".join(values)
        return frozenset(leaf for leaf, path in enumerate(tree.leaves) if ",".join(path).startswith(name))
    lowest = len(tree.levels) - 1
    if domain.level == lowest and tree.of_hosts and lowest > 0:
        return range(0)
    return tree.leaves_below(domain.level, domain.number)


def _required_domain(
    tree: TopologyTree, asked: PlacementRequest, rest: tuple[DomainPods, ...], missing: int
) -> _Domain | None:
    """The domain that the new place must be in, None where it may be anywhere."""
    request, layers = asked.request, asked.request.layers
    key = level_key(request, tree.levels, implied=asked.implied)
    if key not in tree.levels or not rest:
        return None
    if layers and missing % layers[0].size:
        layer = layers[0]
        if len(layers) > 1:
            # The innermost layer that is broken: its domain is the tightest that has to be repaired.
            layer = next(each for each in reversed(layers) if missing % each.size)
        return _incomplete(tree, layer, rest, missing)
    if request.required is None:
        return None
    leaf = tree.leaf(rest[0].values)
    level = tree.levels.index(key)
    return None if leaf is None else _Domain(level, tree.ancestor(leaf, level))


def _incomplete(tree: TopologyTree, layer: SliceLayer, rest: tuple[DomainPods, ...], missing: int) -> _Domain | None:
    """The domain whose slices the missing pods make whole again; where several do, the first, while Kueue takes any."""
    if layer.level not in tree.levels:
        return None
    level = tree.levels.index(layer.level)
    pods: dict[int, int] = {}
    for values, count in rest:
        leaf = tree.leaf(values)
        if leaf is not None:
            domain = tree.ancestor(leaf, level)
            pods[domain] = pods.get(domain, 0) + count
    whole = [domain for domain in sorted(pods) if not (pods[domain] + missing) % layer.size]
    return _Domain(level, whole[0]) if whole else None


def _merged(tree: TopologyTree, rest: tuple[DomainPods, ...], added: TopologyAssignment) -> TopologyAssignment:
    """Both together, sorted by values, the pods of a domain added up."""
    pods: dict[int, int] = {}
    for values, count in (*added.domains, *rest):
        leaf = tree.leaf(values)
        if leaf is not None:
            pods[leaf] = pods.get(leaf, 0) + count
    domains = (DomainPods(tree.assigned_values(leaf), pods[leaf]) for leaf in sorted(pods))
    return TopologyAssignment(added.levels, tuple(domains))
