"""Steps, their operands, and the facts that they rest on."""

from enum import StrEnum

import pytest

from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.trace import Fact, Step, fact_text, facts_of


class Law(StrEnum):
    """One law."""

    FITS = "fits"


HERE = Fact(Place(ObjectKey("", "Pod", "a", "p")), 1)
THERE = Fact(Place(ObjectKey("", "Node", "", "n")), 2)


def test_an_operand_is_found_by_its_name() -> None:
    step = Step(Law.FITS, (("requested", 1), ("free", None)), holds=True)
    assert (step.operand("requested"), step.operand("free")) == (1, None)
    with pytest.raises(KeyError):
        step.operand("used")


def test_facts_are_named_once_and_those_of_other_steps_are_not() -> None:
    inner = Step(Law.FITS, (), holds=True, rests_on=(THERE,))
    steps = [Step(Law.FITS, (), True, (HERE, inner)), Step(Law.FITS, (), False, (HERE,))]
    assert facts_of(steps) == (HERE,)
    assert facts_of([*steps, inner]) == (HERE, THERE)


def test_a_fact_has_its_value_if_that_is_short() -> None:
    assert fact_text(Fact(HERE.place, 7)).endswith(": 7")
    assert fact_text(Fact(HERE.place, True)).endswith(": true")
    assert fact_text(Fact(HERE.place, "x" * 90)).endswith("Pod a/p")
