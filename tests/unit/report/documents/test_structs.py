"""Structs become documents and schemas by one reading of their fields."""

from enum import StrEnum
from math import inf
from typing import Annotated

import pytest
from jsonschema import Draft202012Validator

from kubectl_fairshare.answers.answer import Amount, Unasked
from kubectl_fairshare.answers.counts import NO_WORK
from kubectl_fairshare.answers.documents import DocumentPart, Extended, Moment, Operands, extended
from kubectl_fairshare.answers.figures import OMITTED, Boundless, Quantity
from kubectl_fairshare.answers.shares import QueueFigures, QueueNode
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.report.documents.schema import schema_of
from kubectl_fairshare.report.documents.structs import Forms
from kubectl_fairshare.trace import Fact

QUEUE = ObjectKey("", "Queue", "", "q")
WHERE = Place(QUEUE, ("spec",))


class Shape(StrEnum):
    """A word."""

    ROUND = "round"


class HeldFigures(Value, frozen=True, rename="camel"):
    """One resource."""

    resource: str
    most_ever: Quantity
    limit: Quantity | None = None
    ratio: Boundless = inf
    place: Place | None = None


class OwnReport(Value, frozen=True, rename="camel"):
    """One queue."""

    shape: Shape
    above: tuple[str, ...] = ()
    inner: Annotated[Place, OMITTED] = WHERE


class Odd(Value, frozen=True):
    """Something that JSON has in another way."""

    value: int


class Whole(Value, frozen=True, rename="camel"):
    """All queues."""

    trees: tuple[QueueNode[OwnReport, HeldFigures], ...] = field(name="nodes")
    odd: Odd | None = None
    totals: tuple[HeldFigures, ...] = ()


class Added(DocumentPart, frozen=True):
    """What one scheduler says of an entry."""

    law: str
    since: Moment
    queue: str


class Entries(DocumentPart, frozen=True):
    """A list whose entries all schedulers share, and marked values."""

    queues: tuple[Extended[Unasked, Added], ...]
    read: tuple[Fact, ...] = ()
    operands: Operands = ()
    number: int | str | None = None


def odd(of: Odd) -> list[int]:
    return [of.value]


FORMS = Forms({Odd: odd})
HELD = HeldFigures("cpu", 1500)
FIGURES = QueueFigures("cpu", "", Amount("cpu", 0, "0"), HELD)
TREES = (QueueNode(QUEUE, (FIGURES,), NO_WORK, OwnReport(Shape.ROUND, ("a",))),)


def test_an_amount_is_its_text_and_the_integer_and_infinity_is_null() -> None:
    amount = {"quantity": "1500m", "value": 1500}
    nothing = {"limit": None, "ratio": None, "place": None}
    assert FORMS.part(HELD, {}) == {"resource": "cpu", "mostEver": amount, **nothing}


def test_a_place_has_its_line() -> None:
    at = {WHERE: Location("a.yaml", 3, 1)}
    place = FORMS.part(HeldFigures("cpu", 1, place=WHERE), at)["place"]
    assert (place["source"], place["line"], place["object"]) == ("a.yaml", 3, "Queue q")


def test_trees_are_a_list_of_queues_each_with_its_resources() -> None:
    (node,) = FORMS.document("Whole", Whole(TREES), {})["nodes"]
    assert (node["shape"], node["above"], "inner" in node) == ("round", ["a"], False)
    assert node["resources"] == [FORMS.part(HELD, {})]


@pytest.mark.parametrize("given", [Whole(TREES), Whole((), Odd(3), (HELD, HeldFigures("gpu", 1, 2, 0.5, WHERE)))])
def test_a_document_obeys_the_schema_of_its_struct(given: Whole) -> None:
    schema = schema_of(FORMS.document_type("Whole", Whole))
    document = FORMS.document("Whole", given, {})
    assert list(Draft202012Validator(schema).iter_errors(document)) == []
    assert list(Draft202012Validator(schema).iter_errors({**document, "odd": "text"})) != []
    assert set(schema["$defs"]) >= {"HeldPart", "OwnPart", "AmountPart", "PlacePart"}
    assert schema["$defs"]["OwnPart"]["properties"]["shape"] == {"enum": ["round"]}


def test_an_entry_has_the_fields_of_all_schedulers_and_those_of_one_which_go_first() -> None:
    shared = (Unasked("a", (), 2, "x", "it is empty"), Unasked("b", (), 0, "y", "it is new"))
    given = Entries(extended(shared, (Added("x", None, "own"), Added("z", 10**9, "b"))), (Fact(WHERE, inf),))
    document = FORMS.document("Entries", replace(given, operands=(("most", inf), ("held", 2))), {})
    assert [(each["queue"], each["law"], each["workloads"]) for each in document["queues"]] == [
        ("own", "x", 2),
        ("b", "z", 0),
    ]
    assert [each["since"] for each in document["queues"]] == [None, "1970-01-01T00:00:01Z"]
    assert (document["read"][0]["value"], document["read"][0]["object"]) == ("+Inf", "Queue q")
    assert document["operands"] == {"most": "+Inf", "held": 2}
    schema = schema_of(FORMS.document_type("Entries", Entries))
    assert list(Draft202012Validator(schema).iter_errors(document)) == []
    assert set(schema["$defs"]["Added"]["required"]) >= {"queue", "law", "because", "workloads", "holds", "since"}


def test_lists_about_the_same_things_are_of_one_length() -> None:
    with pytest.raises(ValueError, match="zip"):
        extended((Unasked("a", (), 2, "x", ""),), ())


def test_parts_of_the_same_fields_are_one_type() -> None:
    assert Forms().part_type(Added) is Forms().part_type(Added)
