"""Stop policies that evict what runs.

Why the LocalQueue's policy counts first: it is HoldAndDrain and its ClusterQueue runs on; only its own workloads are
evicted.
Source: ``reconcileOnLocalQueueActiveState``, ``reconcileOnClusterQueueActiveState`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/controller/core/workload_controller.go.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_draining.py``.
"""

from typing import Final

from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_DRAINING: Final = "HoldAndDrain"


def is_drained(state: State, workload: Pending) -> bool:
    """Whether the stop policy of its LocalQueue, or of the ClusterQueue of that, evicts an admitted Workload.

    A Workload whose LocalQueue is gone stays. Source: Kueue v0.19, the reconciler of Workloads.
    """
    local = state.kueue.local_queues.get((workload.key.namespace, workload.local_queue))
    if local is None:
        return False
    queue = state.kueue.cluster_queues.get(local.cluster_queue or "")
    return _DRAINING in (local.stop_policy, "" if queue is None else queue.stop_policy)
