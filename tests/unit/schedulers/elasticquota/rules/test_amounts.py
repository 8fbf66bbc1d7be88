"""Rules: amounts that the scheduler reads otherwise than they look."""

from typing import Any

import pytest

from kubectl_fairshare.finding import Replace
from tests.unit.schedulers.elasticquota.rules.objects import quota
from tests.unit.schedulers.kueue.rules.asking import places, reported


def test_a_negative_amount_is_told_and_minus_nothing_is_not() -> None:
    assert places("E018", quota("a", {"cpu": "-1m", "memory": "-0"})) == ["error ElasticQuota a/a spec.min.cpu"]


@pytest.mark.parametrize(
    ("resource", "value", "read"),
    [
        ("cpu", "9223372036854775807", "-1 cpu"),
        ("cpu", "8Ei", "-1 cpu"),
        ("cpu", "9223372036854775", None),
        ("cpu", "9223372036854776", "-9223372036854775616m cpu"),
        ("memory", "10E", "0 memory"),
        ("memory", "16E", "0 memory"),
        ("memory", "1e19", "0 memory"),
        ("memory", "9E", None),
        ("memory", "7Ei", None),
        ("memory", "9223372036854775808", "-9223372036854775808 memory"),
    ],
)
def test_a_max_that_does_not_fit_is_told_with_what_it_becomes(resource: str, value: str, read: str | None) -> None:
    found = reported("E019", quota("a", {}, {resource: value}))
    assert [dict(r.finding.evidence)["read as"] for r in found if read is not None] == ([read] if read else [])
    assert bool(found) is (read is not None)


def test_a_max_cut_to_the_largest_integer_is_what_was_meant() -> None:
    assert reported("E019", quota("a", max={"memory": "8Ei"})) == ()


def test_minima_may_overflow_in_their_sum_alone() -> None:
    assert reported("E019", quota("a", {"memory": "5E"})) == ()
    (found,) = reported("E019", quota("a", {"memory": "5E"}), quota("b", {"memory": "5E"}))
    assert "does not fit into 64 bits" in found.finding.message


@pytest.mark.parametrize(
    ("resource", "value", "found"),
    [
        ("cpu", "1500m", False),
        ("cpu", "1500100u", True),
        ("nvidia.com/gpu", "500m", True),
        ("memory", "100m", True),
        ("memory", "100M", False),
        ("memory", 1048575, True),
        ("memory", 1048576, False),
        ("memory", 0, False),
    ],
)
def test_amounts_below_their_unit_and_few_bytes_are_told(resource: str, value: Any, found: bool) -> None:
    assert bool(reported("E021", quota("a", {resource: value}))) is found


def test_equal_bounds_are_written_alike() -> None:
    (found,) = reported("E022", quota("a", {"cpu": 2}, {"cpu": "2000m"}))
    assert found.finding.remedy.edits == (Replace(found.finding.place, 2),)
    assert reported("E022", quota("a", {"cpu": 2}, {"cpu": "2"})) == ()


def test_decimal_bytes_beside_binary_ones_are_told_within_one_object() -> None:
    assert places("E022", quota("a", {"memory": "2G"}, {"memory": "4Gi"})) == ["info ElasticQuota a/a spec.min.memory"]
    assert reported("E022", quota("a", {"memory": "2G"}), quota("b", {"memory": "4Gi"})) == ()


def test_an_unquoted_fraction_is_told_by_the_rule_for_all_apis() -> None:
    assert places("K004", quota("a", {"cpu": 0.5})) == ["error ElasticQuota a/a spec.min.cpu"]
