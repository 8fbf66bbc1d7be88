"""Amounts: 64-bit integers of which the largest means *unlimited*.

cpu counts in milli-units, every other resource in whole units. Sums and differences of bounded
amounts saturate; one that reaches ``UNLIMITED`` has become unlimited.
"""

from typing import Final

UNLIMITED: Final = (1 << 63) - 1
LEAST: Final = -(1 << 63)


def add(a: int, b: int) -> int:
    """``a + b``; unlimited plus anything stays unlimited."""
    if a == UNLIMITED or b == UNLIMITED:
        return UNLIMITED
    total = a + b
    if LEAST <= total <= UNLIMITED:
        return total
    return UNLIMITED if total > 0 else LEAST


def subtract(a: int, b: int) -> int:
    """``a - b``; unlimited minus bounded stays unlimited, minus unlimited is 0, bounded minus unlimited is LEAST."""
    if a == UNLIMITED:
        return 0 if b == UNLIMITED else UNLIMITED
    if b == UNLIMITED:
        return LEAST
    rest = a - b
    if LEAST <= rest <= UNLIMITED:
        return rest
    return UNLIMITED if rest > 0 else LEAST
