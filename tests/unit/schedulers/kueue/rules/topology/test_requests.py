"""Rules: requests of a topology that no placement serves, or only in part."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.unit.schedulers.kueue.rules.asking import configuration, reported
from tests.unit.schedulers.kueue.rules.organisation import flavor, kueue, node, queue

HOST = "kubernetes.io/hostname"
RACKS = kueue("Topology", "racks", spec={"levels": [{"nodeLabel": "rack"}, {"nodeLabel": HOST}]})
PLACED = flavor("default", {"pool": "gpu"}, topologyName="racks")
LOCAL = kueue("LocalQueue", "jobs", "team", spec={"clusterQueue": "team"})
ORG = (RACKS, PLACED, queue(), LOCAL)


def pod_set(
    name: str = "main", count: int = 2, requests: Mapping[str, str] | None = None, **more: Any
) -> dict[str, Any]:
    container = {"name": "m", "resources": {"requests": {"cpu": "1"} if requests is None else requests}}
    spec = {"restartPolicy": "Never", "containers": [container], **more.pop("pod", {})}
    least = {"minCount": more.pop("least")} if "least" in more else {}
    return {"name": name, "count": count, "template": {"spec": spec}, "topologyRequest": more} | least


def workload(*pod_sets: dict[str, Any]) -> str:
    return kueue("Workload", "w", "team", spec={"queueName": "jobs", "podSets": list(pod_sets)})


def messages(rule: str, *documents: str) -> list[str]:
    return [each.finding.message for each in reported(rule, *ORG, *documents)]


def slices(count: int, size: int, level: str = HOST, **more: Any) -> str:
    return workload(
        pod_set(count=count, required="rack", podSetSliceRequiredTopology=level, podSetSliceSize=size, **more)
    )


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_group_of_three_crashes_the_scheduler(number: int) -> None:
    sets = [pod_set(f"p{i}", required="rack", podSetGroupName="all") for i in range(number)]
    assert len(messages("K183", workload(*sets))) == (number == 3)


def test_slices_place_whole_slices_alone() -> None:
    assert messages("K186", slices(4, 2)) == []
    assert "places no 1 pod of its 5" in messages("K186", slices(5, 2))[0]
    assert "fewer than one slice" in messages("K186", slices(1, 2))[0]
    assert "partial admission" in messages("K186", slices(4, 2, least=1))[0]


@pytest.mark.parametrize(("second", "size", "wrong"), [(HOST, 2, False), (HOST, 3, True), ("rack", 2, True)])
def test_layers_go_down_and_divide(second: str, size: int, wrong: bool) -> None:
    layers = [{"topology": "rack", "size": 4}, {"topology": second, "size": size}]
    asked = workload(pod_set(count=4, required="rack", podsetSliceRequiredTopologyConstraints=layers))
    assert len(messages("K187", asked)) == wrong


def test_a_leader_whose_own_constraints_are_not_read() -> None:
    def group(leader: dict[str, Any], workers: dict[str, Any]) -> str:
        asked: dict[str, Any] = {"required": "rack", "podSetGroupName": "all"}
        return workload(pod_set("l", 1, pod=leader, **asked), pod_set("w", 4, pod=workers, **asked))

    fast, tolerant = {"nodeSelector": {"disk": "fast"}}, {"tolerations": [{"operator": "Exists"}]}
    assert messages("K188", group({}, fast)) == []
    assert messages("K188", group(fast, fast)) == []
    assert "node selector of `w` alone" in messages("K188", group(fast, {}))[0]
    assert "tolerations of `w` alone" in messages("K188", group({}, tolerant))[0]


def test_a_pod_set_without_requests_gets_no_flavor() -> None:
    assert "requests nothing" in messages("K185", workload(pod_set(requests={}, required="rack")))[0]
    assert messages("K185", workload(pod_set(required="rack"))) == []


def test_the_widest_level_is_preferred() -> None:
    assert len(messages("K189", workload(pod_set(preferred="rack")))) == 1
    assert messages("K189", workload(pod_set(preferred=HOST))) == []


def machine(name: str, rack: str, **allocatable: str) -> str:
    return node(name, {"pool": "gpu", "rack": rack, HOST: name}, pods="110", **allocatable)


def test_a_domain_that_is_too_small_even_if_free() -> None:
    nodes = machine("n1", "r1", cpu="2"), machine("n2", "r2", cpu="3")
    (found,) = messages("K190", *nodes, workload(pod_set(count=4, required="rack")))
    assert "the largest holds 3 pods" in found
    assert messages("K190", *nodes, workload(pod_set(count=3, required="rack"))) == []
    assert messages("K190", *nodes, workload(pod_set(count=4, required="rack", least=2))) == []
    assert messages("K190", workload(pod_set(count=4, required="rack"))) == []


def test_a_resource_that_no_node_offers() -> None:
    asked = workload(pod_set(requests={"cpu": "1", "example.com/gpu": "1"}, required="rack"))
    assert "`example.com/gpu`" in messages("K191", machine("n1", "r1", cpu="2"), asked)[0]
    assert messages("K191", machine("n1", "r1", cpu="2"), workload(pod_set(required="rack"))) == []
    assert messages("K190", machine("n1", "r1", cpu="2"), asked) == []


def test_without_topologies_nothing_is_judged() -> None:
    off = configuration("featureGates: {TopologyAwareScheduling: false, AllBeta: false}\n")
    sets = [pod_set(f"p{i}", required="rack", podSetGroupName="all") for i in range(3)]
    for rule in ("K183", "K186", "K188"):
        assert messages(rule, off, workload(*sets)) == []
