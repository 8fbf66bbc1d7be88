"""Hosts in racks in blocks, in few words: each host's block, rack and cpu, perhaps taints and labels."""

from collections.abc import Mapping, Sequence
from typing import Any

from kubectl_fairshare.model.selectors import Requirement, Taint
from kubectl_fairshare.schedulers.kueue.model.objects import ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.topology import (
    HOSTNAME,
    Node,
    SliceLayer,
    Topology,
    TopologyAssignment,
    TopologyRequest,
)
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet
from kubectl_fairshare.schedulers.kueue.topology.placement import PlacementRequest
from kubectl_fairshare.schedulers.kueue.topology.tree import TopologyTree, tree_of

TOPOLOGY = Topology("t", ("block", "rack", HOSTNAME))
FLAVOR = ResourceFlavor("f", {}, (), (), "t")


def level(name: str) -> str:
    """The level's label: ``host`` is short for the host name's."""
    return HOSTNAME if name == "host" else name


def node(name: str, block: str, rack: str, cpu: int, more: Mapping[str, Any] | None = None) -> Node:
    """A ready node with room for a hundred pods."""
    said = more or {}
    labels = {"block": block, "rack": rack, HOSTNAME: name, "pool": "main", **said.get("labels", {})}
    taints = tuple(Taint(*taint) for taint in said.get("taints", ()))
    return Node(name, labels, taints, {"cpu": cpu * 1000, "pods": 100}, ready=True, cordoned=False)


def ground(hosts: Mapping[str, Sequence[Any]]) -> TopologyTree:
    """The tree of these hosts."""
    return tree_of(FLAVOR, TOPOLOGY, [node(name, *said) for name, said in hosts.items()], {})


def asked(index: int, said: Mapping[str, Any], pods: int, cpu: int = 1) -> PlacementRequest:
    """Pods of one cpu each, unless more is said, with what they ask of the topology."""
    layers = tuple(SliceLayer(level(name), size) for name, size in said.get("layers", ()))
    explicit = any(key in said for key in ("required", "preferred", "unconstrained", "layers"))
    required, preferred = (level(said[key]) if key in said else None for key in ("required", "preferred"))
    request = TopologyRequest(required, preferred, said.get("unconstrained", False), layers, explicit)
    selector = tuple(Requirement(k, "In", (v,)) for k, v in said.get("nodeSelector", {}).items())
    pod_set = PodSet(f"p{index}", pods, {}, node_selector=selector, topology=request, occupies={"cpu": cpu * 1000})
    return PlacementRequest(index, pod_set, pods, request, implied=not explicit)


def hosts_of(assignment: TopologyAssignment) -> dict[str, int]:
    """How many pods each host got."""
    return {domain.values[-1]: domain.pods for domain in assignment.domains}
