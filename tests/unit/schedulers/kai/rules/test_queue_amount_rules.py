"""Quotas, limits and weights of queues."""

from typing import Any

import pytest

from kubectl_fairshare.finding import Insert, Replace, Severity
from tests.unit.schedulers.kai.rules.objects import bounds, gpus, kai, node, queue
from tests.unit.schedulers.kueue.rules.asking import places, reported

GPU = "spec.resources.gpu"


@pytest.mark.parametrize(
    ("child", "parent", "found"),
    [(4, 4, False), (5, 4, True), (4.5, 4, True), (-1, 4, True), (-1, -1, False), (9, -1, False), (0, 0, False)],
)
def test_a_childs_quota_is_held_against_its_parents(child: float, parent: float, found: bool) -> None:
    assert bool(reported("A004", gpus("org", quota=parent), gpus("a", "org", quota=child))) is found


def test_all_resources_are_compared_not_cpu_alone() -> None:
    small, large = ({r: bounds(n) for r in ("cpu", "memory", "gpu")} for n in (1, 2))
    assert len(reported("A004", queue("org", resources=small), queue("a", "org", large))) == 3


def test_children_add_up_unless_one_alone_is_too_much() -> None:
    org = gpus("org", quota=8)
    assert reported("A005", org, gpus("a", "org", 4), gpus("b", "org", 4)) == ()
    assert places("A005", org, gpus("a", "org", 4), gpus("b", "org", 4.5)) == [f"warning Queue org {GPU}.quota"]
    assert reported("A005", org, gpus("a", "org", 9), gpus("b", "org", 4)) == ()


@pytest.mark.parametrize(
    ("quota", "limit", "found"), [(4, 4, False), (4, 3.5, True), (4, -1, False), (-1, 4, False), (4, 0, False)]
)
def test_a_limit_is_held_against_the_own_quota(quota: float, limit: float, found: bool) -> None:
    assert bool(reported("A009", gpus("a", quota=quota, limit=limit))) is found


def test_a_limit_of_zero_is_told_as_such() -> None:
    assert places("A011", gpus("a", quota=4, limit=0)) == [f"error Queue a {GPU}.limit"]


@pytest.mark.parametrize(("limit", "found"), [(8, False), (9, True), (-1, False)])
def test_a_limit_is_held_against_all_limits_above(limit: float, found: bool) -> None:
    texts = gpus("org", limit=8), gpus("team", "org"), gpus("a", "team", limit=limit)
    assert bool(reported("A010", *texts)) is found


def test_a_quota_beyond_a_limit_above_is_told_in_place_of_the_limit() -> None:
    texts = gpus("org", quota=-1, limit=4), gpus("a", "org", quota=6, limit=8)
    assert reported("A010", *texts) == ()
    assert places("A023", *texts) == [f"warning Queue a {GPU}.quota"]


def test_quotas_of_children_are_held_against_the_limit_of_an_unlimited_parent() -> None:
    children = gpus("a", "org", 4), gpus("b", "org", 4)
    assert places("A024", gpus("org", quota=-1, limit=7), *children) == [f"warning Queue org {GPU}.limit"]
    assert reported("A024", gpus("org", quota=-1, limit=8), *children) == ()


@pytest.mark.parametrize(
    ("resource", "written", "severity"),
    [
        ("gpu", bounds(4, None), Severity.ERROR),
        ("gpu", bounds(0, None), Severity.ERROR),
        ("gpu", {}, None),
        ("gpu", bounds(0, 0), None),
        ("cpu", {}, Severity.WARNING),
        ("cpu", bounds(0, 0), Severity.WARNING),
        ("cpu", bounds(1, 0), Severity.ERROR),
        ("cpu", bounds(0, -1), None),
    ],
)
def test_a_limit_of_nothing_is_told_unless_it_may_be_meant(
    resource: str, written: dict[str, Any], severity: Severity | None
) -> None:
    found = reported("A011", queue("a", resources={resource: written}))
    assert [r.severity for r in found] == ([] if severity is None else [severity])


def test_a_missing_limit_is_written_and_a_zero_replaced() -> None:
    (missing,) = reported("A011", queue("a", resources={"gpu": bounds(4, None)}))
    assert missing.finding.remedy.edits == (Insert(missing.finding.place, "limit", -1),)
    (zero,) = reported("A011", gpus("a", quota=4, limit=0))
    assert zero.finding.remedy.edits == (Replace(zero.finding.place, -1),)


def test_a_queue_that_is_closed_on_purpose_is_a_warning() -> None:
    shut = {resource: bounds(0, 0) for resource in ("cpu", "memory", "gpu")}
    assert places("A011", queue("a", resources=shut)) == ["warning Queue a spec.resources"]
    assert places("A011", queue("a", resources={r: bounds(1, None) for r in shut})) == ["error Queue a spec.resources"]


@pytest.mark.parametrize(
    ("quota", "weight", "limit", "found"),
    [(0, 0, -1, True), (0, None, 4, True), (1, 0, -1, False), (-1, 0, -1, False), (0, 1, -1, False), (0, 0, 0, False)],
)
def test_a_share_needs_quota_or_weight(quota: float, weight: float | None, limit: float, found: bool) -> None:
    assert bool(reported("A012", gpus("a", quota=quota, weight=weight, limit=limit))) is found


def test_weights_of_a_priority_matter_when_lower_ones_have_some() -> None:
    strict = queue("a", resources={"gpu": bounds(2, -1, 0)}, priority=200)
    assert [r.severity for r in reported("A013", strict)] == [Severity.INFO]
    assert [r.severity for r in reported("A013", strict, queue("b"))] == [Severity.WARNING]
    assert reported("A013", strict, queue("b", priority=200)) == ()
    bounded = queue("a", resources={"gpu": bounds(2, 2, 0)}, priority=200)
    assert reported("A013", bounded, queue("b")) == ()


@pytest.mark.parametrize(
    ("resource", "field", "value", "severity"),
    [
        ("gpu", "quota", -1, None),
        ("gpu", "quota", -0.5, Severity.ERROR),
        ("cpu", "limit", -2, Severity.ERROR),
        ("memory", "limit", -2, Severity.WARNING),
        ("memory", "quota", -1, None),
    ],
)
def test_minus_one_is_the_only_negative_amount(
    resource: str, field: str, value: float, severity: Severity | None
) -> None:
    found = reported("A014", queue("a", resources={resource: {**bounds(), field: value}}))
    assert [r.severity for r in found] == ([] if severity is None else [severity])


def test_a_negative_amount_is_told_for_that_alone() -> None:
    texts = gpus("org", quota=-3, limit=-3), gpus("a", "org", quota=5, limit=5)
    for rule in ("A004", "A005", "A009", "A010", "A012", "A023", "A024"):
        assert reported(rule, *texts) == ()


def test_a_negative_weight_is_told() -> None:
    assert places("A015", gpus("a", weight=-1)) == [f"error Queue a {GPU}.overQuotaWeight"]


@pytest.mark.parametrize(("quota", "found"), [(8, False), (8.5, True), (-1, False)])
def test_quotas_at_the_top_are_held_against_ready_nodes(quota: float, found: bool) -> None:
    texts = gpus("a", quota=quota), gpus("b", "a", quota=100), node()
    assert bool(reported("A017", *texts, node("n2", unschedulable=True))) is found


def test_pools_are_held_apart() -> None:
    gold = queue("a", resources={"gpu": bounds(9)}, meta={"labels": {"kai.scheduler/node-pool": "gold"}})
    assert reported("A017", gold, node()) == ()
    assert len(reported("A017", gold, node(pool="gold"))) == 1


@pytest.mark.parametrize(("text", "hours"), [("1d", "24h"), ("abc", None), ("1w", None)])
def test_a_minimal_runtime_in_days_is_written_in_hours(text: str, hours: str | None) -> None:
    (found,) = reported("A019", queue("a", preemptMinRuntime=text))
    edits = () if hours is None else (Replace(found.finding.place, hours),)
    assert (found.finding.remedy.edits, found.finding.remedy.safe) == (edits, hours is not None)
    assert reported("K002", queue("a", preemptMinRuntime=text)) == ()


def test_fields_of_the_schema_are_told_by_the_rules_for_all_apis() -> None:
    assert places("M003", gpus("a").replace('"quota": 0', '"quota": "0"', 1)) == [
        "error Queue a spec.resources.cpu.quota"
    ]
    assert len(reported("M008", kai("scheduling.run.ai/v2", "Queue", {"name": "a"}, {"resource": {}}))) == 1
