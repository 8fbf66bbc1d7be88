"""The workloads that wait in one ClusterQueue: who is its head, and who is set aside until quota is released.

In a BestEffortFIFO queue, all workloads of the shape of one that quota refused are set aside with it, also those that
come later. A preemptor is the head of such a queue until it is admitted, or until another workload preempts. A
StrictFIFO queue keeps its head.
Why a shape and not a workload is set aside: a hundred equal jobs wait, and the first does not fit. Kueue does not try
the other ninety-nine, and one that comes later is not tried either.
Source: ``requeueIfNotPresent``, ``handleInadmissibleHash`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/queue/cluster_queue.go; "simulation" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import NamedTuple, TypeAlias

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.laws import queue_order
from kubectl_fairshare.schedulers.kueue.model.workload import Pending

PastUsage: TypeAlias = Callable[[Pending], float]


class QueuedWorkload(NamedTuple):
    """A workload that waits, its place in the order of the queue, and the number of its shape."""

    order: tuple[int, int, str, int]
    workload: Pending
    shape: int


def queued_workload(workload: Pending, shape: int, arrival: int = 0) -> QueuedWorkload:
    """The workload as it waits. ``arrival`` orders those that Kueue's own order does not: without moments and UIDs."""
    return QueuedWorkload((*queue_order(workload), arrival), workload, shape)


class WaitingLine:
    """The workloads of one ClusterQueue. They are kept by shape and LocalQueue, each group in order.

    ``refused`` are the shapes that are set aside, ``aside`` single workloads that are, ``first`` is the preemptor.
    That of a StrictFIFO queue, ``_unmoved``, keeps its place in the queue.
    """

    __slots__ = ("_groups", "_unmoved", "aside", "count", "first", "name", "refused", "strict")

    def __init__(self, name: str, *, strict: bool) -> None:
        self.name = name
        self.strict = strict
        self.count = 0
        self.refused: set[int] = set()
        self.aside: list[QueuedWorkload] = []
        self.first: QueuedWorkload | None = None
        self._unmoved: QueuedWorkload | None = None
        self._groups: dict[tuple[int, str, str], list[QueuedWorkload]] = {}

    def start(self, eligible: Iterable[QueuedWorkload], aside: Iterable[QueuedWorkload]) -> None:
        """Those that wait at the beginning, and those that were set aside before."""
        for each in eligible:
            self.add(each)
        self.aside += aside
        self.count += len(self.aside)

    def add(self, arrived: QueuedWorkload) -> None:
        """A workload joins, for the first time or after it was evicted."""
        self.count += 1
        self._push(arrived)

    def _push(self, each: QueuedWorkload) -> None:
        workload = each.workload
        key = each.shape, workload.key.namespace, workload.local_queue
        heappush(self._groups.setdefault(key, []), each)

    def head(self, usage: PastUsage | None = None) -> QueuedWorkload | None:
        """The head; None if no workload is eligible. ``usage`` orders LocalQueues where past usage does."""
        if usage is None and self.first is not None and self.first.shape not in self.refused:
            # A preemptor waits for its victims at the front, though another workload may have a higher priority by now.
            return self.first
        if usage is not None:
            return min(
                self._candidates(), key=lambda w: (usage(w.workload), w is not self.first, w.order), default=None
            )
        return min(self._candidates(), default=None, key=_order)

    def _candidates(self) -> Iterator[QueuedWorkload]:
        """The first of each group that is eligible."""
        refused = self.refused
        if self.first is not None and self.first.shape not in refused:
            yield self.first
        for key, group in self._groups.items():
            if key[0] not in refused:
                yield group[0]

    def firsts(self) -> Iterator[Pending]:
        """The workloads that could be the head if past usage were another."""
        return (each.workload for each in self._candidates())

    def has_equal(self, head: QueuedWorkload) -> bool:
        """Whether another eligible workload has the head's priority and age, so that only chance orders the two."""
        if head is self.first:
            return False
        same = head.order[:2]
        for key, group in self._groups.items():
            if key[0] in self.refused:
                continue
            places = group[1:3] if group[0] is head else group[:1]
            if any(each.order[:2] == same for each in places):
                return True
        return False

    def take(self, head: QueuedWorkload) -> None:
        """The head leaves: it is admitted."""
        self._remove(head)
        self.count -= 1

    def _remove(self, head: QueuedWorkload) -> None:
        if head is self._unmoved:
            self._unmoved = None
        if head is self.first:
            self.first = None
            return
        key = head.shape, head.workload.key.namespace, head.workload.local_queue
        group = self._groups[key]
        if group[0] is head:
            heappop(group)
        else:  # an older one of its shape was evicted in the same cycle
            group.remove(head)
            heapify(group)
        if not group:
            del self._groups[key]

    def reject(self, head: QueuedWorkload, entry: ProcessedHead) -> bool:
        """A head that got nothing is set aside, alone or with all of its shape; returns whether it is.

        It blocks a StrictFIFO queue, unless the queue does not select its namespace.
        """
        if self.strict and not entry.is_of_foreign_namespace:
            return False
        if entry.status is HeadStatus.REQUEUED:
            self.refuse(head)
        else:
            self.set_aside(head)
        return True

    def refuse(self, head: QueuedWorkload) -> None:
        """Quota refused the head: all of its shape are set aside, now and until they are woken."""
        self.refused.add(head.shape)

    def set_aside(self, head: QueuedWorkload) -> None:
        """The head alone is set aside."""
        self._remove(head)
        self.aside.append(head)

    def put_first(self, head: QueuedWorkload) -> None:
        """Others leave for the head: it stays first, unless the queue is StrictFIFO."""
        if self.strict:
            self._unmoved = head
        if self.strict or head is self.first:
            return
        self._remove(head)
        if self.first is not None:
            # One at a time: who preempts now takes the place of who did before.
            self._push(self.first)
        self.first = head

    def as_head(self, head: QueuedWorkload) -> Pending:
        """The workload of the head, marked as a preemptor if others leave for it, and only then."""
        mark = head is self.first or head is self._unmoved
        return head.workload if head.workload.preempting is mark else replace(head.workload, preempting=mark)

    def wake(self) -> bool:
        """All that are set aside are eligible again; returns whether there were any."""
        woken = bool(self.refused or self.aside)
        self.refused.clear()
        for each in self.aside:
            self._push(each)
        self.aside.clear()
        return woken

    def take_over(self, before: "WaitingLine", stays: Callable[[QueuedWorkload], bool]) -> list[QueuedWorkload]:
        """Takes those that waited in this queue ``before``, set aside or not; returns those that do not stay."""
        self.refused |= before.refused
        self.aside += filter(stays, before.aside)
        if before.first is not None and stays(before.first):
            self.first = before.first
        self._unmoved = before._unmoved if self.strict else None
        self.count += len(self.aside) + (self.first is not None)
        for each in (each for group in before._groups.values() for each in group if stays(each)):
            self.add(each)
        return [each for each in before.all() if not stays(each)]

    def eligible(self) -> Iterator[Pending]:
        """The workloads that are not set aside; the preemptor is marked as one."""
        if self.first is not None and self.first.shape not in self.refused:
            yield replace(self.first.workload, preempting=True)
        for key, group in self._groups.items():
            if key[0] not in self.refused:
                yield from (self.as_head(each) if each is self._unmoved else each.workload for each in group)

    def set_apart(self) -> tuple[tuple[Pending, ...], tuple[Pending, ...]]:
        """The workloads that are eligible, and those that are set aside, both in the order of the queue."""
        known = sorted((each for each in self.all() if each is not self.first), key=_order)
        known = known if self.first is None else [self.first, *known]
        alone = {id(each) for each in self.aside}
        aside = [each for each in known if each.shape in self.refused or id(each) in alone]
        out = {id(each) for each in aside}
        return tuple(e.workload for e in known if id(e) not in out), tuple(e.workload for e in aside)

    def picture(self) -> Hashable:
        """Who waits here, in the order of the queue, who is set aside, and who is a preemptor."""
        eligible, aside = self.set_apart()
        marked = [each.workload.key for each in (self.first, self._unmoved) if each is not None]
        keys = (tuple(each.key for each in part) for part in (eligible, aside))
        return self.name, *keys, tuple(marked), self.first is None, frozenset(self.refused)

    def all(self) -> Iterator[QueuedWorkload]:
        """Every workload of the queue, in no order."""
        if self.first is not None:
            yield self.first
        yield from self.aside
        for group in self._groups.values():
            yield from group


def _order(each: QueuedWorkload) -> tuple[int, int, str, int]:
    return each.order
