"""Rules: quota that cannot be reached: by no queue, by no other queue, by a known workload."""

import json

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import (
    GPU,
    Quota,
    cohort,
    flavor,
    job,
    kueue,
    local_queue,
    queue,
    two,
)

A_QUOTA = "spec.resourceGroups[0].flavors[0].resources[0]"


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


def test_a_queue_that_is_closed_on_purpose_is_information() -> None:
    assert places("K084", flavor(), queue(quota=0)) == [f"info ClusterQueue team {A_QUOTA}.nominalQuota"]
    (open_,) = places("K084", flavor("a"), flavor("b"), queue(quota=[{"a": {"cpu": 8}, "b": {"cpu": 0}}]))
    assert open_.startswith("warning ClusterQueue team ")


def test_a_flavor_without_cpu_serves_nobody() -> None:
    quotas = [{"a": {"cpu": 8, GPU: 0}, "b": {"cpu": 0, GPU: 8}}]
    (found,) = reported("K084", flavor("a"), flavor("b"), queue(quota=quotas))
    assert found.finding.message.startswith("flavor `b` can never be used by ClusterQueue `team`: `cpu` quota 0")


def test_a_resource_that_no_flavor_has_is_told_once() -> None:
    quotas = [{"a": {"cpu": 8, GPU: 0}, "b": {"cpu": 8, GPU: 0}}]
    (found,) = reported("K084", flavor("a"), flavor("b"), queue(quota=quotas))
    assert found.finding.message == (
        "ClusterQueue `team` covers `nvidia.com/gpu`, but has no quota for it in any flavor and cannot borrow it"
    )


def test_what_can_be_borrowed_is_not_dead() -> None:
    assert places("K084", *two(0, 8)) == []
    assert len(places("K084", *two(0, (8, None, 0)))) == 1


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
