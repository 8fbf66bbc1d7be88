"""What each LocalQueue used, as Kueue's manager keeps it: consumption that decays, and entry penalties.

Why a penalty at all: ten workloads of one LocalQueue wait, and the next sample is minutes away. Without a penalty all
ten would get in before its usage grows.
Source: ``AfsUsageLedger`` in https://github.com/kubernetes-sigs/kueue/tree/v0.19.2/pkg/cache/queue/afs;
``updateEntryPenalty`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go, KEP-4136;
"admission fair sharing" in ``docs/laws.md``.
"""

from collections.abc import Container, Iterable, Mapping

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kueue.admission_sharing import figures
from kubectl_fairshare.schedulers.kueue.admission_sharing.figures import Consumption
from kubectl_fairshare.schedulers.kueue.model.objects import USAGE_BASED, AdmissionSharing, LocalQueue
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending, PodSet

LocalQueueName = tuple[str, str]
"""Namespace and name."""


class Entry(Value, frozen=True):
    """What the manager remembers of one LocalQueue. ``penalties`` are by workload, not settled yet.

    ``low`` and ``high`` are the least and the most that its usage can be with what only the manager knows.
    """

    consumed: Consumption = field(default_factory=dict)
    penalties: Mapping[ObjectKey, Consumption] = field(default_factory=dict)
    weight: float = 1.0
    usage: float = 0.0
    low: float = 0.0
    high: float = 0.0

    @property
    def penalty(self) -> figures.Amounts:
        """All penalties that are not settled yet."""
        return figures.total(self.penalties.values())


_UNKNOWN = Entry()


class UsageLedger(Value, frozen=True):
    """The past usage of all LocalQueues, and which ClusterQueues order by it (``scoped``)."""

    sharing: AdmissionSharing
    scoped: frozenset[str]
    entries: Mapping[LocalQueueName, Entry]

    def of(self, local_queue: LocalQueueName) -> Entry:
        """What is remembered of a LocalQueue; nothing of one that was never sampled."""
        return self.entries.get(local_queue, _UNKNOWN)

    def usage(self, cluster_queue: str, local_queue: LocalQueueName) -> float:
        """What workloads of the LocalQueue are ordered by in the ClusterQueue; 0 where that does not order by usage."""
        return self.of(local_queue).usage if cluster_queue in self.scoped else 0.0

    def charges(self, cluster_queue: str | None) -> bool:
        """Whether LocalQueues get penalties for what the ClusterQueue admits."""
        return self.sharing.release.penalty_sums or cluster_queue in self.scoped

    def with_entry(self, local_queue: LocalQueueName, entry: Entry) -> "UsageLedger":
        """The same with another entry, its usage computed."""
        return replace(self, entries={**self.entries, local_queue: self.computed(entry)})

    def with_admission(self, cluster_queue: str, workload: Pending, covered: Iterable[str] | None) -> "UsageLedger":
        """The same after the scheduler gave the workload quota; ``covered`` as in ``requests_of``."""
        if not self.charges(cluster_queue):
            return self
        name = (workload.key.namespace, workload.local_queue)
        entry = self.of(name)
        penalty = figures.entry_penalty(requests_of(workload.pod_sets, covered), self.sharing)
        return self.with_entry(name, replace(entry, penalties={**entry.penalties, workload.key: penalty}))

    def computed(self, entry: Entry) -> Entry:
        """The entry with its usage, as certain as its parts are."""
        value = figures.usage(entry.consumed, entry.penalty, entry.weight, self.sharing)
        return replace(entry, usage=value, low=value, high=value)


def requests_of(pod_sets: Iterable[PodSet], covered: Iterable[str] | None = None) -> figures.Amounts:
    """What all pods that still need quota ask for; of ``covered`` resources alone, where these are given."""
    known = None if covered is None else frozenset(covered)
    return figures.total(
        {
            resource: figures.amount_quantity(resource, amount * max(0, p.count - p.reclaimable))
            for resource, amount in p.requests.items()
            if known is None or resource in known
        }
        for p in pod_sets
    )


def admitted_usage(holders: Iterable[Holder], until: int | None = None) -> figures.Amounts:
    """What the admitted ones of these workloads hold, those admitted by ``until``, if it is given."""
    return figures.total(
        {pair.resource: figures.amount_quantity(pair.resource, amount)}
        for holder in holders
        if holder.admitted is not None and (until is None or holder.admitted <= until)
        for pair, amount in holder.usage.items()
    )


def covered_resources(state: KueueState, cluster_queue: str) -> tuple[str, ...] | None:
    """The resources that a penalty counts: None for all, those of the ClusterQueue if others are let through."""
    if state.configuration.quota_check != "IgnoreUndeclared" or cluster_queue not in state.cluster_queues:
        return None
    return tuple(resource for group in state.cluster_queues[cluster_queue].groups for resource in group.covered)


def scoped_queues(state: KueueState) -> frozenset[str]:
    """The ClusterQueues that order their workloads by the past usage of LocalQueues."""
    return frozenset(name for name, queue in state.cluster_queues.items() if queue.admission_scope == USAGE_BASED)


def by_local_queue(state: KueueState) -> dict[LocalQueueName, list[Holder]]:
    """The workloads by LocalQueue, with quota in the ClusterQueue that it points to, none of an earlier namesake."""
    found: dict[LocalQueueName, list[Holder]] = {}
    for holder in state.holders:
        name = holder.key.namespace, holder.local_queue
        queue = state.local_queues.get(name)
        # One that got its quota through an earlier LocalQueue of this name is not of this one.
        if queue is not None and queue.cluster_queue == holder.cluster_queue:
            found.setdefault(name, []).append(holder)
    return found


def is_sampled(state: KueueState, queue: LocalQueue, inactive: Container[str]) -> bool:
    """Whether the manager samples the LocalQueue: it runs, and its ClusterQueue exists and says that it is active."""
    name = queue.cluster_queue
    return queue.stop_policy == "None" and name in state.cluster_queues and name not in inactive


def status_entry(queue: LocalQueue) -> Entry:
    """What a LocalQueue's status says, with nothing of what the manager has in memory."""
    return Entry(consumed=queue.consumed, weight=queue.weight)
