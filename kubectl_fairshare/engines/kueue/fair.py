"""Fair sharing preemption: take from whoever borrows most for its weight, as far as shares allow.

Problem: make room for a workload so that no cohort ends up further above its share than the one it
takes from. Greedy by share is not exact (a large target may make earlier ones unnecessary), hence the
putting back at the end. Removing usage never raises a share, so the queue of targets is a heap whose
entries are re-read when they surface. Source: KEP-1714; "fair preemption" in ``docs/laws.md``.
"""

import heapq
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from kubectl_fairshare.engines.kueue.laws import Law
from kubectl_fairshare.engines.kueue.ledger import Ledger, Share
from kubectl_fairshare.engines.kueue.reach import fits, within_quota
from kubectl_fairshare.engines.kueue.state import State
from kubectl_fairshare.engines.kueue.targets import (
    Asker,
    Ceiling,
    Reason,
    Search,
    Target,
    Trial,
    candidates_of,
    cross_queue_order,
    put_back,
)
from kubectl_fairshare.model.kueue import FINAL_SHARE
from kubectl_fairshare.model.workload import Holder


class _Remaining:
    """The candidates of one queue that are left, first in candidate order at the front."""

    __slots__ = ("_rest", "first")

    def __init__(self, candidates: Iterable[Holder]) -> None:
        self._rest = iter(candidates)
        self.first = next(self._rest, None)

    def take(self) -> Holder:
        """The first candidate, which is no longer left."""
        if self.first is None:
            raise LookupError("no candidate is left")
        taken, self.first = self.first, next(self._rest, None)
        return taken

    def drop(self) -> None:
        """Leaves no candidate."""
        self.first = None
        self._rest = iter(())


class _Entry(NamedTuple):
    """A node in a heap: larger shares first, then the queue's first candidate, then the name."""

    share: tuple[int, float]
    first: tuple[bool, bool, int, int, str]
    node: int


_ANY: Final = (False, False, 0, 0, "")


class _Walk:
    """The order in which target queues are visited: from the root down, by share (KEP-1714 C1)."""

    def __init__(self, search: "_FairSearch", remaining: dict[int, _Remaining]) -> None:
        self.search = search
        self.remaining = remaining
        self._on_path = frozenset(search.path)
        self._heaps: dict[int, tuple[list[_Entry], list[_Entry]]] = {}
        self.ties: list[tuple[int, ...]] = []

    def next_queue(self) -> int | None:
        """The queue to take from next, None when no candidates are left."""
        root = self.search.path[-1]
        nodes = self.search.state.forest.nodes
        if nodes[root].is_queue:
            left = self.remaining.get(root)
            return root if left is not None and left.first is not None else None
        while True:
            at: int | None = root
            while at is not None and not nodes[at].is_queue:
                below = self._step(at)
                if below is None:
                    if at == root:
                        return None
                    self._drop(at)
                at = below
            if at is not None:
                return at

    def _step(self, cohort: int) -> int | None:
        """The child to go on with: the cohort of the largest share unless a queue's share is larger."""
        queues, cohorts = self._heap(cohort)
        queue, inner = self._top(queues), self._top(cohorts)
        if inner is not None and (queue is None or inner.share <= queue.share):
            self._note_tie(cohorts, inner)
            return inner.node
        return None if queue is None else queue.node

    def _note_tie(self, heap: list[_Entry], top: _Entry) -> None:
        heapq.heappop(heap)
        second = self._top(heap)
        heapq.heappush(heap, top)
        if second is not None and second.share == top.share:
            self.ties.append((top.node, second.node))

    def _drop(self, cohort: int) -> None:
        parent = self.search.state.forest.nodes[cohort].parent
        if parent is not None:
            heap = self._heap(parent)[1]
            if heap and heap[0].node == cohort:
                heapq.heappop(heap)

    def _heap(self, cohort: int) -> tuple[list[_Entry], list[_Entry]]:
        known = self._heaps.get(cohort)
        if known is None:
            node = self.search.state.forest.nodes[cohort]
            queues = [e for q in node.queues if (e := self._entry(q)) is not None]
            cohorts = [e for c in node.cohorts if (e := self._entry(c)) is not None]
            heapq.heapify(queues)
            heapq.heapify(cohorts)
            known = self._heaps[cohort] = queues, cohorts
        return known

    def _top(self, heap: list[_Entry]) -> _Entry | None:
        """The first entry that is still true; stale ones are read again, those of no use dropped for good."""
        while heap:
            now = self._entry(heap[0].node)
            if now is None:
                heapq.heappop(heap)
            elif now == heap[0]:
                return now
            else:
                heapq.heapreplace(heap, now)
        return None

    def _entry(self, node: int) -> _Entry | None:
        """The node's entry, None when it is not to be visited: no candidate left, or not borrowing."""
        search = self.search
        share = search.ledger.share(node)
        order = (-share.rank, -share.value)
        if not search.state.forest.nodes[node].is_queue:
            return _Entry(order, _ANY, node) if share.borrowing or node in self._on_path else None
        left = self.remaining.get(node)
        first = None if left is None else left.first
        if first is None or not (share.borrowing or node == search.asker.queue):
            return None
        return _Entry(order, search.order(node, first), node)


class _FairSearch:
    """One search for one asker. ``ledger`` is a value that is replaced, never changed."""

    def __init__(self, state: State, asker: Asker) -> None:
        self.state = state
        self.asker = asker
        self.path = state.forest.path(asker.queue)
        self.ledger = state.ledger.added(asker.queue, asker.usage)
        self.entitled = within_quota(self.ledger, asker.queue, asker.short)
        self.targets: list[Target] = []
        self.trials: list[Trial] = []
        self.retry: dict[int, list[Holder]] = {}

    def order(self, queue: int, holder: Holder) -> tuple[bool, bool, int, int, str]:
        """Candidate order across queues: evicted first, then other queues before the asker's."""
        evicted, *rest = cross_queue_order(holder)
        return (evicted, queue == self.asker.queue, *rest)  # type: ignore[return-value]

    def run(self) -> Search:
        """The whole search."""
        state, asker = self.state, self.asker
        queues = self._queues()
        remaining = {q: _Remaining(candidates_of(state, asker, q)) for q in queues}
        remaining = {q: r for q, r in remaining.items() if r.first is not None}
        if not remaining:
            return Search(candidates=False)
        strategies = state.configuration.strategies or ()
        ceiling = Ceiling(state, asker, queues)
        walk = _Walk(self, remaining)
        fitting = self._pass(walk, self._first_rule(strategies[0]), ceiling)
        ties = walk.ties
        if not fitting and len(strategies) > 1 and ceiling.ledger is None:
            walk = _Walk(self, {q: _Remaining(r) for q, r in sorted(self.retry.items())})
            fitting = self._pass(walk, self._second_rule, ceiling)
            ties = ties + walk.ties
        if not fitting:
            return Search(trials=tuple(self.trials), ties=tuple(ties), ceiling=ceiling.ledger)
        needed, spared = put_back(self._without_asker(), asker, self.targets, borrowing=True)
        return Search(tuple(needed), tuple(self.trials), tuple(spared), tuple(ties))

    def _queues(self) -> list[int]:
        """The asker's queue, and every queue of the tree that borrows on a short flavor-resource."""
        state, asker = self.state, self.asker
        if state.forest.nodes[asker.queue].parent is None:
            return [asker.queue]
        below = state.forest.queues_below(self.path[-1])
        return [q for q in below if q == asker.queue or not within_quota(state.ledger, q, asker.short)]

    def _pass(self, walk: _Walk, visit: Callable[[_Remaining, int], bool], ceiling: Ceiling) -> bool:
        """Takes targets until the asker fits; whether it came to that."""
        while (queue := walk.next_queue()) is not None:
            if not visit(walk.remaining[queue], queue):
                continue
            if fits(self._without_asker(), self.asker.queue, self.asker.usage, borrowing=True):
                return True
            if ceiling.is_hopeless():
                return False
        return False

    def _without_asker(self) -> Ledger:
        return self.ledger.removed(self.asker.queue, self.asker.usage)

    def _first_rule(self, strategy: str) -> Callable[[_Remaining, int], bool]:
        def visit(rest: _Remaining, queue: int) -> bool:
            if queue == self.asker.queue:
                return self._take(rest.take(), queue, Reason.IN_CLUSTER_QUEUE, Law.IN_QUEUE_PRIORITY)
            if self.entitled:
                return self._take(rest.take(), queue, Reason.RECLAMATION, Law.ENTITLED)
            if strategy == FINAL_SHARE:
                return self._take_by_final_share(rest, queue)
            return self._take_by_initial_share(rest, queue)

        return visit

    def _second_rule(self, rest: _Remaining, queue: int) -> bool:
        holder = rest.take()
        rest.drop()
        at, mine, theirs = self._compared(queue)
        taken = mine.order < theirs.order
        return self._judge(Trial(holder, queue, Law.S2B, taken, at, mine, theirs))

    def _take_by_initial_share(self, rest: _Remaining, queue: int) -> bool:
        at, mine, theirs = self._compared(queue)
        taken = mine.order < theirs.order
        while rest.first is not None:
            holder = rest.take()
            if self._judge(Trial(holder, queue, Law.S2B, taken, at, mine, theirs)):
                return True
            self.retry.setdefault(queue, []).append(holder)
        return False

    def _take_by_final_share(self, rest: _Remaining, queue: int) -> bool:
        at, mine, before = self._compared(queue)
        hopeless = mine.order > before.order  # no candidate raises its own side's share by leaving
        while rest.first is not None:
            holder = rest.take()
            theirs = before if hopeless else self.ledger.removed(queue, holder.usage).share(at[1])
            taken = not hopeless and mine.order <= theirs.order
            if self._judge(Trial(holder, queue, Law.S2A, taken, at, mine, theirs)):
                return True
            self.retry.setdefault(queue, []).append(holder)
        return False

    def _compared(self, queue: int) -> tuple[tuple[int, int], Share, Share]:
        """The nodes below the lowest common ancestor on both sides, with their shares now."""
        x, y = almost_lca(self.state, self.path, queue)
        return (x, y), self.ledger.share(x), self.ledger.share(y)

    def _take(self, holder: Holder, queue: int, reason: Reason, law: Law) -> bool:
        trial = Trial(holder, queue, law, taken=True)
        self.trials.append(trial)
        self.targets.append(Target(holder, queue, reason, trial))
        self.ledger = self.ledger.removed(queue, holder.usage)
        return True

    def _judge(self, trial: Trial) -> bool:
        self.trials.append(trial)
        if trial.taken:
            self.targets.append(Target(trial.holder, trial.queue, Reason.FAIR_SHARING, trial))
            self.ledger = self.ledger.removed(trial.queue, trial.holder.usage)
        return trial.taken


def almost_lca(state: State, path: tuple[int, ...], queue: int) -> tuple[int, int]:
    """The children of the lowest common ancestor on the asker's side and on the queue's side."""
    nodes = state.forest.nodes
    place = {node: i for i, node in enumerate(path)}
    node = queue
    while (parent := nodes[node].parent) is not None:
        if parent in place:
            return path[place[parent] - 1], node
        node = parent
    raise LookupError(f"{nodes[queue].name} is in another tree")


def fair_targets(state: State, asker: Asker) -> Search:
    """The targets under fair sharing."""
    return _FairSearch(state, asker).run()
