"""Rules: what a queue's amounts mean that its author did not: 0 where nothing is written, signs, weights."""

from typing import Any

import pytest

from kubectl_fairshare.finding import Insert, Replace, Severity
from tests.unit.schedulers.kai.rules.objects import bounds, gpus, kai, queue
from tests.unit.schedulers.kueue.rules.asking import places, reported

GPU = "spec.resources.gpu"


def test_a_limit_of_zero_is_told_as_such() -> None:
    assert places("A011", gpus("a", quota=4, limit=0)) == [f"error Queue a {GPU}.limit"]


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


def test_a_negative_weight_is_told() -> None:
    assert places("A015", gpus("a", weight=-1)) == [f"error Queue a {GPU}.overQuotaWeight"]


@pytest.mark.parametrize(("text", "hours"), [("1d", "24h"), ("abc", None), ("1w", None)])
def test_a_minimal_runtime_in_days_is_written_in_hours(text: str, hours: str | None) -> None:
    (found,) = reported("A019", queue("a", preemptMinRuntime=text))
    edits = () if hours is None else (Replace(found.finding.place, hours),)
    assert (found.finding.remedy.edits, found.finding.remedy.safe) == (edits, hours is not None)
    assert reported("K002", queue("a", preemptMinRuntime=text)) == ()


def test_queues_of_gpus_alone_are_told_for_what_is_missing() -> None:
    only = kai("scheduling.run.ai/v2", "Queue", {"name": "a"}, {"resources": {"gpu": {"quota": 4}}})
    assert places("A011", only) == ["error Queue a spec.resources.gpu"]
    assert reported("A012", only) == ()
    assert reported("A011", gpus("a", limit=0)) == ()


@pytest.mark.parametrize(
    ("quota", "limit", "found"),
    [
        (0.5, -1, [f"info Queue a {GPU}.quota"]),
        (0.5, 0.5, [f"warning Queue a {GPU}.limit"]),
        (0, 0.25, [f"warning Queue a {GPU}.limit"]),
        (1, -1, []),
        (0, -1, []),
        (-1, -1, []),
        (1.5, -1, []),
        (-0.5, 0, []),
    ],
)
def test_a_whole_gpu_does_not_fit_into_a_part_of_one(quota: float, limit: float, found: list[str]) -> None:
    assert places("A040", gpus("a", quota=quota, limit=limit)) == found
