"""The order in which a cycle takes the heads of one tree.

Why not by priority first: a head of priority 100 that borrows comes after one of priority 0 that stays within its
queue's quota; otherwise a borrower would take the quota that its owner asks for in the same cycle.
Source: ``makeClassicalIterator`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go;
``runTournament``, ``less`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/fair_sharing_iterator.go; "cycle order" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/cycle/test_cycle.py``.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, takewhile
from operator import attrgetter
from typing import Final, TypeAlias

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment
from kubectl_fairshare.schedulers.kueue.laws import FairRank, classical_rank
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Usage
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger

TieBreak: TypeAlias = Callable[[int], int]
"""A number for each node: of nodes whose order Kueue leaves to chance, the lowest goes first."""
Choose: TypeAlias = Callable[[int], int]
"""The number of one of so many heads that rank the same."""


class Order(ABC):
    """The heads of one tree that are still to come; ``ties`` collects pairs whose order is not defined in Kueue."""

    ties: list[tuple[str, str]]

    @abstractmethod
    def next(self, ledger: Ledger, choose: Choose) -> tuple[Nomination, Ledger] | None:
        """The next head, given what the earlier ones took, and the ledger that it sees; None at the end."""

    @property
    @abstractmethod
    def left(self) -> Sequence[Nomination]:
        """The heads that are still to come."""


def assignment_of(nomination: Nomination) -> Assignment:
    """The assignment of a head that was considered. Raises ``LookupError`` for other heads."""
    if nomination.assignment is None:
        raise LookupError(f"{nomination.workload.name} was not considered")
    return nomination.assignment


def quota_usage(nomination: Nomination) -> Usage:
    """What a head adds to its queue: nothing where it holds its quota already."""
    if nomination.assignment is None or nomination.second is not None:
        return {}
    return nomination.assignment.usage


def queue_of(nomination: Nomination) -> int:
    """The queue node of a head that was considered. Raises ``LookupError`` for other heads."""
    if nomination.queue is None:
        raise LookupError(f"{nomination.workload.name} was not considered")
    return nomination.queue


class ClassicalOrder(Order):
    """Those that hold quota first; then lower borrowing level, higher priority, older; the rest by the queue's name.

    With ``breaks``, the rest is in the order of its numbers.
    """

    def __init__(self, nominations: list[Nomination], breaks: TieBreak | None = None) -> None:
        number = breaks or (lambda _: 0)
        self._rest = sorted(nominations, key=lambda n: (classical_key(n), number(queue_of(n)), n.cluster_queue))
        self._equal = 0  # of the first, how many rank the same
        pairs = pairwise(self._rest)
        self.ties = [(a.workload.name, b.workload.name) for a, b in pairs if classical_key(a) == classical_key(b)]

    def next(self, ledger: Ledger, choose: Choose) -> tuple[Nomination, Ledger] | None:
        """The first of the sorted heads, or one that ranks the same."""
        if not self._rest:
            return None
        if not self._equal:
            first = classical_key(self._rest[0])
            self._equal = sum(1 for _ in takewhile(lambda n: classical_key(n) == first, self._rest))
        equal, self._equal = self._equal, self._equal - 1
        return self._rest.pop(choose(equal) if equal > 1 else 0), ledger

    @property
    def left(self) -> Sequence[Nomination]:
        """The heads that are still to come, sorted."""
        return self._rest


def classical_key(nomination: Nomination) -> tuple[bool, bool, int, int, int]:
    """How a head ranks among all of a cycle, without fair sharing: one that others leave for is first if so decided."""
    rank = classical_rank(assignment_of(nomination).borrowing, nomination.workload)
    return nomination.second is None, not nomination.goes_first, *rank


class _Candidate(Value, frozen=True):
    """A node's candidate, its rank among the node's siblings, and its ``place`` among those that rank the same."""

    nomination: Nomination
    rank: FairRank
    place: tuple[int, int]


_PLACE: Final = attrgetter("place")


class FairOrder(Order):
    """A tournament from the root at every turn: in each cohort, the child that borrows least goes first.

    A node's candidate depends only on the nodes below it, so only the nodes on the path of the last head are
    computed again. ``breaks`` decides between equals; without it, names do.
    """

    def __init__(self, ledger: Ledger, nominations: list[Nomination], breaks: TieBreak | None = None) -> None:
        self.ties = []
        self._breaks = breaks
        self.forest = ledger.forest
        self.head_of = {queue_of(n): n for n in nominations}
        self._queues = sorted(self.head_of)
        self._left = [self.head_of[queue] for queue in self._queues]
        self.root = self.forest.root(next(iter(self.head_of)))
        self._known: dict[int, _Candidate | None] = {}
        self._chosen: set[int] = set()
        self._overflows = may_overflow(ledger, nominations)

    @property
    def left(self) -> Sequence[Nomination]:
        """The heads that are still to come, by their queues."""
        return self._left

    def _take(self, queue: int) -> Nomination:
        """Removes the head of a queue."""
        place = bisect_left(self._queues, queue)
        del self._queues[place], self._left[place]
        return self.head_of.pop(queue)

    def next(self, ledger: Ledger, choose: Choose) -> tuple[Nomination, Ledger] | None:
        """The winner of the tournament among the heads that are left."""
        if not self.head_of:
            return None
        if len(self.head_of) == 1 and not self._overflows:
            return self._take(self._queues[0]), ledger
        # A queue without a cohort has one head, and nothing to be compared with.
        if self.forest.nodes[self.root].is_queue:
            return self._take(self.root), ledger
        for cohort in self._chosen:
            self._known.pop(cohort, None)  # at the next turn Kueue chooses anew
        best = self._best(self.root, ledger, choose)
        if best is None:
            return None
        queue = queue_of(best.nomination)
        if self._overflows:
            ledger = self._after_comparison(ledger)
            self._known.clear()
        for changed in self.forest.path(queue):
            # Only the winner's path has another ledger or another head now.
            self._known.pop(changed, None)
        return self._take(queue), ledger

    def _after_comparison(self, ledger: Ledger) -> Ledger:
        """The ledger after every head's usage was added for comparison and removed again.

        Kueue compares that way, and an amount that has become unlimited stays unlimited.
        """
        for queue, nomination in sorted(self.head_of.items()):
            usage = quota_usage(nomination)
            ledger = ledger.plus(queue, usage).minus(queue, usage)
        return ledger

    def _best(self, cohort: int, ledger: Ledger, choose: Choose) -> _Candidate | None:
        """The child of a cohort that goes first; records a tie between two cohorts or two queues.

        Kueue does not define the order of a tie. First comes the queue whose name sorts first, and the cohort whose
        name sorts last, as in the one recording that depends on it.
        """
        node = self.forest.nodes[cohort]
        standings = [s for c in node.children if (s := self._standing(c, ledger, choose)) is not None]
        if not standings:
            return None
        rank = min(each.rank for each in standings)
        equal = [each for each in standings if each.rank == rank]
        if len(equal) < 2:
            return equal[0]
        equal.sort(key=_PLACE)
        tie = (equal[0].nomination.workload.name, equal[1].nomination.workload.name)
        if tie not in self.ties:
            self.ties.append(tie)
        self._chosen.update(self.forest.path(cohort))
        return equal[choose(len(equal))]

    def _standing(self, node: int, ledger: Ledger, choose: Choose) -> _Candidate | None:
        if node not in self._known:
            self._known[node] = self._find_standing(node, ledger, choose)
        return self._known[node]

    def _find_standing(self, node: int, ledger: Ledger, choose: Choose) -> _Candidate | None:
        if self.forest.nodes[node].is_queue:
            nomination = self.head_of.get(node)
        else:
            best = self._best(node, ledger, choose)
            nomination = None if best is None else best.nomination
        if nomination is None:
            return None
        rank = self._rank(node, nomination, ledger)
        number = 0 if self._breaks is None else self._breaks(node)
        return _Candidate(nomination, rank, (number, node if rank.from_queue else -node))

    def _rank(self, node: int, nomination: Nomination, ledger: Ledger) -> FairRank:
        workload, usage = nomination.workload, quota_usage(nomination)
        # With the head: the share that its side would have if it got in. Each head is compared alone, not with its
        # siblings' heads.
        ledger = ledger.plus(queue_of(nomination), usage)
        # Only in what the head asks for: a side that borrows cpu does not come later with a head that asks for GPUs.
        borrows = any(self._borrows(ledger, node, pair) for pair, amount in usage.items() if amount > 0)
        is_queue = self.forest.nodes[node].is_queue
        # Before shares: what others have left for is to be used by that head.
        behind = not nomination.goes_first
        return FairRank(behind, borrows, ledger.share(node).order, -workload.priority, workload.queued, is_queue)

    def _borrows(self, ledger: Ledger, node: int, pair: FlavorResource) -> bool:
        return ledger.usage(node, pair) > self.forest.subtree(node, pair)


def may_overflow(ledger: Ledger, heads: Iterable[Nomination]) -> bool:
    """Whether the usage of some node and of all heads together reaches what counts as unlimited."""
    total: dict[FlavorResource, int] = {}
    nodes: set[int] = set()
    for head in heads:
        nodes.update(ledger.forest.path(queue_of(head)))
        for pair, amount in quota_usage(head).items():
            total[pair] = total.get(pair, 0) + amount
    return any(ledger.usage(n, pair) + amount >= UNLIMITED for n in nodes for pair, amount in total.items())
