"""A binary heap that moves its items exactly as Go's ``container/heap`` does.

KAI keeps queues in such heaps while their order changes, so the next item depends on the exact moves.
Why not Python's: ``heapq`` moves the last item down to a leaf and then up again, ``container/heap`` stops on the way.
With an order that changes meanwhile, the two have other items in front.
Source: https://github.com/golang/go/blob/go1.24.0/src/container/heap/heap.go;
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/scheduler_util/priority_queue.go.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Heap(Generic[T]):
    """Items of which the first comes before all others. ``most`` is their limit: the item at that index is dropped."""

    __slots__ = ("_before", "_most", "items")

    def __init__(self, before: Callable[[T, T], bool], most: int | None = None) -> None:
        self._before, self._most = before, most
        self.items: list[T] = []

    def __len__(self) -> int:
        return len(self.items)

    @property
    def first(self) -> T:
        """The item that comes first. Raises ``IndexError`` for an empty heap."""
        return self.items[0]

    def push(self, item: T) -> None:
        """Adds an item; beyond the limit, the item at the index of the limit is dropped."""
        self.items.append(item)
        self._up(len(self.items) - 1)
        # By index and not by order: KAI removes whatever is there, which need not be the last in order.
        if self._most is not None and len(self.items) > self._most:
            self._remove(self._most)

    def pop(self) -> T:
        """Removes and returns the first item."""
        items = self.items
        last = len(items) - 1
        items[0], items[last] = items[last], items[0]
        self._down(0, last)
        return items.pop()

    def settle_first(self) -> None:
        """Moves the first item to its present place."""
        # As ``heap.Fix``.
        if not self._down(0, len(self.items)):
            self._up(0)

    def _remove(self, place: int) -> None:
        items = self.items
        last = len(items) - 1
        if last != place:
            items[place], items[last] = items[last], items[place]
            if not self._down(place, last):
                self._up(place)
        items.pop()

    def _up(self, place: int) -> None:
        items, before = self.items, self._before
        while place > 0:
            parent = (place - 1) // 2
            if not before(items[place], items[parent]):
                break
            items[place], items[parent] = items[parent], items[place]
            place = parent

    def _down(self, start: int, end: int) -> bool:
        items, before = self.items, self._before
        place = start
        while (child := 2 * place + 1) < end:
            if child + 1 < end and before(items[child + 1], items[child]):
                child += 1
            if not before(items[child], items[place]):
                break
            items[place], items[child] = items[child], items[place]
            place = child
        return place > start
