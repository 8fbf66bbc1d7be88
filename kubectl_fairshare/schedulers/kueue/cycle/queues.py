"""Which workloads wait in which queue, and in which order.

Source: Kueue v0.19; "queue order" in ``docs/laws.md``.
"""

from typing import Final

from kubectl_fairshare.schedulers.kueue.jobs.laws import NO_WORKLOAD
from kubectl_fairshare.schedulers.kueue.laws import queue_order
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

STRICT: Final = "StrictFIFO"


def waiting(state: State) -> dict[str, list[Pending]]:
    """The pending workloads of every ClusterQueue that keeps a queue, in order.

    In a BestEffortFIFO queue a workload with victims comes before all others. An inactive queue keeps no workloads,
    unless a cohort cycle is the only reason. A workload waits in no queue if it is deactivated, if its LocalQueue is
    stopped or missing, or if Kueue did not make it from its job.
    """
    queues: dict[str, list[Pending]] = {}
    for workload in state.kueue.pending:
        name = state.cluster_queue_of(workload)
        if name in state.kueue.cluster_queues and is_queued(state, workload) and keeps_queue(state, name):
            queues.setdefault(name, []).append(workload)
    return {name: _in_order(state, name, queues[name]) for name in sorted(queues)}


def _in_order(state: State, name: str, queue: list[Pending]) -> list[Pending]:
    strict = state.kueue.cluster_queues[name].queueing_strategy == STRICT
    return sorted(queue, key=lambda w: (strict or not w.preempting, queue_order(w)))


def keeps_queue(state: State, name: str) -> bool:
    """Whether workloads of the ClusterQueue can become heads."""
    inactivity = state.inactive.get(name)
    return inactivity is None or inactivity.reasons == ("CohortCycle",)


def is_queued(state: State, workload: Pending) -> bool:
    """Whether the workload exists, is active, and its LocalQueue accepts it."""
    if workload.refusal is not None and workload.refusal.law in NO_WORKLOAD:
        return False
    local = state.kueue.local_queues.get((workload.key.namespace, workload.local_queue))
    return workload.active and local is not None and local.stop_policy == "None"


def heads(state: State) -> dict[str, Pending]:
    """The first workload of every queue that is not empty, by ClusterQueue."""
    return {name: queue[0] for name, queue in waiting(state).items()}
