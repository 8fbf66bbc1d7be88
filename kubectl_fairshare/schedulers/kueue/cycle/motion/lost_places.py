"""Places of running workloads that a change takes away.

Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_lost_places.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State


def loses_places(state: State, holders: Iterable[Holder]) -> bool:
    """Whether pods of a workload are in a domain that the state does not have, of a topology that it has."""
    placed = (each for holder in holders for each in holder.placements)
    trees = ((state.occupancy.landscape.tree(flavor), each.domains) for each in placed for flavor in each.flavors)
    return any(tree is not None and any(tree.leaf(d.values) is None for d in domains) for tree, domains in trees)
