"""Who waits where, and who runs: the workloads of a simulation, next to the state that the engine decides on.

Decides nothing: it keeps who runs, leaves and waits.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from functools import partial
from heapq import heappush
from typing import NamedTuple

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.lines import QueuedWorkload, WaitingLine
from kubectl_fairshare.schedulers.kueue.cycle.motion.alarms import Alarms
from kubectl_fairshare.schedulers.kueue.cycle.motion.trees import TreeGroup, grouped, trees_of
from kubectl_fairshare.schedulers.kueue.cycle.queues import STRICT, is_queued, keeps_queue
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State


class Running(NamedTuple):
    """A workload that holds quota, how it waited and would wait again, and since when it runs."""

    holder: Holder
    waiting: QueuedWorkload
    since: int


class Roster:
    """The workloads on one state: ``running`` by name, ``out`` those that no queue takes.

    ``leaving`` were evicted and hold their quota until their pods are gone, with the moment of that.
    ``backing_off`` wait in no queue before a moment.
    ``touched`` are the ClusterQueues whose number of workloads that wait has changed since it was last read.
    ``groups`` are decided apart from each other; ``due`` are the numbers of those in which something has changed.
    ``trees`` are woken apart from each other, by ``alarms``.
    """

    def __init__(self, state: State) -> None:
        self.running: dict[str, Running] = {}
        self.out: dict[str, QueuedWorkload] = {}
        self.leaving: list[tuple[int, str, Running]] = []
        self.backing_off: list[tuple[int, str, QueuedWorkload]] = []
        self.due: set[int] = set()
        self.touched: set[str] = set()
        self._open(state)

    def _open(self, state: State) -> None:
        """A line for every ClusterQueue that keeps a queue."""
        self.state = state
        queues = state.kueue.cluster_queues
        names = [name for name in queues if keeps_queue(state, name)]
        self.lines = {name: WaitingLine(name, strict=queues[name].queueing_strategy == STRICT) for name in names}
        self.trees = trees_of(state, self.lines)
        self.groups = grouped(state, self.trees)
        self.alarms = Alarms(self.trees)
        self._tree_of = {name: number for number, tree in enumerate(self.trees) for name in tree.names}

    def tree_of(self, cluster_queue: str) -> int | None:
        """The number of a ClusterQueue's tree; None for a ClusterQueue that is not there."""
        return self._tree_of.get(cluster_queue)

    def due_group(self, tree: int) -> TreeGroup:
        """The group of a tree, which is due from now on."""
        number = min(tree, len(self.groups) - 1)  # a group for each tree, or one for all
        self.due.add(number)
        return self.groups[number]

    def wait(self, each: QueuedWorkload) -> bool:
        """Lets a workload wait in its queue, or stay out; returns whether a queue takes it."""
        name = self.state.cluster_queue_of(each.workload)
        line = self.lines.get(name)
        if line is None or not is_queued(self.state, each.workload):
            self.out[each.workload.name] = each
            return False
        line.add(each)
        self.touched.add(name)
        self.due_group(self._tree_of[name])
        self.alarms.expect(self._tree_of[name])
        return True

    def _is_in(self, queue: str, each: QueuedWorkload) -> bool:
        """Whether a workload waits in this ClusterQueue."""
        return self.state.cluster_queue_of(each.workload) == queue and is_queued(self.state, each.workload)

    def take(self, line: WaitingLine, head: QueuedWorkload) -> None:
        """The head of a line leaves it: it is admitted."""
        line.take(head)
        self.touched.add(line.name)

    def keep(self, was: Running, until: int) -> Holder:
        """An evicted workload holds its quota until its pods are gone; returns it as the holder that it is then."""
        evicted = was._replace(holder=replace(was.holder, evicted=True))
        heappush(self.leaving, (until, was.holder.name, evicted))
        return evicted.holder

    def reopen(self, state: State) -> None:
        """The same workloads on a state with other queues and quotas, to which those that run have been added.

        Who was set aside in a queue that is still there stays so until it is woken.
        """
        before, moving = self.lines, list(self.out.values())
        wakes = {name: tree.wakes for tree in self.trees for name in tree.names}
        self.out = {}
        self._open(state)
        self.touched |= before.keys() | self.lines.keys()
        for name, line in before.items():
            now = self.lines.get(name)
            moving += line.all() if now is None else now.take_over(line, partial(self._is_in, name))
        for each in sorted(moving, key=lambda each: each.order):
            self.wait(each)
        for tree in self.trees:
            known = (wakes.get(name) for name in tree.names)
            tree.wakes = min((moment for moment in known if moment is not None), default=None)
        self.alarms = Alarms(self.trees)
        self.due = set(range(len(self.groups)))
