"""When the workloads that were set aside in each tree are eligible again.

Kueue requeues in batches: the first release sets the moment, and releases until then change nothing. That is also so if
no workload waits: one that comes and is set aside before that moment is woken then.
Example: quota is released at seconds 10 and 10.8. Both wake the tree once, at 11: the second finds the batch of the
first.
Source: ``requeueWorkloadsCohort`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/queue/inadmissible_workloads.go; "simulation" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_alarms.py``.
"""

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush

from kubectl_fairshare.schedulers.kueue.cycle.motion.trees import WakingTree


class Alarms:
    """The moments at which trees are woken. One in which no workload waits keeps its moment, but nothing runs then."""

    def __init__(self, trees: Sequence[WakingTree]) -> None:
        self._trees = trees
        self._idle: set[int] = set()
        self._heap = [(tree.wakes, number) for number, tree in enumerate(trees) if tree.wakes is not None]
        heapify(self._heap)

    def set(self, number: int, moment: int, now: int) -> None:
        """Something is released in a tree ``now``, and wakes it at that moment, or at the one that is set already."""
        tree = self._trees[number]
        # At the moment itself the batch has not run yet, and takes this release with it.
        if tree.wakes is None or tree.wakes < now:
            self._idle.discard(number)
            tree.wakes = moment
            heappush(self._heap, (moment, number))

    def expect(self, number: int) -> None:
        """A workload waits in a tree from now on."""
        moment = self._trees[number].wakes
        if number in self._idle and moment is not None:
            self._idle.discard(number)
            heappush(self._heap, (moment, number))

    def next(self) -> int | None:
        """The first moment at which a tree is woken in which a workload waits."""
        while self._heap and not self._is_waited_for(*self._heap[0]):
            heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def _is_waited_for(self, moment: int, number: int) -> bool:
        tree = self._trees[number]
        if tree.wakes != moment:
            return False
        if not tree.is_waited_in:
            self._idle.add(number)
        return number not in self._idle

    def due(self, now: int) -> Iterator[int]:
        """The numbers of the trees that are woken by ``now``."""
        while self._heap and self._heap[0][0] <= now:
            moment, number = heappop(self._heap)
            # One that was woken or set anew meanwhile has another moment, and this entry is of no use.
            if self._trees[number].wakes == moment:
                yield number
