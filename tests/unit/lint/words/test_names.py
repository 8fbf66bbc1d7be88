"""Names that are nearly other names."""

import pytest

from kubectl_fairshare.lint.words.names import Names, distance, slip


@pytest.mark.parametrize(
    ("a", "b", "edits"), [("a", "a", 0), ("abc", "abd", 1), ("abc", "ab", 1), ("abc", "cab", 2), ("abc", "xyz", 3)]
)
def test_edits_are_counted_up_to_two(a: str, b: str, edits: int) -> None:
    assert distance(a, b) == distance(b, a) == edits


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("research", "reserch"),
        ("research", "resaerch"),
        ("team-research", "team-reseach"),
        ("team-alpha", "taem-alpha"),
        ("gpu-pool", "gpupool"),
        ("gpu-pool", "gpu.pool"),
        ("products", "product"),
        ("inference", "infrence"),
    ],
)
def test_these_are_slips_and_found(a: str, b: str) -> None:
    assert slip(a, b) or a.replace(".", "-") == b.replace(".", "-")
    if slip(a, b):
        assert Names([a, "something", "else"]).near(b) == (a,)
        assert Names([b, "something", "else"]).near(a) == (b,)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        *[("team-a", "team-b"), ("team-1", "team-2"), ("org-17", "org-18"), ("north", "south"), ("red", "rod")],
        *[("dept-north", "dept-south"), ("gpu-a100", "gpu-h100"), ("research", "products"), ("research", "research")],
    ],
)
def test_these_are_no_slips(a: str, b: str) -> None:
    assert not slip(a, b)
    assert Names([a, "else"]).near(b) == ()


def test_one_of_a_crowd_is_no_slip() -> None:
    crowd = [f"pool{first}{last}" for first in "abcdef" for last in "abcdef"]
    assert Names(crowd).near("poolzz") == ()
    assert Names(crowd[:3]).near("poolzz") == ("poolaa", "poolab", "poolac")
