"""Classical preemption: by priority and by who is over quota, nearest cohorts first.

Candidates outside the queue come in two classes: *hierarchy* ones, where the asker's side has quota
enough for the request and takes back what is its own, and *priority* ones, where it competes.
Source: Kueue v0.19; "classical preemption" in ``docs/laws.md``.
"""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import islice
from typing import TypeAlias

from kubectl_fairshare.model.amounts import add, subtract
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Usage
from kubectl_fairshare.schedulers.kueue.preemption.departures import Departures
from kubectl_fairshare.schedulers.kueue.preemption.targets import (
    Candidates,
    Patience,
    PreemptionReason,
    Preemptor,
    SearchResult,
    Target,
    Trial,
    cross_queue_order,
    put_back,
)
from kubectl_fairshare.schedulers.kueue.tree.headroom import Countdown, Headroom
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.reach import free_local, within_nominal_with, within_quota
from kubectl_fairshare.schedulers.kueue.tree.state import State

# A queue's first candidate that is left, after its order and the queue, and those behind it once somebody asked.
_Head: TypeAlias = tuple[tuple[bool, int, int, str], int, Holder, Iterator[Holder] | None]


@dataclass(slots=True)
class _Classes:
    """The queues that may be asked, by class, and how far up each shares an ancestor with the asker.

    ``between`` maps a queue to the nodes from itself up to, not including, the common ancestor.
    """

    hierarchy: list[int] = field(default_factory=list)
    priority: list[int] = field(default_factory=list)
    between: dict[int, tuple[int, ...]] = field(default_factory=dict)


def classical_targets(state: State, asker: Preemptor, departures: Departures) -> SearchResult:
    """The targets without fair sharing."""
    return _ClassicalSearch(state, asker, departures).run()


class _ClassicalSearch:
    """One search for one asker; each attempt starts from the state's own ledger."""

    def __init__(self, state: State, asker: Preemptor, departures: Departures) -> None:
        self.state = state
        self.asker = asker
        self.departures = departures
        self.candidates = Candidates(state, asker)
        self.policies = state.forest.nodes[asker.queue].queue.preemption
        self.classes = _classify(state, asker)
        self.hierarchy = frozenset(self.classes.hierarchy)

    def run(self) -> SearchResult:
        """The whole search: one or two attempts, the first that succeeds counts."""
        queues = [*self.classes.hierarchy, *self.classes.priority]
        cross = {q: first for q in queues if (first := self.candidates.first(q)) is not None}
        if not cross and self.candidates.first(self.asker.queue) is None:
            return SearchResult(candidates=False)
        trials: list[Trial] = []
        asker = self.asker
        patience = Patience(
            self.state, Headroom(self.state.forest, asker.queue, asker.usage), lambda: {*queues, asker.queue}
        )
        for borrowing in self._attempts(cross):
            found = self._attempt(cross, borrowing, patience, trials)
            if found is not None:
                needed, spared, left = found
                return SearchResult(tuple(needed), tuple(trials), tuple(spared), left=left)
            if patience.lost:
                break
        return SearchResult(trials=tuple(trials), hopeless=patience.lost)

    def _attempts(self, cross: Mapping[int, Holder]) -> tuple[bool, ...]:
        """Whether borrowing is allowed, per attempt."""
        forbidden = self.policies.borrow_within_cohort == "Never"
        if not cross or (forbidden and not self._below_nominal()):
            return (True,)
        if forbidden and self.hierarchy.isdisjoint(cross):
            return (False, True)
        return (True, False)

    def _below_nominal(self) -> bool:
        ledger, queue = self.state.ledger, self.asker.queue
        return all(ledger.usage(queue, p) < ledger.forest.quota(queue, p).nominal for p in self.asker.short)

    def _attempt(
        self, cross: Mapping[int, Holder], borrowing: bool, patience: Patience, trials: list[Trial]
    ) -> tuple[list[Target], list[Target], Ledger] | None:
        """The targets needed, those put back, and what is left; None when the candidates are not enough."""
        ledger = self.state.ledger
        room = Headroom(self.state.forest, self.asker.queue, self.asker.usage, borrowing=borrowing)
        missing = Countdown(room, ledger)
        targets: list[Target] = []
        for holder, queue in self._candidates(cross):
            law, reason = self._variant(holder, queue)
            skipped = self._skipped(ledger, queue, law, borrowing)
            trial = Trial(holder, queue, skipped or law, taken=skipped is None)
            trials.append(trial)
            if skipped is not None:
                continue
            ledger = self.departures.without(ledger, queue, holder)
            targets.append(Target(holder, queue, reason, trial))
            if missing.ends(holder.usage, ledger):
                return put_back(ledger, room, targets)
            if patience.is_lost():
                return None
        return None

    def _candidates(self, cross: Mapping[int, Holder]) -> Iterator[tuple[Holder, int]]:
        """All candidates in order: those being evicted first, then by class, then candidate order."""
        own = self.asker.queue
        first = self.candidates.first(own)
        classes = (
            [(q, cross[q]) for q in self.classes.hierarchy if q in cross],
            [(q, cross[q]) for q in self.classes.priority if q in cross],
            [] if first is None else [(own, first)],
        )
        for queues in classes:  # within each queue, those being evicted come first
            yield from self._merged([(q, f) for q, f in queues if f.evicted], evicted=True)
        for queues in classes:
            yield from self._merged(queues, evicted=False)

    def _merged(self, firsts: list[tuple[int, Holder]], *, evicted: bool) -> Iterator[tuple[Holder, int]]:
        """The candidates of several queues in candidate order; a queue is read on only when its first is taken."""
        heap: list[_Head] = [(cross_queue_order(first), queue, first, None) for queue, first in firsts]
        heapq.heapify(heap)
        while heap:
            _, queue, holder, rest = heap[0]
            if holder.evicted is evicted:
                yield holder, queue
            if rest is None:
                rest = islice(self.candidates.of(queue), 1, None)
            following = next(rest, None)
            if following is None or (evicted and not following.evicted):
                heapq.heappop(heap)
            else:
                heapq.heapreplace(heap, (cross_queue_order(following), queue, following, rest))

    def _variant(self, holder: Holder, queue: int) -> tuple[Law, PreemptionReason]:
        if queue == self.asker.queue:
            return Law.IN_QUEUE_PRIORITY, PreemptionReason.IN_CLUSTER_QUEUE
        if queue in self.hierarchy:
            return Law.RECLAIM_HIERARCHY, PreemptionReason.RECLAMATION
        if self._borrows_over(holder):
            return Law.RECLAIM_WHILE_BORROWING, PreemptionReason.RECLAIM_WHILE_BORROWING
        return Law.RECLAIM_PRIORITY, PreemptionReason.RECLAMATION

    def _borrows_over(self, holder: Holder) -> bool:
        """Whether the asker may borrow by taking from this workload (borrowWithinCohort)."""
        if self.policies.borrow_within_cohort == "Never" or holder.priority >= self.asker.priority:
            return False
        threshold = self.policies.max_priority_threshold
        return threshold is None or holder.priority <= threshold

    def _skipped(self, ledger: Ledger, queue: int, law: Law, borrowing: bool) -> Law | None:
        """Why a candidate is not taken in this attempt."""
        if queue == self.asker.queue:
            return None
        if borrowing and law is Law.RECLAIM_PRIORITY:
            return Law.ONLY_WITHOUT_BORROWING
        if any(within_quota(ledger, node, self.asker.short) for node in self.classes.between[queue]):
            return Law.WITHIN_QUOTA
        return None


def _classify(state: State, asker: Preemptor) -> _Classes:
    classes = _Classes()
    if state.forest.nodes[asker.queue].queue.preemption.reclaim_within_cohort == "Never":
        return classes
    ledger, nodes = state.ledger, state.forest.nodes
    advantage = within_nominal_with(ledger, asker.queue, asker.usage)
    rest = _beyond(ledger, asker.queue, asker.usage)
    below = asker.queue
    while (ancestor := nodes[below].parent) is not None:
        found = classes.hierarchy if advantage else classes.priority
        for queue, between in _over_quota(state, asker, ancestor, below, ()):
            found.append(queue)
            classes.between[queue] = between
        fitting = (add(ledger.usage(ancestor, p), v) <= ledger.forest.subtree(ancestor, p) for p, v in rest.items())
        advantage = advantage or all(fitting)
        rest = _beyond(ledger, ancestor, rest)
        below = ancestor
    return classes


def _beyond(ledger: Ledger, node: int, usage: Usage) -> dict[FlavorResource, int]:
    """What of ``usage`` the node's free local part cannot hold, at least 0."""
    return {p: max(0, subtract(v, free_local(ledger, node, p))) for p, v in usage.items()}


def _over_quota(
    state: State, asker: Preemptor, cohort: int, visited: int | None, above: tuple[int, ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Queues below the cohort, outside ``visited``, that are over quota with all cohorts between."""
    node = state.forest.nodes[cohort]
    for queue in node.queues:
        if queue != visited and not within_quota(state.ledger, queue, asker.short):
            yield queue, (queue, *above)
    for child in node.cohorts:
        if child != visited and not within_quota(state.ledger, child, asker.short):
            yield from _over_quota(state, asker, child, None, (child, *above))
