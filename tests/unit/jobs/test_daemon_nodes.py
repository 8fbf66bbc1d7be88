"""The nodes that lack a pod of a DaemonSet."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.daemon_nodes import daemon_nodes, tied_to
from kubectl_fairshare.jobs.node_demand import NodeDemand, barrier
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import Requirement
from tests.unit.jobs.test_node_demand import GPU, Machine

OWNER = ObjectKey("apps", "DaemonSet", "a", "agent")
MACHINES = tuple(Machine(name) for name in ("n3", "n1", "n2"))


def pod(name: str, owner: str = "agent", status: Any = None, **spec: Any) -> Manifest:
    reference = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": owner, "controller": True}
    data = {"metadata": {"name": name, "ownerReferences": [reference]}, "spec": spec, "status": status or {}}
    return Manifest(ObjectKey("", "Pod", "a", name), "v1", data, Origin("", 0))


def tied(name: str, operator: str = "In") -> dict[str, Any]:
    term = {"matchFields": [{"key": "metadata.name", "operator": operator, "values": [name]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


def lacking(*pods: Manifest, demand: NodeDemand | None = None) -> tuple[str, ...]:
    return daemon_nodes(OWNER, demand or NodeDemand(), MACHINES, {p.key: p for p in pods}).lacking


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (pod("p", nodeName="n2"), ("n1", "n3")),
        (pod("p", affinity=tied("n2")), ("n1", "n3")),
        (pod("p", affinity=tied("n2", "NotIn")), ("n1", "n2", "n3")),
        (pod("p", "other", nodeName="n2"), ("n1", "n2", "n3")),
        (pod("p", nodeName="n2", status={"phase": "Failed"}), ("n1", "n2", "n3")),
        (pod("p", nodeName="n2", status={"phase": "Running"}), ("n1", "n3")),
    ],
)
def test_a_node_with_a_pod_that_has_not_ended_lacks_none(of: Manifest, expected: tuple[str, ...]) -> None:
    assert lacking(of) == expected


def test_nodes_that_the_daemon_set_may_not_use_have_and_lack_nothing() -> None:
    demand = NodeDemand((Requirement("zone", "In", ("a",)),))
    others = (Machine("n1", {"zone": "b"}), Machine("n2", taints=(GPU,)), Machine("n3"))
    pods = {p.key: p for p in (pod("p", nodeName="n1"), pod("q", nodeName="n3"))}
    assert daemon_nodes(OWNER, demand, others, pods) == (("n3",), ())


def test_a_pod_that_is_tied_to_nodes_may_use_these_alone() -> None:
    demand = tied_to(NodeDemand(), ("n1", "n3"))
    assert [m.name for m in MACHINES if barrier(demand, m) is None] == ["n3", "n1"]
