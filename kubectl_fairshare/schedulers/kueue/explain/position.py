"""The real place of a workload in its queue, and the workloads that must go first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.cycle.queues import STRICT, unordered, waiting
from kubectl_fairshare.schedulers.kueue.explain.decision import QueuePosition
from kubectl_fairshare.schedulers.kueue.gaps import NO_ORDER
from kubectl_fairshare.schedulers.kueue.laws import queue_order
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

GoesFirst = Literal["higher priority", "older", "lower UID", "preempted others"]


def queue_position(
    state: State, workload: Pending, cluster_queue: str, queues: Mapping[str, Sequence[Pending]] | None = None
) -> QueuePosition | None:
    """The workload's place among those that wait; None if the queue keeps no workloads.

    In a StrictFIFO queue the head blocks all workloads behind it. ``queues`` is the result of ``waiting``, for a
    caller that asks about many workloads.
    """
    queue = (waiting(state) if queues is None else queues).get(cluster_queue)
    keys = [w.key for w in queue or ()]
    if queue is None or workload.key not in keys:
        return None
    place = keys.index(workload.key)
    open_order = unordered(state, cluster_queue, queue, queue[place])
    as_likely = {w.key for w in open_order}
    ahead = tuple(w for w in queue[:place] if w.key not in as_likely)
    strategy = state.kueue.cluster_queues[cluster_queue].queueing_strategy
    blocker = ahead[0] if ahead and strategy == STRICT else None
    return QueuePosition(len(ahead) + 1, len(queue), ahead, strategy, blocker, open_order)


def unordered_heads(state: State, queues: Mapping[str, Sequence[Pending]]) -> Iterator[Gap]:
    """A gap for each ClusterQueue whose first workload the input does not say."""
    for name, queue in queues.items():
        others = unordered(state, name, queue, queue[0])
        if others:
            yield order_gap(name, (queue[0], *others))


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
