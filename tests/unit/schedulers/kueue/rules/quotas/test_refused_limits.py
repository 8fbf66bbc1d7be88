"""Rules: limits of single quotas: against their parent, against zero, against what there is to lend."""

import pytest

from kubectl_fairshare.finding import Replace
from tests.unit.schedulers.kueue.rules.asking import KUEUE, V1BETA1, places, queue, reported

FIRST = "spec.resourceGroups[0].flavors[0].resources[0]"


def quotas(*lines: str, spec: str = "", kind: str = "ClusterQueue", version: str = KUEUE) -> str:
    """An object with one quota of cpu; ``lines`` are the fields of its entry."""
    entry = "".join(f"        {line}\n" for line in lines)
    groups = f"  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n    - name: a\n      resources:\n{entry}"
    groups = groups.replace("        name: cpu", "      - name: cpu")
    return f"apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: q\nspec:\n{spec}{groups}"


@pytest.mark.parametrize(("lending", "found"), [("7999m", 0), ("8", 0), ("8001m", 1)])
def test_a_queue_lends_at_most_its_nominal_quota(lending: str, found: int) -> None:
    text = quotas("name: cpu", "nominalQuota: 8", f"lendingLimit: {lending}", spec="  cohortName: c\n")
    assert len(reported("K027", text)) == found


def test_the_finding_tells_by_how_much_the_lending_limit_is_too_high() -> None:
    text = quotas("name: cpu", "nominalQuota: 8", "lendingLimit: 8001m", spec="  cohortName: c\n")
    (found,) = reported("K027", text)
    assert found.finding.message.startswith("`lendingLimit` of `cpu` is 1m above the quota")
    assert found.finding.evidence == (("nominalQuota", "8"), ("lendingLimit", "8001m"), ("too high by", "1m"))
    assert found.finding.remedy.safe


def test_a_missing_nominal_quota_lends_nothing() -> None:
    (found,) = reported("K027", quotas("name: cpu", "lendingLimit: 1", spec="  cohortName: c\n"))
    assert found.finding.evidence[0] == ("nominalQuota", "0")


def test_a_cohort_may_lend_more_than_its_own_quota() -> None:
    limits = ("name: cpu", "nominalQuota: 1", "lendingLimit: 2")
    assert reported("K027", quotas(*limits, spec="  parentName: c\n", kind="Cohort")) == ()


@pytest.mark.parametrize("version", [KUEUE, V1BETA1])
@pytest.mark.parametrize("limit", ["borrowingLimit", "lendingLimit"])
def test_a_limit_without_cohort_is_found_at_the_limit(version: str, limit: str) -> None:
    text = quotas("name: cpu", "nominalQuota: 8", f"{limit}: 1", version=version)
    assert places("K010", text) == [f"error ClusterQueue q {FIRST}.{limit}"]


def test_several_limits_without_cohort_are_one_finding() -> None:
    (found,) = reported("K010", quotas("name: cpu", "nominalQuota: 8", "borrowingLimit: 1", "lendingLimit: 1"))
    assert [str(related.place.path[-1]) for related in found.finding.related] == ["lendingLimit"]
    assert len(found.finding.remedy.edits) == 2


def test_a_limit_without_cohort_is_not_told_when_the_cohort_has_the_name_of_another_version() -> None:
    text = quotas("name: cpu", "nominalQuota: 8", "borrowingLimit: 1", spec="  cohort: c\n")
    assert reported("K010", text) == ()
    assert places("K003", text) == ["error ClusterQueue q spec.cohort"]


def test_a_limit_of_a_cohort_needs_a_parent() -> None:
    text = quotas("name: cpu", "nominalQuota: 8", "lendingLimit: 1", kind="Cohort")
    assert places("K010", text) == [f"error Cohort q {FIRST}.lendingLimit"]


@pytest.mark.parametrize("name", ["nominalQuota", "borrowingLimit", "lendingLimit"])
def test_no_quota_is_negative(name: str) -> None:
    values = {"nominalQuota": "8", name: "-1n"}
    lines = [f"{key}: {value}" for key, value in values.items()]
    text = quotas("name: cpu", *lines, spec="  cohortName: c\n")
    assert f"error ClusterQueue q {FIRST}.{name}" in places("K016", text)


def test_values_of_v1beta1_are_renamed_in_v1beta2() -> None:
    text = queue("q", "  flavorFungibility:\n    whenCanBorrow: Borrow\n    whenCanPreempt: Preempt\n")
    found = reported("M005", text)
    assert [each.finding.remedy.edits for each in found] == [
        (Replace(each.finding.place, "MayStopSearch"),) for each in found
    ]
    assert len(found) == 2
