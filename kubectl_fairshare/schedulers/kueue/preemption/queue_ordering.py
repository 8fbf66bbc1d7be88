"""The order in which fair sharing visits queues: from the root down, at each cohort the child with the largest share.

Why not the queue with the largest share of all: department A (share 100) has a queue of share 500, B (share 300) has
two of 150. B takes more than its part of the company, so its queues come first; A's queue only outdid its own siblings.

Removing usage never raises a share. So the children of a cohort are in a heap, and an entry is computed again when it
reaches the top: an outdated entry comes too early, never too late. The nodes below a cohort are read when the walk
first reaches it, so a short walk costs nothing for the rest of the tree; and those off the preemptor's path on the
ledger on which the walk began, which knows their order from other walks. What has left since is under nodes that were
read before.
Source: ``TargetClusterQueueOrdering`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/fairsharing/ordering.go;
"fair preemption" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/preemption/test_fair.py``.
"""

import heapq
from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from kubectl_fairshare.schedulers.kueue.laws import Share, may_have_victims, target_queue_order
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger

_Order: TypeAlias = tuple[bool, bool, int, int, str]
# A node in a heap: larger shares first, then the queue's first candidate, then the name. The third part is
# empty for a cohort, and for a queue whose candidates are not read yet: such a queue comes before
# known queues with the same share.
_Entry: TypeAlias = tuple[int, float, _Order | tuple[()], int]
_Heap: TypeAlias = list[_Entry]
Choose: TypeAlias = Callable[[Sequence[int]], int]
"""The index of one of several cohorts with equal shares."""


class Remaining:
    """The remaining candidates of one queue, the first in candidate order at the front."""

    __slots__ = ("_rest", "first")

    def __init__(self, candidates: Iterable[Holder]) -> None:
        self._rest = iter(candidates)
        self.first = next(self._rest, None)

    def take(self) -> Holder:
        """Removes and returns the first candidate."""
        if self.first is None:
            raise LookupError("no candidate is left")
        taken, self.first = self.first, next(self._rest, None)
        return taken

    def drop(self) -> None:
        """Removes all candidates."""
        self.first = None
        self._rest = iter(())


class QueueOrdering:
    """One walk for a preemptor in ``queue``; ``ties`` collects cohorts between which ``choose`` chooses."""

    def __init__(
        self,
        forest: Forest,
        queue: int,
        candidates: Callable[[int], Iterable[Holder]],
        ties: list[tuple[int, ...]],
        choose: Choose,
        *,
        by_share: bool = False,
    ) -> None:
        self._by_share = by_share
        self._choose = choose
        self._ties = ties
        self._forest = forest
        self._queue = queue
        self._first_queue = len(forest.cohort_ids)  # cohorts are numbered before queues
        self._on_path = frozenset(forest.path(queue))
        self._candidates = candidates
        self._remaining: dict[int, Remaining] = {}
        self._heaps: dict[int, tuple[_Heap, _Heap]] = {}
        self._stale: set[int] = set()  # nodes whose entries may no longer be true
        self._began: Ledger | None = None
        self._ledger: Ledger
        self._asked: Ledger

    def remaining(self, queue: int) -> Remaining:
        """The remaining candidates of a queue."""
        known = self._remaining.get(queue)
        if known is None:
            # Read once: candidates are those of the state before the search, in Kueue as well.
            known = self._remaining[queue] = Remaining(self._candidates(queue))
        return known

    def looked_at(self) -> tuple[int, ...]:
        """The queues whose candidates were examined, in order."""
        return tuple(self._remaining)

    def next_queue(self, ledger: Ledger, asked: Ledger) -> int | None:
        """The next queue, None if no candidates are left.

        Since the last call, workloads may have left only the queue that it returned. Shares on the preemptor's path
        are read in ``asked``, all others in ``ledger``.
        """
        self._ledger, self._asked = ledger, asked
        self._began = self._began or ledger
        root = at = self._forest.root(self._queue)
        if root >= self._first_queue:
            # A queue without a cohort is compared with no other, so its share is never asked.
            return root if self.remaining(root).first is not None else None
        while True:
            below = self._step(at)
            if below is None:
                if at == root:
                    return None
                self._forget(at)
                # Back to the root and not to the parent: what was pruned may have made another branch the largest.
                at = root
            elif below >= self._first_queue:
                self._stale.update(self._forest.path(below))
                return below
            else:
                at = below

    def _step(self, cohort: int) -> int | None:
        """The next child: the cohort with the largest share unless a queue's share is larger."""
        queues, cohorts = self._heaps.get(cohort) or self._grow_heaps(cohort)
        queue = self._top(queues) if queues else None
        inner = self._top(cohorts) if cohorts else None
        # A cohort comes before a queue with the same share. First candidates decide between equal queues. A cohort has
        # none to compare, so which of two equal ones Kueue takes is the order of a Go map.
        if inner is not None and (queue is None or inner[:2] <= queue[:2]):
            return self._chosen(cohorts, inner)[3]
        return None if queue is None else queue[3]

    def _chosen(self, heap: _Heap, top: _Entry) -> _Entry:
        """The top of the heap, or one of those with the same share."""
        share = top[:2]
        # In a binary heap the second smallest is a child of the first.
        if all(entry[:2] != share for entry in heap[1:3]):  # one of these comes next
            return top
        equal: list[_Entry] = []
        while (entry := self._top(heap)) is not None and entry[:2] == share:
            equal.append(heapq.heappop(heap))
        for entry in equal:
            heapq.heappush(heap, entry)
        if len(equal) < 2:
            return top
        cohorts = tuple(entry[3] for entry in equal)
        self._ties.append(cohorts[:2])
        return equal[self._choose(cohorts)]

    def _forget(self, cohort: int) -> None:
        """Removes a cohort without candidates below it; the walk has just left it."""
        parent = self._forest.nodes[cohort].parent
        if parent is None:
            return
        heap = self._heaps[parent][1]
        if heap[0][3] == cohort:
            heapq.heappop(heap)
        else:
            heap[:] = [entry for entry in heap if entry[3] != cohort]
            heapq.heapify(heap)

    def _grow_heaps(self, cohort: int) -> tuple[_Heap, _Heap]:
        began, node = self._began or self._ledger, self._forest.nodes[cohort]
        queues, cohorts = began.sides(cohort, by_share=self._by_share)
        grown = self._heaps[cohort] = [*queues], [*cohorts]  # a sorted list is a heap
        if cohort in self._on_path:
            # A node on the preemptor's path is never passed over for its share: below it may be queues that borrow from
            # each other, or the preemptor's own, whose workloads it may preempt by priority.
            own = next(child for child in node.children if child in self._on_path)
            heap = grown[own < self._first_queue]
            heap[:] = [entry for entry in heap if entry[3] != own]
            share = self._asked.share(own)
            insort(heap, (-share.rank, -share.value, (), own))
        # Cohorts are not: nothing has left a cohort that the walk reaches for the first time.
        self._stale.update(node.queues)
        return grown

    def _share(self, node: int) -> Share:
        return (self._asked if node in self._on_path else self._ledger).share(node)

    def _borrows(self, share: Share) -> bool:
        return may_have_victims(share, by_share=self._by_share)

    def _top(self, heap: _Heap) -> _Entry | None:
        """The first valid entry; outdated entries are computed again, useless ones are removed."""
        while heap:
            top = heap[0]
            node = top[3]
            if node not in self._stale:
                return top
            self._stale.discard(node)
            entry = self._entry(node)
            if entry is None:
                heapq.heappop(heap)
            else:
                heapq.heapreplace(heap, entry)
        return None

    def _entry(self, node: int) -> _Entry | None:
        """The node's entry, None if it is not visited: it has no candidates left, or does not borrow."""
        share = self._share(node)
        # Borrowing and not the share decides: one that borrows what cannot be lent has share 0.
        if node not in self._on_path and not self._borrows(share):
            return None
        if node < self._first_queue:
            return (-share.rank, -share.value, (), node)
        first = self.remaining(node).first
        if first is None:
            return None
        return (-share.rank, -share.value, target_queue_order(first, own=node == self._queue), node)
