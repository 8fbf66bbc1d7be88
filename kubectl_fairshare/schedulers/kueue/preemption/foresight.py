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

from bisect import bisect_left, bisect_right
from itertools import pairwise

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.schedulers.kueue.laws import NO_SHARE, Share
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Usage
from kubectl_fairshare.schedulers.kueue.preemption.failure import FailureGround
from kubectl_fairshare.schedulers.kueue.preemption.fair import FairSearch
from kubectl_fairshare.schedulers.kueue.tree.ledger import PathUsage


class Foresight:
    """What can be said of a search from the candidates that are left."""

    def __init__(self, search: FairSearch) -> None:
        self.ground: FailureGround | None = None
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
        left, changed, mine = PathUsage(self._before, search.path), bool(held), NO_SHARE
        if held:
            left.take(0, held)
        given: dict[FlavorResource, int] = {}
        for place, (below, above) in enumerate(pairwise(search.path)):
            mine = left.share_with(place, search.preemptor.usage)
            given = self._given(mine, below, above)
            if given:
                left.take(place + 1, given)
                changed = True
            # Enough is free before shares have to be asked any higher up.
            if changed and not search.room.missing_of(left.of):
                return False
        missing = search.room.missing_of(left.of)
        if missing and len(search.path) > 1:
            root = search.path[-1]
            bars = {p: self._before.usage(root, p) - given.get(p, 0) - short for p, short in missing.items()}
            self.ground = FailureGround(bars, (search.preemptor.short, mine))
        return bool(missing)

    def _held_by_own(self) -> Usage:
        """What the candidates of the preemptor's own queue hold together, as far as they are not taken."""
        held: dict[FlavorResource, int] = {}
        taken = {id(target.holder) for target in self._search.targets}
        for holder in self._search.candidates(self._search.preemptor.queue):
            for pair, amount in holder.usage.items() if id(holder) not in taken else ():
                held[pair] = add(held.get(pair, 0), amount)
        return held

    def _given(self, mine: Share, below: int, above: int) -> dict[FlavorResource, int]:
        """What sides under ``above`` may give to the preemptor's, which is ``below`` and has ``mine``."""
        state, rank = self._search.state, (-mine.rank, -mine.value)
        passed = self._before.passed(above, self._search.preemptor.short, by_share=self._by_share, asked=state.ledger)
        more, equal = bisect_left(passed.ranks, rank), bisect_right(passed.ranks, rank)
        given = passed.before(more, below)
        # Equal shares are refused by S2-b, and by S2-a unless the candidate leaves the side's share as it is.
        for place in range(more, equal):
            side = passed.sides[place]
            if side != below and self._may_keep(side, mine):
                for pair, amount in passed.of(place).items():
                    given[pair] = add(given.get(pair, 0), amount)
        return given

    def _may_keep(self, side: int, share: Share) -> bool:
        """Whether a candidate may leave the side its share, so that S2-a holds between two equal ones."""
        if not self._final:
            return False
        forest, short = self._search.state.forest, self._search.preemptor.short
        held = {
            tuple(usage.items())
            for queue in forest.queues_below(side)
            for usage in self._search.state.holders.usages(queue)
            if not short.isdisjoint(usage)
        }
        root = self._search.path[-1]
        # What a queue does not lend does not leave the cohorts above it.
        if any(forest.kept(root, pair) for usage in held for pair, _ in usage):
            return True
        return any(self._before.share_without(side, usage).order >= share.order for usage in held)
