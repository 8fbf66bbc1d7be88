"""When a preemption search cannot succeed any more: it is given up, and looks at no further candidates.

Speed alone: the targets would be the same, none. It keeps "decision, never" of ``python -m tests.bench`` at its
speed.
"""

from collections.abc import Callable, Iterable
from typing import Final

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.headroom import Headroom
from kubectl_fairshare.schedulers.kueue.tree.state import State

# How many targets are taken before it is worth asking whether all of the tree would do, or all that may be asked.
_TREE_AFTER: Final = 32
_QUEUES_AFTER: Final = 256


class Feasibility:
    """Whether a search can still succeed: after some targets, asks whether taking everything would be enough.

    ``queues`` gives those that may have candidates. ``lost``: it cannot succeed.
    """

    def __init__(self, state: State, room: Headroom, queues: Callable[[], Iterable[int]]) -> None:
        self._state = state
        self._room = room
        self._queues = queues
        self._taken = 0
        self.lost = False

    def is_lost(self) -> bool:
        """Counts one more target; whether the demand would not fit even if the queues held nothing at all."""
        self._taken += 1
        if self._taken == _TREE_AFTER:
            self.lost = self._exceeds(self._held_by_tree)
        elif self._taken == _QUEUES_AFTER:
            queues = tuple(self._queues())
            self.lost = self._exceeds(lambda pair: self._held_by(queues, pair))
        return self.lost

    def _exceeds(self, held: Callable[[FlavorResource], int]) -> bool:
        """Whether more is missing than is held: no node gains more than what is taken away below its root."""
        return any(held(pair) < missing for pair, missing in self._room.missing(self._state.ledger).items())

    def _held_by_tree(self, pair: FlavorResource) -> int:
        """At least what all workloads of the tree hold: what their queues and cohorts don't bear, the root does."""
        root, forest = self._room.path[-1], self._state.forest
        return add(max(0, self._state.ledger.usage(root, pair)), forest.kept(root, pair))

    def _held_by(self, queues: Iterable[int], pair: FlavorResource) -> int:
        total = 0
        for queue in queues:
            total = add(total, max(0, self._state.ledger.usage(queue, pair)))
        return total
