"""Small states in few words: one resource, one flavor, one pod set, unless more is said."""

from collections.abc import Mapping
from typing import Any

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import LabelSelector
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.objects import (
    GROUP,
    ClusterQueue,
    Cohort,
    Fungibility,
    LocalQueue,
    Preemption,
    Quota,
    ResourceFlavor,
    ResourceGroup,
)
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.reading.configuration import default_configuration
from kubectl_fairshare.schedulers.kueue.release import release_named
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of

GPU = FlavorResource("default", "gpu")
CPU = FlavorResource("default", "cpu")
FAIR = ("LessThanOrEqualToFinalShare", "LessThanInitialShare")
NAMESPACE = "team"

Quotas = Quota | int | Mapping[FlavorResource, Quota]


def _table(quotas: Quotas) -> dict[FlavorResource, Quota]:
    if isinstance(quotas, int):
        return {GPU: Quota(quotas)}
    return {GPU: quotas} if isinstance(quotas, Quota) else dict(quotas)


def _paths(table: Mapping[FlavorResource, Quota]) -> dict[FlavorResource, tuple[str | int, ...]]:
    return {pair: ("spec", "resourceGroups", 0, i) for i, pair in enumerate(table)}


def cohort(name: str, parent: str | None = None, quotas: Quotas | None = None, weight: float = 1.0) -> Cohort:
    """A cohort, without quota unless some is given."""
    table = {} if quotas is None else _table(quotas)
    return Cohort(name, parent, table, weight, _paths(table))


def queue(name: str, parent: str | None = None, quotas: Quotas = 0, **more: Any) -> ClusterQueue:
    """A ClusterQueue of one resource group with all its flavors, or of ``groups``; ``more`` are other fields."""
    table = _table(quotas)
    covered = tuple(dict.fromkeys(pair.resource for pair in table))
    flavors = tuple(dict.fromkeys(pair.flavor for pair in table))
    fields: dict[str, Any] = {
        "weight": 1.0,
        "preemption": Preemption(),
        "fungibility": Fungibility(),
        "queueing_strategy": "BestEffortFIFO",
        "namespace_selector": LabelSelector(),
        "stop_policy": "None",
        "checks": (),
        "admission_scope": None,
        "concurrent_admission": False,
    }
    groups = more.pop("groups", (ResourceGroup(covered, flavors),))
    return ClusterQueue(name, parent, groups, table, paths=_paths(table), **fields | more)


def holder(name: str, cluster_queue: str, usage: int | Mapping[FlavorResource, int] = 1, **more: Any) -> Holder:
    """A workload that holds quota; ``more`` are ``priority``, ``reserved`` or ``evicted``."""
    held = {GPU: usage} if isinstance(usage, int) else dict(usage)
    fields: dict[str, Any] = {"priority": 0, "created": 0, "queued": 0, "reserved": 0, "evicted": False}
    return Holder(_workload(name), name, cluster_queue, cluster_queue, usage=held, **fields | more)


def pending(name: str, cluster_queue: str, requests: int | Mapping[str, int] = 1, **more: Any) -> Pending:
    """A workload of one pod that waits; ``more`` are ``priority``, ``created``, ``queued`` or ``pod_sets``."""
    asked = {GPU.resource: requests} if isinstance(requests, int) else dict(requests)
    fields: dict[str, Any] = {"priority": 0, "created": 100, "queued": 100, "pod_sets": (PodSet("main", 1, asked),)}
    return Pending(_workload(name), name, cluster_queue, **fields | more)


def _workload(name: str) -> ObjectKey:
    return ObjectKey(GROUP, "Workload", NAMESPACE, name)


def state(
    *objects: Cohort | ClusterQueue | Holder | Pending | ResourceFlavor,
    strategies: tuple[str, ...] | None = None,
    release: str = "0.19",
) -> State:
    """The state of these objects; flavors and LocalQueues (named like their ClusterQueues) are added."""
    queues = {o.name: o for o in objects if isinstance(o, ClusterQueue)}
    flavors = {f: ResourceFlavor(f, {}, (), ()) for q in queues.values() for g in q.groups for f in g.flavors}
    flavors |= {o.name: o for o in objects if isinstance(o, ResourceFlavor)}
    kueue = KueueState(
        configuration=replace(default_configuration(release_named(release)), strategies=strategies),
        flavors=flavors,
        cohorts={o.name: o for o in objects if isinstance(o, Cohort)},
        cluster_queues=queues,
        local_queues={(NAMESPACE, name): LocalQueue(NAMESPACE, name, name, "None") for name in queues},
        holders=tuple(o for o in objects if isinstance(o, Holder)),
        pending=tuple(o for o in objects if isinstance(o, Pending)),
    )
    return state_of(Snapshot(namespaces={NAMESPACE: {}}).with_part(kueue))
