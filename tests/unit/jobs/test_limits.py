"""Several LimitRanges of one namespace."""

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import bounds_of, has_type, summarized
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
