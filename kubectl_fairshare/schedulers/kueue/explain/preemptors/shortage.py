"""What a queue can run short of, so that Kueue looks for victims for a newcomer of it, and from whom it may reclaim.

All that is said here is necessary, and quick to find; whether a newcomer takes a workload is for ``newcomers`` to try.
Source: Kueue v0.19; "targets" and "classical preemption" in ``docs/laws.md``.
Tested in ``tests/property/exact/test_kueue_preemptors.py``.
"""

import itertools
from itertools import pairwise

from kubectl_fairshare.schedulers.kueue.laws import NO_SHARE, may_search
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.reach import free_local_of, reach
from kubectl_fairshare.schedulers.kueue.tree.state import State


class ShortPairs:
    """The flavor-resources of which the queues of a state can run short."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._short: dict[int, frozenset[FlavorResource]] = {}

    def of(self, queue: int) -> frozenset[FlavorResource]:
        """Those of which a newcomer of some size is short, and for which Kueue then looks for victims."""
        if queue not in self._short:
            pairs = self._state.forest.nodes[queue].quotas
            self._short[queue] = frozenset(pair for pair in pairs if self._is_short(queue, pair))
        return self._short[queue]

    def reclaimed(self, queue: int, cohort: int) -> frozenset[FlavorResource]:
        """Those that a newcomer may reclaim from another side of a cohort: its own side has quota for what is short.

        Its queue may have more than enough once other workloads of it have left.
        """
        forest = self._state.forest
        below = forest.path(queue).index(cohort)
        return frozenset(
            pair
            for pair in self.of(queue)
            if self.has_nodes(pair)
            or self._is_not_freed(pair)
            or max(forest.quota(queue, pair).nominal, *rooms(self._state, queue, pair)[:below])
            > self._state.ledger.free(queue, pair)
        )

    def has_nodes(self, pair: FlavorResource) -> bool:
        """Whether a topology places the pods, so that nodes may be short."""
        flavor = self._state.kueue.flavors.get(pair.flavor)
        return self._state.configuration.topology and flavor is not None and flavor.topology is not None

    def _is_not_freed(self, pair: FlavorResource) -> bool:
        """Whether searches for victims ignore the resource, so that it neither borrows nor has a share."""
        return pair.resource == "pods" and not self._state.configuration.release.pods_are_freed

    def may_outbid(self, queue: int, other: int) -> bool:
        """Under fair sharing: whether the smallest newcomer that is short may take from a queue of the same tree.

        It may if its queue has quota for it, or if its side's share is at most that of the other side.
        """
        path = self._state.forest.path(queue)
        theirs, lca = next(step for step in pairwise(self._state.forest.path(other)) if step[1] in path)
        mine = path[path.index(lca) - 1]
        share = self._state.ledger.share(theirs).order
        return any(self._smallest_share(queue, pair, mine) <= share for pair in self.of(queue))

    def _smallest_share(self, queue: int, pair: FlavorResource, node: int) -> tuple[int, float]:
        """No newcomer that is short gives the node above its queue a smaller share, whatever leaves below the node."""
        state, free = self._state, self._state.ledger.free(queue, pair)
        if self.has_nodes(pair) or self._is_not_freed(pair) or rooms(state, queue, pair)[0] > free:
            return NO_SHARE.order
        within = state.forest.nodes[queue].queue.preemption.within_cluster_queue
        stays = node == queue and within == "Never"
        ledger = state.ledger if stays else state.emptied().ledger
        below = itertools.takewhile(node.__ne__, state.forest.path(queue))
        kept = sum(state.forest.local(each, pair) for each in below)
        return ledger.share_with(node, pair, max(0, free + 1 - kept)).order

    def _is_short(self, queue: int, pair: FlavorResource) -> bool:
        state = self._state
        node = state.forest.nodes[queue].queue
        most, free = state.forest.potential(queue, pair), state.ledger.free(queue, pair)
        nominal = state.forest.quota(queue, pair).nominal
        sizes = {size for bound in (free, nominal, most, *rooms(state, queue, pair)) for size in (bound, bound + 1)}
        return self.has_nodes(pair) or any(
            may_search(
                node.preemption,
                within_nominal=size <= nominal,
                may_reclaim=reach(state.ledger, queue, pair, size).may_reclaim,
                fair=state.fair,
            )
            for size in sizes
            if free < size <= most
        )


def rooms(state: State, queue: int, pair: FlavorResource) -> list[int]:
    """The largest newcomer with which the queue, and each cohort above it, stays within its quota."""
    found, local = [], 0
    for node in state.forest.path(queue):
        found.append(state.forest.subtree(node, pair) - state.ledger.usage(node, pair) + local)
        local += free_local_of(state.ledger, node, pair)
    return found
