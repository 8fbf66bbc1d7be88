"""Which of what is unknown in the input counts for an answer of Kueue: the objects that it rests on.

Decides nothing: which unknown fields count for an answer.
Tested in ``tests/property/exact/test_unknown_fields.py``.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.input.unknown_fields import unknown_gaps
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, cluster_key
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_FIGURES: Final = frozenset({"ClusterQueue", "Cohort", "ResourceFlavor"})
_POLICY: Final = frozenset({"AdmissionCheck", "LocalQueue", "Topology", "WorkloadPriorityClass"})
_GROUND: Final = frozenset({"Node", "Pod"})
_TREE: Final = _FIGURES | {"AdmissionCheck", "Topology"}


def unknown_in_figures(kueue: KueueState) -> Iterator[Gap]:
    """What is unknown of quotas and of the work that holds them."""
    holders, flavors = {holder.key for holder in kueue.holders}, _flavors(kueue)
    return _gaps(kueue, lambda key: key in holders or (key.kind in _FIGURES and _is_used(key, flavors)))


def unknown_in_policy(kueue: KueueState) -> Iterator[Gap]:
    """What else is unknown of the objects that rule who gets quota."""
    return _gaps(kueue, lambda key: key.kind in _POLICY)


def unknown_in_backlog(kueue: KueueState, *, placed: bool) -> Iterator[Gap]:
    """What is unknown of the workloads that wait, and of what completes them; ``placed``: nodes and pods count."""
    pending = {each.key for each in kueue.pending}
    around = {"LimitRange", "RuntimeClass", "ResourceClaimTemplate", "DeviceClass"} if pending else set[str]()
    counted = around | (_GROUND if placed else set[str]())
    return _gaps(kueue, lambda key: key in pending or key.kind in counted)


def unknown_for_workload(state: State, workload: Pending, queue: int | None, *, placed: bool) -> Iterator[Gap]:
    """What is unknown and counts for one workload: of itself, its queues, their tree, and the work in that."""
    if not state.kueue.unknown:
        return iter(())
    tree = _objects_of_tree(state, queue)
    own = {workload.key, workload.source, ObjectKey(GROUP, "LocalQueue", workload.key.namespace, workload.local_queue)}

    def counts(key: ObjectKey) -> bool:
        if key in own or key in tree or (key.kind in _GROUND and placed):
            return True
        if key.kind == "LocalQueue":
            return state.past is not None
        if key.kind in ("LimitRange", "ResourceClaimTemplate"):
            return key.namespace == workload.key.namespace
        return key.kind in ("RuntimeClass", "DeviceClass") or (
            key.kind == "WorkloadPriorityClass" and _is_job(workload)
        )

    return _gaps(state.kueue, counts)


def unknown_for_holder(state: State, holder: Holder) -> Iterator[Gap]:
    """What is unknown and counts for work that holds quota: of itself, and of the tree of its queue."""
    if not state.kueue.unknown:
        return iter(())
    counted = {*_objects_of_tree(state, state.forest.queue_ids.get(holder.cluster_queue)), holder.key}
    return _gaps(state.kueue, counted.__contains__)


def _gaps(kueue: KueueState, counts: Callable[[ObjectKey], bool]) -> Iterator[Gap]:
    return unknown_gaps(place for place in kueue.unknown if counts(place.object))


def _is_job(workload: Pending) -> bool:
    return workload.source is not None and workload.source.group != GROUP


def _is_used(key: ObjectKey, flavors: Iterable[str]) -> bool:
    return key.kind != "ResourceFlavor" or key.name in flavors


def _flavors(kueue: KueueState) -> frozenset[str]:
    """The flavors that queues and cohorts have quota for."""
    tables = (*(q.quotas for q in kueue.cluster_queues.values()), *(c.quotas for c in kueue.cohorts.values()))
    return frozenset(pair.flavor for table in tables for pair in table)


def _objects_of_tree(state: State, queue: int | None) -> frozenset[ObjectKey]:
    """The objects of the queue's tree, with the work that holds quota in it; without a queue, those of all trees."""
    forest, kueue = state.forest, state.kueue
    if queue is None:
        return frozenset(place.object for place in kueue.unknown if place.object.kind in _TREE)
    root = forest.root(queue)
    nodes = [node for node in forest.nodes if forest.root(node.id) == root]
    flavors = {pair.flavor for node in nodes for pair in node.quotas}
    topologies = {kueue.flavors[name].topology for name in flavors if name in kueue.flavors}
    names = {node.name for node in nodes if node.is_queue}
    return frozenset(
        {
            *(cluster_key("ClusterQueue" if node.is_queue else "Cohort", node.name) for node in nodes),
            *(cluster_key("ResourceFlavor", name) for name in flavors),
            *(cluster_key("Topology", name) for name in topologies if name),
            *(cluster_key("AdmissionCheck", check.name) for check in forest.nodes[queue].queue.checks),
            *(holder.key for holder in kueue.holders if holder.cluster_queue in names),
        }
    )
