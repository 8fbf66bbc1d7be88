"""Rules: how resource groups must be put together."""

from kubectl_fairshare.finding import Remove, Reorder
from tests.unit.schedulers.kueue.rules.asking import KUEUE, reported


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
