"""Steps and facts as lists with numbers: a step that others share is written once.

Tested in ``tests/unit/answers/test_trees.py``.
"""

from collections.abc import Callable, Iterable
from typing import TypedDict

from kubectl_fairshare.report.documents.parts import OperandValue, PlacePart, Places, operand, place
from kubectl_fairshare.trace import Fact, Step


class FactPart(TypedDict):
    """A field that was read."""

    id: int
    value: OperandValue
    place: PlacePart


class StepPart(TypedDict):
    """A step: its law, its operands, and the numbers of the facts and steps that it rests on."""

    id: int
    law: str
    sentence: str
    holds: bool
    operands: dict[str, OperandValue]
    facts: list[int]
    restsOn: list[int]


class ProofPart(TypedDict):
    """The steps that the outcome rests on, and all below them."""

    conclusions: list[int]
    steps: list[StepPart]
    facts: list[FactPart]


def proof(steps: Iterable[Step], places: Places, sentence: Callable[[Step], str]) -> ProofPart:
    """The steps with all that they rest on, every step after those below it; ``sentence`` says what one means."""
    writer = _Writer(places, sentence)
    conclusions = [writer.step(step) for step in steps]
    return {"conclusions": conclusions, "steps": writer.steps, "facts": writer.facts}


class _Writer:
    """Numbers steps and facts as they are met; lives for one document."""

    def __init__(self, places: Places, sentence: Callable[[Step], str]) -> None:
        self.places = places
        self.sentence = sentence
        self.steps: list[StepPart] = []
        self.facts: list[FactPart] = []
        self._steps: dict[int, int] = {}  # by identity: comparing deep steps would cost more than it saves
        self._facts: dict[Fact, int] = {}

    def step(self, step: Step) -> int:
        """The number of a step; it and what it rests on are written now where they are new."""
        to_come = [step]
        while to_come:  # a chain of cohorts may be longer than calls can nest
            below = [p for p in to_come[-1].rests_on if isinstance(p, Step) and id(p) not in self._steps]
            if below:
                to_come.extend(reversed(below))
                continue
            self._write(to_come.pop())
        return self._steps[id(step)]

    def _write(self, step: Step) -> None:
        """Writes a step whose foundations are written."""
        if id(step) in self._steps:
            return
        facts = [self.fact(part) for part in step.rests_on if isinstance(part, Fact)]
        below = [self._steps[id(part)] for part in step.rests_on if isinstance(part, Step)]
        number = self._steps[id(step)] = len(self.steps)
        self.steps.append(
            {
                "id": number,
                "law": str(step.law),
                "sentence": self.sentence(step),
                "holds": step.holds,
                "operands": operands(step),
                "facts": facts,
                "restsOn": below,
            }
        )

    def fact(self, fact: Fact) -> int:
        """The number of a fact, written now where it is new."""
        known = self._facts.get(fact)
        if known is None:
            known = self._facts[fact] = len(self.facts)
            self.facts.append({"id": known, "value": operand(fact.value), "place": place(fact.place, self.places)})
        return known


def operands(step: Step) -> dict[str, OperandValue]:
    """The operands of a step by name, in their order."""
    return {name: operand(value) for name, value in step.operands}
