"""Rules: flavors with a topology that share Nodes, and topologies that hide what Nodes can do."""

from tests.unit.schedulers.kueue.rules.asking import reported
from tests.unit.schedulers.kueue.rules.organisation import flavor, kueue, node, queue

HOST = "kubernetes.io/hostname"
RACKS = kueue("Topology", "racks", spec={"levels": [{"nodeLabel": "rack"}, {"nodeLabel": HOST}]})


def placed(name: str, **labels: str) -> str:
    return flavor(name, labels, topologyName="racks")


def found(rule: str, *documents: str) -> list[str]:
    return [each.finding.message for each in reported(rule, RACKS, *documents)]


def machine(name: str, hostname: str = "", **labels: str) -> str:
    return node(name, {"rack": "r1", HOST: hostname or name, **labels}, pods="110")


def test_a_topology_without_hosts_only_where_a_queue_uses_it() -> None:
    blocks = kueue("Topology", "racks", spec={"levels": [{"nodeLabel": "block"}, {"nodeLabel": "rack"}]})
    used = placed("default", pool="gpu")
    assert [each.finding.message[:36] for each in reported("K193", blocks, used, queue())] == [
        "Kueue adds up the free resources of "
    ]
    assert reported("K193", blocks, used) == ()
    assert found("K193", used, queue()) == []


def test_flavors_that_select_the_same_nodes() -> None:
    both = (
        placed("default", pool="gpu"),
        placed("more", disk="fast"),
        queue(quota=[{"default": {"cpu": 8}, "more": {"cpu": 8}}]),
    )
    assert found("K194", *both) == []
    assert "the same 1 Node" in found("K194", *both, machine("n1", pool="gpu", disk="fast"))[0]
    assert found("K194", *both, machine("n1", pool="gpu"), machine("n2", disk="fast")) == []


def test_a_plain_flavor_on_the_nodes_of_a_topology() -> None:
    plain = flavor("more", {"pool": "gpu"})
    queues = queue(), queue("other", quota=[{"more": {"cpu": 8}}])
    assert len(found("K195", placed("default", pool="gpu", disk="fast"), plain, *queues)) == 1
    assert found("K195", placed("default", pool="cards"), plain, *queues) == []


def test_trees_that_share_a_topology() -> None:
    shared = placed("default", pool="gpu")
    assert len(found("K196", shared, queue(), queue("other"))) == 1
    together = queue(cohort="all"), queue("other", cohort="all")
    assert found("K196", shared, *together) == []


def test_host_names() -> None:
    org = placed("default", pool="gpu"), queue()
    assert found("K199", *org, machine("n1", pool="gpu"), machine("n2", pool="gpu")) == []
    assert "`n1`, `n2`" in found("K199", *org, machine("n1", pool="gpu"), machine("n2", "n1", pool="gpu"))[0]
    assert len(found("K200", *org, machine("n1", "other", pool="gpu"))) == 1
    assert found("K200", *org, machine("n1", "other", pool="cpu")) == []
