"""The order in a ClusterQueue, and what stops it: queueing strategies and stop policies."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Remove
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, LocalQueue
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.coverage import uncovered
from kubectl_fairshare.schedulers.kueue.rules.quotas.reachability import too_large

_STRICT: Final = "StrictFIFO"
_STRATEGY: Final = ("spec", "queueingStrategy")
_DEFAULT_QUEUE: Final = "default"
_GANG: Final = 2
_STOPPED: Final = {
    "Hold": "admits no more workloads; running ones continue",
    "HoldAndDrain": "admits no more workloads, and Kueue evicts the running ones",
}


def waiting_in(given: KueueGiven) -> Mapping[str, tuple[Pending, ...]]:
    """The workloads that wait, or would, by ClusterQueue."""
    found: dict[str, list[Pending]] = {}
    for pending in given.submitted:
        local = given.kueue.local_queues.get((pending.key.namespace, pending.local_queue))
        if local is not None and local.cluster_queue is not None and pending.refusal is None:
            found.setdefault(local.cluster_queue, []).append(pending)
    return {name: tuple(pending) for name, pending in found.items()}


@warning_rule("K158")
def strict_fifo_over_flavors(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each such queue."""
    for queue in given.kueue.cluster_queues.values():
        flavors = len({flavor for group in queue.groups for flavor in group.flavors})
        if queue.queueing_strategy == _STRICT and any(len(group.flavors) > 1 for group in queue.groups):
            yield Finding(
                Place(queue.key, _STRATEGY),
                f"the head of StrictFIFO queue `{queue.name}` blocks workloads for all of its {flavors} flavors",
                Remedy("create a queue for each flavor, or write `queueingStrategy: BestEffortFIFO`"),
                evidence=(("flavors", str(flavors)),),
            )


@info_rule("K160", advice=True)
def gangs_starve(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue, at its strategy, with its largest gang. What can never be admitted does not count."""
    for name, submitted in sorted(waiting_in(given).items()):
        queue = given.kueue.cluster_queues.get(name)
        if queue is None or queue.queueing_strategy == _STRICT or queue.preemption.within_cluster_queue != "Never":
            continue
        if not any(_is_large_gang(queue, pending) for pending in submitted):
            continue
        never = too_large(given)
        waiting = [p for p in submitted if p.key not in never and not uncovered(given, p, queue)]
        gangs = [pending for pending in waiting if _is_large_gang(queue, pending)]
        if gangs and len(gangs) < len(waiting):
            source = gangs[0].source or gangs[0].key
            gang = f"{source.kind} `{source.namespace}/{source.name}`"
            message = f"{gang} may wait for ever in `{name}` while smaller workloads take the free quota"
            yield Finding(
                Place(queue.key, _STRATEGY),
                message,
                Remedy("allow the queue to preempt, or give gangs a queue of their own"),
                evidence=(("large gangs", str(len(gangs))), ("workloads", str(len(waiting)))),
                related=(Related("the gang", Place(source)),),
            )


def _is_large_gang(queue: ClusterQueue, pending: Pending) -> bool:
    """Whether the workload has several pods and requests more than half of the queue's own quota of some resource."""
    if sum(pod_set.count for pod_set in pending.pod_sets) < _GANG:
        return False
    nominal: dict[str, int] = {}
    for pair, quota in queue.quotas.items():
        nominal[pair.resource] = nominal.get(pair.resource, 0) + quota.nominal
    asked: dict[str, int] = {}
    for pod_set in pending.pod_sets:
        for resource, amount in pod_set.requests.items():
            asked[resource] = asked.get(resource, 0) + amount * pod_set.count
    return any(2 * amount > nominal[resource] for resource, amount in asked.items() if resource in nominal)


@warning_rule("K161")
def queue_stopped(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each stopped queue, except a LocalQueue ``default``, which has its own rule."""
    queues: list[ClusterQueue | LocalQueue] = [*given.kueue.cluster_queues.values()]
    queues += [queue for queue in given.kueue.local_queues.values() if queue.name != _DEFAULT_QUEUE]
    for queue in queues:
        if queue.stop_policy in _STOPPED:
            place = Place(queue.key, ("spec", "stopPolicy"))
            message = f"{queue.key.kind} `{queue.name}` {_STOPPED[queue.stop_policy]}"
            yield Finding(place, message, Remedy("remove `stopPolicy`", (Remove(place),)))
