"""Answers where KAI's own depends on the random order of a Go map: the one that most orders lead to, and the others.

A few orders are tried: as given, backwards, turned. Where these agree, or where there are many items, others are not
tried.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
R = TypeVar("R")
_AGREEING = 3
_MANY = 256


class Settled(NamedTuple, Generic[R]):
    """What most orders lead to, and what else was found."""

    value: R
    others: tuple[R, ...] = ()

    @property
    def defined(self) -> bool:
        """Whether all orders that were tried led to the same."""
        return not self.others


def arrangements(items: Sequence[T]) -> Iterator[list[T]]:
    """Orders of ``items``: as given, backwards, turned by a half, then by other parts, and evens before odds."""
    given, size = list(items), len(items)
    yield given
    yield given[::-1]
    for part in (2, 3, 4, 5):
        turned = given[size // part :] + given[: size // part]
        yield turned
        yield turned[::-1]
    yield given[::2] + given[1::2]
    yield given[1::2] + given[::2]
    yield (given[::2] + given[1::2])[::-1]


def settle(
    decide: Callable[[list[T]], R], items: Sequence[T], alike: Callable[[R], Hashable] | None = None
) -> Settled[R]:
    """What ``decide`` makes of most orders of ``items``; of equally common answers the one found first.

    Answers for which ``alike`` gives the same count as one.
    """
    found: dict[Hashable, tuple[int, R]] = {}
    for tried, order in enumerate(arrangements(items), 1):
        answer = decide(order)
        key = answer if alike is None else alike(answer)
        count, first = found.get(key, (0, answer))
        found[key] = count + 1, first
        if tried >= min(len(items), _AGREEING) and (len(found) == 1 or len(items) > _MANY):
            break
    ranked = sorted(found.values(), key=lambda counted: -counted[0])
    return Settled(ranked[0][1], tuple(answer for _, answer in ranked[1:]))
