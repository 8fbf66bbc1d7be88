"""Who asks for a place by topology, on which level, and which flavors can give one.

Why a queue alone can ask for a place: all its flavors have topologies, so a pod without a topology would run on nodes
that nothing counts it on; it is placed at the lowest level, as if unconstrained.
Source: ``isTASRequested``, ``checkPodSetAndFlavorMatchForTAS`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/flavorassigner/tas_flavorassigner.go; ``levelKey``
in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/tas_flavor_snapshot.go, KEP-2724;
"topology" in ``docs/laws.md``.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, ResourceFlavor, ResourceGroup
from kubectl_fairshare.schedulers.kueue.model.topology import Topology, TopologyRequest
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw

NOTHING_ASKED = TopologyRequest()


def is_topology_only(queue: ClusterQueue, flavors: Mapping[str, ResourceFlavor]) -> bool:
    """Whether every flavor of the queue has a topology; so it is, too, where the queue has no flavor at all."""
    # True without flavors, too: Kueue looks for one without a topology.
    return all(_has_topology(flavors.get(name)) for group in queue.groups for name in group.flavors)


def _has_topology(flavor: ResourceFlavor | None) -> bool:
    return flavor is not None and flavor.topology is not None


def request_of(pod_set: PodSet) -> TopologyRequest:
    """What the pod set asks for, perhaps nothing."""
    return pod_set.topology or NOTHING_ASKED


def is_implied(pod_set: PodSet, *, topology_only: bool) -> bool:
    """Whether the queue alone makes the pod set one that is placed by topology."""
    return topology_only and not request_of(pod_set).explicit


def is_asked(pod_set: PodSet, *, topology_only: bool) -> bool:
    """Whether the pod set is placed by topology."""
    return topology_only or request_of(pod_set).explicit


def is_unconstrained(request: TopologyRequest, *, implied: bool) -> bool:
    """Whether the domains with the least free room come first; otherwise those that fit best do."""
    return request.unconstrained or implied or request.slices_only


def level_key(request: TopologyRequest, levels: tuple[str, ...], *, implied: bool) -> str | None:
    """The level at which one domain is looked for; None where the request names none."""
    if request.required is not None:
        return request.required
    if request.preferred is not None:
        return request.preferred
    if request.slices_only:
        # Slices alone may be anywhere, so the search begins at the widest level.
        return levels[0] if levels else None
    return levels[-1] if levels and (request.unconstrained or implied) else None


def has_levels(request: TopologyRequest, levels: tuple[str, ...]) -> bool:
    """Whether a topology of ``levels`` has every level that the request names; any may, where they are not known."""
    if not levels:
        return True
    key = level_key(request, levels, implied=False)
    return key in levels and all(layer.level in levels for layer in request.layers)


class FlavorSurroundings(NamedTuple):
    """What decides whether a flavor can place pods: its resource group, the Topologies, and the queue."""

    group: ResourceGroup
    topologies: Mapping[str, Topology]
    topology_only: bool


def topology_mismatch(flavor: ResourceFlavor, pod_set: PodSet, around: FlavorSurroundings) -> "TopologyLaw | None":
    """Why the flavor cannot serve the pod set as far as topologies go; None where it can."""
    request = request_of(pod_set)
    if not request.explicit and (around.topology_only or flavor.topology is None):
        return None
    from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw

    if not request.explicit:
        return TopologyLaw.NOT_ASKED
    if flavor.topology is None:
        # A group without a topology may serve what pods do not ask a node for: resources that a transformation made.
        return None if pod_set.occupies.keys().isdisjoint(around.group.covered) else TopologyLaw.UNSUPPORTED
    topology = around.topologies.get(flavor.topology)
    if topology is None:
        return TopologyLaw.UNKNOWN
    return None if has_levels(request, topology.levels) else TopologyLaw.LEVEL_MISSING
