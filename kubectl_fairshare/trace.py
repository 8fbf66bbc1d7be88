"""An explanation as data: facts that were read, and steps that follow from them.

A ``Step`` names a law and its operands, and says whether the law holds; it rests on facts and other steps. Each
scheduler's ``words`` have a sentence for each law; ``docs/laws.md`` explains the laws.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value

_LONG: Final = 60
Operand = int | float | str | bool | None


class Fact(Value, frozen=True):
    """A field of an object and the value that was read there."""

    place: Place
    value: Operand


def fact_text(fact: Fact) -> str:
    """A field with its value, where that is short."""
    value = fact.value
    short = isinstance(value, int) or (isinstance(value, str) and 0 < len(value) < _LONG)
    return f"{fact.place}: {str(value).lower() if isinstance(value, bool) else value}" if short else str(fact.place)


class Step(Value, frozen=True, gc=False):
    """One application of a law. ``operands`` are named amounts and shares, in a fixed order."""

    law: StrEnum
    operands: tuple[tuple[str, Operand], ...]
    holds: bool
    rests_on: tuple["Step | Fact", ...] = ()

    def operand(self, name: str) -> Operand:
        """The operand ``name``. Raises ``KeyError`` if the step does not have it."""
        for key, value in self.operands:
            if key == name:
                return value
        raise KeyError(name)


def facts_of(steps: Iterable[Step]) -> tuple[Fact, ...]:
    """The fields that the steps rest on themselves, each once."""
    return tuple(dict.fromkeys(part for step in steps for part in step.rests_on if isinstance(part, Fact)))


def first_place(step: Step) -> Place | None:
    """The place of the first field that a step rests on itself."""
    return next((part.place for part in step.rests_on if isinstance(part, Fact)), None)
