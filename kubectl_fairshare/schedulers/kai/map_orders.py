"""Answers where KAI's own depends on the random order of a Go map: the one that most orders lead to, and the others.

Go walks a map of up to eight entries in the order in which they came, from a random one of its eight slots on: these
walks are few, and known with how often each comes. Of a larger map some orders are tried: as given, backwards, turned,
in strides. Where the first of them agree, or where there are many items, others are not tried.
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
    """What most orders lead to, and what else was found."""

    value: R
    others: tuple[R, ...] = ()

    @property
    def defined(self) -> bool:
        """Whether all orders that were tried led to the same."""
        return not self.others


def arrangements(items: Sequence[T]) -> Iterator[list[T]]:
    """Orders of ``items``: as given, backwards, turned by a half, then by other parts, and in strides."""
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
    """The orders in which Go walks a map that ``items`` were put into one by one, each with how often it comes.

    Exact for up to eight; of more, some.
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
    """What ``decide`` makes of most orders of ``items``; of equally common answers the one found first.

    Answers for which ``alike`` gives the same count as one. After ``agreeing`` that are the same, no more are tried.
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
    """The answer that comes most often, of equally common ones the first; then the others."""
    ranked = sorted(found, key=lambda counted: -counted[0])
    return OverMapOrders(ranked[0][1], tuple(answer for _, answer in ranked[1:]))
