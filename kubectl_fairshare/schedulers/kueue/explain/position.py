"""The real place of a workload in its queue, and the workloads that must go first."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.cycle.queues import STRICT, place_in, unordered, waiting
from kubectl_fairshare.schedulers.kueue.explain.decision import QueuePosition
from kubectl_fairshare.schedulers.kueue.gaps import EARLIER_PREEMPTOR, NO_ORDER
from kubectl_fairshare.schedulers.kueue.jobs.record import is_workload, record_of
from kubectl_fairshare.schedulers.kueue.laws import queue_order
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_PREEMPTOR: Final = re.compile(r"Preempted to accommodate a workload \(UID: ([^,)\s]+)")
GoesFirst = Literal["higher priority", "older", "lower UID", "preempted others"]


def queue_position(
    state: State, workload: Pending, cluster_queue: str, queues: Mapping[str, Sequence[Pending]] | None = None
) -> QueuePosition | None:
    """The workload's place among those that wait; None if the queue keeps no workloads.

    In a StrictFIFO queue the head blocks all workloads behind it. ``queues`` is the result of ``waiting``, for a
    caller that asks about many workloads.
    """
    queue = (waiting(state) if queues is None else queues).get(cluster_queue)
    place = None if queue is None else place_in(state, cluster_queue, queue, workload)
    if queue is None or place is None:
        return None
    open_order = unordered(state, cluster_queue, queue, queue[place])
    as_likely = {w.key for w in open_order}
    ahead = tuple(w for w in queue[:place] if w.key not in as_likely) if as_likely else tuple(queue[:place])
    strategy = state.kueue.cluster_queues[cluster_queue].queueing_strategy
    blocker = ahead[0] if ahead and strategy == STRICT else None
    return QueuePosition(len(ahead) + 1, len(queue), ahead, strategy, blocker, open_order)


def unordered_heads(state: State, queues: Mapping[str, Sequence[Pending]]) -> Iterator[Gap]:
    """A gap for each ClusterQueue whose first workload the input does not say."""
    for name, queue in queues.items():
        others = unordered(state, name, queue, queue[0])
        if others:
            yield order_gap(name, (queue[0], *others))


def earlier_preemptors(state: State, queues: Mapping[str, Sequence[Pending]]) -> Iterator[Gap]:
    """A gap for each workload that its BestEffortFIFO queue may take first: others left for it once, and it waits on.

    Where heads that others leave for go first in a cycle, that matters of every head, too, and in every queue.

    Kueue's manager keeps it first until it is admitted, though by now its record is about something else. Others of the
    queue that were preempted for may have replaced it, and a manager that restarted has forgotten it.
    """
    first = 0 if state.configuration.preemptors_first else 1
    open_queues = {
        name: queue
        for name, queue in queues.items()
        if len(queue) > first and not queue[0].preempting and _may_remember(state, name)
    }
    if not open_queues:
        return
    moments = dict(_preemptors(state))
    for name, queue in open_queues.items():
        for workload in queue[first:]:
            taken = moments.get(workload.uid) if workload.uid else None
            if taken is not None and taken > _last_eviction(state, workload):
                yield Gap(EARLIER_PREEMPTOR, (Place(workload.key),), touches=True, subject=name)


def _may_remember(state: State, name: str) -> bool:
    """Whether it matters in the queue for whom others left: it may preempt, and such a workload goes first."""
    spec = state.kueue.cluster_queues[name]
    policies = (spec.preemption.within_cluster_queue, spec.preemption.reclaim_within_cohort)
    counts = spec.queueing_strategy != STRICT or state.configuration.preemptors_first
    return counts and policies != ("Never", "Never")


def _preemptors(state: State) -> Iterator[tuple[str, int]]:
    """The UIDs of workloads that others were preempted for, each with the moment, the last one last."""
    found = []
    for manifest in (m for key, m in state.snapshot.manifests.items() if is_workload(key)):
        preempted = record_of(manifest).condition("Preempted")
        match = None if preempted is None else _PREEMPTOR.search(preempted.message)
        if preempted is not None and match is not None:
            found.append((preempted.moment or 0, match[1]))
    yield from ((uid, moment) for moment, uid in sorted(found))


def _last_eviction(state: State, workload: Pending) -> int:
    """The moment at which the workload last lost quota that it had: then it was admitted before; -1 without one."""
    manifest = state.snapshot.manifests.get(workload.key)
    evicted = None if manifest is None else record_of(manifest).condition("Evicted")
    return -1 if evicted is None else evicted.moment or 0


def order_gap(name: str, workloads: Iterable[Pending]) -> Gap:
    """The gap of workloads whose order in a ClusterQueue the input does not say."""
    places = tuple(Place(w.key, ("metadata", "creationTimestamp")) for w in workloads)
    return Gap(NO_ORDER, places, touches=True, subject=name)


def goes_first(other: Pending, workload: Pending) -> GoesFirst:
    """Why a workload is ahead of another."""
    if other.preempting and queue_order(other) > queue_order(workload):
        return "preempted others"
    if other.priority > workload.priority:
        return "higher priority"
    if other.undated != workload.undated:
        return "older"
    return "older" if other.queued < workload.queued else "lower UID"
