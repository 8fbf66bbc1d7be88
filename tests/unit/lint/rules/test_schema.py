"""What any schema asks of a field."""

import pytest

from kubectl_fairshare.finding import Remove, Replace
from tests.unit.schedulers.kueue.rules.asking import cohort, places, queue, reported


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


def test_a_required_field_under_a_wrong_name_is_one_finding() -> None:
    text = cohort("c", queue("c").partition("spec:\n")[2].replace("nominalQuota", "nominalquota"))
    assert reported("M004", text) == ()
    (found,) = reported("M008", text)
    assert found.finding.message.endswith("nominalQuota` is missing")
