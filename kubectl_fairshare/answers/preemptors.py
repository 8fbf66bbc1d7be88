"""Sets of possible preemptors that take little memory: each preemptor has a number, and a set is a number of bits.

Nearly every queue of a large cohort may preempt the work of every other one. A thousand sets of a thousand take
33 MB as sets of Python, and less than half of one as bits.

Tested in ``tests/unit/answers/test_preemptors.py``.
"""

from collections.abc import Iterable, Iterator, Set
from itertools import compress
from typing import Any, Final, TypeGuard

from kubectl_fairshare.answers.review import PossiblePreemptor

_ONE: Final = ord("1")


class PreemptorNumbers:
    """Gives numbers to possible preemptors as they are met; ``members`` are those met, by number.

    Sets by the same numbers are compared without a look inside.
    """

    __slots__ = ("_numbers", "_sets", "members")

    def __init__(self) -> None:
        self.members: list[PossiblePreemptor] = []
        self._numbers: dict[PossiblePreemptor, int] = {}
        self._sets: dict[int, Preemptors] = {}

    def set_of(self, preemptors: Iterable[PossiblePreemptor]) -> "Preemptors":
        """The set of these."""
        numbers = [self._number(each) for each in preemptors]
        flags = bytearray(max(numbers, default=-1) // 8 + 1)
        for number in numbers:
            flags[number // 8] |= 1 << number % 8
        return self.having(int.from_bytes(flags, "little"))

    def having(self, bits: int) -> "Preemptors":
        """The set of those whose bits are set: the same object each time."""
        known = self._sets.get(bits)
        if known is None:
            known = self._sets[bits] = Preemptors(self, bits)
        return known

    def number_of(self, item: object) -> int | None:
        """The number of a preemptor; None where it was not met, or is something else."""
        return self._numbers.get(item) if isinstance(item, PossiblePreemptor) else None

    def _number(self, preemptor: PossiblePreemptor) -> int:
        number = self._numbers.setdefault(preemptor, len(self.members))
        if number == len(self.members):
            self.members.append(preemptor)
        return number


class Preemptors(Set[PossiblePreemptor]):
    """A set that never changes, equal to any other set of the same members; ``PreemptorNumbers`` makes it."""

    __slots__ = ("_bits", "_hash_code", "_numbers")

    def __init__(self, numbers: PreemptorNumbers, bits: int) -> None:
        self._numbers = numbers
        self._bits = bits
        self._hash_code: int | None = None

    def __len__(self) -> int:
        return self._bits.bit_count()

    def __iter__(self) -> Iterator[PossiblePreemptor]:
        flags = reversed(format(self._bits, "b").encode())
        return compress(self._numbers.members, map(_ONE.__eq__, flags))

    def __contains__(self, item: object) -> bool:
        number = self._numbers.number_of(item)
        return number is not None and bool(self._bits >> number & 1)

    def __hash__(self) -> int:
        if self._hash_code is None:
            self._hash_code = hash(frozenset(self))
        return self._hash_code

    def __eq__(self, other: object) -> bool:
        return self._bits == other._bits if self._is_beside(other) else super().__eq__(other)

    def __sub__(self, other: Set[Any]) -> Set[PossiblePreemptor]:
        return self.without(other) if self._is_beside(other) else super().__sub__(other)

    def union(self, others: Iterable["Preemptors"]) -> "Preemptors":
        """All members of this set and of others by the same numbers."""
        bits = self._bits
        for each in others:
            bits |= each._bits
        return self._numbers.having(bits)

    def without(self, other: "Preemptors") -> "Preemptors":
        """The members that another set by the same numbers lacks."""
        return self._numbers.having(self._bits & ~other._bits)

    def _is_beside(self, other: object) -> TypeGuard["Preemptors"]:
        """Whether another set has its members by the same numbers."""
        return isinstance(other, Preemptors) and other._numbers is self._numbers

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Set[Any]:
        return frozenset(it)
