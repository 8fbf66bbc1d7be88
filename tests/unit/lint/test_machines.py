"""Nodes by label, with what they can give."""

from kubectl_fairshare.lint.machines import Machines
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import Taint


def node(name: str, labels: Json = None, status: Json = None, spec: Json = None) -> Manifest:
    data = {"metadata": {"name": name, "labels": labels}, "status": status, "spec": spec}
    return Manifest(ObjectKey("", "Node", "", name), "v1", data, Origin("a.yaml", 0, ()))


NODES = Machines([node("a", {"gpu": "a100", "zone": "x"}), node("b", {"gpu": "a100"}), node("c")])


def test_a_node_needs_all_the_labels() -> None:
    assert [each.key.name for each in NODES.eligible({})] == ["a", "b", "c"]
    assert [each.key.name for each in NODES.eligible({"gpu": "a100"})] == ["a", "b"]
    assert [each.key.name for each in NODES.eligible({"gpu": "a100", "zone": "x"})] == ["a"]
    assert NODES.eligible({"gpu": "h100"}) == ()


def test_without_allocatable_the_capacity_counts() -> None:
    (both, bare) = Machines(
        [
            node("a", status={"allocatable": {"cpu": "1"}, "capacity": {"cpu": "2"}}),
            node("b", status={"capacity": {"cpu": "2"}}),
        ]
    ).all
    assert (both.allocatable["cpu"], bare.allocatable["cpu"]) == (10**9, 2 * 10**9)


def test_malformed_amounts_and_taints_are_left_out() -> None:
    taints = [{"key": "gpu", "effect": "NoSchedule"}, {"key": 3, "effect": "NoSchedule"}, "odd"]
    machines = Machines([node("a", status={"allocatable": {"cpu": "many", "pods": 9}}, spec={"taints": taints})])
    assert machines.resources == {"pods"}
    assert machines.all[0].taints == (Taint("gpu", "", "NoSchedule"),)


def test_no_nodes_are_false() -> None:
    assert not Machines([])
    assert NODES
