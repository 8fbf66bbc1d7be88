"""A plan's document: the fields that all schedulers share, and a scheduler's own beside them."""

from collections.abc import Iterable
from typing import Any

from kubectl_fairshare.answers.answer import Answer, Maker, Subject, TriedChange, Unasked
from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import (
    DocumentKind,
    DocumentPart,
    Extended,
    ProofSteps,
    WrittenAnswer,
    extended,
)
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.documents.structs import plan_document

JOB = ObjectKey("batch", "Job", "vision", "train")


class OwnRemedy(DocumentPart, frozen=True):
    """What only this scheduler says of a remedy."""

    then: str


class OwnPlan(DocumentPart, frozen=True):
    """What only this scheduler says of a plan."""

    depth: int
    remedies: tuple[Extended[TriedChange, OwnRemedy], ...]


class Detail:
    """A scheduler's part of an answer."""

    def reasons(self) -> Iterable[Group]:
        """Nothing."""
        return ()

    findings = records = reasons

    def document(self, answer: Answer[Any]) -> WrittenAnswer:
        """Its fields."""
        own = extended(answer.remedies, (OwnRemedy("then another waits") for _ in answer.remedies))
        return WrittenAnswer(DocumentKind("Plan", OwnPlan, "plan"), OwnPlan(3, own))


def test_a_scheduler_adds_fields_and_says_more_of_an_entry() -> None:
    remedy = TriedChange("cpu 2 → 4", Outcome.ADMITTED, "admitted now", 0, Maker.OWNER)
    answer = Answer(
        *("mine", Outcome.WAITS, Outcome.WAITS, "waits", "", Subject(JOB, 5), (), ()),
        ProofSteps((), str),
        Fidelity("Mine", "v1"),
        Detail(),
        remedies=(remedy,),
        unasked=(Unasked("q", (), 1, "law", "it is empty"),),
    )
    document: Any = plan_document(answer, {})
    assert (document["kind"], document["scheduler"], document["depth"]) == ("Plan", "mine", 3)
    assert [(each["text"], each["then"]) for each in document["remedies"]] == [("cpu 2 → 4", "then another waits")]
    assert [each["queue"] for each in document["notAsked"]] == ["q"]
    assert document["subject"]["name"] == "train"
