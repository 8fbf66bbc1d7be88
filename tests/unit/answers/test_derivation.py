"""A step with all that it rests on, each once."""

from enum import StrEnum

from kubectl_fairshare.answers.derivation import derivation_blocks
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.report.text.drawing import lines_of
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.trace import Fact, Step


class Law(StrEnum):
    SUM = "sum"
    PART = "part"


PLACE = Place(ObjectKey("", "Queue", "", "q"), ("spec", "quota"))
FACT = Fact(PLACE, 4)
PART = Step(Law.PART, (("n", 1),), holds=True, rests_on=(FACT,))
SUM = Step(Law.SUM, (), holds=True, rests_on=(PART, PART))
VIEW = View(40, places={PLACE: Location("q.yaml", 7, 3)})


def lines(step: Step, known: set[object]) -> list[str]:
    words = {Law.SUM: "the sum", Law.PART: "a part of it that takes more than a line of forty"}
    blocks = derivation_blocks(step, lambda s: words[Law(s.law)], lambda fact, of: f"{of.law}: {fact.value}", known)
    return lines_of(blocks, VIEW)


def test_what_a_step_rests_on_stands_below_it_once() -> None:
    assert lines(SUM, set()) == [
        "  the sum",
        "    a part of it that takes more than a",
        "        line of forty",
        "        part: 4  q.yaml:7",
    ]


def test_what_is_known_is_not_said_again() -> None:
    known: set[object] = set()
    assert lines(PART, known) != []
    assert lines(SUM, known) == ["  the sum"]


def test_a_chain_of_thousands_is_written() -> None:
    step = PART
    for n in range(3000):
        step = Step(Law.PART, (("n", n + 2),), holds=True, rests_on=(step,))
    assert len(lines(step, set())) > 3000
