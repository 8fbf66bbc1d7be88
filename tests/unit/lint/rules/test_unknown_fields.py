"""Fields that a kind does not have."""

import pytest

from kubectl_fairshare.finding import Insert, Remove, Rename
from kubectl_fairshare.model.location import Place
from tests.unit.schedulers.kueue.rules.asking import local_queue, places, queue, reported


@pytest.mark.parametrize(
    ("field", "meant", "safe"),
    [("cohortname", "cohortName", True), ("cohort_name", "cohortName", True), ("cohortNmae", "cohortName", False)],
)
def test_an_unknown_field_is_renamed_to_the_one_it_is_near(field: str, meant: str, safe: bool) -> None:
    (found,) = reported("M008", queue("q", f"  {field}: c\n"))
    assert found.finding.remedy.edits == (Rename(found.finding.place, meant),)
    assert found.finding.remedy.safe is safe


def test_an_unknown_field_like_no_other_is_left_to_its_author() -> None:
    (found,) = reported("M008", queue("q", "  colour: red\n"))
    assert found.finding.remedy.edits == ()
    assert found.finding.message.endswith("the API server ignores it and its value `red`")


def test_an_unknown_field_of_a_list_of_objects_is_found_at_its_item() -> None:
    text = local_queue("lq", "q", "  fairSharing:\n    wieght: 2\n")
    assert places("M008", text) == ["error LocalQueue team/lq spec.fairSharing.wieght"]


def test_an_unknown_field_of_the_metadata_is_one() -> None:
    text = queue("q").replace("  name: q\n", "  name: q\n  lables: {a: b}\n", 1)
    (found,) = reported("M008", text)
    assert found.finding.remedy.edits == (Rename(found.finding.place, "labels"),)


def test_a_field_of_the_spec_among_the_metadata_is_put_where_it_belongs() -> None:
    text = queue("q").replace("  name: q\n", "  name: q\n  cohortName: c\n", 1)
    (found,) = reported("M008", text)
    place = found.finding.place
    spec = Place(place.object, ("spec",))
    assert found.finding.remedy.edits == (Remove(place), Insert(spec, "cohortName", "c"))
    assert found.finding.remedy.text == "it belongs in `spec`: write `spec.cohortName`"
    assert not found.finding.remedy.safe


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (queue("q", "  labels: {a: b}\n"), "metadata.labels"),
        ("namespaceSelector: {}\n" + queue("q"), "spec.namespaceSelector"),
        (queue("q", "  namespaceSelector: {}\n") + "cohortName: c\n", "spec.cohortName"),
    ],
)
def test_a_field_of_another_level_is_recognised(text: str, meant: str) -> None:
    (found,) = reported("M008", text)
    assert found.finding.remedy.text.endswith(f"write `{meant}`")


def test_a_field_is_not_renamed_to_one_that_takes_no_such_value() -> None:
    (found,) = reported("M008", queue("q", "  cohortNmae: {a: b}\n"))
    assert found.finding.remedy.text == "write `cohortName`"
    assert found.finding.remedy.edits == ()
