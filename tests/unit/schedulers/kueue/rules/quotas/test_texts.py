"""Rules: quotas that are probably written otherwise than meant: fractions, units, names of resources."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import (
    GPU,
    cohort,
    flavor,
    queue,
)


@pytest.mark.parametrize(
    ("resource", "amount", "counted"),
    [(GPU, "500m", "1 nvidia.com/gpu"), (GPU, "1500m", "2 nvidia.com/gpu"), ("memory", "100m", "1 memory")],
)
def test_fractions_of_whole_resources_are_rounded_up(resource: str, amount: str, counted: str) -> None:
    (found,) = reported("K086", flavor(), queue(quota=[{"default": {resource: amount}}]))
    assert str(found.finding.place).endswith("resources[0].nominalQuota")
    assert dict(found.finding.evidence)["counted"] == counted


@pytest.mark.parametrize(
    ("resource", "amount"), [("cpu", "500m"), (GPU, "2"), (GPU, 2), ("memory", "1Mi"), ("memory", 0)]
)
def test_whole_amounts_and_parts_of_a_cpu_are_usual(resource: str, amount: str | int) -> None:
    assert places("K086", flavor(), queue(quota=[{"default": {resource: amount}}])) == []


@pytest.mark.parametrize("amount", ["1023Ki", 64, "64", "2000m"])
def test_memory_in_bytes_is_unlikely(amount: str | int) -> None:
    (found,) = reported("K086", flavor(), queue(quota=[{"default": {"memory": amount}}]))
    assert found.finding.message.endswith("less than pods request")


def test_g_among_gi_is_unlikely() -> None:
    def memory(name: str, amount: str) -> str:
        return queue(name, quota=[{"default": {"memory": amount}}])

    assert places("K086", flavor(), memory("a", "64G"), memory("b", "64G")) == []
    (found,) = reported("K086", flavor(), memory("a", "64G"), memory("b", "64Gi"))
    assert found.finding.place.object.name == "a"
    assert found.finding.message.endswith("probably `64Gi`")


def test_limits_are_amounts_too() -> None:
    child = cohort("child", "org", {"default": {GPU: (2, "1500m", None)}})
    assert places("K086", flavor(), child) == [
        "warning Cohort child spec.resourceGroups[0].flavors[0].resources[0].borrowingLimit"
    ]


def test_a_queue_that_shares_no_pair_is_alone_in_its_cohort() -> None:
    flavors = (flavor("a"), flavor("b"))
    queues = [queue(n, "org", [{f: {"cpu": 4}}]) for n, f in (("x", "a"), ("y", "a"), ("z", "b"))]
    assert places("K087", *flavors, *queues) == ["info ClusterQueue z spec.cohortName"]
    assert places("K087", *flavors, *queues[:2]) == []
    (found,) = reported("K087", *flavors, *queues[1:])
    assert found.finding.message.startswith("no two of the 2 queues of cohort `org`")


def test_a_queue_that_shares_with_its_cohort_is_not_alone() -> None:
    flavors = (flavor("a"), flavor("b"))
    queues = [queue(n, "org", [{f: {"cpu": 4}}]) for n, f in (("x", "a"), ("y", "a"), ("z", "b"))]
    assert places("K087", *flavors, *queues, cohort("org", None, {"b": {"cpu": 4}})) == []


def test_one_resource_with_two_names_is_told_as_that() -> None:
    queues = [queue(n, "org", [{"default": {r: 4}}]) for n, r in (("a", GPU), ("b", GPU), ("c", "example.com/GPU"))]
    (found,) = reported("K088", flavor(), *queues)
    assert str(found.finding.place) == "ClusterQueue c spec.resourceGroups[0].flavors[0].resources[0].name"
    assert places("K087", flavor(), *queues) == []


def test_vendors_of_different_flavors_are_no_slip() -> None:
    queues = [queue(n, "org", [{f: {r: 4}}]) for n, f, r in (("a", "n", GPU), ("b", "m", "amd.com/gpu"))]
    assert places("K088", flavor("n"), flavor("m"), *queues) == []
