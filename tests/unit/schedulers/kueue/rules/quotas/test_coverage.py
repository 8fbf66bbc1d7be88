"""Rules: which resources a ClusterQueue covers, and which workloads ask for."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import configuration, places, reported
from tests.unit.schedulers.kueue.rules.organisation import (
    GPU,
    ORGANISATION,
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


def test_a_queue_without_groups_is_dead() -> None:
    assert places("K089", queue(resourceGroups=[]), queue("b", resourceGroups=None), local_queue()) == [
        "error ClusterQueue b spec",
        "error ClusterQueue team spec",
    ]
    assert places("K089", older(queue())) == []
