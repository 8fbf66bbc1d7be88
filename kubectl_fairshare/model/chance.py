"""Numbers that a seed decides: the same on every machine, in every release of Python.

Source: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
"""

import math
from typing import Final

_ALL: Final = (1 << 64) - 1
_STEP: Final = 0x9E3779B97F4A7C15


class Chance:
    """A sequence of numbers from a seed. Each draw moves it on, so the order of draws matters."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _ALL

    def bits(self) -> int:
        """The next 64 bits, as a number."""
        self._state = (self._state + _STEP) & _ALL
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _ALL
        return mixed ^ (mixed >> 31)

    def fraction(self) -> float:
        """A number from 0 to below 1, with 53 bits."""
        return (self.bits() >> 11) / (1 << 53)

    def exponential(self, mean: float) -> float:
        """A number above 0 from the exponential distribution with this mean."""
        return -mean * math.log(1.0 - self.fraction())

    def branch(self) -> "Chance":
        """Another sequence, which does not depend on how many numbers are drawn from this one later."""
        return Chance(self.bits())
