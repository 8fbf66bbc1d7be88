"""What a change takes away from workloads that run, so that it is open what becomes of them.

Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_losses.py``.
"""

from collections.abc import Iterator, Sequence

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.schedulers.kueue.gaps import queue_deletion
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.replay import LOST_NODES


def losses(state: State, holders: Sequence[Holder]) -> Iterator[Gap]:
    """The gaps of a state in which these workloads run: nodes, and ClusterQueues, that it has not any more."""
    if _lose_places(state, holders):
        yield LOST_NODES
    for name in sorted({holder.cluster_queue for holder in holders}.difference(state.kueue.cluster_queues)):
        yield queue_deletion(name)


def _lose_places(state: State, holders: Sequence[Holder]) -> bool:
    """Whether pods of a workload are in a domain that the state does not have, of a topology that it has."""
    placed = (each for holder in holders for each in holder.placements)
    trees = ((state.occupancy.landscape.tree(flavor), each.domains) for each in placed for flavor in each.flavors)
    return any(tree is not None and any(tree.leaf(d.values) is None for d in domains) for tree, domains in trees)
