"""Phrases that messages share."""

import pytest

from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted, some_of


def test_the_likeliest_comes_first_and_what_is_unlike_not_at_all() -> None:
    assert likely("visoin", ["language", "vision", "visions"]) == ["vision", "visions"]
    assert likely("x", ["language"]) == []


@pytest.mark.parametrize(
    ("names", "phrase"), [([], None), (["a"], "did you mean `a`?"), (["a", "b"], "did you mean `a` or `b`?")]
)
def test_what_may_be_meant(names: list[str], phrase: str | None) -> None:
    assert did_you_mean(names) == phrase


def test_the_first_few_of_many() -> None:
    assert some_of(["a", "b"], 2) == "a, b"
    assert some_of(["a", "b", "c", "d"], 2) == "a, b and 2 more"
    assert some_of(["a", "b", "c"], 2, "; ") == "a; b and 1 more"
    assert some_of([], 2) == ""
    assert quoted(("a", "b")) == "`a`, `b`"
