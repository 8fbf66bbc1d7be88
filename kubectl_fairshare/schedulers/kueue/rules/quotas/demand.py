"""The requests of the known workloads, and their ClusterQueues."""

from collections.abc import Iterator

from kubectl_fairshare.lint.words.figures import title_of
from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.flavors.requests import total_requests
from kubectl_fairshare.schedulers.kueue.jobs import NO_WORKLOAD
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, ResourceGroup
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven


def demands(given: KueueGiven) -> Iterator[tuple[Pending, ClusterQueue]]:
    """Every workload that would wait in a queue of the input, with its ClusterQueue, by source."""
    state = given.kueue
    for pending in given.submitted:
        if pending.refusal is not None and pending.refusal.law in NO_WORKLOAD:
            continue
        local_queue = state.local_queues.get((pending.key.namespace, pending.local_queue))
        queue = state.cluster_queues.get(local_queue.cluster_queue or "") if local_queue is not None else None
        if queue is not None:
            yield pending, queue


def least_count(pod_set: PodSet) -> int:
    """The minimum number of pods in a set that need quota: without reclaimable pods, and with partial admission."""
    wanted = max(0, pod_set.count - pod_set.reclaimable)
    return wanted if pod_set.min_count is None else min(wanted, pod_set.min_count)


def asked_by_sets(pending: Pending, queue: ClusterQueue) -> Iterator[tuple[tuple[PodSet, ...], dict[str, int]]]:
    """The pod sets that get their flavors together, and their minimum requests."""
    together: dict[str, list[PodSet]] = {}
    for i, pod_set in enumerate(pending.pod_sets):
        together.setdefault(str(i) if pod_set.group is None else f"group {pod_set.group}", []).append(pod_set)
    for members in together.values():
        asked: dict[str, int] = {}
        for pod_set in members:
            for resource, amount in total_requests(queue, pod_set, least_count(pod_set)).items():
                asked[resource] = add(asked.get(resource, 0), amount)
        yield tuple(members), asked


def usable(given: KueueGiven, group: ResourceGroup, pod_sets: tuple[PodSet, ...]) -> list[str]:
    """The flavors of a group whose taints and labels match the pod sets, in order."""
    from kubectl_fairshare.schedulers.kueue.flavors.matching import may_run_on

    flavors = given.kueue.flavors
    return [name for name in group.flavors if (flavor := flavors.get(name)) and may_run_on(flavor, pod_sets)]


def source_of(pending: Pending) -> str:
    """The job, or the Workload, as a message names it."""
    return title_of(pending.source or pending.key)


def pods_place(pending: Pending, pod_set: PodSet) -> Place:
    """The place of the pod template of a pod set."""
    return Place(pending.source or pending.key, pod_set.path)
