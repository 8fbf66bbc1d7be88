"""Which sizes of a Workload Kueue decide in the same way: for the largest that gets in after preemption.

Tested in ``tests/property/test_alike.py``.
"""

from itertools import pairwise
from typing import Final

from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.laws import Preemptor
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.preemption.alike import alike
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.sandbox import SizeSpan

_STEPS: Final = 64


class KueueSizes:
    """The sizes of a Workload that asks for one flavor-resource under fair sharing."""

    def __init__(self, state: State, queue: int, found: Nomination, pair: FlavorResource, replay: Replay) -> None:
        self._state, self._queue, self._pair, self._replay = state, queue, pair, replay
        self._priority, self._queued = found.workload.priority, found.workload.queued

    def around(self, amount: int, within: tuple[int, int], unit: int) -> SizeSpan | None:
        """The sizes ``within`` two bounds that are decided as ``amount`` is, and what they come to."""
        usage = {self._pair: amount}
        preemptor = Preemptor(self._queue, self._priority, self._queued, frozenset(usage), usage)
        return alike(self._state, preemptor, self._replay, within, unit)

    @property
    def start(self) -> int:
        """Where to look first: the amount at which all shares would be equal if workloads could be cut."""
        low, high = 0, self._state.forest.potential(self._queue, self._pair)
        for _ in range(_STEPS):
            middle = (low + high) // 2
            if middle == low:
                break
            low, high = (middle, high) if self._could_take(middle) >= middle else (low, middle)
        return low

    def _could_take(self, amount: int) -> int:
        """What is free, and what others hold above the share that the Workload gives each node above it.

        What leaves below a node makes its share smaller again, so the nearest cohort comes first.
        """
        state, pair = self._state, self._pair
        taken = 0
        for below, cohort in pairwise(state.forest.path(self._queue)):
            level = state.ledger.share_with(below, pair, amount - taken).value
            taken += sum(
                self._given(node, level, cohort) for node in state.forest.nodes[cohort].children if node != below
            )
        return taken + state.ledger.free(self._queue, pair)

    def _given(self, node: int, level: float, cohort: int) -> int:
        """What a node gives until its share is ``level``: at most what it uses above its quota."""
        state, pair = self._state, self._pair
        beyond = state.ledger.usage(node, pair) - state.forest.subtree(node, pair)
        each = state.forest.nodes[node].weight * state.forest.lendable(cohort, pair.resource) / 1000
        return max(0, min(beyond, int((state.ledger.share(node).value - level) * each)))


def sizes_of(state: State, found: Nomination, replay: Replay) -> KueueSizes | None:
    """The sizes of the nominated Workload; None where something else than shares depends on its size."""
    if found.assignment is None or found.queue is None or not state.fair or state.unready or found.placed:
        return None
    policies = state.forest.nodes[found.queue].queue.preemption
    searches = policies.reclaim_within_cohort != "Never" or policies.borrow_within_cohort != "Never"
    pairs = list(found.assignment.usage)
    pod_sets = found.workload.pod_sets
    if not searches or len(pairs) != 1 or len(pod_sets) != 1 or pod_sets[0].min_count is not None:
        return None
    return KueueSizes(state, found.queue, found, pairs[0], replay)
