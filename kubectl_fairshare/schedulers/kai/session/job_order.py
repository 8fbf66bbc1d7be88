"""The order of jobs, and of victims: a walk down the tree of queues, best child first.

The heaps are lazy: a removed job marks its queue and the queues above as stale, and a stale queue moves to its place
only when it is first. Until then its siblings are compared with its old position.
Why a heap that is not in order: the queue at the top has just placed a job, and only its siblings' old figures are
known. KAI moves it when it is first again, and a comparison until then is with its old place.
Source: ``JobsOrderByQueues`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/actions/utils/job_order_by_queue.go; "kai order" in
``docs/laws.md``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Generic, Protocol, TypeVar

from kubectl_fairshare.schedulers.kai.map_orders import OverMapOrders, Walk, over_map_orders
from kubectl_fairshare.schedulers.kai.model.amounts import minus
from kubectl_fairshare.schedulers.kai.model.objects import Charge, Resources
from kubectl_fairshare.schedulers.kai.session.heap import Heap
from kubectl_fairshare.schedulers.kai.session.jobs import Job, JobOrder
from kubectl_fairshare.schedulers.kai.session.queue_order import Contender, OrderKey, is_tie, ranked
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session, Totals


class Queued(Protocol):
    """A job as the walk sees it; the fields are those of ``Job``."""

    @property
    def queue(self) -> str: ...  # noqa: D102
    @property
    def known(self) -> bool: ...  # noqa: D102
    @property
    def order(self) -> JobOrder: ...  # noqa: D102
    @property
    def holds(self) -> Resources: ...  # noqa: D102
    @property
    def request(self) -> Charge: ...  # noqa: D102


class OrderFigures(Protocol):
    """The input of the order of queues; the fields are those of ``Session``."""

    @property
    def totals(self) -> Totals: ...  # noqa: D102
    @property
    def standings(self) -> Mapping[str, QueueAttributes]: ...  # noqa: D102
    def is_leaf(self, queue: str) -> bool: ...  # noqa: D102


J = TypeVar("J", bound=Queued)
_BEST_OF_ALL: Final = 3
"""The first of so many in a heap is the best of them, in whatever order they came."""


class _Node(Generic[J]):
    """A queue in the walk: a leaf with jobs, or one with other queues."""

    __slots__ = ("jobs", "known", "name", "nodes", "parent", "rests", "stale", "taken", "touched")

    def __init__(self, name: str, jobs: Heap[J] | None, nodes: "Heap[_Node[J]] | None") -> None:
        self.name, self.jobs, self.nodes = name, jobs, nodes
        self.parent: _Node[J] | None = None
        self.stale = self.touched = False
        self.taken: list[Resources] = []
        self.rests: dict[str, tuple[int, Resources]] = {}
        self.known: tuple[J, QueueAttributes, int, Contender] | None = None

    def without_victims(self, leaf: "_Node[J]", following: Resources, held: Resources) -> Resources:
        """What the queue, which holds ``held``, has left without everything taken from ``leaf`` and its next victim."""
        name, taken = leaf.name, leaf.taken
        count, rest = self.rests.get(name, (0, held))
        if count < len(taken):
            for amounts in taken[count:]:
                rest = minus(rest, amounts)
            self.rests[name] = len(taken), rest
        return minus(rest, following)

    def __len__(self) -> int:
        return len(self.jobs if self.jobs is not None else self.nodes or ())


class QueueWalk(Generic[J]):
    """Jobs in the order of their queues; ``victims`` reverses every comparison. ``depth`` limits the jobs per queue.

    Jobs are inserted as they come; KAI has no order there: where it may matter, ``maps`` notes that. ``session`` may be
    replaced by one with other holdings, as jobs are placed.

    It does not matter where no more than three queues are next to each other, no two of them tie, none of several has
    several queues below it, and a queue from which nothing was taken is first only if it is the best. Jobs of a queue
    never tie.
    """

    def __init__(
        self,
        session: OrderFigures,
        jobs: Iterable[J],
        *,
        victims: bool = False,
        depth: int | None = None,
        maps: Walk | None = None,
    ) -> None:
        self.session, self._victims = session, victims
        self._maps = Walk() if maps is None else maps
        self._begun = False
        self._orders: dict[str, JobOrder] = {}
        self._depth = depth if depth is not None and depth >= 0 else None
        self._nodes: dict[str, _Node[J]] = {}
        self._taken: dict[str, list[Resources]] = {}
        self._roots: Heap[_Node[J]] = Heap(self._before)
        for job in jobs if self._depth != 0 else ():
            if job.known and session.is_leaf(job.queue):
                self.push(job)

    def __iter__(self) -> Iterator[J]:
        while len(self._roots):
            yield self._pop()

    def push(self, job: J) -> None:
        """Adds a job, or adds it again."""
        node = self._nodes.get(job.queue)
        if node is None:
            node = self._nodes[job.queue] = _Node(job.queue, Heap(self._job_before, self._depth), None)
            node.taken = self._taken.setdefault(job.queue, [])
            assert node.jobs is not None
            node.jobs.push(job)
            self._link(node)
        else:
            assert node.jobs is not None
            self._maps.mattered |= len(node.jobs) == self._depth
            node.jobs.push(job)
        self._orders[job.order[-1]] = job.order
        self._mark(node)

    def _link(self, node: _Node[J]) -> None:
        """Links a new queue to its parent, which is created if it is missing."""
        parent = self.session.standings[node.name].queue.parent
        if parent == "":
            self._roots.push(node)
            self._maps.mattered |= len(self._roots) > _BEST_OF_ALL
            return
        above = self._nodes.get(parent)
        new = above is None
        if above is None:
            above = self._nodes[parent] = _Node(parent, None, Heap(self._before))
        node.parent = above
        assert above.nodes is not None
        above.nodes.push(node)
        self._maps.mattered |= len(above.nodes) > _BEST_OF_ALL
        if new:
            self._link(above)

    def _mark(self, node: _Node[J] | None) -> None:
        while node is not None:
            node.stale = True
            node.touched |= self._begun
            node = node.parent

    def _pop(self) -> J:
        node = self._descend(self._roots)
        assert node.jobs is not None
        job, self._begun = node.jobs.pop(), True
        self._maps.mattered |= self._orders[job.order[-1]] != job.order
        if self._victims:
            # Victims so far and the next one are taken off before queues are compared; what they hold on nodes, GPU
            # memory not counted.
            node.taken.append(job.holds)
        self._tidy(node)
        return job

    def _descend(self, heap: Heap[_Node[J]]) -> _Node[J]:
        while True:
            node = heap.first
            if not self._maps.mattered and len(heap) > 1:
                self._maps.mattered = self._may_differ(heap)
            if node.stale:
                heap.settle_first()
                node.stale = False
            elif node.nodes is None:
                return node
            else:
                heap = node.nodes

    def _may_differ(self, heap: Heap[_Node[J]]) -> bool:
        """Whether the first of a heap depends on the order in which its queues came."""
        if any(node.nodes is not None and len(node.nodes) > 1 for node in heap.items):
            return True
        first = heap.first
        behind = not first.touched and any(self._before(other, first) for other in heap.items[1:])
        return behind and (self._begun or not first.stale)

    def _tidy(self, node: _Node[J]) -> None:
        """Removes empty queues, from the leaf up, and marks the others as stale."""
        current: _Node[J] | None = node
        while current is not None:
            if len(current):
                self._mark(current)
                return
            heap = self._roots if current.parent is None else current.parent.nodes
            assert heap is not None
            heap.pop()
            del self._nodes[current.name]
            current = current.parent

    def _job_before(self, left: J, right: J) -> bool:
        # The whole order is reversed for victims, its last key too.
        return (left.order < right.order) is not self._victims

    def _before(self, left: _Node[J], right: _Node[J]) -> bool:
        if not len(left):
            # A queue without jobs sorts to the end that is removed next, in both directions.
            return not self._victims
        if not len(right):
            return self._victims
        one, other = self._side(left), self._side(right)
        found = ranked(self.session.totals.total, one, other)
        if found.key is OrderKey.AGE and not self._maps.mattered:
            self._maps.mattered = is_tie(one, other)
        return found.first is not self._victims

    def _side(self, node: _Node[J]) -> Contender:
        """The queue with the best job below it, with its own figures."""
        leaf = node
        while leaf.nodes is not None:
            leaf = leaf.nodes.first
        assert leaf.jobs is not None
        job = leaf.jobs.first
        standing, taken = self.session.standings[node.name], len(leaf.taken)
        known = node.known
        if known is not None and known[0] is job and known[1] is standing and known[2] == taken:
            return known[3]
        if self._victims:
            side = Contender(standing, left=node.without_victims(leaf, job.holds, standing.allocated))
        else:
            side = Contender(standing, job.request.total)
        node.known = job, standing, taken, side
        return side


def taken_up(session: Session, depth: int | None = None) -> OverMapOrders[tuple[Job, ...]]:
    """The waiting jobs, in the order in which an action tries them."""
    waiting = [job for job in session.jobs.values() if job.pending and job.ready]
    return over_map_orders(lambda jobs: tuple(QueueWalk(session, jobs, depth=depth)), waiting, _names)


def victims_in_order(session: Session, found: Sequence[Job]) -> OverMapOrders[tuple[Job, ...]]:
    """The candidates in victim order."""
    return over_map_orders(lambda jobs: tuple(QueueWalk(session, jobs, victims=True)), found, _names)


def _names(jobs: tuple[Job, ...]) -> tuple[str, ...]:
    return tuple(job.name for job in jobs)
