"""Rules: topology-aware scheduling: levels on Nodes, and flavors with and without topology."""

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import flavor, kueue, node, queue


def in_order(*names: str) -> str:
    return queue(quota=[{name: {"cpu": 4} for name in names}])


def test_flavors_with_and_without_topology_do_not_mix() -> None:
    racks = kueue("Topology", "racks", spec={"levels": [{"nodeLabel": "rack"}]})
    flavors = (flavor("a", {"pool": "a"}, topologyName="racks"), flavor("b", {"pool": "b"}))
    assert places("K079", racks, *flavors, in_order("a", "b")) == [
        "warning ClusterQueue team spec.resourceGroups[0].flavors[1].name"
    ]
    assert places("K079", racks, *flavors, in_order("a"), queue("other", quota=[{"b": {"cpu": 4}}])) == []


CPU = {"pool": "cpu"}


def levels(*labels: str) -> str:
    return kueue("Topology", "racks", spec={"levels": [{"nodeLabel": label} for label in labels]})


def test_a_level_that_nodes_lack_is_told_at_the_topology() -> None:
    placed = flavor("default", CPU, topologyName="racks")
    texts = (placed, queue(), levels("example.com/rack", "kubernetes.io/hostname"))
    whole = node("n1", CPU | {"example.com/rack": "r", "kubernetes.io/hostname": "n1"})
    partly = node("n2", CPU | {"kubernetes.io/hostname": "n2"})
    assert places("K078", *texts, whole) == []
    (found,) = reported("K078", *texts, whole, partly)
    assert str(found.finding.place) == "Topology racks spec.levels[0].nodeLabel"
    assert dict(found.finding.evidence) == {"Nodes": "2", "without the label": "1"}
