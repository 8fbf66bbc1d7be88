"""Rules: LimitRanges that make quota and pods differ."""

from typing import Any

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import flavor, job, local_queue, manifest, node, queue


def limit_range(**item: Any) -> str:
    return manifest("v1", "LimitRange", "defaults", "team", spec={"limits": [{"type": "Container", **item}]})


def test_a_limit_without_request_is_charged_the_default() -> None:
    ranges = limit_range(defaultRequest={"cpu": "500m"})
    (found,) = reported("K065", flavor(), queue(), local_queue(), ranges, job(requests={}, limits={"cpu": "4"}))
    assert str(found.finding.place) == "Job team/train spec.template.spec.containers[0].resources.limits.cpu"
    assert dict(found.finding.evidence) == {
        "charged per pod": "500m cpu",
        "requested by the pod": "4 cpu",
        "pods": "1",
    }


@pytest.mark.parametrize(
    ("ranges", "requests", "limits"),
    [
        (limit_range(defaultRequest={"cpu": "500m"}), {"cpu": "4"}, {"cpu": "4"}),
        (limit_range(defaultRequest={"cpu": "500m"}), {}, {}),
        (limit_range(defaultRequest={"cpu": "4"}), {}, {"cpu": "4"}),
        (limit_range(max={"cpu": "8"}), {"cpu": "1"}, {"cpu": "4"}),
        (limit_range(defaultRequest={"memory": "1Gi"}), {}, {"cpu": "4"}),
    ],
)
def test_what_is_charged_and_requested_alike_is_no_mistake(
    ranges: str, requests: dict[str, str], limits: dict[str, str]
) -> None:
    asking = job(requests=requests, limits=limits)
    assert places("K065", flavor(), queue(), local_queue(), ranges, asking, node("n")) == []
