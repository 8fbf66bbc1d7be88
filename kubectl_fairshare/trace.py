"""An explanation as data: facts that were read, steps that follow from them.

A ``Step`` names a law, its operands and whether it holds, and rests on facts and other steps.
Sentences for laws live in ``render``; ``docs/laws.md`` tells what each law means.
"""

from enum import StrEnum

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import dataclass

Operand = int | float | str | bool | None


@dataclass(frozen=True, slots=True)
class Fact:
    """A field of an object and the value that was read there."""

    place: Place
    value: Operand


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a law. ``operands`` are named amounts and shares, in a fixed order."""

    law: StrEnum
    operands: tuple[tuple[str, Operand], ...]
    holds: bool
    rests_on: tuple["Step | Fact", ...] = ()

    def operand(self, name: str) -> Operand:
        """The operand called ``name``; raises ``KeyError`` when the law has none of that name."""
        for key, value in self.operands:
            if key == name:
                return value
        raise KeyError(name)
