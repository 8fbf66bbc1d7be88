"""The objects that a decision rests on: a snapshot of these alone gives the same decision."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.jobs.priority import WORKLOAD_CLASS, governing_class
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, cluster_key
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.state import State

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.topology.tree import TopologyTree


def cited_objects(state: State, plan: Plan) -> tuple[ObjectKey, ...]:
    """The objects that the decision rests on, sorted.

    They are the workload with its route to its queue, the whole tree with its flavors and checks, and the workloads
    that use a compared flavor-resource. If shares were compared, they are all workloads of the tree.
    """
    keys = _namespace_keys(state, plan.workload.key.namespace)
    workloads: list[ObjectKey] = []
    if plan.local_queue is not None:
        keys.add(plan.local_queue.object)
    if plan.nomination.queue is not None:
        keys |= _node_keys(state, plan.nomination.queue) | _ground_keys(state, plan)
        workloads = _workload_keys(state, plan, plan.nomination.queue)
    elif plan.nomination.cluster_queue in state.kueue.cluster_queues:
        keys |= _cycle_keys(state, plan.nomination.cluster_queue)
    if plan.workload.key not in workloads:
        keys.add(plan.workload.key)
    keys |= _class_keys(state, (*keys, *workloads))
    return tuple(sorted([*workloads, *keys]))


def _class_keys(state: State, keys: Collection[ObjectKey]) -> set[ObjectKey]:
    """The classes whose value is the priority of a cited workload, and not yet what the workload itself says."""
    classes, found = state.kueue.workload_priorities, set()
    for key in keys if classes else ():
        manifest = state.snapshot.manifests.get(key) if key.kind == "Workload" else None
        spec = {} if manifest is None else manifest.data.get("spec") or {}
        name = governing_class(spec.get("priorityClassRef"), classes)
        if name is not None and spec.get("priority") != classes[name]:
            found.add(cluster_key(WORKLOAD_CLASS, name))
    return found


def _cycle_keys(state: State, name: str) -> set[ObjectKey]:
    """A queue that belongs to no tree, with the cohorts above it."""
    queue, cohorts = state.kueue.cluster_queues[name], state.kueue.cohorts
    keys, at = {queue.key, *_references(state, (queue,))}, queue.cohort
    while at is not None and at in cohorts and cohorts[at].key not in keys:
        keys.add(cohorts[at].key)
        at = cohorts[at].parent
    return keys


def _references(state: State, queues: Collection[ClusterQueue]) -> set[ObjectKey]:
    """The objects that decide whether queues are active: their flavors with their topologies, and their checks."""
    names = {name for queue in queues for group in queue.groups for name in group.flavors}
    checks = {check.name for queue in queues for check in queue.checks}
    flavors = [state.kueue.flavors[name] for name in names if name in state.kueue.flavors]
    topologies = {cluster_key("Topology", f.topology) for f in flavors if f.topology}
    return {f.key for f in flavors} | topologies | {cluster_key("AdmissionCheck", name) for name in checks}


def _namespace_keys(state: State, name: str) -> set[ObjectKey]:
    """The namespace; if it is missing, another one that exists, because only then is it known to be missing."""
    known = state.snapshot.namespaces
    return {ObjectKey("", "Namespace", "", name if name in known else min(known, default=name))}


def _node_keys(state: State, queue: int) -> set[ObjectKey]:
    """The cohorts and queues of a queue's tree, with their flavors and checks."""
    nodes = [state.forest.nodes[n] for n in state.forest.below(state.forest.root(queue))]
    references = _references(state, [node.queue for node in nodes if node.is_queue])
    return references.union(node.spec.key for node in nodes if node.spec is not None)


def _workload_keys(state: State, plan: Plan, queue: int) -> list[ObjectKey]:
    """The workloads of a queue's tree whose usage counts, and those whose nodes do; almost sorted, as they are read."""
    forest = state.forest
    queues = {forest.nodes[n].name for n in forest.queues_below(forest.root(queue))}
    placed, all_shares = bool(_grounds(state, plan)), state.fair and bool(plan.trials or plan.earlier)
    compared = frozenset() if all_shares else _compared_pairs(state, plan, queue)
    return [
        holder.key
        for holder in state.kueue.holders
        if (holder.cluster_queue in queues and (all_shares or not compared.isdisjoint(holder.usage)))
        or (placed and holder.placements)
    ]


def _ground_keys(state: State, plan: Plan) -> set[ObjectKey]:
    """The nodes of the flavors that place its pods."""
    return {node.key for tree in _grounds(state, plan) for leaf in tree.nodes for node in leaf}


def _grounds(state: State, plan: Plan) -> "list[TopologyTree]":
    """The nodes by domain of each flavor that places its pods; none where no topology counts."""
    landscape = state.occupancy.landscape
    assignment = plan.nomination.assignment
    served = () if assignment is None else assignment.pod_sets
    flavors = {a.flavor for p in served for a in p.attempts if landscape.with_topology(a.flavor)}
    return [tree for f in sorted(flavors) if (tree := landscape.tree(f)) is not None]


def _compared_pairs(state: State, plan: Plan, queue: int) -> frozenset[FlavorResource]:
    """Every flavor-resource that the decision may have read.

    These are all of the queue if the workload may shrink, or if the decision takes several cycles.
    """
    pod_sets = plan.workload.pod_sets
    if plan.earlier or any(p.min_count is not None for p in pod_sets):
        return frozenset(state.forest.nodes[queue].quotas)
    assignment = plan.nomination.assignment
    served = () if assignment is None else assignment.pod_sets
    return frozenset(FlavorResource(a.flavor, r) for p in served for a in p.attempts for r in a.grades)


def cut_down(snapshot: Snapshot, keys: tuple[ObjectKey, ...]) -> Snapshot:
    """The snapshot with only the objects of ``keys``; the configuration stays."""
    kept, state = frozenset(keys), snapshot.part(KueueState)
    kueue = replace(
        state,
        flavors={n: f for n, f in state.flavors.items() if f.key in kept},
        cohorts={n: c for n, c in state.cohorts.items() if c.key in kept},
        cluster_queues={n: q for n, q in state.cluster_queues.items() if q.key in kept},
        local_queues={n: q for n, q in state.local_queues.items() if q.key in kept},
        checks={n: c for n, c in state.checks.items() if c.key in kept},
        topologies={n: t for n, t in state.topologies.items() if cluster_key("Topology", n) in kept},
        nodes=tuple(n for n in state.nodes if n.key in kept),
        holders=tuple(h for h in state.holders if h.key in kept),
        pending=tuple(w for w in state.pending if w.key in kept),
    )
    namespaces = {n: labels for n, labels in snapshot.namespaces.items() if ObjectKey("", "Namespace", "", n) in kept}
    return replace(snapshot, namespaces=namespaces).with_part(kueue)
