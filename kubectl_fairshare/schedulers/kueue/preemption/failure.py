"""What it rests on that a search for targets fails, as far as that is not below the preemptor's side of the root.

Only for speed: a forecast asks the same searches again after each end of a job (``cycle/motion/lasting.py``).
Example: 8 are asked for. Once all that may leave on the preemptor's own side has left, 3 are missing, and no other side
may give any: the search fails as long as less than 3 fewer are used at the root.
Why not less: whatever a queue may take grows at most by what is used less at its root.
Source: the searches are ``classicalPreemptions`` and ``fairPreemptions`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption.go, which are made anew.
Tested in ``tests/property/test_lasting.py``.
"""

from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.state import State


class FailureGround(NamedTuple):
    """The search fails while more than one of ``bars`` is used at the root of a flavor-resource.

    That is without what other sides may give of it. By ``others``, those give under fair sharing whose share is not
    below that of the preemptor's side with the preemptor, of what is short; None: no other side gives anything.
    """

    bars: Mapping[FlavorResource, int]
    others: tuple[frozenset[FlavorResource], Share] | None = None

    def holds(self, state: State, root: int, own: int) -> bool:
        """Whether the search fails on a state in which all under ``own`` is as it was."""
        given = self._given(state, root, own)
        used = state.ledger.usage
        return any(used(root, pair) - given.get(pair, 0) > bar for pair, bar in self.bars.items())

    def _given(self, state: State, root: int, own: int) -> Mapping[FlavorResource, int]:
        """What sides of the root other than ``own`` may give."""
        if self.others is None:
            return {}
        short, mine = self.others
        passed = state.ledger.passed(root, short, by_share=state.configuration.release.borrowing_by_share)
        return passed.before(bisect_right(passed.ranks, (-mine.rank, -mine.value)), own)
