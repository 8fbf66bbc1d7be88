"""Several LimitRanges of one namespace, and pods that they reject."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import (
    LimitSummary,
    bounds_of,
    has_type,
    is_outside_limits,
    least_requests,
    summarized,
)
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey

KEY = ObjectKey("", "LimitRange", "team", "small")


def limit_range(kind: str = "Container", **bounds: dict[str, str]) -> Field:
    data: Json = {"spec": {"limits": [{"type": kind, **bounds}]}}
    return Field(KEY, (), data)


def test_the_lowest_max_and_the_highest_min_bind() -> None:
    first = limit_range(max={"cpu": "2"}, min={"cpu": "100m"})
    second = limit_range(max={"cpu": "1"}, min={"cpu": "200m"})
    for order in ((first, second), (second, first)):
        summary = summarized(order)
        assert bounds_of(summary, "Container", "max")["cpu"].text == "1"
        assert bounds_of(summary, "Container", "min")["cpu"].text == "200m"


def test_the_first_default_counts() -> None:
    summary = summarized([limit_range(default={"cpu": "1"}), limit_range(default={"cpu": "2"})])
    assert bounds_of(summary, "Container", "default")["cpu"].text == "1"


def test_a_containers_max_is_its_default_limit_and_its_min_only_fills_in_the_request() -> None:
    summary = summarized([limit_range(max={"cpu": "2"}, min={"cpu": "100m", "memory": "1Gi"})])
    assert bounds_of(summary, "Container", "default")["cpu"].text == "2"
    requests = bounds_of(summary, "Container", "defaultRequest")
    assert (requests["cpu"].text, requests["memory"].text) == ("2", "1Gi")


def test_a_pods_bounds_have_no_defaults() -> None:
    summary = summarized([limit_range("Pod", max={"cpu": "2"})])
    assert has_type(summary, "Pod")
    assert not has_type(summary, "Container")
    assert bounds_of(summary, "Pod", "default") == {}


def test_a_malformed_amount_is_an_error_at_its_field() -> None:
    with pytest.raises(FairshareError, match="`many` is not a quantity") as caught:
        summarized([limit_range(max={"cpu": "many"})])
    assert str(caught.value.problems[0].place).endswith("spec.limits[0].max.cpu")


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
        ("Pod", {"max": {"cpu": "3"}}, [both("1"), {"requests": {"cpu": "1"}}], False),
        ("Pod", {"max": {"cpu": "3"}}, [both("1"), {"requests": {"cpu": "3"}}], True),
        ("Pod", {"max": {"cpu": "3"}}, [{"requests": {"cpu": "1"}}], True),
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


@pytest.mark.parametrize(
    ("kind", "item", "containers", "least"),
    [
        ("Container", {"min": {"cpu": "200m"}}, [both("1"), {}], {"cpu": 400}),
        ("Container", {"min": {"cpu": "200m", "memory": "1500m"}}, [both("1")], {"cpu": 200, "memory": 2}),
        ("Pod", {"min": {"cpu": "3"}}, [both("1"), both("4")], {"cpu": 3000}),
        ("Container", {"max": {"cpu": "3"}}, [both("1")], {}),
    ],
)
def test_the_least_request_is_the_smallest_that_is_not_outside(
    kind: str, item: dict[str, Any], containers: list[dict[str, Any]], least: dict[str, int]
) -> None:
    assert least_requests(spec(*containers), bounds(kind, **item)) == least


def test_an_init_container_and_a_sidecar_have_a_least_request_too() -> None:
    limits = bounds("Container", min={"cpu": "1"})
    starting, beside = {"resources": both("2")}, {"restartPolicy": "Always", "resources": both("2")}
    assert least_requests(spec(both("2"), initContainers=[starting]), limits) == {"cpu": 1000}
    assert least_requests(spec(both("2"), initContainers=[beside]), limits) == {"cpu": 2000}
    assert least_requests(spec(both("2")), None) == {}


def test_without_a_limit_range_nothing_is_outside() -> None:
    assert not is_outside_limits(spec(both("9")), {})


def test_sidecars_and_the_pod_as_a_whole_count_as_for_the_scheduler() -> None:
    """LimitRanger's ``podRequests`` and ``podLimits`` follow those of schedulers, without overhead."""
    sidecar = {"restartPolicy": "Always", "resources": both("2")}
    assert is_outside_limits(spec(both("2"), initContainers=[sidecar]), bounds("Pod", max={"cpu": "3"}))
    assert not is_outside_limits(spec(both("2"), overhead={"cpu": "5"}), bounds("Pod", max={"cpu": "3"}))
    assert is_outside_limits(spec(both("2"), resources=both("4")), bounds("Pod", max={"cpu": "3"}))
    assert not is_outside_limits(spec({}, resources=both("2")), bounds("Pod", max={"cpu": "3"}))
