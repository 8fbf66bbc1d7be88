"""Rules: who lends to whom in a cohort: no queue, too much, or the same quota twice."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import GPU, Quota, cohort, flavor, queue, two

A_QUOTA = "spec.resourceGroups[0].flavors[0].resources[0]"


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ((8, 0, None), (8, 0, None), "none of its 2 queues may borrow"),
        ((8, None, 0), (8, None, 0), "every member with quota has a lendingLimit of 0"),
        ((8, 0, None), (8, None, None), None),
        ((8, None, 0), (8, None, 1), None),
        ((8, 0, 0), (8, None, None), "the limits in between leave nothing to borrow"),
    ],
)
def test_a_cohort_in_which_nobody_can_borrow_is_told_once(a: Quota, b: Quota, why: str | None) -> None:
    found = reported("K092", *two(a, b))
    assert [r.finding.message for r in found] == ([] if why is None else [f"cohort `org` has no effect: {why}"])


def test_the_cause_is_told_and_not_the_limits() -> None:
    texts = two((8, 4, 0), (8, 4, 0))
    assert len(places("K092", *texts)) == 1
    assert places("K090", *texts) == []


def test_unlimited_borrowing_is_advice_while_owners_do_not_reclaim() -> None:
    assert places("K095", *two(2, 8)) == [f"info ClusterQueue a {A_QUOTA}.nominalQuota"]
    assert places("K095", *two((2, 1, None), 8)) == []
    assert places("K095", *two(8, 8)) == []
    assert places("K095", *two(2, (8, None, 0))) == []


@pytest.mark.parametrize(("nominal", "count"), [(11, 0), (12, 1), (13, 0)])
def test_a_cohort_with_the_sum_of_its_members_counts_twice(nominal: int, count: int) -> None:
    org = cohort("org", None, {"default": {"cpu": nominal}})
    assert len(places("K097", flavor(), org, queue("a", "org", 8), queue("b", "org", (4, None, 1)))) == count


def test_one_pair_that_differs_tells_that_the_sum_is_chance() -> None:
    org = cohort("org", None, {"default": {"cpu": 8, GPU: 5}})
    assert places("K097", flavor(), org, queue("a", "org", [{"default": {"cpu": 8, GPU: 4}}])) == []
