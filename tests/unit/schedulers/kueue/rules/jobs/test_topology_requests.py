"""Rules: jobs that request a topology which no flavor of their queue has."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import flavor, kueue, queue

RACKS = kueue("Topology", "racks", spec={"levels": [{"nodeLabel": "rack"}]})
PLACED = flavor("default", {"pool": "cpu"}, topologyName="racks")
PLAIN = flavor("default", {"pool": "cpu"})
LOCAL = kueue("LocalQueue", "jobs", "team", spec={"clusterQueue": "team"})


def job(**request: str | bool) -> str:
    container = {"name": "m", "resources": {"requests": {"cpu": "1"}}}
    template = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    pod_set = {"name": "main", "count": 2, "template": template, "topologyRequest": request}
    return kueue("Workload", "w", "team", spec={"queueName": "jobs", "podSets": [pod_set]})


@pytest.mark.parametrize("field", ["required", "preferred"])
def test_a_level_that_no_flavor_of_the_queue_has(field: str) -> None:
    assert places("K180", RACKS, PLACED, queue(), LOCAL, job(**{field: "rack"})) == []
    (found,) = reported("K180", RACKS, PLACED, queue(), LOCAL, job(**{field: "block"}))
    assert "no Topology of `default` has that level" in found.finding.message


def test_a_request_without_a_level_fits_no_flavor() -> None:
    (found,) = reported("K180", RACKS, PLACED, queue(), LOCAL, job(unconstrained=False))
    assert "names no level" in found.finding.message
    assert places("K180", RACKS, PLACED, queue(), LOCAL, job(unconstrained=True)) == []


def test_a_topology_in_a_queue_without_one() -> None:
    (found,) = reported("K180", PLAIN, queue(), LOCAL, job(required="rack"))
    assert "`default` of ClusterQueue `team` has no topology" in found.finding.message


def test_what_is_not_in_the_input_is_not_judged() -> None:
    assert places("K180", PLACED, queue(), LOCAL, job(required="rack")) == []
    assert places("K180", queue(), LOCAL, job(required="rack")) == []
