"""Whether one demand fits in one queue, checked again and again while other workloads leave.

A search removes hundreds of workloads and checks after each whether the demand fits. Two facts make that cheap; each
saves a tenth of "decision, large" of ``python -m tests.bench``. When a workload leaves, no node can take more of a
flavor-resource than that workload held, so no check is needed until enough has left (``Countdown``). And a workload
that is put back must fit below the root (``_spare_of``).
Example: 5 GPUs are missing and workloads of 2 leave one by one; the first two cannot be enough, so the third is the
first after which quota is asked.
Source: ``workloadFits`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption.go, which asks after each;
"usage" in ``docs/laws.md``.
Tested in ``tests/property/test_loans.py``.
"""

from collections.abc import Callable

from kubectl_fairshare.model.amounts import UNLIMITED, add, is_unlimited, subtract
from kubectl_fairshare.schedulers.kueue.accounting import available
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Usage
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger


class Headroom:
    """A demand of ``usage`` in ``queue``; without ``borrowing`` it must also stay within the queue's quota."""

    def __init__(self, forest: Forest, queue: int, usage: Usage, *, borrowing: bool = True) -> None:
        self.forest = forest
        self.path = forest.path(queue)
        self.borrowing = borrowing
        self.usage = usage
        self._seen: Ledger | None = None
        self._spare: dict[FlavorResource, int] = {}
        self._steps = {pair: tuple(forest.figures(node, pair) for node in self.path) for pair in usage}

    def overflows(self, ledger: Ledger) -> bool:
        """Whether some usage becomes unlimited with the demand: it stays unlimited when the demand is removed again."""
        pairs = self.usage.items()
        return any(is_unlimited(add(ledger.usage(node, pair), amount)) for node in self.path for pair, amount in pairs)

    def missing(self, ledger: Ledger, *, inside: bool = False) -> dict[FlavorResource, int]:
        """The missing amount of each flavor-resource; empty if the demand fits.

        ``inside``: the ledger includes the demand already, and the question is about the ledger without it.
        """
        if inside:
            ledger = ledger.minus(self.path[0], self.usage)
        return self.missing_of(lambda pair: ledger.usages_along(self.path, pair))

    def missing_of(self, used: Callable[[FlavorResource], list[int]]) -> dict[FlavorResource, int]:
        """The same, by what each node of the path uses of a flavor-resource."""
        every = ((pair, self._short(pair, used(pair), amount)) for pair, amount in self.usage.items())
        return {pair: short for pair, short in every if short > 0}

    def beside(self, ledger: Ledger, queue: int, usage: Usage) -> Ledger | None:
        """The ledger with ``usage`` more in ``queue`` of the same tree, if the demand, which fits, also fits then."""
        if ledger is not self._seen:
            self._seen = ledger
            self._spare = {pair: self._spare_of(ledger, pair, amount) for pair, amount in self.usage.items()}
        for pair, spare in self._spare.items():
            if pair in usage and usage[pair] > spare:
                return None
        found = ledger.plus(queue, usage)
        return None if self.missing(found) else found

    def _spare_of(self, ledger: Ledger, pair: FlavorResource, amount: int) -> int:
        """The most of a flavor-resource that other workloads may add, according to the root's quota.

        Without a lendingLimit, all usage counts at the root, and the queue cannot have more than the root.
        """
        if amount <= 0 or self.forest.kept(self.path[-1], pair):
            return UNLIMITED
        root = self._steps[pair][-1]
        return subtract(subtract(root.subtree, ledger.usage(self.path[-1], pair)), amount)

    def _short(self, pair: FlavorResource, used: list[int], amount: int) -> int:
        """The part of ``amount`` above what is available, given the usage of the nodes on the path."""
        steps = self._steps[pair]
        free: int | None = None
        # From the root down: what is available in a queue begins with what its root has left.
        for i in range(len(steps) - 1, -1, -1):
            subtree, local, limit = steps[i]
            free = available(subtree, local, used[i], limit, free)
        # Kueue compares with at least 0, so a queue that is overdrawn takes a request of 0; a larger request also lacks
        # all that the queue is overdrawn by.
        short = amount - (free or 0) if amount > 0 else 0  # a negative amount counts as 0
        # Without borrowing the queue's own nominal quota counts as well; both rules must hold.
        return short if self.borrowing else max(short, add(used[0], amount) - steps[0].subtree)


class Countdown:
    """Counts down what is missing for a demand while workloads leave; reads the ledger only if it may be enough."""

    __slots__ = ("_inside", "_left", "_room")

    def __init__(self, room: Headroom, ledger: Ledger, *, inside: bool = False) -> None:
        self._room = room
        self._inside = inside
        self._left = room.missing(ledger, inside=inside)

    @property
    def over(self) -> bool:
        """Whether the demand fits, and so it does when more workloads leave."""
        return not self._left

    def ends(self, usage: Usage, ledger: Callable[[], Ledger]) -> bool:
        """Whether the demand fits in ``ledger``, which ``usage`` has just left."""
        left = self._left
        if not left:
            return True
        _count_down(left, usage)
        for rest in left.values():
            if rest > 0:
                return False
        self._left = self._room.missing(ledger(), inside=self._inside)
        return not self._left


def _count_down(left: dict[FlavorResource, int], usage: Usage) -> None:
    for pair, amount in usage.items():
        if pair in left:
            # What is unlimited leaves an unknown amount behind, so that the ledger is read at once.
            left[pair] = 0 if is_unlimited(amount) else left[pair] - amount


class Departures:
    """A ledger that workloads leave one by one; it is made when it is read, and most of a search does not read it."""

    __slots__ = ("_gone", "_ledger")

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._gone: list[tuple[int, Usage]] = []

    def leave(self, queue: int, usage: Usage) -> None:
        """Takes a workload's usage off the queue."""
        self._gone.append((queue, usage))

    def ledger(self) -> Ledger:
        """The ledger without all that have left."""
        for queue, usage in self._gone:
            self._ledger = self._ledger.minus(queue, usage)
        self._gone.clear()
        return self._ledger
