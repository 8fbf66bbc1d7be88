"""Amounts and names in messages."""

import pytest

from kubectl_fairshare.lint.words.figures import few, figure, several, title_of, used_too
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.location import ObjectKey, Place

KEY = ObjectKey("batch", "Job", "team", "train")


def test_an_amount_is_canonical_and_has_its_resource() -> None:
    assert figure("cpu", 1500) == "1500m cpu"
    assert figure("memory", 4 << 30) == "4Gi memory"
    assert figure("cpu", UNLIMITED) == "unlimited cpu"


@pytest.mark.parametrize(("count", "text"), [(0, "0 queues"), (1, "1 queue"), (2, "2 queues")])
def test_counts_agree_with_their_noun(count: int, text: str) -> None:
    assert several(count, "queue") == text


def test_a_long_list_of_names_ends_with_the_number_of_the_others() -> None:
    assert few(["a", "b"]) == "`a`, `b`"
    assert few(["a", "b", "c"], 2) == "`a`, `b` and 1 more"


def test_an_object_without_namespace_has_its_name_only() -> None:
    assert title_of(KEY) == "Job `team/train`"
    assert title_of(KEY._replace(namespace="")) == "Job `train`"


def test_the_first_place_is_the_findings_own() -> None:
    places = [Place(KEY, ("spec", f"f{i}")) for i in range(4)]
    assert [related.place for related in used_too(places, most=2)] == places[1:3]
