"""Limits and quota in a tree: what binds, what can be reached, what is counted twice. Borders one unit apart."""

import json

import pytest

from kubectl_fairshare.finding import Remove
from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import GPU, Quota, cohort, flavor, job, kueue, local_queue, queue

RECLAIM = {"reclaimWithinCohort": "Any"}
A_QUOTA = "spec.resourceGroups[0].flavors[0].resources[0]"


def two(a: Quota, b: Quota) -> tuple[str, ...]:
    """Queues ``a`` and ``b`` of cohort ``org``."""
    return flavor(), cohort("org"), queue("a", "org", a, preemption=RECLAIM), queue("b", "org", b)


@pytest.mark.parametrize(("limit", "count"), [(0, 0), (1, 0), (7, 0), (8, 1), (9, 1)])
def test_a_borrowing_limit_binds_below_what_others_can_lend(limit: int, count: int) -> None:
    assert len(places("K090", *two((4, limit, None), 8))) == count


@pytest.mark.parametrize(("lent", "count"), [(3, 1), (4, 1), (5, 0)])
def test_what_others_lend_is_bounded_by_their_limits(lent: int, count: int) -> None:
    assert len(places("K090", *two((4, 4, None), (8, None, lent)))) == count


def test_a_useless_limit_can_be_removed_but_not_blindly() -> None:
    (found,) = reported("K090", *two((4, 10, None), 8), complete=True)
    assert str(found.finding.place) == f"ClusterQueue a {A_QUOTA}.borrowingLimit"
    assert (
        found.finding.message == "ClusterQueue `a` may borrow 10 cpu in `default`, 2 cpu more than there is to borrow"
    )
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


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ((8, 0, None), (8, 0, None), "none of its 2 queues may borrow"),
        ((8, None, 0), (8, None, 0), "everybody with quota lends 0"),
        ((8, 0, None), (8, None, None), None),
        ((8, None, 0), (8, None, 1), None),
        ((8, 0, 0), (8, None, None), "the limits on the way leave nothing to borrow"),
    ],
)
def test_a_cohort_in_which_nobody_can_borrow_is_told_once(a: Quota, b: Quota, why: str | None) -> None:
    found = reported("K092", *two(a, b))
    assert [r.finding.message for r in found] == ([] if why is None else [f"cohort `org` has no effect: {why}"])


def test_the_cause_is_told_and_not_the_limits() -> None:
    texts = two((8, 4, 0), (8, 4, 0))
    assert len(places("K092", *texts)) == 1
    assert places("K090", *texts) == []


def of_cohort(listed: Quota, *, pair: str = "cpu") -> tuple[str, ...]:
    org = cohort("org", None, {"default": {pair: 4}})
    return flavor(), org, queue("a", "org", listed)


def test_quota_of_a_cohort_needs_a_queue_that_borrows_it() -> None:
    assert places("K093", *of_cohort(8)) == []
    assert places("K093", *of_cohort((8, 1, None))) == []
    assert places("K093", *of_cohort((8, 0, None))) == [f"info Cohort org {A_QUOTA}.nominalQuota"]
    assert len(places("K093", *of_cohort(8, pair=GPU))) == 1


@pytest.mark.parametrize(("limit", "count"), [(None, 0), (1, 0), (0, 1)])
def test_quota_of_a_cohort_may_be_lent_to_its_siblings(limit: int | None, count: int) -> None:
    reserve = cohort("reserve", "org", {"default": {"cpu": (4, None, limit)}})
    texts = (flavor(), cohort("org"), reserve, queue("a", "org", 8))
    assert len(places("K093", *texts)) == count


def test_a_limit_of_zero_on_the_way_closes_it() -> None:
    org, child = cohort("org", None, {"default": {"cpu": 4}}), {"default": {"cpu": (0, 0, None)}}
    assert len(places("K093", flavor(), org, cohort("child", "org", child), queue("a", "child", 8))) == 1


@pytest.mark.parametrize(("lent", "count"), [(0, 1), (1, 0)])
def test_a_queue_without_quota_needs_somebody_who_lends(lent: int, count: int) -> None:
    texts = two((0, 4, None), (8, None, lent))
    assert len(places("K094", *texts)) == count
    assert places("K084", *texts) == []
    assert places("K092", *texts) == []


def test_a_flavor_without_cpu_serves_nobody() -> None:
    quotas = [{"a": {"cpu": 8, GPU: 0}, "b": {"cpu": 0, GPU: 8}}]
    (found,) = reported("K084", flavor("a"), flavor("b"), queue(quota=quotas))
    assert found.finding.message.startswith("flavor `b` of ClusterQueue `team` serves nobody: it has no `cpu`")


def test_a_resource_that_no_flavor_has_is_told_once() -> None:
    quotas = [{"a": {"cpu": 8, GPU: 0}, "b": {"cpu": 8, GPU: 0}}]
    (found,) = reported("K084", flavor("a"), flavor("b"), queue(quota=quotas))
    assert found.finding.message == (
        "ClusterQueue `team` covers `nvidia.com/gpu`, but has none in any flavor and can borrow none"
    )


def test_what_can_be_borrowed_is_not_dead() -> None:
    assert places("K084", *two(0, 8)) == []
    assert len(places("K084", *two(0, (8, None, 0)))) == 1


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


@pytest.mark.parametrize(("pods", "count"), [(12, 0), (13, 1)])
def test_a_workload_is_too_large_above_the_potential(pods: int, count: int) -> None:
    texts = (*two(8, (8, None, 4)), local_queue(target="a"), job(pods=pods))
    assert len(places("K098", *texts)) == count


def test_partial_admission_asks_for_less() -> None:
    least = {"kueue.x-k8s.io/job-min-parallelism": "8"}
    assert places("K098", flavor(), queue(), local_queue(), job(pods=9, annotations=least)) == []


def test_another_flavor_may_be_large_enough_unless_the_pods_may_not_use_it() -> None:
    flavors = (flavor("small", {"size": "small"}), flavor("large", {"size": "large"}))
    texts = (*flavors, queue(quota=[{"small": {"cpu": 4}, "large": {"cpu": 8}}]), local_queue())
    assert places("K098", *texts, job(pods=5)) == []
    (found,) = reported("K098", *texts, job(pods=5, nodeSelector={"size": "small"}))
    assert dict(found.finding.evidence) == {"asked for": "5 cpu", "potential in small": "4 cpu"}


def test_queues_in_a_cycle_have_another_problem() -> None:
    texts = (flavor(), cohort("x", "x"), queue("team", "x", (1, 5, None)), local_queue(), job(pods=9))
    assert [places(word, *texts) for word in ("K084", "K090", "K092", "K093", "K094", "K098")] == [[]] * 6


def workload(*counts: int) -> str:
    """A Workload of 1-cpu pods, a pod set for each count."""
    pod = {"containers": [{"name": "c", "image": "x", "resources": {"requests": {"cpu": "1"}}}]}
    sets = [{"name": f"s{i}", "count": n, "template": {"spec": pod}} for i, n in enumerate(counts)]
    return kueue("Workload", "one", "team", spec={"queueName": "jobs", "podSets": sets})


@pytest.mark.parametrize(("counts", "count"), [((4, 4), 0), ((4, 5), 1), ((9,), 1), ((4, 0), 0)])
def test_pod_sets_count_together(counts: tuple[int, ...], count: int) -> None:
    assert len(places("K098", flavor(), queue(), local_queue(), workload(*counts))) == count


def test_pods_that_are_given_back_need_no_quota() -> None:
    status = {"reclaimablePods": [{"name": "s0", "count": 1}]}
    told = json.dumps(json.loads(workload(9)) | {"status": status})
    assert places("K098", flavor(), queue(), local_queue(), told) == []


@pytest.mark.parametrize(
    "refused",
    [
        cohort("org", None, {"default": {"cpu": -1}}),
        cohort("child", "org", {"default": {"cpu": -1}}),
        queue("other", "org", -1),
    ],
)
def test_nothing_is_said_of_a_tree_with_a_part_that_is_refused(refused: str) -> None:
    alone = (flavor(), queue("team", "org", (0, 4, None)), local_queue(), job(pods=9))
    assert len(places("K094", *alone)) == 1
    assert [places(word, *alone, refused) for word in ("K059", "K084", "K090", "K094", "K098")] == [[]] * 5
