"""Objects that no other object names: configuration without effect.

There is no finding for a kind if the input has no object that could refer to it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import article, few
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.rules.cohorts.names import slips
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import known_trees
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.references.dangling import likely_names
from kubectl_fairshare.schedulers.kueue.rules.references.missing import led_to, used_flavors
from kubectl_fairshare.schedulers.kueue.tree.forest import TreeNode

_NAME: Final = ("metadata", "name")


def _tellable(given: KueueGiven, *kinds: str) -> bool:
    """Whether the input has enough objects to know the references."""
    return given.complete or any(given.of(kind) for kind in kinds)


def _mentioned_texts(given: KueueGiven, *kinds: str) -> set[str]:
    """Every text in the rejected objects of some kinds, or those that lose a field: their meaning is unknown."""
    return set(_texts([e.manifest.data for kind in kinds for e in given.of(kind) if _is_torn(e)]))


def _is_torn(each: Examined) -> bool:
    return each.stored is None or (each.judgement is not None and bool(each.judgement.unknown_fields))


def _misspelt_names(used: set[str], names: frozenset[str]) -> set[str]:
    """The names that dangling names are misspellings of: another rule reports those at their place."""
    return set(likely_names(sorted(used - names), names, used).values())


def _texts(value: Json) -> Iterator[str]:
    to_come = [value]
    while to_come:
        value = to_come.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            to_come.extend(value.values())
        elif isinstance(value, list):
            to_come.extend(value)


@warning_rule("K063")
def cluster_queue_without_local_queue(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each such ClusterQueue; only information if it lends to others, as it may be a pool."""
    if not _tellable(given, "LocalQueue"):
        return
    pools = {
        queue.name for tree in known_trees(given) if len(tree.queues) > 1 for queue in tree.queues if _lends(queue)
    }
    led = led_to(given)
    if "" in led:  # a LocalQueue without a ClusterQueue may be for any of them, and another rule reports it
        return
    led |= _mentioned_texts(given, "LocalQueue") | _misspelt_names(led, given.names("ClusterQueue"))
    for name, queue in given.kueue.cluster_queues.items():
        if name not in led:
            yield Finding(
                Place(queue.key, _NAME),
                f"no LocalQueue points to ClusterQueue `{name}`, so no job can be submitted to it",
                Remedy("add a LocalQueue"),
                elsewhere="LocalQueues",
                severity=Severity.INFO if name in pools else None,
            )


@warning_rule("K064")
def unused_object(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each ResourceFlavor, AdmissionCheck and Topology that no object names."""
    state = given.kueue
    queues = state.cluster_queues.values()
    if _tellable(given, "ClusterQueue"):
        hidden = _mentioned_texts(given, "ClusterQueue", "Cohort")
        flavors = used_flavors(given) | hidden
        yield from _unused_findings(state.flavors, flavors, "ResourceFlavor", "ClusterQueue")
        checks = {use.name for queue in queues for use in queue.checks} | hidden
        yield from _unused_findings(state.checks, checks, "AdmissionCheck", "ClusterQueue")
    if _tellable(given, "ResourceFlavor"):
        topologies = {flavor.topology or "" for flavor in state.flavors.values()} | _mentioned_texts(
            given, "ResourceFlavor"
        )
        yield from _unused_findings(state.topologies, topologies, "Topology", "ResourceFlavor")


def _unused_findings(names: Iterable[str], used: set[str], kind: str, user: str) -> Iterator[Finding]:
    led_astray = _misspelt_names(used, frozenset(names))
    for name in sorted(names):
        if name not in used and name not in led_astray:
            message = f"no {user} uses {kind} `{name}`"
            yield Finding(
                Place(cluster_key(kind, name), _NAME),
                message,
                Remedy("use it, or remove it"),
                elsewhere=f"{article(user)} {user} that names it",
            )


@warning_rule("K067")
def cohort_without_queues(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each topmost Cohort without queues, unless it lends its quota to others.

    If another object misspells its name, another rule reports that instead.
    """
    if not _tellable(given, "ClusterQueue"):
        return
    hidden = _mentioned_texts(given, "ClusterQueue") | set(slips(given).values())
    for tree in known_trees(given):
        populated = {ancestor for queue in tree.queues for ancestor in given.forest.path(queue.id)}
        for node in tree.cohorts:
            empty = node.id not in populated and node.spec is not None and node.name not in hidden
            topmost = node.parent is None or node.parent in populated
            if empty and topmost and not (tree.queues and _lends(node)):
                below = sorted(given.forest.nodes[i].name for i in node.cohorts)
                yield Finding(
                    Place(cluster_key("Cohort", node.name), _NAME),
                    f"no ClusterQueue is below Cohort `{node.name}`",
                    Remedy("name it in a ClusterQueue's `cohortName`, or remove it"),
                    evidence=(("cohorts below", few(below) or "none"),),
                    elsewhere=f"ClusterQueues of cohort {node.name}",
                )


def _lends(node: TreeNode) -> bool:
    """Whether the subtree lends quota to the rest of the tree."""
    return any(amount > node.local.get(pair, 0) for pair, amount in node.subtree.items())


@info_rule("K068", advice=True)
def priority_class_unused(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each WorkloadPriorityClass that no job and no Workload names."""
    used = set(_texts([m.data for m in given.snapshot.manifests.values() if m.key.kind != "WorkloadPriorityClass"]))
    for name in sorted(given.kueue.workload_priorities):
        if name not in used:
            yield Finding(
                Place(cluster_key("WorkloadPriorityClass", name), _NAME),
                f"no job names WorkloadPriorityClass `{name}`",
                Remedy("name it in a job, or remove it"),
                elsewhere="jobs",
            )


@info_rule("K069", advice=True)
def local_queues_alike(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each namespace and ClusterQueue, at the second LocalQueue by name."""
    found: dict[tuple[str, str], list[ObjectKey]] = {}
    for queue in given.kueue.local_queues.values():
        if queue.cluster_queue is not None:
            found.setdefault((queue.namespace, queue.cluster_queue), []).append(queue.key)
    for (namespace, name), keys in sorted(found.items()):
        if len(keys) > 1:
            first, second, *rest = sorted(keys)
            place = ("spec", "clusterQueue")
            yield Finding(
                Place(second, place),
                f"{len(keys)} LocalQueues of namespace `{namespace}` point to ClusterQueue `{name}`",
                Remedy("keep one"),
                evidence=(("LocalQueues", few([key.name for key in (first, second, *rest)])),),
                related=tuple(Related("also points there", Place(key, place)) for key in (first, *rest[:9])),
            )
