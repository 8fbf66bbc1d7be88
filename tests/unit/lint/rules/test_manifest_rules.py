"""The rules that any schema gives rise to."""

import pytest

from kubectl_fairshare.finding import Insert, Remove, Rename, Replace
from kubectl_fairshare.lint.words.spelling import nearest
from kubectl_fairshare.model.location import Place
from tests.unit.schedulers.kueue.rules.asking import cohort, job, local_queue, places, queue, reported


def test_a_number_where_text_belongs_is_quoted() -> None:
    (found,) = reported("M003", queue("q", "  queueingStrategy: 8\n"))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "8"),)
    assert "the number `8`: expected a string" in found.finding.message


def test_of_a_boolean_nobody_knows_whether_yes_or_true_was_meant() -> None:
    (found,) = reported("M003", queue("q", "  queueingStrategy: yes\n"))
    assert found.finding.remedy.edits == ()
    assert "the boolean `true`: expected a string" in found.finding.message
    assert "a bare `yes`" in found.finding.remedy.text


def test_null_is_a_missing_value() -> None:
    text = cohort("c", "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors: [null]\n")
    assert reported("M003", text) == ()
    assert places("M004", text) == ["error Cohort c spec.resourceGroups[0].flavors[0]"]


def test_a_field_is_told_once_however_many_things_are_wrong_with_it() -> None:
    text = queue("q", "  stopPolicy: 5\n")
    assert len([*reported("M003", text), *reported("M005", text)]) == 1


@pytest.mark.parametrize(
    ("value", "meant", "safe"),
    [("holdAndDrain", "HoldAndDrain", True), ("Holdd", "Hold", False), ("Stop", None, False)],
)
def test_a_value_is_guessed_when_it_is_near_one(value: str, meant: str | None, safe: bool) -> None:
    (found,) = reported("M005", queue("q", f"  stopPolicy: {value}\n"))
    edits = () if meant is None else (Replace(found.finding.place, meant),)
    assert (found.finding.remedy.edits, found.finding.remedy.safe) == (edits, safe)


def test_an_entry_twice_is_taken_out_where_both_say_the_same() -> None:
    check = "    - name: {}\n      onFlavors: [{}]\n"
    head = "  admissionChecksStrategy:\n    admissionChecks:\n"
    (alike,) = reported("M007", queue("q", head + check.format("a", "default") * 2))
    assert [type(edit) for edit in alike.finding.remedy.edits] == [Remove]
    (unlike,) = reported("M007", queue("q", head + check.format("a", "default") + "    - name: a\n"))
    assert unlike.finding.remedy.edits == ()


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
    assert found.finding.message.endswith("it is dropped, and with it `red`")


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


def test_a_required_field_under_a_wrong_name_is_one_finding() -> None:
    text = cohort("c", queue("c").partition("spec:\n")[2].replace("nominalQuota", "nominalquota"))
    assert reported("M004", text) == ()
    (found,) = reported("M008", text)
    assert found.finding.message.endswith("nominalQuota`, which must be there, is missing")


def test_a_job_that_cannot_be_read_is_told_at_its_field() -> None:
    text = job(spec="parallelism: two\n")
    assert places("M009", text) == ["error Job team/train spec.parallelism"]
    assert reported("M009", job(spec="parallelism: 2\n")) == ()


def test_the_nearest_word_is_none_when_two_are_as_near() -> None:
    assert nearest("policy", ["policyA", "policyB"]) is None
    assert nearest("nominalQouta", ["nominalQuota", "borrowingLimit"]) == "nominalQuota"
    assert nearest("cpu", ["gpu", "memory"]) == "gpu"
    assert nearest("cpu", ["node"]) is None
