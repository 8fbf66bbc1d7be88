"""Fair sharing preemption: take from whoever borrows most for its weight, as far as shares allow.

Problem: make room for a workload so that no cohort ends up further above its share than the one it
takes from. Greedy by share is not exact (a large target may make earlier ones unnecessary), hence the
putting back at the end. Source: KEP-1714; "fair preemption" in ``docs/laws.md``.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from kubectl_fairshare.engines.kueue.departures import Departures
from kubectl_fairshare.engines.kueue.laws import Law
from kubectl_fairshare.engines.kueue.ledger import Ledger, Share
from kubectl_fairshare.engines.kueue.reach import within_quota
from kubectl_fairshare.engines.kueue.room import Countdown, Room
from kubectl_fairshare.engines.kueue.state import State
from kubectl_fairshare.engines.kueue.targets import (
    Asker,
    Patience,
    Reason,
    Search,
    Target,
    Trial,
    candidates_of,
    put_back,
)
from kubectl_fairshare.engines.kueue.walk import Remaining, Walk
from kubectl_fairshare.model.kueue import FINAL_SHARE
from kubectl_fairshare.model.workload import Holder


class _FairSearch:
    """One search for one asker.

    ``ledger`` is without the targets so far, ``asked`` also holds the asker. Both are values that are
    replaced, never changed. Who leaves does not change who has been added, unless some usage has become
    unlimited: then workloads leave a ledger that holds the asker from the start, as they do in Kueue.
    """

    def __init__(self, state: State, asker: Asker, departures: Departures) -> None:
        self.state = state
        self.asker = asker
        self.departures = departures
        self.path = state.forest.path(asker.queue)
        self.room = Room(state.forest, asker.queue, asker.usage)
        self.asked = state.ledger.added(asker.queue, asker.usage)
        self.inside = self.room.overflows(state.ledger)
        self.ledger = self.asked if self.inside else state.ledger
        self.entitled = within_quota(self.asked, asker.queue, asker.short)
        self.targets: list[Target] = []
        self.trials: list[Trial] = []
        self.retry: dict[int, list[Holder]] = {}
        self._below = {above: below for below, above in pairwise(self.path)}

    def run(self) -> Search:
        """The whole search."""
        strategies = self.state.configuration.strategies or ()
        patience = Patience(self.state, self.room, self._queues)
        walk = Walk(self.state.forest, self.asker.queue, self._candidates)
        fitting = self._pass(walk, self._first_rule(strategies[0]), patience)
        ties = walk.ties
        if not fitting and len(strategies) > 1 and not patience.lost:
            walk = Walk(self.state.forest, self.asker.queue, lambda queue: self.retry.get(queue, ()))
            fitting = self._pass(walk, self._second_rule, patience)
            ties = ties + walk.ties
        if not fitting:
            candidates = bool(self.trials) or any(True for q in self._queues() for _ in self._candidates(q))
            return Search(trials=tuple(self.trials), ties=tuple(ties), hopeless=patience.lost, candidates=candidates)
        without_asker = self.ledger.removed(self.asker.queue, self.asker.usage) if self.inside else self.ledger
        needed, spared, left = put_back(without_asker, self.room, self.targets)
        left_to_all = None if self.inside else left
        return Search(tuple(needed), tuple(self.trials), tuple(spared), tuple(ties), left=left_to_all)

    def _may_be_asked(self, queue: int) -> bool:
        """The asker's queue, and every queue of the tree that borrows on a short flavor-resource, may."""
        return queue == self.asker.queue or not within_quota(self.state.ledger, queue, self.asker.short)

    def _queues(self) -> Iterator[int]:
        return (q for q in self.state.forest.queues_below(self.path[-1]) if self._may_be_asked(q))

    def _candidates(self, queue: int) -> Iterable[Holder]:
        return candidates_of(self.state, self.asker, queue) if self._may_be_asked(queue) else ()

    def _pass(self, walk: Walk, visit: Callable[[Remaining, int], bool], patience: Patience) -> bool:
        """Takes targets until the asker fits; whether it came to that."""
        missing = Countdown(self.room, self.ledger, inside=self.inside)
        while (queue := walk.next_queue(self.ledger, self.asked)) is not None:
            if not visit(walk.remaining(queue), queue):
                continue
            if missing.ends(self.targets[-1].holder.usage, self.ledger):
                return True
            if patience.is_lost():
                return False
        return False

    def _first_rule(self, strategy: str) -> Callable[[Remaining, int], bool]:
        def visit(rest: Remaining, queue: int) -> bool:
            if queue == self.asker.queue:
                return self._take(rest.take(), queue, Reason.IN_CLUSTER_QUEUE, Law.IN_QUEUE_PRIORITY)
            if self.entitled:
                return self._take(rest.take(), queue, Reason.RECLAMATION, Law.ENTITLED)
            if strategy == FINAL_SHARE:
                return self._take_by_final_share(rest, queue)
            return self._take_by_initial_share(rest, queue)

        return visit

    def _second_rule(self, rest: Remaining, queue: int) -> bool:
        holder = rest.take()
        rest.drop()
        at, mine, theirs = self._compared(queue)
        taken = mine[:2] < theirs[:2]
        return self._judge(Trial(holder, queue, Law.S2B, taken, at, mine, theirs))

    def _take_by_initial_share(self, rest: Remaining, queue: int) -> bool:
        at, mine, theirs = self._compared(queue)
        taken = mine[:2] < theirs[:2]
        while rest.first is not None:
            holder = rest.take()
            if self._judge(Trial(holder, queue, Law.S2B, taken, at, mine, theirs)):
                return True
            self.retry.setdefault(queue, []).append(holder)
        return False

    def _take_by_final_share(self, rest: Remaining, queue: int) -> bool:
        at, mine, before = self._compared(queue)
        hopeless = mine[:2] > before[:2]  # no candidate raises its own side's share by leaving
        while rest.first is not None:
            holder = rest.take()
            without = self.ledger if hopeless else self.departures.without(self.ledger, queue, holder)
            theirs = without.share(at[1])
            taken = not hopeless and mine[:2] <= theirs[:2]
            if self._judge(Trial(holder, queue, Law.S2A, taken, at, mine, theirs), without):
                return True
            self.retry.setdefault(queue, []).append(holder)
        return False

    def _compared(self, queue: int) -> tuple[tuple[int, int], Share, Share]:
        """The nodes below the lowest common ancestor on both sides, with their shares now."""
        at = self._almost_lca(queue)
        return at, self.asked.share(at[0]), self.ledger.share(at[1])

    def _almost_lca(self, queue: int) -> tuple[int, int]:
        """The children of the lowest common ancestor on the asker's side and on the queue's side."""
        below = queue
        for node in self.state.forest.path(queue):
            mine = self._below.get(node)
            if mine is not None:
                return mine, below
            below = node
        raise LookupError(f"{self.state.forest.nodes[queue].name} is in another tree")

    def _take(self, holder: Holder, queue: int, reason: Reason, law: Law) -> bool:
        trial = Trial(holder, queue, law, taken=True)
        self.trials.append(trial)
        self._remove(Target(holder, queue, reason, trial), self.departures.without(self.ledger, queue, holder))
        return True

    def _judge(self, trial: Trial, without: Ledger | None = None) -> bool:
        """Takes the candidate if the trial says so; ``without`` is the ledger without it, where it is known already."""
        self.trials.append(trial)
        if trial.taken:
            left = without or self.departures.without(self.ledger, trial.queue, trial.holder)
            self._remove(Target(trial.holder, trial.queue, Reason.FAIR_SHARING, trial), left)
        return trial.taken

    def _remove(self, target: Target, left: Ledger) -> None:
        self.targets.append(target)
        self.ledger = left
        if self.inside:
            self.asked = left
        elif not self._is_apart(target.queue):
            self.asked = left.added(self.asker.queue, self.asker.usage)

    def _is_apart(self, queue: int) -> bool:
        """Whether the queue has nothing in common with the asker but the root."""
        return self.state.forest.path(queue)[-2:-1] != self.path[-2:-1]


def fair_targets(state: State, asker: Asker, departures: Departures) -> Search:
    """The targets under fair sharing."""
    return _FairSearch(state, asker, departures).run()
