"""The past usage of LocalQueues as far as the input shows: from their status, and what happened after it.

Kueue's manager keeps more in memory: entry penalties, and what was settled since the last sample. The conditions of
workloads show most of it; the rest makes a figure uncertain, within ``Entry.low`` and ``Entry.high``.
Example: the status says 3 GPU-hours at 12:00, and a workload of 2 GPUs was admitted at 12:01. Its penalty is in the
manager's memory alone; it follows from the admission, so it is put back here.
Source: ``AfsUsageLedger`` in https://github.com/kubernetes-sigs/kueue/tree/v0.19.2/pkg/cache/queue/afs;
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/controller/core/localqueue_controller.go.
"""

import math
from collections.abc import Callable, Collection, Sequence

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.admission_sharing import figures
from kubectl_fairshare.schedulers.kueue.admission_sharing.figures import NOTHING, Consumption
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import (
    Entry,
    UsageLedger,
    admitted_usage,
    by_local_queue,
    covered_resources,
    is_sampled,
    requests_of,
    scoped_queues,
    status_entry,
)
from kubectl_fairshare.schedulers.kueue.model.objects import LocalQueue
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending, PodSet

_SECOND = 10**9


class Recorded(Value, frozen=True):
    """What objects say of workloads next to what is in the state: the pod sets of one, and whether it was evicted."""

    pod_sets: Callable[[ObjectKey], Sequence[PodSet]]
    was_evicted: Callable[[Pending], bool]


def restored(state: KueueState, inactive: Collection[str], recorded: Recorded) -> UsageLedger | None:
    """The past usage as far as the objects show it; None where admission fair sharing is off.

    A manager that has restarted since a LocalQueue was stopped knows nothing of it, any other still does.
    Nothing decays up to the moment of asking: figures do not change between samples.
    """
    sharing = state.configuration.admission_sharing
    if sharing is None:
        return None
    past = UsageLedger(sharing, scoped_queues(state), {})
    sampled = any(queue.sampled is not None for queue in state.local_queues.values())
    held = by_local_queue(state)
    entries = {}
    for name, queue in state.local_queues.items():
        waiting = [w for w in state.pending if (w.key.namespace, w.local_queue) == name]
        restoring = _Restoring(past, state, recorded, queue, held.get(name, []), waiting)
        known = (sampled or queue.stored) and not restoring.has_unseen_settlements()
        entry = restoring.entry() if known else replace(restoring.entry(), low=0.0, high=math.inf)
        entry = entry if is_sampled(state, queue, inactive) else replace(entry, low=0.0)
        entries[name] = replace(entry, low=-math.inf, high=math.inf) if _may_leak(state, past, queue) else entry
    return replace(past, entries=entries)


def _may_leak(state: KueueState, past: UsageLedger, queue: LocalQueue) -> bool:
    """Whether penalties may be left in memory for ever, in releases that keep one sum of them.

    One of a workload that waits for admission checks is never settled, and a new place for its pods adds another.
    """
    name = queue.cluster_queue
    if not past.sharing.release.penalty_sums or name not in past.scoped:
        return False
    cluster_queue = state.cluster_queues[name]
    flavors = (state.flavors.get(flavor) for group in cluster_queue.groups for flavor in group.flavors)
    return bool(cluster_queue.checks) or any(flavor is not None and flavor.topology for flavor in flavors)


class _Restoring:
    """One LocalQueue: its status, then every admission since, and how far what is unknown can move its usage."""

    def __init__(
        self,
        past: UsageLedger,
        state: KueueState,
        recorded: Recorded,
        queue: LocalQueue,
        holders: Sequence[Holder],
        waiting: Sequence[Pending],
    ) -> None:
        self.sharing = past.sharing
        self.charged = queue.cluster_queue in past.scoped
        self.covered = covered_resources(state, queue.cluster_queue or "")
        self.recorded = recorded
        self.queue = queue
        self.holders = holders
        self.waiting = waiting

    def has_unseen_settlements(self) -> bool:
        """Whether workloads were admitted though no sample was ever written: what they left is in memory alone."""
        return self.charged and self.queue.sampled is None and any(h.admitted is not None for h in self.holders)

    def entry(self) -> Entry:
        """The entry with the least and the most that its usage can be."""
        status = status_entry(self.queue)
        consumed = self._settled(status.consumed)
        pending = [h for h in self.holders if h.admitted is None] if self.charged else []
        penalties = {h.key: self._penalty(self.recorded.pod_sets(h.key)) for h in pending}
        found = replace(status, consumed=consumed, penalties=penalties)
        value = self._usage(consumed, found.penalty)
        possible = list(self._possible(status.consumed, found))
        return replace(found, usage=value, low=min(value, *possible), high=max(value, *possible))

    def _settled(self, consumed: Consumption) -> Consumption:
        """The consumption of the status, with what was admitted since."""
        at = self.queue.sampled
        if at is None:
            return consumed
        since = [h for h in self.holders if h.admitted is not None and h.admitted > at]
        # One after the other, as each admission is a sample of its own and rounds the figure.
        for holder in sorted(since, key=lambda h: (h.admitted, h.uid)):
            moment = holder.admitted or at
            present = admitted_usage(self.holders, moment)
            penalty = self._penalty(self.recorded.pod_sets(holder.key)) if self.charged else NOTHING
            consumed = figures.total((figures.decayed(consumed, present, moment - at, self.sharing), penalty))
            at = moment
        return consumed

    def _possible(self, status: Consumption, entry: Entry) -> list[float]:
        """The usages that are possible as well.

        The manager may have restarted (then its status alone counts, or what is admitted), the next sample may be due
        or lie a second elsewhere, and workloads that were evicted before they were admitted may still have their
        penalties.
        """
        present = admitted_usage(self.holders)
        restarted = present if self.sharing.release.starts_as_admitted else status
        # Between the two ends a usage fades or grows steadily, so the ends bound it.
        spans = (_SECOND, int(self.sharing.sampling * _SECOND)) if present or entry.consumed else ()
        later = [figures.sampled(entry.consumed, present, span, self.sharing) for span in spans]
        evicted = [w for w in self.waiting if self.charged and self.recorded.was_evicted(w)]
        kept = [self._penalty(w.pod_sets) for w in evicted]
        penalties = [NOTHING, entry.penalty, figures.total((entry.penalty, *kept))]
        return [self._usage(consumed, p) for consumed in (restarted, entry.consumed, *later) for p in penalties]

    def _usage(self, consumed: Consumption, penalty: Consumption) -> float:
        return figures.usage(consumed, penalty, self.queue.weight, self.sharing)

    def _penalty(self, pod_sets: Sequence[PodSet]) -> Consumption:
        return figures.entry_penalty(requests_of(pod_sets, self.covered), self.sharing)
