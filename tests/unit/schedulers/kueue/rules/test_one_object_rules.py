"""The rules about quotas and settings of one ClusterQueue or Cohort, at their borders."""

import pytest

from kubectl_fairshare.finding import Remove, Rename, Reorder, Replace
from tests.unit.schedulers.kueue.rules.asking import KUEUE, cohort, configuration, places, queue, reported

FIRST = "spec.resourceGroups[0].flavors[0].resources[0]"
V1BETA1 = "kueue.x-k8s.io/v1beta1"


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
    assert found.finding.message.startswith("`lendingLimit` of `cpu` is 1m more than there is to lend")
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


def group(*flavors: tuple[str, ...], covered: str = "[cpu, memory]") -> str:
    listed = "".join(
        f"    - name: f{i}\n      resources:\n"
        + "".join(f"      - name: {r}\n        nominalQuota: 1\n" for r in names)
        for i, names in enumerate(flavors)
    )
    head = f"apiVersion: {KUEUE}\nkind: ClusterQueue\nmetadata:\n  name: q\nspec:\n  resourceGroups:\n"
    return f"{head}  - coveredResources: {covered}\n    flavors:\n{listed}"


def test_a_flavor_needs_each_covered_resource() -> None:
    (found,) = reported("K011", group(("cpu", "memory"), ("cpu",)))
    assert str(found.finding.place) == "ClusterQueue q spec.resourceGroups[0].flavors[1].resources"
    assert "covers 2: `memory` missing" in found.finding.message


def test_more_resources_than_covered_are_named() -> None:
    (found,) = reported("K011", group(("cpu", "memory", "disk")))
    assert "`disk` not covered" in found.finding.message


def test_another_order_is_put_right_by_a_permutation() -> None:
    (found,) = reported("K012", group(("memory", "disk", "cpu"), covered="[cpu, memory, disk]"))
    (edit,) = found.finding.remedy.edits
    assert isinstance(edit, Reorder)
    assert edit.order == (2, 0, 1)
    assert found.finding.remedy.safe


def test_another_name_is_no_matter_of_order() -> None:
    (found,) = reported("K012", group(("cpu", "disk")))
    assert found.finding.remedy.edits == ()
    assert "`memory` missing, `disk` not covered" in found.finding.message


def test_the_flavors_of_a_group_that_are_out_of_order_are_one_finding() -> None:
    (found,) = reported("K012", group(("memory", "cpu"), ("cpu", "memory"), ("memory", "cpu")))
    assert found.finding.message.startswith("flavors `f0`, `f2` have their resources in another order")
    places = [edit.place.path[-2] for edit in found.finding.remedy.edits]
    assert places == [0, 2]
    assert [related.place.path[-2:] for related in found.finding.related[1:]] == [(2, "resources")]


def test_a_flavor_with_other_resources_is_told_beside_those_out_of_order() -> None:
    out_of_order, other = reported("K012", group(("memory", "cpu"), ("cpu", "disk")))
    assert "`memory` missing, `disk` not covered" in other.finding.message
    assert len(out_of_order.finding.remedy.edits) == 1


def test_a_flavor_twice_in_one_group_is_the_same_rule_as_in_two() -> None:
    twice = group(("cpu", "memory"), ("cpu", "memory")).replace("name: f1", "name: f0")
    (found,) = reported("K014", twice)
    assert str(found.finding.place) == "ClusterQueue q spec.resourceGroups[0].flavors[1].name"
    assert [type(edit) for edit in found.finding.remedy.edits] == [Remove]
    assert reported("M007", twice) == ()


@pytest.mark.parametrize(("weight", "found"), [("-1n", 1), ("0", 0), ("1n", 1), ("2n", 0), ("1", 0)])
@pytest.mark.parametrize("kind", ["ClusterQueue", "Cohort"])
def test_a_weight_is_zero_or_above_one_billionth(kind: str, weight: str, found: int) -> None:
    sharing = f"  fairSharing:\n    weight: {weight}\n"
    text = queue("q", sharing) if kind == "ClusterQueue" else cohort("q", sharing)
    assert len(reported("K017", text)) == found


def test_a_default_is_said_to_be_one() -> None:
    text = queue("q", "  preemption:\n    borrowWithinCohort:\n      policy: LowerPriority\n")
    (found,) = reported("K019", text)
    assert "`reclaimWithinCohort` Never by default" in found.finding.message


def test_a_preference_names_the_search_in_its_way() -> None:
    fungibility = "  flavorFungibility:\n    whenCanBorrow: TryNextFlavor\n    whenCanPreempt: MayStopSearch\n"
    (found,) = reported("K018", queue("q", f"{fungibility}    preference: BorrowingOverPreemption\n"))
    assert "`whenCanPreempt` is MayStopSearch:" in found.finding.message
    assert len(found.finding.related) == 1


def test_a_misspelt_flavor_of_a_check_is_guessed() -> None:
    checks = "  admissionChecksStrategy:\n    admissionChecks:\n    - name: c\n      onFlavors: [defualt]\n"
    (found,) = reported("K021", queue("q", checks))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "default"),)
    assert not found.finding.remedy.safe


CONCURRENT = "  concurrentAdmissionPolicy:\n    migration:\n      mode: {}\n"
LAST = "      constraints:\n        lastAcceptableFlavorName: {}\n"
ON = configuration("featureGates:\n  ConcurrentAdmission: true\n")


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        (CONCURRENT.format("TryPreferredFlavors"), None),
        (CONCURRENT.format("TryPreferredFlavors") + LAST.format("default"), None),
        (CONCURRENT.format("TryPreferredFlavors") + LAST.format("other"), "lastAcceptableFlavorName"),
        (CONCURRENT.format("RetainFirstAdmission") + LAST.format("default"), "constraints"),
        ("  queueingStrategy: StrictFIFO\n" + CONCURRENT.format("RetainFirstAdmission"), "queueingStrategy"),
    ],
)
def test_concurrent_admission_asks_for_a_fitting_queue_when_its_gate_is_on(spec: str, field: str | None) -> None:
    found = [each.finding.place.path[-1] for each in reported("K022", ON, queue("q", spec))]
    assert found == ([] if field is None else [field])
    assert reported("K022", queue("q", spec)) == ()


@pytest.mark.parametrize(("count", "found"), [(16, 0), (17, 1)])
def test_concurrent_admission_takes_sixteen_flavors(count: int, found: int) -> None:
    flavors = tuple(f"f{i}" for i in range(count))
    text = queue("q", CONCURRENT.format("RetainFirstAdmission"), flavors)
    assert len(reported("K022", ON, text)) == found


def test_a_field_of_the_other_version_is_renamed_in_either_direction() -> None:
    for text, wrong, right in (
        (queue("q", "  cohort: c\n"), "cohort", "cohortName"),
        (queue("q", "  cohortName: c\n").replace(KUEUE, V1BETA1), "cohortName", "cohort"),
    ):
        (found,) = reported("K003", text)
        assert found.finding.place.path == ("spec", wrong)
        assert found.finding.remedy.edits == (Rename(found.finding.place, right),)
        assert found.finding.remedy.safe


def test_an_old_name_beside_the_new_one_is_taken_out_when_they_say_the_same() -> None:
    (alike,) = reported("K003", queue("q", "  cohort: c\n  cohortName: c\n"))
    assert [type(edit) for edit in alike.finding.remedy.edits] == [Remove]
    (unlike,) = reported("K003", queue("q", "  cohort: b\n  cohortName: c\n"))
    assert unlike.finding.remedy.edits == ()


def test_a_flat_list_of_checks_becomes_a_strategy() -> None:
    (found,) = reported("K003", queue("q", "  admissionChecks: [a, b]\n"))
    insert, remove = found.finding.remedy.edits
    assert getattr(insert, "value", None) == {"admissionChecks": [{"name": "a"}, {"name": "b"}]}
    assert isinstance(remove, Remove)


def test_a_deprecated_object_is_upgraded_where_names_are_all_that_differs() -> None:
    (found,) = reported("K005", queue("q", "  cohort: c\n").replace(KUEUE, V1BETA1))
    assert [type(edit) for edit in found.finding.remedy.edits] == [Replace, Rename]
    borrow = "  flavorFungibility:\n    whenCanBorrow: Borrow\n"
    (unlike,) = reported("K005", queue("q", borrow).replace(KUEUE, V1BETA1))
    assert unlike.finding.remedy.edits == ()


def test_values_of_v1beta1_are_renamed_in_v1beta2() -> None:
    text = queue("q", "  flavorFungibility:\n    whenCanBorrow: Borrow\n    whenCanPreempt: Preempt\n")
    found = reported("M005", text)
    assert [each.finding.remedy.edits for each in found] == [
        (Replace(each.finding.place, "MayStopSearch"),) for each in found
    ]
    assert len(found) == 2


def test_a_kind_that_kueue_does_not_have_is_guessed() -> None:
    (found,) = reported("K001", queue("q").replace("kind: ClusterQueue", "kind: ClusterQueu"))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "ClusterQueue"),)


@pytest.mark.parametrize(("flavors", "found"), [(64, 0), (65, 1)])
def test_a_status_lists_sixty_four_flavors(flavors: int, found: int) -> None:
    def many(resource: str, count: int) -> str:
        names = "".join(
            f"    - name: {resource}-{i}\n      resources:\n      - name: {resource}\n        nominalQuota: 1\n"
            for i in range(count)
        )
        return f"  - coveredResources: [{resource}]\n    flavors:\n{names}"

    head = f"apiVersion: {KUEUE}\nkind: ClusterQueue\nmetadata:\n  name: q\nspec:\n  resourceGroups:\n"
    text = head + many("cpu", 40) + many("memory", flavors - 40)
    assert len(reported("K046", text)) == found
