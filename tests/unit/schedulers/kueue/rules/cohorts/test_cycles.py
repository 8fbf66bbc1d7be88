"""Rules: cohorts above themselves."""

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import cohort, flavor, queue


def test_a_cohort_that_is_its_own_parent_is_a_cycle_of_one() -> None:
    (found,) = reported("K041", cohort("alone", "alone"))
    assert found.finding.message == "Cohort `alone` is its own parent"


def test_a_cycle_is_told_once_at_its_first_name_with_all_members() -> None:
    (found,) = reported("K041", cohort("c", "a"), cohort("a", "b"), cohort("b", "c"))
    assert str(found.finding.place) == "Cohort a spec.parentName"
    assert found.finding.message == "the parents of these cohorts form a cycle: `a` → `b` → `c` → `a`"
    assert [r.place.object.name for r in found.finding.related] == ["b", "c"]


def test_a_tree_that_leads_into_a_cycle_is_named_with_its_queues() -> None:
    (found,) = reported(
        "K041",
        *(cohort("x", "y"), cohort("y", "x"), cohort("below", "x"), cohort("free")),
        *(flavor(), queue("lost", "below"), queue("member", "y"), queue("well", "free")),
    )
    assert dict(found.finding.evidence) == {
        "inactive queues": "`lost`, `member`",
        "cohorts that lead into it": "`below`",
    }


def test_each_of_two_cycles_has_its_own_queues() -> None:
    found = reported(
        "K041",
        *(cohort("b", "b"), cohort("a", "a")),
        *(flavor(), queue("of-a", "a"), queue("of-b", "b")),
    )
    assert [dict(f.finding.evidence)["inactive queues"] for f in found] == ["`of-a`", "`of-b`"]


def test_a_cohort_that_is_only_named_ends_a_walk() -> None:
    assert places("K041", cohort("a", "named-only"), flavor(), queue("q", "a"), queue("r", "named-only")) == []


def test_a_long_cycle_is_one_finding() -> None:
    count = 150
    cohorts = [cohort(f"c{i:03}", f"c{(i + 1) % count:03}") for i in range(count)]
    (found,) = reported("K041", *cohorts)
    assert len(found.finding.related) == count - 1
