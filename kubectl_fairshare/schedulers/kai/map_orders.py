"""Answers that depend on the random order of a Go map in KAI itself: the result of most orders, and the others.

Go walks a map of up to eight entries in insertion order, from a random one of its eight slots on: these walks are few,
and their probabilities are known. For a larger map some orders are tried: as given, backwards, rotated, in strides. If
the first of them agree, or if there are many items, no more are tried.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from math import gcd
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")
R = TypeVar("R")
_AGREEING: Final = 6
_MANY: Final = 256
_STRIDES: Final = (3, 5, 7, 11)
SLOTS: Final = 8


class OverMapOrders(NamedTuple, Generic[R]):
    """The result of most orders, and the other results."""

    value: R
    others: tuple[R, ...] = ()

    @property
    def defined(self) -> bool:
        """Whether all tried orders gave the same result."""
        return not self.others


class Walk:
    """The orders in which one run of KAI walks its maps, the same for the same ``number``; each walk is drawn anew.

    Number 0 walks each map as it was filled, 1 backwards; the others in orders that Go may draw. ``mattered``: some
    walk over several items could have changed what follows, so another run may differ.
    """

    __slots__ = ("_drawn", "mattered", "number")

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self.mattered = False
        self._drawn = _hashed(number)

    def order(self, items: Sequence[T], *, matters: bool = True) -> list[T]:
        """The items of a map that was filled in any order. ``matters``: what follows may differ with the order."""
        found = list(items)
        self.mattered |= matters and len(found) > 1
        if self.number < 2:
            return found[::-1] if self.number else found
        for i in range(len(found) - 1, 0, -1):
            j = self._draw(i + 1)
            found[i], found[j] = found[j], found[i]
        return found

    def order_as_filled(self, items: Sequence[T], *, matters: bool = True) -> list[T]:
        """The items of a map that was filled in this order: a small one is walked from one of its slots on."""
        size = len(items)
        if self.number < 2 or size > SLOTS:
            return self.order(items, matters=matters)
        self.mattered |= matters and size > 1
        start = self._draw(SLOTS)
        start = start if start < size else 0
        return [*items[start:], *items[:start]]

    def _draw(self, below: int) -> int:
        self._drawn = _hashed(self._drawn)
        return (self._drawn >> 16) % below


def _hashed(number: int) -> int:
    """The next of a long row of numbers that look drawn by lot (a linear congruence)."""
    return (number * 6364136223846793005 + 1442695040888963407) % 2**64


def arrangements(items: Sequence[T]) -> Iterator[list[T]]:
    """Orders of ``items``: as given, backwards, rotated by a half, then by other parts, and in strides."""
    given, size = list(items), len(items)
    yield given
    yield given[::-1]
    for part in (2, 3, 4, 5):
        turned = given[size // part :] + given[: size // part]
        yield turned
        yield turned[::-1]
    yield given[::2] + given[1::2]
    yield given[1::2] + given[::2]
    for stride in _STRIDES:
        if gcd(stride, size) == 1:
            yield [given[i * stride % size] for i in range(size)]


def walks(items: Sequence[T]) -> list[tuple[int, list[T]]]:
    """The orders in which Go walks a map with ``items`` inserted one by one, each with its frequency.

    Exact for up to eight items; a sample for more.
    """
    given, size = list(items), len(items)
    if size > SLOTS:
        return [(1, order) for order in arrangements(given)]
    return [(SLOTS - max(size, 1) + 1, given), *((1, given[i:] + given[:i]) for i in range(1, size))]


def over_map_orders(
    decide: Callable[[list[T]], R],
    items: Sequence[T],
    alike: Callable[[R], Hashable] | None = None,
    agreeing: int = _AGREEING,
) -> OverMapOrders[R]:
    """The most frequent result of ``decide`` over orders of ``items``; of equally frequent ones, the first.

    Results with equal ``alike`` count as one. After ``agreeing`` equal results, no more orders are tried.
    """
    found: dict[Hashable, tuple[int, R]] = {}
    for tried, order in enumerate(arrangements(items), 1):
        answer = decide(order)
        key = answer if alike is None else alike(answer)
        count, first = found.get(key, (0, answer))
        found[key] = count + 1, first
        enough = min(len(items), agreeing if len(items) <= _MANY else _AGREEING // 2)
        if tried >= enough and (len(found) == 1 or len(items) > _MANY):
            break
    return most_common(found.values())


def most_common(found: Iterable[tuple[int, R]]) -> OverMapOrders[R]:
    """The most frequent answer, the first of equally frequent ones; then the others."""
    ranked = sorted(found, key=lambda counted: -counted[0])
    return OverMapOrders(ranked[0][1], tuple(answer for _, answer in ranked[1:]))
