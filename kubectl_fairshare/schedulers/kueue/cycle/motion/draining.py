"""Stop policies that evict what runs. Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``."""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder

_DRAINING: Final = "HoldAndDrain"


def draining(state: KueueState, running: Iterable[Holder]) -> Iterator[Place]:
    """The stop policies of ClusterQueues and LocalQueues that evict some of the running Workloads."""
    for holder in running:
        queue = state.cluster_queues.get(holder.cluster_queue)
        local = state.local_queues.get((holder.key.namespace, holder.local_queue))
        yield from (
            Place(each.key, ("spec", "stopPolicy"))
            for each in (queue, local)
            if each is not None and each.stop_policy == _DRAINING
        )
