"""Amounts and names in messages."""

import pytest

from kubectl_fairshare.lint.words.figures import about, article, few, figure, several, title_of, used_too
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.location import ObjectKey, Place

KEY = ObjectKey("batch", "Job", "team", "train")


def test_an_amount_is_canonical_and_has_its_resource() -> None:
    assert figure("cpu", 1500) == "1500m cpu"
    assert figure("memory", 4 << 30) == "4Gi memory"
    assert figure("cpu", UNLIMITED) == "unlimited cpu"


@pytest.mark.parametrize(
    ("resource", "amount", "text"),
    [
        ("memory", 92157500 << 10, "about 88Gi memory"),
        ("memory", 9999 << 20, "9999Mi memory"),
        ("memory", 88 << 30, "88Gi memory"),
        ("memory", 1000, "1k memory"),
        ("memory", 15_000_000_000, "about 14Gi memory"),
        ("memory", UNLIMITED, "unlimited memory"),
        ("cpu", 123_456_789, "123456789m cpu"),
    ],
)
def test_a_long_number_of_bytes_is_rounded_in_a_sentence(resource: str, amount: int, text: str) -> None:
    assert about(resource, amount) == text


def test_a_kind_has_its_article() -> None:
    assert [article(kind) for kind in ("AdmissionCheck", "Topology", "ClusterQueue")] == ["an", "a", "a"]


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
