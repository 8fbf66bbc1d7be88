"""Rules: quantities that Kueue takes and that mean something else than what is written, or are taken once only."""

import pytest

from kubectl_fairshare.finding import Insert, Replace
from tests.unit.schedulers.kueue.rules.asking import cohort, local_queue, places, queue, reported

SILENT = ("K004", "K006", "K007", "K008", "K044", "K045", "M003", "M005")


QUOTA = "spec.resourceGroups[0].flavors[0].resources[0]"


def with_quota(text: str) -> str:
    return queue("q").replace("nominalQuota: 10", f"nominalQuota: {text}")


def found_by(*documents: str) -> list[str]:
    return [word for word in SILENT if reported(word, *documents)]


@pytest.mark.parametrize("text", ["0", "8", '"8"', "8Gi", "2.0", '"0.5"', "500m", "1e3", '"+8"', "9223372036854775"])
def test_a_plain_quantity_is_nobodys_business(text: str) -> None:
    assert found_by(with_quota(text)) == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("0.5", "K004"),
        ('"8 "', "K006"),
        ('" 8"', "K006"),
        ("Gi", "K007"),
        ('"+"', "K007"),
        ('"."', "K007"),
        ("e3", "K007"),
        ("null", "K008"),
        ("0.1n", "K044"),
        ('"1.0000000001"', "K044"),
        ("9223372036854775808", "K045"),
        ('"9223372036854776"', "K045"),
        ("eight", "M005"),
        ("[8]", "M003"),
    ],
)
def test_each_odd_quantity_is_told_by_one_rule(text: str, rule: str) -> None:
    assert found_by(with_quota(text)) == [rule]


def test_cpu_is_counted_in_milli_units() -> None:
    assert reported("K045", with_quota('"9223372036854775806m"')) == ()
    assert len(reported("K045", with_quota('"9223372036854775808m"'))) == 1


def test_a_fraction_is_quoted_as_it_is_written() -> None:
    (found,) = reported("K004", with_quota("0.5"))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "0.5"),)
    assert found.finding.remedy.safe
    assert "on creation it is stored as 500m" in found.finding.message


def test_a_fraction_elsewhere_is_refused_at_once() -> None:
    text = local_queue("lq", "q", "  fairSharing:\n    weight: 0.5\n")
    (found,) = reported("K004", text)
    assert found.finding.message.endswith("the API server rejects it")
    assert reported("M003", text) == ()


def test_a_fraction_for_an_integer_is_of_the_wrong_type() -> None:
    text = queue("q", "  preemption:\n    borrowWithinCohort:\n      maxPriorityThreshold: 0.5\n")
    assert reported("K004", text) == ()
    assert len(reported("M003", text)) == 1


def test_a_missing_nominal_quota_is_written_as_what_it_counts_as() -> None:
    (found,) = reported("K008", queue("q").replace("        nominalQuota: 10\n", ""))
    assert str(found.finding.place) == f"ClusterQueue q {QUOTA}"
    assert found.finding.remedy.edits == (Insert(found.finding.place, "nominalQuota", "0"),)
    assert not found.finding.remedy.safe


def test_a_misspelt_nominal_quota_is_told_as_unknown_field_alone() -> None:
    text = queue("q").replace("nominalQuota", "nominalQouta")
    assert found_by(text) == []
    assert places("M008", text) == [f"error ClusterQueue q {QUOTA}.nominalQouta"]


def test_a_cohort_without_nominal_quota_is_refused() -> None:
    groups = queue("c").partition("spec:\n")[2].replace("        nominalQuota: 10\n", "")
    text = cohort("c", groups)
    assert reported("K008", text) == ()
    assert places("M004", text) == [f"error Cohort c {QUOTA}.nominalQuota"]


def test_what_a_server_has_taken_is_not_judged_again() -> None:
    text = with_quota('"8 "').replace("  name: q\n", '  name: q\n  resourceVersion: "1"\n')
    assert found_by(text) == []
