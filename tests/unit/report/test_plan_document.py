"""A plan's document: the fields that all schedulers share, and a scheduler's own beside them."""

import pytest

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.plan_document import joined_entries, object_part


def test_entries_about_the_same_thing_have_the_fields_of_both() -> None:
    assert joined_entries([{"queue": "a"}, {"queue": "b"}], [{"law": "x"}, {"queue": "own"}]) == [
        {"queue": "a", "law": "x"},
        {"queue": "own"},
    ]


def test_lists_of_different_lengths_are_not_joined() -> None:
    with pytest.raises(ValueError, match="zip"):
        joined_entries([{"queue": "a"}], [])


def test_an_object_is_named_by_all_its_names() -> None:
    found = object_part(ObjectKey("batch", "Job", "vision", "train"))
    assert found == {"group": "batch", "kind": "Job", "namespace": "vision", "name": "train"}
