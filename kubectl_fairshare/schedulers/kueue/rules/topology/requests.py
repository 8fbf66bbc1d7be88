"""What jobs request of a topology, and what no placement can give."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import error_rule, info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few, several
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, ResourceFlavor, cluster_key
from kubectl_fairshare.schedulers.kueue.model.topology import PODS, TopologyRequest
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.demand import demands, pods_place, source_of

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.topology.tree import TopologyTree
    from kubectl_fairshare.trace import Step

_PAIR = 2
_COUNTED = ("JobSet", "LeaderWorkerSet", "MPIJob", "RayCluster", "RayJob", "RayService")
"""Kinds whose webhook counts the pod sets of a group."""


@error_rule("K183")
def pod_set_group_too_large(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each workload, at the third pod set of a group; a webhook rejects some kinds before."""
    for pending in given.submitted if given.configuration.topology else ():
        kind = (pending.source or pending.key).kind
        for group, members in _groups(pending).items():
            if len(members) > _PAIR and kind not in _COUNTED:
                yield Finding(
                    pods_place(pending, members[_PAIR]),
                    f"{source_of(pending)} has {len(members)} pod sets in group `{group}`: Kueue's scheduler crashes "
                    "when they fit",
                    Remedy("put at most two pod sets, workers and a leader, in one group"),
                    related=(Related("the first of the group", pods_place(pending, members[0])),),
                )


def _groups(pending: Pending) -> Mapping[str, list[PodSet]]:
    found: dict[str, list[PodSet]] = {}
    for pod_set in pending.pod_sets:
        if pod_set.group is not None:
            found.setdefault(pod_set.group, []).append(pod_set)
    return found


@error_rule("K184")
def several_topologies_needed(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod set with resources in several groups of flavors with a topology."""
    for pending, queue, pod_set in _placed(given):
        groups = [
            i
            for i, group in enumerate(queue.groups)
            if not pod_set.requests.keys().isdisjoint(group.covered)
            and all(_topology_of(given, name) is not None for name in group.flavors)
        ]
        if len(groups) > 1:
            yield Finding(
                pods_place(pending, pod_set),
                f"{source_of(pending)} needs flavors of {len(groups)} resource groups, and each of them has its own "
                "topology",
                Remedy("put these resources into one resource group of the ClusterQueue"),
                related=tuple(Related("a group", Place(queue.key, ("spec", "resourceGroups", i))) for i in groups),
            )


@error_rule("K185")
def nothing_to_place(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod set that a topology is to place and that requests nothing."""
    for pending, queue, pod_set in _placed(given):
        counted = any(PODS in group.covered for group in queue.groups)
        if pod_set.count and not any(pod_set.occupies.values()) and not counted:
            yield Finding(
                pods_place(pending, pod_set),
                f"pod set `{pod_set.name}` of {source_of(pending)} requests nothing, so Kueue assigns it no flavor "
                "that could place it",
                Remedy("write requests for its containers"),
            )


@warning_rule("K186")
def slices_leave_pods(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod set whose pods slices do not divide."""
    for pending, _, pod_set in _placed(given):
        layers = _request(pod_set).layers
        size = layers[0].size if layers else 1
        rest = pod_set.count % size if size > 0 else 0
        if rest or (size > 1 and pod_set.min_count is not None):
            yield Finding(
                pods_place(pending, pod_set),
                f"pod set `{pod_set.name}` of {source_of(pending)} has slices of {size}: {_rest(pod_set, rest)}",
                Remedy(f"use a number of pods that {size} divides, and no partial admission, or another slice size"),
                evidence=(("pods", str(pod_set.count)), ("slice size", str(size))),
            )


def _rest(pod_set: PodSet, rest: int) -> str:
    if rest == pod_set.count:
        return f"its {several(rest, 'pod')} are fewer than one slice and are never admitted"
    if rest:
        return f"Kueue places no {several(rest, 'pod')} of its {pod_set.count}"
    return "partial admission may choose a count that it does not divide"


@error_rule("K187")
def slice_layers_out_of_order(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod set whose layers no topology of its queue can place."""
    from kubectl_fairshare.schedulers.kueue.topology.requests import has_levels
    from kubectl_fairshare.trace import Step

    for pending, queue, pod_set in _placed(given):
        request = _request(pod_set)
        if not request.layers:
            continue
        from kubectl_fairshare.schedulers.kueue.topology.placement import PlacementRequest, levels_of

        levels = [t for t in _levels(given, queue) if has_levels(request, t)]
        asked = PlacementRequest(0, pod_set, pod_set.count, request, implied=not request.explicit)
        steps = [step for step in (levels_of(asked, each) for each in levels) if isinstance(step, Step)]
        if steps and len(steps) == len(levels):
            yield Finding(
                pods_place(pending, pod_set),
                f"{source_of(pending)} is accepted and then never placed: {_order_mistake(steps[0])}",
                Remedy("name the layers from the widest to the narrowest, inside the level of the pod set"),
            )


def _order_mistake(step: "Step") -> str:
    from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw

    said = dict(step.operands)
    if step.law == TopologyLaw.SLICE_ABOVE_LEVEL:
        return f"the level of its slices, `{said['slice level']}`, is above `{said['level']}`"
    if step.law == TopologyLaw.LAYER_ORDER:
        return f"layer `{said['level']}` is not below `{said['above']}`"
    return f"a layer of {said['size']} pods does not divide one of {said['above']}"


@warning_rule("K188")
def leader_constraints_ignored(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each group, at the leader: Kueue looks for nodes with the workers' constraints alone."""
    for pending in given.submitted if given.configuration.topology else ():
        for members in _groups(pending).values():
            if len(members) != _PAIR:
                continue
            workers, leader = members if members[1].count <= members[0].count else members[::-1]
            own = [] if {*leader.node_selector} <= {*workers.node_selector} else ["node selector"]
            own += ["affinity"] if leader.affinity not in (None, workers.affinity) else []
            own += [] if {*workers.tolerations} <= {*leader.tolerations} else ["tolerations"]
            if own:
                yield Finding(
                    pods_place(pending, leader),
                    f"leader `{leader.name}` of {source_of(pending)} may get a node where it cannot run: Kueue reads "
                    f"the {' and '.join(own)} of `{workers.name}` alone",
                    Remedy("give leader and workers the same node selector, affinity and tolerations"),
                    related=(Related("the workers", pods_place(pending, workers)),),
                )


@info_rule("K189")
def preference_for_the_widest_level(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod set that prefers the widest level of every topology of its queue."""
    for pending, queue, pod_set in _placed(given):
        levels = _levels(given, queue)
        preferred = _request(pod_set).preferred
        if levels and all(len(each) > 1 and each[0] == preferred for each in levels):
            yield Finding(
                pods_place(pending, pod_set),
                f"{source_of(pending)} prefers `{preferred}`, the widest level: pods that do not fit one domain are "
                "spread over all",
                Remedy(f"prefer a narrower level, such as `{levels[0][-1]}`, or require one"),
            )


def _placed(given: KueueGiven) -> Iterator[tuple[Pending, ClusterQueue, PodSet]]:
    """The pod sets that a topology is to place, with their workloads and queues; flavors and topologies are known."""
    from kubectl_fairshare.schedulers.kueue.topology.requests import is_asked, is_topology_only

    for pending, queue in demands(given) if given.configuration.topology else ():
        known = all(_known(given, name) for group in queue.groups for name in group.flavors)
        only = known and bool(queue.groups) and is_topology_only(queue, given.kueue.flavors)
        for pod_set in pending.pod_sets:
            if known and is_asked(pod_set, topology_only=only):
                yield pending, queue, pod_set


def _known(given: KueueGiven, flavor: str) -> bool:
    found = given.kueue.flavors.get(flavor)
    return found is not None and (found.topology is None or found.topology in given.kueue.topologies)


def _request(pod_set: PodSet) -> TopologyRequest:
    return pod_set.topology or TopologyRequest()


def _topology_of(given: KueueGiven, flavor: str) -> str | None:
    found = given.kueue.flavors.get(flavor)
    return None if found is None else found.topology


def _flavors(given: KueueGiven, queue: ClusterQueue) -> list[ResourceFlavor]:
    """The flavors of a queue that have a topology."""
    named = (given.kueue.flavors.get(name) for group in queue.groups for name in group.flavors)
    return [flavor for flavor in named if flavor is not None and flavor.topology in given.kueue.topologies]


def _levels(given: KueueGiven, queue: ClusterQueue) -> list[tuple[str, ...]]:
    """The levels of each topology of a queue, as far as they are known."""
    topologies = dict.fromkeys(flavor.topology or "" for flavor in _flavors(given, queue))
    return [levels for name in topologies if (levels := given.kueue.topologies[name].levels)]


@warning_rule("K190")
def required_domain_too_small(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod set that no domain of its Nodes holds, even if all are free."""
    if not given.kueue.nodes:
        return
    from kubectl_fairshare.schedulers.kueue.topology.placement import PlacementRequest, Unit, place
    from kubectl_fairshare.trace import Step

    trees = _Trees(given)
    for pending, queue, pod_set in _placed(given):
        level = _request(pod_set).required
        offered = [tree for flavor in _flavors(given, queue) if (tree := trees.of(flavor)) is not None]
        unit = Unit(PlacementRequest(0, pod_set, pod_set.min_count or pod_set.count, _request(pod_set), implied=False))
        if level is None or pod_set.group is not None or not offered or _lacks_resource(pod_set, offered):
            continue
        found = [place(tree, tree.free, unit) for tree in offered if level in tree.levels]
        steps = [step for step in found if isinstance(step, Step) and "fits" in dict(step.operands)]
        if steps and len(steps) == len(found):
            best = max(steps, key=lambda step: int(str(step.operand("fits"))))
            topology = str(best.operand("topology"))
            yield Finding(
                pods_place(pending, pod_set),
                f"{source_of(pending)} wants {several(unit.workers.count, 'pod')} in one `{level}`, and the largest "
                f"holds {best.operand('fits')} {best.operand('unit')}s even if it is free",
                Remedy("request a wider level, or fewer or smaller pods"),
                evidence=(("room", str(best.operand("fits"))), ("asked", str(best.operand("asked")))),
                related=(Related("the topology", Place(cluster_key("Topology", topology), ("spec", "levels"))),),
                elsewhere="Nodes",
            )


@warning_rule("K191")
def resource_of_no_node(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod set with a resource that no Node of its flavors offers."""
    trees = _Trees(given)
    for pending, queue, pod_set in _placed(given) if given.kueue.nodes else ():
        offered = [tree for flavor in _flavors(given, queue) if (tree := trees.of(flavor)) is not None]
        missing = _lacks_resource(pod_set, offered) if offered else []
        if missing:
            yield Finding(
                pods_place(pending, pod_set),
                f"no Node of {few([tree.flavor.name for tree in offered])} offers {few(missing)}, which "
                f"{source_of(pending)} requests: no domain holds a pod",
                Remedy("request what the Nodes offer, or add Nodes to the flavor"),
                elsewhere="Nodes",
            )


def _lacks_resource(pod_set: PodSet, offered: "list[TopologyTree]") -> list[str]:
    asked = sorted(resource for resource, amount in pod_set.occupies.items() if amount > 0)
    return [r for r in asked if not any(max(tree.free.get(r, ()), default=0) > 0 for tree in offered)]


class _Trees:
    """The Nodes of each flavor as its topology sees them if all are free, ready and open; made when asked for."""

    def __init__(self, given: KueueGiven) -> None:
        self._given = given
        self._trees: dict[str, TopologyTree | None] = {}

    def of(self, flavor: ResourceFlavor) -> "TopologyTree | None":
        """The tree of a flavor; None if its Nodes are not in the input."""
        from kubectl_fairshare.model.values import replace
        from kubectl_fairshare.schedulers.kueue.topology.tree import tree_of

        if flavor.name not in self._trees:
            nodes = (replace(node, ready=True, cordoned=False) for node in self._given.kueue.nodes)
            topology = self._given.kueue.topologies[flavor.topology or ""]
            tree = tree_of(flavor, topology, nodes, {}) if topology.levels else None
            self._trees[flavor.name] = tree if tree is not None and tree.leaves else None
        return self._trees[flavor.name]
