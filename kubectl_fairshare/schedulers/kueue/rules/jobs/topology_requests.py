"""Jobs that request a topology which no flavor of their queue has."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.words.figures import few
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.demand import demands, pods_place, source_of
from kubectl_fairshare.schedulers.kueue.tree.activity import MULTIKUEUE


@error_rule("K180")
def topology_request_unservable(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each workload, at its first pod set that no flavor of a resource group can serve."""
    if not given.configuration.topology:
        return
    for pending, queue in demands(given):
        if _places_elsewhere(given, queue):
            continue
        found = ((p, i) for p in pending.pod_sets if (i := _unservable_group(given, queue, p)) is not None)
        for pod_set, group in list(found)[:1]:
            place = Place(queue.key, ("spec", "resourceGroups", group))
            yield Finding(
                pods_place(pending, pod_set),
                f"{source_of(pending)} requests {_wish(pod_set)}, but {_offer(given, queue, group, _levels(pod_set))}",
                _remedy(given, queue),
                related=(Related("the flavors", place),),
            )


def _places_elsewhere(given: KueueGiven, queue: ClusterQueue) -> bool:
    """Whether a worker cluster places the pods of the queue, as far as is known."""
    checks = (given.kueue.checks.get(check.name) for check in queue.checks)
    return any(check is None or check.controller == MULTIKUEUE for check in checks)


def _unservable_group(given: KueueGiven, queue: ClusterQueue, pod_set: PodSet) -> int | None:
    """The first resource group that the pod set needs and in which every flavor lacks the topology or a level."""
    from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
    from kubectl_fairshare.schedulers.kueue.topology.requests import FlavorSurroundings, topology_mismatch

    if pod_set.topology is None:
        return None
    state, lacking = given.kueue, (TopologyLaw.UNSUPPORTED, TopologyLaw.LEVEL_MISSING)
    for i, group in enumerate(queue.groups):
        around = FlavorSurroundings(group, state.topologies, topology_only=False)
        flavors = [state.flavors.get(name) for name in group.flavors]
        needed = not pod_set.occupies.keys().isdisjoint(group.covered)
        if needed and all(f is not None and topology_mismatch(f, pod_set, around) in lacking for f in flavors):
            return i
    return None


def _levels(pod_set: PodSet) -> list[str]:
    request = pod_set.topology
    levels = [] if request is None else [request.required or request.preferred, *(s.level for s in request.layers)]
    return list(dict.fromkeys(level for level in levels if level))


def _wish(pod_set: PodSet) -> str:
    return few(_levels(pod_set)) or "a topology"


def _offer(given: KueueGiven, queue: ClusterQueue, group: int, levels: list[str]) -> str:
    flavors = queue.groups[group].flavors
    if any(given.kueue.flavors[name].topology for name in flavors):
        lacking = "has that level" if len(levels) == 1 else "has all of these levels"
        return f"no Topology of {few(flavors)} {lacking}" if levels else "names no level, so no flavor serves it"
    return f"{few(flavors)} of ClusterQueue `{queue.name}` {'has' if len(flavors) == 1 else 'have'} no topology"


def _remedy(given: KueueGiven, queue: ClusterQueue) -> Remedy:
    """A level that the queue has, otherwise another queue."""
    flavors = (given.kueue.flavors.get(name) for group in queue.groups for name in group.flavors)
    named = (given.kueue.topologies.get(f.topology) for f in flavors if f is not None and f.topology)
    levels = dict.fromkeys(level for topology in named if topology is not None for level in topology.levels)
    if levels:
        return Remedy(f"request a level that the queue has: {few(list(levels))}")
    return Remedy("remove the request, or submit to a queue whose flavors have a topology")
