"""Fair sharing preemption: preempt in the queue that borrows most for its weight, as far as shares allow.

Problem: make room for a workload so that no cohort ends up further above its share than the one with the victims.
Why not compare the two queues themselves: department A (share 200) has one queue of share 200, B (share 300) has two of
150. By queues, a newcomer of B would preempt in A; below their common cohort A and B are compared, and A is spared.
Why not preempt until shares are equal: S2-a looks at the share *without* the candidate, so that a queue does not lose
one large workload for a small one and reclaim it a cycle later. S2-b, the second pass, ignores how large it is.
Greedy by share is not exact (a large target may make earlier ones unnecessary), so ``put_back`` follows the search.
Source: https://github.com/kubernetes-sigs/kueue/tree/v0.19.2/keps/1714-fair-sharing; ``runFirstFsStrategy`` and
``runSecondFsStrategy`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption.go;
"fair preemption" in ``docs/laws.md``. ``fair_targets`` runs it; what makes it fast is there, and no answer needs that.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Final, TypeAlias

from kubectl_fairshare.schedulers.kueue.laws import (
    Law,
    NewShare,
    OldShare,
    PreemptionReason,
    Preemptor,
    PreemptorShare,
    s2a,
    s2b,
)
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.preemption.queue_ordering import QueueOrdering, Remaining
from kubectl_fairshare.schedulers.kueue.preemption.targets import Candidates, Target, Trial, may_be_asked
from kubectl_fairshare.schedulers.kueue.tree.headroom import Headroom
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State

CandidatesOf: TypeAlias = Callable[[int], Iterable[Holder]]
MakeWalk: TypeAlias = Callable[[CandidatesOf], QueueOrdering]
Compared: TypeAlias = tuple[Trial, Ledger | None]
"""A trial by shares, and the ledger without the candidate if the law looked at it."""
CompareShares: TypeAlias = Callable[[Holder, int, Law], Compared]
_REASONS: Final = {
    Law.IN_QUEUE_PRIORITY: PreemptionReason.IN_CLUSTER_QUEUE,
    Law.ENTITLED: PreemptionReason.RECLAMATION,
    Law.S2A: PreemptionReason.FAIR_SHARING,
    Law.S2B: PreemptionReason.FAIR_SHARING,
}


class FairSearch:
    """One search for one preemptor: what it has taken and tried so far.

    ``ledger`` is without the targets so far, ``asked`` is the same with the preemptor. Both are values that are
    replaced, never changed. ``second``: the search is in its second pass. ``read`` are the queues whose candidates it
    read.
    """

    def __init__(self, state: State, preemptor: Preemptor) -> None:
        self.state = state
        self.preemptor = preemptor
        self.path = state.forest.path(preemptor.queue)
        self.room = Headroom(state.forest, preemptor.queue, preemptor.usage)
        self.asked = state.ledger.plus(preemptor.queue, preemptor.usage)
        # The order of additions and removals matters only if some usage becomes unlimited, because it then stays so.
        # Kueue adds the preemptor first, so targets leave a ledger that has it from the start.
        self.inside = self.room.overflows(state.ledger)
        self.ledger = self.asked if self.inside else state.ledger
        self.entitled = self.asked.is_within(preemptor.queue, preemptor.short)
        self.targets: list[Target] = []
        self.trials: list[Trial] = []
        self.second = False
        self.read: set[int] = set()
        self._below = {above: below for below, above in pairwise(self.path)}
        self._candidates = Candidates(state, preemptor)

    def candidates(self, queue: int) -> Iterable[Holder]:
        """The queue's candidates before anything has left."""
        self.read.add(queue)
        return self._candidates.of(queue) if may_be_asked(self.state, self.preemptor, queue) else ()

    def examine(
        self, walk: MakeWalk, candidates: CandidatesOf | None = None, compare: CompareShares | None = None
    ) -> Iterator[Trial]:
        """Examines candidates until the caller stops; a taken one has left when its trial is yielded."""
        # Kueue's defaults are both, S2-a first; a configuration may have S2-b alone, then there is no second pass.
        strategies = self.state.configuration.strategies or ()
        compare = compare or self.by_shares
        refused: dict[int, list[Holder]] = {}
        strategy = Law.S2A if strategies[0] == FINAL_SHARE else Law.S2B
        for queue, rest in self._visits(walk(candidates or self.candidates)):
            law = self._first_law(queue, strategy)
            while rest.first is not None:
                trial = self._try(rest.take(), queue, law, compare)
                yield trial
                if trial.taken:
                    break  # not the queue's next candidate: its share has fallen, and another queue may come first
                # Only those that the first pass refused are candidates of the second.
                refused.setdefault(queue, []).append(trial.holder)
        if len(strategies) < 2:
            return
        self.second = True
        for queue, rest in self._visits(walk(lambda queue: refused.get(queue, ()))):
            yield self._try(rest.take(), queue, Law.S2B, compare)
            rest.drop()  # S2-b compares the share with the candidate: one that refuses it refuses all of the queue

    def _visits(self, walk: QueueOrdering) -> Iterator[tuple[int, Remaining]]:
        while (queue := walk.next_queue(self.ledger, self.asked)) is not None:
            yield queue, walk.remaining(queue)

    def _first_law(self, queue: int, strategy: Law) -> Law:
        # A victim of the preemptor's own queue moves no quota between queues, so shares do not count.
        if queue == self.preemptor.queue:
            return Law.IN_QUEUE_PRIORITY
        # Within its nominal quota the preemptor takes back what is its own, whatever the shares.
        return Law.ENTITLED if self.entitled else strategy

    def _try(self, holder: Holder, queue: int, law: Law, compare: CompareShares) -> Trial:
        """Takes the candidate if the law allows it."""
        by_shares = law in (Law.S2A, Law.S2B)
        trial, left = compare(holder, queue, law) if by_shares else (Trial(holder, queue, law, taken=True), None)
        self.trials.append(trial)
        if trial.taken:
            self.take(Target(holder, queue, _REASONS[law], trial), left or self.ledger.minus(queue, holder.usage))
        return trial

    def by_shares(self, holder: Holder, queue: int, law: Law) -> Compared:
        """The candidate's trial by shares, on both sides just below the lowest common cohort."""
        at = self._almost_lca(queue)
        mine, old = PreemptorShare(self.asked.share(at[0])), OldShare(self.ledger.share(at[1]))
        if law is Law.S2B:
            return Trial(holder, queue, law, s2b(mine, old), at, mine, old), None
        # The share of a side does not rise when a candidate leaves, so the share as it is proves this refusal.
        if mine.order > old.order:
            return Trial(holder, queue, law, False, at, mine, old), None
        left = self.ledger.minus(queue, holder.usage)
        new = NewShare(left.share(at[1]))
        return Trial(holder, queue, law, s2a(mine, new), at, mine, new), left

    def _almost_lca(self, queue: int) -> tuple[int, int]:
        """The children of the lowest common ancestor on the preemptor's side and on the queue's side."""
        for below, node in pairwise(self.state.forest.path(queue)):
            if node in self._below:
                return self._below[node], below
        raise LookupError(f"{self.state.forest.nodes[queue].name} is in another tree")

    def take(self, target: Target, left: Ledger) -> None:
        """Takes a target, without which the ledger is ``left``."""
        self.targets.append(target)
        self.ledger = left
        if self.inside:
            self.asked = left
        elif self.state.forest.path(target.queue)[-2:-1] == self.path[-2:-1]:
            # They share a cohort below the root. A target elsewhere changes no share on the preemptor's path: the
            # root has none.
            self.asked = left.plus(self.preemptor.queue, self.preemptor.usage)
