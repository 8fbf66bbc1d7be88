"""The real place of a workload in its queue, and the workloads that must go first."""

from collections.abc import Mapping, Sequence
from typing import Literal

from kubectl_fairshare.schedulers.kueue.cycle.queues import STRICT, waiting
from kubectl_fairshare.schedulers.kueue.explain.decision import QueuePosition
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
    ahead = tuple(queue[: keys.index(workload.key)])
    strategy = state.kueue.cluster_queues[cluster_queue].queueing_strategy
    blocker = ahead[0] if ahead and strategy == STRICT else None
    return QueuePosition(len(ahead) + 1, len(queue), ahead, strategy, blocker)


def goes_first(other: Pending, workload: Pending) -> GoesFirst:
    """Why a workload is ahead of another."""
    if other.preempting and queue_order(other) > queue_order(workload):
        return "preempted others"
    if other.priority > workload.priority:
        return "higher priority"
    return "older" if other.queued < workload.queued else "lower UID"
