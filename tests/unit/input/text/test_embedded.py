"""YAML inside a field: every document, and every problem, at its place in the object."""

import pytest

from kubectl_fairshare.input.text.embedded import embedded_documents
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import ColumnPart, LinePart
from kubectl_fairshare.model.location import ObjectKey, Place

FIELD = Place(ObjectKey("", "ConfigMap", "team", "m"), ("data", "text"))


def test_the_first_document_stands_at_the_field_and_others_at_their_line() -> None:
    found = list(embedded_documents("a: 1\n---\nb: 2\n", FIELD))
    assert found == [(FIELD, {"a": 1}), (Place(FIELD.object, ("data", "text", LinePart(2))), {"b": 2})]


def test_a_problem_stands_at_its_line_inside_the_field() -> None:
    with pytest.raises(FairshareError) as caught:
        list(embedded_documents("a: 1\na: 2\n", FIELD))
    (problem,) = caught.value.problems
    assert problem.message.startswith("`text`: ")
    assert problem.place == Place(FIELD.object, ("data", "text", LinePart(2), ColumnPart(1)))
