"""The parts of a plan that all schedulers share, in a document."""

from typing import get_args

from kubectl_fairshare.answers.answer import PossibleOutcome
from kubectl_fairshare.answers.holds import Hold, HoldKind
from kubectl_fairshare.answers.needs import PartKind, PartSource, RequestTerm
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.report.documents.parts import object_part
from kubectl_fairshare.report.documents.structs import ANSWERS, Forms

JOB = ObjectKey("batch", "Job", "vision", "train")
ALL_NAMES = {"group": "batch", "kind": "Job", "namespace": "vision", "name": "train"}


def test_an_object_is_named_by_all_its_names_whatever_a_house_says_of_objects() -> None:
    assert object_part(JOB) == ALL_NAMES
    found = PossibleOutcome(Outcome.PREEMPTS, "preempts", (JOB,))
    assert ANSWERS.part(found, {})["victims"] == [ALL_NAMES]
    listed = Forms({ObjectKey: str}).form(tuple[PossibleOutcome, ...]).type()
    assert get_args(listed) == (ANSWERS.part_type(PossibleOutcome),)


def test_the_schema_knows_all_that_holds_a_workload_besides_quotas() -> None:
    assert {*ANSWERS.types(Hold)["kind"].__args__} == {kind.value for kind in HoldKind}


def test_what_a_document_has_may_be_computed_and_is_in_the_order_that_is_stated() -> None:
    of = RequestTerm("cpu", 2 * 10**9, PartKind.CONTAINER, "main", PartSource.WRITTEN, Place(JOB), count=3)
    found = ANSWERS.part(of, {})
    assert [*found] == ["resource", "kind", "name", "source", "note", "podSet", "pods", "perPod", "place"]
    assert (found["pods"], found["perPod"]) == (3, "2")
