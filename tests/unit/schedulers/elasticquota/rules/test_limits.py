"""Rules: min ≤ max ≤ hard: the bounds of one namespace compared, as the scheduler converts them."""

from typing import Any

import pytest

from kubectl_fairshare.finding import Insert, Severity
from tests.unit.schedulers.elasticquota.rules.objects import deployment, pod, quota, resource_quota
from tests.unit.schedulers.kueue.rules.asking import places, reported


@pytest.mark.parametrize(
    ("least", "most", "found"),
    [
        (4, 4, False),
        ("4", "4000m", False),
        ("4001m", 4, True),
        ("4000100u", 4, True),  # rounded up to 4001m
        (5, 4, True),
    ],
)
def test_min_is_held_against_max_after_rounding(least: Any, most: Any, found: bool) -> None:
    assert bool(reported("E001", quota("a", {"cpu": least}, {"cpu": most}))) is found


def test_min_above_max_tells_the_difference() -> None:
    (found,) = reported("E001", quota("a", {"memory": "3Gi"}, {"memory": "1Gi", "cpu": 1}))
    assert "min guarantees 3Gi memory, 2Gi memory more than max allows" in found.finding.message


def test_a_scalar_that_max_does_not_list_has_no_bound() -> None:
    assert reported("E001", quota("a", {"nvidia.com/gpu": 4}, {"cpu": 1})) == ()


def test_an_amount_that_does_not_fit_is_not_compared_as_well() -> None:
    wraps = quota("a", {"cpu": 4}, {"cpu": "9223372036854775807"})
    assert reported("E001", wraps) == ()
    assert places("E019", wraps) == ["error ElasticQuota a/a spec.max.cpu"]


def test_a_present_max_is_zero_of_memory_that_min_lists() -> None:
    (found,) = reported("E002", quota("a", {"cpu": 1, "memory": "4Gi"}, {"cpu": 1}))
    assert found.finding.remedy.edits == (Insert(found.finding.place, "memory", "4Gi"),)


def test_a_present_max_is_zero_of_memory_that_a_template_requests() -> None:
    both = quota("a", {"cpu": 1}, {"cpu": 1}), deployment("a", {"cpu": 1, "memory": "1Gi"})
    assert places("E002", *both) == ["error ElasticQuota a/a spec.max"]


def test_a_max_of_what_is_used_alone_is_as_it_should_be() -> None:
    assert reported("E002", quota("a", {"cpu": 1}, {"cpu": 1}), pod("a", requests={"cpu": 1})) == ()


def test_a_name_that_is_dropped_is_the_cause_and_told_alone() -> None:
    renamed = quota("a", {"cpu": 1, "memory": "1Gi"}, {"cpu": 1, "requests.memory": "1Gi"})
    assert reported("E002", renamed) == ()
    assert places("E015", renamed) == ["error ElasticQuota a/a spec.max[requests.memory]"]


def test_an_empty_max_is_an_error_and_an_empty_min_a_warning() -> None:
    assert places("E003", quota("a", {}, {})) == [
        "error ElasticQuota a/a spec.max",
        "warning ElasticQuota a/a spec.min",
    ]


def test_an_absent_list_is_no_empty_one() -> None:
    assert reported("E003", quota("a")) == ()


@pytest.mark.parametrize(
    ("min", "max", "hard", "severity"),
    [
        (4, None, {"cpu": 3}, Severity.ERROR),
        (4, None, {"requests.cpu": 3}, Severity.ERROR),
        (4, None, {"limits.cpu": 3}, None),
        (4, 8, {"cpu": 7}, Severity.WARNING),
        (4, 8, {"cpu": 8}, Severity.INFO),
        (4, 8, {"cpu": 9}, None),
        (4, None, {"cpu": 4}, None),
    ],
)
def test_both_bounds_are_held_against_the_tightest_resource_quota(
    min: int, max: int | None, hard: dict[str, int], severity: Severity | None
) -> None:
    bounds = {} if max is None else {"cpu": max}
    found = reported("E014", quota("a", {"cpu": min}, bounds or None), resource_quota("a", hard))
    assert [r.severity for r in found] == ([] if severity is None else [severity])


def test_a_scoped_resource_quota_bounds_a_part_of_the_pods_only() -> None:
    assert reported("E014", quota("a", {"cpu": 4}), resource_quota("a", {"cpu": 1}, scopes=["BestEffort"])) == ()


def test_extended_resources_are_bounded_under_requests_alone() -> None:
    gpus = quota("a", {"nvidia.com/gpu": 4})
    assert reported("E014", gpus, resource_quota("a", {"nvidia.com/gpu": 1})) == ()
    assert len(reported("E014", gpus, resource_quota("a", {"requests.nvidia.com/gpu": 1}))) == 1


OLD = "scheduling.sigs.k8s.io/v1alpha1"


def test_a_foreign_quota_is_read_by_no_other_rule() -> None:
    assert reported("E001", quota("a", {"cpu": 4}, {"cpu": 1}, version=OLD)) == ()


def test_a_refused_quota_is_told_for_that_alone() -> None:
    refused = quota("a", {"cpu": 0.5}, {"memory": 1})
    assert places("K004", refused) == ["error ElasticQuota a/a spec.min.cpu"]
    assert [*reported("E002", refused), *reported("E001", refused), *reported("M009", refused)] == []
