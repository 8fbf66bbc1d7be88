"""Ends a preemption search that can no longer succeed, without examining more candidates.

Only for speed: the result, no targets, is the same; ``python -m tests.bench.without`` prints what it buys.
Example: 12 GPUs are wanted, 2 are free, and all workloads of the tree hold 8. Limit: an upper bound. Workloads that no
policy allows count as well, so some searches in vain go on to their last candidate.
Source: the searches that it ends are ``classicalPreemptions`` and ``fairPreemptions`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption.go, which go on to the last
candidate.
Tested in ``tests/unit/schedulers/kueue/preemption/test_classical.py``.
"""

from collections.abc import Callable, Iterable
from typing import Final

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.headroom import Headroom
from kubectl_fairshare.schedulers.kueue.tree.state import State

# The number of targets after which a check of the whole tree, or of all queues with candidates, is worth its time.
_TREE_AFTER: Final = 32
_QUEUES_AFTER: Final = 256


class Feasibility:
    """Whether a search can still succeed: after some targets, checks whether preempting everything is enough.

    ``queues`` returns the queues that may have candidates. ``lost``: the search cannot succeed.
    """

    def __init__(self, state: State, room: Headroom, queues: Callable[[], Iterable[int]]) -> None:
        self._state = state
        self._room = room
        self.queues = queues
        self._taken = 0
        self.lost = False

    def count(self, targets: int) -> None:
        """Counts targets, no more than there are before a check."""
        self._taken += targets

    def is_lost(self) -> bool:
        """Counts one more target; returns whether the demand does not fit even if the queues hold nothing."""
        # Equal and not at least: each check is made once, and fewer targets than that are taken faster than counted.
        self._taken += 1
        if self._taken == _TREE_AFTER:
            self.lost = self._exceeds(self._held_by_tree)
        elif self._taken == _QUEUES_AFTER:
            self.lost = self._exceeds_queues()
        return self.lost

    def is_lost_at_once(self) -> bool:
        """Whether the demand does not fit even if the queues hold nothing, seen before any target."""
        self.lost = self._exceeds(self._held_by_tree) or self._exceeds_queues()
        return self.lost

    def _exceeds_queues(self) -> bool:
        queues = tuple(self.queues())
        return self._exceeds(lambda pair: self._held_by(queues, pair))

    def _exceeds(self, held: Callable[[FlavorResource], int]) -> bool:
        """Whether more is missing than workloads hold: no node gains more than what leaves the tree."""
        # By each flavor-resource alone: a workload that leaves can give no more of one than it holds.
        return any(held(pair) < missing for pair, missing in self._room.missing(self._state.ledger).items())

    def _held_by_tree(self, pair: FlavorResource) -> int:
        """An upper bound of what all workloads of the tree hold: the usage of the root and all local parts."""
        root, forest = self._room.path[-1], self._state.forest
        # The root counts nothing of what stays in local quotas, so these are added whole: more than is held, never
        # less.
        return add(max(0, self._state.ledger.usage(root, pair)), forest.kept(root, pair))

    def _held_by(self, queues: Iterable[int], pair: FlavorResource) -> int:
        total = 0
        for queue in queues:
            total = add(total, max(0, self._state.ledger.usage(queue, pair)))
        return total
