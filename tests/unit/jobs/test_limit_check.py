"""Pods that the LimitRanges of their namespace reject."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limit_check import is_outside_limits
from kubectl_fairshare.jobs.limits import LimitSummary, summarized
from kubectl_fairshare.model.location import ObjectKey

KEY = ObjectKey("", "LimitRange", "team", "bounds")


def bounds(kind: str, **item: Any) -> LimitSummary:
    return summarized([Field(KEY, (), {"spec": {"limits": [{"type": kind, **item}]}})])


def spec(*containers: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"containers": [{"resources": each} for each in containers], **more}


def both(cpu: str) -> dict[str, Any]:
    return {"requests": {"cpu": cpu}, "limits": {"cpu": cpu}}


@pytest.mark.parametrize(
    ("kind", "item", "containers", "outside"),
    [
        ("Container", {"max": {"cpu": "1"}}, [both("1")], False),
        ("Container", {"max": {"cpu": "1"}}, [both("2")], True),
        ("Container", {"max": {"cpu": "1"}}, [{"requests": {"cpu": "2"}}], True),
        ("Container", {"max": {"cpu": "1"}}, [{"requests": {"cpu": "1"}}], False),
        ("Container", {"min": {"cpu": "1"}}, [both("500m")], True),
        ("Container", {"min": {"cpu": "1"}}, [{}], True),
        ("Container", {"min": {"cpu": "1"}}, [both("1")], False),
        ("Pod", {"max": {"cpu": "3"}}, [both("1"), both("2")], False),
        ("Pod", {"max": {"cpu": "3"}}, [both("2"), both("2")], True),
        ("Pod", {"max": {"cpu": "3"}}, [both("1"), {"requests": {"cpu": "1"}}], True),
        ("Pod", {"min": {"cpu": "3"}}, [both("1"), both("1")], True),
        ("Pod", {"min": {"cpu": "3"}}, [both("1"), both("2")], False),
        ("PersistentVolumeClaim", {"max": {"storage": "1Gi"}}, [both("9")], False),
    ],
)
def test_an_amount_outside_the_bounds_rejects_the_pod(
    kind: str, item: dict[str, Any], containers: list[dict[str, Any]], outside: bool
) -> None:
    assert is_outside_limits(spec(*containers), bounds(kind, **item)) is outside


def test_an_init_container_counts_alone_and_in_the_whole() -> None:
    starting = [{"resources": both("4")}]
    assert is_outside_limits(spec(both("1"), initContainers=starting), bounds("Container", max={"cpu": "3"}))
    assert is_outside_limits(spec(both("1"), initContainers=starting), bounds("Pod", max={"cpu": "3"}))


def test_without_a_limit_range_nothing_is_outside() -> None:
    assert not is_outside_limits(spec(both("9")), {})
