"""Amounts: 64-bit integers of which the largest means *unlimited*.

cpu counts in milli-units, every other resource in whole units. Sums and differences of bounded
amounts saturate; one that reaches ``UNLIMITED`` has become unlimited. An ``ExactAmount`` and a ``WrappingAmount`` never
do.
"""

from typing import Final

UNLIMITED: Final = (1 << 63) - 1
LEAST: Final = -(1 << 63)
_LARGE: Final = 1 << 53


class ExactAmount(int):
    """An amount that is never unlimited: sums and differences with it are exact, whatever their size."""

    __slots__ = ()

    def __add__(self, other: int) -> "ExactAmount":
        return ExactAmount(int(self) + int(other))

    __radd__ = __add__

    def __sub__(self, other: int) -> "ExactAmount":
        return ExactAmount(int(self) - int(other))

    def __rsub__(self, other: int) -> "ExactAmount":
        return ExactAmount(int(other) - int(self))

    def __mul__(self, other: int) -> "ExactAmount":
        return ExactAmount(int(self) * int(other))

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> "ExactAmount":
        return ExactAmount(int(self) // int(other))


class WrappingAmount(int):
    """An amount of plain 64 bits, as Go computes it: sums, differences and products with it wrap around."""

    __slots__ = ()

    def __new__(cls, value: int) -> "WrappingAmount":
        """The low 64 bits of the value, as a signed integer."""
        return int.__new__(cls, (int(value) - LEAST) % (1 << 64) + LEAST)

    def __add__(self, other: int) -> "WrappingAmount":
        return WrappingAmount(int(self) + int(other))

    __radd__ = __add__

    def __sub__(self, other: int) -> "WrappingAmount":
        return WrappingAmount(int(self) - int(other))

    def __rsub__(self, other: int) -> "WrappingAmount":
        return WrappingAmount(int(other) - int(self))

    def __mul__(self, other: int) -> "WrappingAmount":
        return WrappingAmount(int(self) * int(other))

    __rmul__ = __mul__


def is_unlimited(amount: int) -> bool:
    """Whether the amount is without bound."""
    return amount == UNLIMITED and amount.__class__ is int


def clamped(amount: int, *, exact: bool) -> int:
    """The amount, at most the largest of 64 bits; an ``exact`` one that is large is an ``ExactAmount``."""
    bounded = min(amount, UNLIMITED)
    return ExactAmount(bounded) if exact and bounded > _LARGE else bounded


def bounded_amount(amount: int) -> int:
    """The amount cut to 64 bits, for texts that hold no more."""
    return max(LEAST, min(int(amount), UNLIMITED))


def add(a: int, b: int) -> int:
    """``a + b``; a sum with an unlimited amount is unlimited."""
    total = a + b
    if a != UNLIMITED and b != UNLIMITED and LEAST <= total <= UNLIMITED:
        return total
    if total.__class__ is not int:
        return total
    if a == UNLIMITED or b == UNLIMITED:
        return UNLIMITED
    return UNLIMITED if total > 0 else LEAST


def subtract(a: int, b: int) -> int:
    """``a - b``; unlimited minus bounded stays unlimited, minus unlimited is 0, bounded minus unlimited is LEAST."""
    rest = a - b
    if a != UNLIMITED and b != UNLIMITED and LEAST <= rest <= UNLIMITED:
        return rest
    if rest.__class__ is not int:
        return rest
    if a == UNLIMITED:
        return 0 if b == UNLIMITED else UNLIMITED
    if b == UNLIMITED:
        return LEAST
    return UNLIMITED if rest > 0 else LEAST
