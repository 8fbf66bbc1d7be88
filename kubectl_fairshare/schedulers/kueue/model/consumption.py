"""Quantities with the digits that Kueue keeps: usages made of them are compared as floats, and equal ones are a tie.

Tested in ``tests/unit/schedulers/kueue/admission_sharing/test_figures.py``.
"""

import math
from typing import Final, NamedTuple

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.quantity import nano

SCALE: Final = 9


class ExactQuantity(NamedTuple):
    """``unscaled`` · 10^−``scale``, in cores, bytes or units."""

    unscaled: int
    scale: int = 0

    @property
    def value(self) -> float:
        """The value as Kueue converts it: the digits as a float64, then the power of ten; infinite if too large."""
        try:
            digits = float(self.unscaled)
        except OverflowError:
            digits = math.copysign(math.inf, self.unscaled > 0 or -1)
        return digits if self.scale == 0 else digits * float(f"1e{-self.scale}")

    def plus(self, other: "ExactQuantity") -> "ExactQuantity":
        """The exact sum."""
        if not self.unscaled or not other.unscaled:
            return self if self.unscaled else other
        scale = max(self.scale, other.scale)
        return ExactQuantity(
            self.unscaled * 10 ** (scale - self.scale) + other.unscaled * 10 ** (scale - other.scale), scale
        )


def quantity_of(value: Json) -> ExactQuantity:
    """A quantity as an API server writes it, with as few digits as it needs. Raises ``QuantityError``."""
    unscaled, scale = nano(value), SCALE
    while scale and unscaled % 1000 == 0:
        unscaled, scale = unscaled // 1000, scale - 3
    return ExactQuantity(unscaled, scale)
