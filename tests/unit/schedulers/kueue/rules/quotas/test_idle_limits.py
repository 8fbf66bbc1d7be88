"""Rules: limits that never bind."""

import pytest

from kubectl_fairshare.finding import Remove
from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import cohort, flavor, queue, two

A_QUOTA = "spec.resourceGroups[0].flavors[0].resources[0]"


@pytest.mark.parametrize(("limit", "count"), [(0, 0), (1, 0), (7, 0), (8, 1), (9, 1)])
def test_a_borrowing_limit_binds_below_what_others_can_lend(limit: int, count: int) -> None:
    assert len(places("K090", *two((4, limit, None), 8))) == count


@pytest.mark.parametrize(("lent", "count"), [(3, 1), (4, 1), (5, 0)])
def test_what_others_lend_is_bounded_by_their_limits(lent: int, count: int) -> None:
    assert len(places("K090", *two((4, 4, None), (8, None, lent)))) == count


def test_a_useless_limit_can_be_removed_but_not_blindly() -> None:
    (found,) = reported("K090", *two((4, 10, None), 8), complete=True)
    assert str(found.finding.place) == f"ClusterQueue a {A_QUOTA}.borrowingLimit"
    said = "borrowingLimit of ClusterQueue `a` is 10 cpu in `default`, but others lend at most 8 cpu"
    assert found.finding.message == said
    assert found.finding.remedy.edits == (Remove(found.finding.place),)
    assert not found.finding.remedy.safe
    assert (found.severity, found.doubtful) == ("warning", False)


def test_a_cohorts_borrowing_limit_may_be_useless_too() -> None:
    child = cohort("child", "org", {"default": {"cpu": (0, 8, None)}})
    texts = (flavor(), cohort("org"), child, queue("a", "child", 4), queue("b", "org", 8))
    assert places("K090", *texts) == [f"info Cohort child {A_QUOTA}.borrowingLimit"]


def test_a_lonely_queue_has_another_problem() -> None:
    assert places("K090", flavor(), queue("a", "org", (4, 4, None))) == []


def test_an_unlimited_cohort_is_bound_by_any_limit() -> None:
    assert places("K090", *two((4, "1E", None), "9223372036854775807")) == []


@pytest.mark.parametrize(("limit", "count"), [(0, 0), (7, 0), (8, 1)])
def test_a_lending_limit_binds_below_the_quota(limit: int, count: int) -> None:
    assert len(places("K091", *two((8, None, limit), 4))) == count


def test_a_cohorts_lending_limit_is_held_against_its_subtree() -> None:
    def texts(limit: int) -> tuple[str, ...]:
        child = cohort("child", "org", {"default": {"cpu": (2, None, limit)}})
        return flavor(), cohort("org"), child, queue("a", "child", 4), queue("b", "org", 8)

    assert len(places("K091", *texts(6))) == 1
    assert places("K091", *texts(5)) == []
    assert len(places("K096", *texts(5))) == 1
    assert places("K096", *texts(6)) == []
