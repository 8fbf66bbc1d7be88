"""Resources that are covered, asked for, excluded, transformed, and how their amounts are written."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import configuration, places, reported
from tests.unit.schedulers.kueue.rules.organisation import (
    GPU,
    ORGANISATION,
    cohort,
    flavor,
    job,
    local_queue,
    manifest,
    older,
    queue,
)

LENIENT = configuration("resources: {quotaCheckStrategy: IgnoreUndeclared}\n")
FPGA, CREDITS = "example.com/fpga", "example.com/credits"


def test_an_uncovered_resource_is_told_at_the_queue_once_for_all_jobs() -> None:
    jobs = [job(f"j{i}", {"cpu": "1", "memory": f"{i}Gi"}) for i in (1, 2)]
    (found,) = reported("K080", *ORGANISATION, *jobs)
    assert (found.severity, str(found.finding.place)) == ("warning", "ClusterQueue team spec.resourceGroups")
    assert dict(found.finding.evidence) == {"workloads": "2", "most per pod": "2Gi memory"}


def test_what_is_undeclared_may_be_free() -> None:
    asking = job(requests={"memory": "1Gi"})
    assert [r.severity for r in reported("K080", LENIENT, *ORGANISATION, asking)] == ["info"]


def test_asking_for_nothing_of_it_needs_no_cover() -> None:
    assert places("K080", *ORGANISATION, job(requests={"cpu": "1", "memory": "0"})) == []


def test_a_limit_range_adds_a_resource() -> None:
    item = {"type": "Container", "defaultRequest": {"ephemeral-storage": "1Gi"}}
    limits = manifest("v1", "LimitRange", "defaults", "team", spec={"limits": [item]})
    (found,) = reported("K080", *ORGANISATION, limits, job())
    assert "`ephemeral-storage`" in found.finding.message


def test_the_overhead_of_a_runtime_class_counts() -> None:
    overhead = manifest("node.k8s.io/v1", "RuntimeClass", "vm", handler="vm", overhead={"podFixed": {"memory": "1Gi"}})
    assert len(places("K080", *ORGANISATION, overhead, job(runtimeClassName="vm"))) == 1


def test_usual_resources_are_advice() -> None:
    (found,) = reported("K081", queue())
    assert found.finding.message == "ClusterQueue `team` does not cover `memory`, `pods`"
    assert "`pods`" in reported("K081", queue(quota=[{"default": {GPU: 1}}]))[0].finding.message
    assert places("K081", queue(quota=[{"default": {"cpu": 1, "memory": 1, "pods": 1}}])) == []


def test_an_excluded_resource_needs_no_quota() -> None:
    excluding = configuration("resources: {excludeResourcePrefixes: [example.com/]}\n")
    both = [{"default": {"cpu": 4, FPGA: 2}}]
    (found,) = reported("K082", excluding, flavor(), queue("b", quota=both), queue("a", quota=both))
    assert str(found.finding.place) == "ClusterQueue a spec.resourceGroups[0].coveredResources[1]"
    assert places("K082", configuration(), flavor(), queue(quota=both)) == []


def transforming(strategy: str, extra: str = "") -> str:
    rule = f"{{input: {FPGA}, strategy: {strategy}, outputs: {{{CREDITS}: 10}}{extra}}}"
    return configuration(f"resources: {{transformations: [{rule}]}}\n")


@pytest.mark.parametrize(
    ("strategy", "covered", "ends"),
    [
        ("Replace", (FPGA, CREDITS), [("ClusterQueue", 1)]),
        ("Replace", (CREDITS,), []),
        ("Retain", (FPGA, CREDITS), []),
        ("Retain", (FPGA,), [("Configuration", CREDITS)]),
    ],
)
def test_a_transformation_goes_with_the_quota(
    strategy: str, covered: tuple[str, ...], ends: list[tuple[str, object]]
) -> None:
    quotas = {"cpu": 4} | dict.fromkeys(covered, 2)
    found = reported("K083", transforming(strategy), flavor(), queue(quota=[{"default": quotas}]))
    assert [(r.finding.place.object.kind, r.finding.place.path[-1]) for r in found] == ends


def test_a_factor_is_a_resource_with_quota() -> None:
    texts = (flavor(), queue(quota=[{"default": {"cpu": 4, CREDITS: 2}}]))
    found = reported("K083", transforming("Replace", ", multiplyBy: nvidia.com/gpu"), *texts)
    assert [r.finding.place.path[-1] for r in found] == ["multiplyBy"]
    assert places("K083", transforming("Replace", ", multiplyBy: cpu"), *texts) == []


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
    assert found.finding.message.endswith("less than any pod asks for")


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


def test_a_queue_without_groups_is_dead() -> None:
    assert places("K089", queue(resourceGroups=[]), queue("b", resourceGroups=None), local_queue()) == [
        "error ClusterQueue b spec",
        "error ClusterQueue team spec",
    ]
    assert places("K089", older(queue())) == []
