"""Whether a search under fair sharing must fail, seen from shares: before its first candidate, or after some targets.

Only for speed: such a search has no targets, whatever it examines; ``python -m tests.bench.without`` prints what this
buys. Example: with the preemptor its team has share 90, and no other team of the department has more than 80. The
walk asks each of their workloads twice to find that none may be taken; the teams' shares say so at once.
The bound: from the queue up, a side next to the preemptor's path gives something only if it borrows and its share is
not below that of the preemptor's side, which is least once all that may leave below has left. No share rises when
workloads leave. Where the demand does not fit even if those sides hold nothing, the search fails.
Limits: workloads of other queues count even if no policy allows them, so some searches in vain are not foreseen. Nor is
one of an entitled preemptor: shares do not matter to it, and it seldom fails.
Source: ``runFirstFsStrategy``, ``runSecondFsStrategy`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption.go; "fair preemption" in
``docs/laws.md``.
Tested in ``tests/property/test_foresight.py``.
"""

from collections.abc import Iterator
from itertools import pairwise

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.schedulers.kueue.laws import Share, may_have_victims
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Usage
from kubectl_fairshare.schedulers.kueue.preemption.fair import FairSearch
from kubectl_fairshare.schedulers.kueue.preemption.targets import may_be_asked
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger


class Foresight:
    """What can be said of a search from the candidates that are left."""

    def __init__(self, search: FairSearch) -> None:
        self._search = search
        self._before = search.ledger
        self._by_share = search.state.configuration.release.borrowing_by_share
        self._final = (search.state.configuration.strategies or ())[:1] == (FINAL_SHARE,)

    def fails(self) -> bool:
        """Whether no candidates that may still be taken make the preemptor fit; false where that is not known."""
        search = self._search
        # With an unlimited amount in it a ledger depends on the order of removals, so no bound holds.
        if search.inside or search.entitled:
            return False
        held = self._held_by_own()
        left = self._before.minus(search.preemptor.queue, held) if held else self._before
        for below, above in pairwise(search.path):
            left = left.passing_less(above, self._giving(left, below, above))
            # Enough is free before shares have to be asked any higher up.
            if left is not self._before and not search.room.missing(left):
                return False
        return bool(search.room.missing(left))

    def _held_by_own(self) -> Usage:
        """What the candidates of the preemptor's own queue hold together, as far as they are not taken."""
        held: dict[FlavorResource, int] = {}
        taken = {id(target.holder) for target in self._search.targets}
        for holder in self._search.candidates(self._search.preemptor.queue):
            for pair, amount in holder.usage.items() if id(holder) not in taken else ():
                held[pair] = add(held.get(pair, 0), amount)
        return held

    def _giving(self, left: Ledger, below: int, above: int) -> Iterator[int]:
        """The sides under ``above`` that may give something to the preemptor's, which is ``below``."""
        search, cohort = self._search, self._search.state.forest.nodes[above]
        asked = search.asked if left is self._before else left.plus(search.preemptor.queue, search.preemptor.usage)
        mine = asked.share(below)
        for side in (*cohort.queues, *cohort.cohorts):
            theirs = self._before.share(side)
            if side == below or not may_have_victims(theirs, by_share=self._by_share):
                continue
            if search.state.forest.nodes[side].is_queue and not may_be_asked(search.state, search.preemptor, side):
                continue
            # Equal shares are refused by S2-b, and by S2-a unless the candidate leaves the side's share as it is.
            if mine.order < theirs.order or (mine.order == theirs.order and self._may_keep(side, mine)):
                yield side

    def _may_keep(self, side: int, share: Share) -> bool:
        """Whether a candidate may leave the side its share, so that S2-a holds between two equal ones."""
        if not self._final:
            return False
        forest, short = self._search.state.forest, self._search.preemptor.short
        held = {
            tuple(holder.usage.items())
            for queue in forest.queues_below(side)
            for holder in self._search.state.holders.in_no_order(queue)
            if not short.isdisjoint(holder.usage)
        }
        root = self._search.path[-1]
        # What a queue does not lend does not leave the cohorts above it.
        if any(forest.kept(root, pair) for usage in held for pair, _ in usage):
            return True
        return any(self._before.share_without(side, usage).order >= share.order for usage in held)
