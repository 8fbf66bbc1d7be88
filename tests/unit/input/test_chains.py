"""Cohorts above cohorts: as many as anybody has are answered, more are refused at their line."""

import pytest

from kubectl_fairshare.input.chains import MAX_LEVELS, too_long
from kubectl_fairshare.model.location import ObjectKey, Place

COHORT = ObjectKey("kueue.x-k8s.io", "Cohort", "", "")


def chain(length: int) -> dict[str, str | None]:
    """``length`` cohorts, the last below one that nobody declares."""
    return {f"c{i:06}": f"c{i + 1:06}" for i in range(length)}


CIRCLE = {"a": "b", "b": "a", "c": "c", "d": "a"}


@pytest.mark.parametrize("parents", [{}, {"a": None}, {"a": "b"}, CIRCLE, chain(MAX_LEVELS)])
def test_what_is_no_chain_too_long_is_left_alone(parents: dict[str, str | None]) -> None:
    assert list(too_long(parents, COHORT, "parentName")) == []


@pytest.mark.parametrize("length", [MAX_LEVELS + 1, 50_000])
@pytest.mark.parametrize("circle", [False, True])
def test_the_first_cohort_with_too_many_above_it_is_told_at_its_parent(length: int, circle: bool) -> None:
    parents = chain(length)
    if circle:
        parents[f"c{length - 1:06}"] = "c000000"
    (problem,) = too_long(parents, COHORT, "parentName")
    assert problem.message == "Cohort c000000 has more than 200 cohorts above it"
    assert isinstance(problem.place, Place)
    assert (problem.place.object.name, problem.place.path) == ("c000000", ("spec", "parentName"))
    assert problem.help
