"""What is free and used of each domain of each topology, as a document.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.schedulers.kueue.explain.occupation import DomainUse, Occupation, TopologyUse


class DomainAmount(TypedDict):
    """What a domain has of one resource."""

    resource: str
    used: parts.AmountPart
    free: parts.AmountPart


class DomainUsePart(TypedDict):
    """A domain; ``depth`` is that of its level, 0 the widest."""

    depth: int
    level: str
    name: str
    nodes: int
    amounts: list[DomainAmount]


class TopologyUsePart(TypedDict):
    """The topology of one flavor, in the order of a walk from the widest domains down."""

    flavor: str
    topology: str
    levels: list[str]
    domains: list[DomainUsePart]


class TopologiesDocument(TypedDict):
    """What workloads use of each domain of each topology, and what is free for more."""

    apiVersion: parts.ApiVersion
    kind: Literal["Topologies"]
    topologies: list[TopologyUsePart]
    fidelity: parts.FidelityPart


def occupation_document(of: Occupation, places: parts.Places) -> TopologiesDocument:
    """All topologies."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Topologies",
        "topologies": [_topology(each) for each in of.topologies],
        "fidelity": parts.fidelity(of.fidelity, places),
    }


def _topology(of: TopologyUse) -> TopologyUsePart:
    return {
        "flavor": of.flavor,
        "topology": of.topology,
        "levels": list(of.levels),
        "domains": [_domain(of, each) for each in of.domains],
    }


def _domain(of: TopologyUse, each: DomainUse) -> DomainUsePart:
    amounts: list[DomainAmount] = [
        {"resource": r, "used": parts.amount(r, each.used[r]), "free": parts.amount(r, each.free[r])}
        for r in of.resources
    ]
    return {"depth": each.depth, "level": each.level, "name": each.name, "nodes": each.nodes, "amounts": amounts}
