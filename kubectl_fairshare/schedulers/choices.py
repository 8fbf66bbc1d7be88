"""Choices that a scheduler leaves to chance: one way through a decision, and all of them.

A decision asks its ``Choices`` at each tie. ``FIRST`` always takes the first alternative, so a decision is repeatable.
``over_choices`` decides again and again, each time with other choices, until no new way is left: a depth-first search
over the choices, in which each way is decided from its start.
"""

from bisect import insort
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final, Generic, TypeVar

from kubectl_fairshare.model.values import Value

R = TypeVar("R")
T = TypeVar("T")
Situation = Callable[[], Hashable | None]
"""What follows depends on this, and on the results noted before; None if it depends on more."""


class Choices:
    """The choice at ties: always the first alternative."""

    __slots__ = ()

    @property
    def fixed(self) -> bool:
        """Whether every decision with it is the same."""
        return True

    @property
    def first(self) -> bool:
        """Whether the first alternative is always taken, so that what was decided once is decided so again."""
        return True

    def pick(self, alternatives: int, situation: Situation) -> int:  # noqa: ARG002 -- it needs no situation
        """The number of one of so many equal alternatives."""
        return 0

    def note(self, result: Situation) -> None:
        """Notes a result on which what follows depends. Raises ``LookupError`` if the choices are fixed."""
        raise LookupError(f"no choice depends on {result}")

    def number(self, kind: str, part: Hashable) -> int:
        """A number for a part of situations, the same in all ways. Raises ``LookupError`` if the choices are fixed."""
        raise LookupError(f"no choice depends on {kind} {part}")


FIRST: Final = Choices()
_MOST_STEPS: Final = 32_768
"""The largest number of pods that all ways look at, unless ``_FEWEST_WAYS`` take more."""
_FEWEST_WAYS: Final = 32


def ways_worth(most: int, pods: int) -> int:
    """How many ways, each of which looks at so many pods, are worth their time: by what they cost, not by a clock."""
    return min(most, max(_FEWEST_WAYS, _MOST_STEPS // max(1, pods)))


_NOTED: Final = "results so far"


class _KnownWayError(Exception):
    """What follows was decided before."""


class _Script(Choices):
    """Choices that are given, then the first alternatives. It notes how many alternatives each tie has."""

    __slots__ = ("given", "noted", "numbers", "own", "seen", "sizes")

    def __init__(self, given: tuple[int, ...], seen: set[Hashable], numbers: dict[str, dict[Hashable, int]]) -> None:
        self.given = given
        self.seen = seen
        self.numbers = numbers
        self.sizes: list[int] = []
        self.own: dict[Hashable, int] = {}
        self.noted = 0

    @property
    def fixed(self) -> bool:
        """Always false."""
        return False

    @property
    def first(self) -> bool:
        """False: other choices may be given."""
        return False

    def pick(self, alternatives: int, situation: Situation) -> int:
        """The given choice; after the given ones the first, unless another way met the situation before.

        A situation that this way meets again, as a search that goes back to its start does, is the same choice.
        """
        made, here = len(self.sizes), situation()
        known = self.noted, alternatives, here
        if here is not None and known in self.own:
            return self.own[known]
        if made >= len(self.given) and here is not None and known in self.seen:
            raise _KnownWayError
        self.seen.add(known)
        self.sizes.append(alternatives)
        self.own[known] = self.given[made] if made < len(self.given) else 0
        return self.own[known]

    def note(self, result: Situation) -> None:
        """Remembers the result: as a number for it and all before it, as a list of them is long in large states."""
        self.noted = 1 + self.number(_NOTED, (self.noted, result()))

    def number(self, kind: str, part: Hashable) -> int:
        """The number of the part: how many others of its kind were met before it."""
        known = self.numbers.setdefault(kind, {})
        return known.setdefault(part, len(known))

    def others(self) -> Iterator[tuple[int, ...]]:
        """The choices that this way did not make, each with the choices before it; one at a time, as there are many."""
        known = len(self.given)
        for at in range(known, len(self.sizes)):
            before = self.given + (0,) * (at - known)
            yield from ((*before, other) for other in range(1, self.sizes[at]))


class FirstChoices(_Script):
    """Always the first alternative; ``asked`` says whether there was a choice."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__((), set(), {})

    @property
    def asked(self) -> bool:
        """Whether there was a choice."""
        return bool(self.sizes)

    @property
    def first(self) -> bool:
        """Always true."""
        return True

    def note(self, result: Situation) -> None:  # noqa: ARG002 -- as it asks for none
        """Counts the result and keeps nothing of it: no situation is asked for, and ten thousand heads fill memory."""
        self.noted += 1

    def pick(self, alternatives: int, situation: Situation) -> int:  # noqa: ARG002 -- no situation ends it
        """The first alternative."""
        self.sizes.append(alternatives)
        return 0


class Possible(Value, Generic[R], frozen=True):
    """The different results that ties allow, first the one with first choices everywhere.

    ``complete``: there is no other result; false if the search stopped before all choices were tried. ``ways`` is the
    number of times that it was decided.
    """

    results: tuple[R, ...]
    complete: bool = True
    ways: int = 1


def over_choices(
    decide: Callable[[Choices], R], alike: Callable[[R], Hashable], most: int, enough: int | None = None
) -> Possible[R]:
    """The results of ``decide`` over all choices; results with equal ``alike`` count as one.

    At most ``most`` ways are decided, and none once there are ``enough`` results.
    """
    found: dict[Hashable, R] = {}
    seen: set[Hashable] = set()
    numbers: dict[str, dict[Hashable, int]] = {}
    ways: list[Iterator[tuple[int, ...]]] = [iter([()])]
    decided = 0
    while (way := _following(ways)) is not None and decided < most and (enough is None or len(found) < enough):
        decided += 1
        script = _Script(way, seen, numbers)
        try:
            result = decide(script)
        except _KnownWayError:
            pass
        else:
            found.setdefault(alike(result), result)
        ways.append(script.others())
    return Possible(tuple(found.values()), way is None, decided)


def _following(ways: list[Iterator[tuple[int, ...]]]) -> tuple[int, ...] | None:
    """The next way, of those that were found last; None if no way is left."""
    while ways:
        way = next(ways[-1], None)
        if way is not None:
            return way
        ways.pop()
    return None


def drawn_order(items: Iterable[T], kind: Callable[[T], Hashable], chance: Choices) -> Iterator[T]:
    """The items in an order that chance draws; those of one kind keep their order."""
    alike: dict[Hashable, deque[tuple[int, T]]] = {}
    for number, item in enumerate(items):
        alike.setdefault(kind(item), deque()).append((number, item))
    firsts = [(group[0][0], group) for group in alike.values()]
    while firsts:
        _, group = firsts.pop(chance.pick(len(firsts), lambda: None) if len(firsts) > 1 else 0)
        yield group.popleft()[1]
        if group:
            insort(firsts, (group[0][0], group))
