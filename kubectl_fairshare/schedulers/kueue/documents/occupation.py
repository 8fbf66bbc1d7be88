"""What is free and used of each domain of each topology, as a document.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from typing import Final

from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.schedulers.kueue.explain.occupation import DomainUse, Occupation, TopologyUse


class DomainAmount(DocumentPart, frozen=True):
    """What a domain has of one resource."""

    resource: str
    used: Quantity
    free: Quantity


class DomainUsePart(DocumentPart, frozen=True):
    """A domain; ``depth`` is that of its level, 0 the widest."""

    depth: int
    level: str
    name: str
    nodes: int
    amounts: tuple[DomainAmount, ...]


class TopologyUsePart(DocumentPart, frozen=True):
    """The topology of one flavor, in the order of a walk from the widest domains down."""

    flavor: str
    topology: str
    levels: tuple[str, ...]
    domains: tuple[DomainUsePart, ...]


class TopologiesDocument(DocumentPart, frozen=True):
    """What workloads use of each domain of each topology, and what is free for more."""

    topologies: tuple[TopologyUsePart, ...]
    fidelity: Fidelity


TOPOLOGIES: Final = DocumentKind("Topologies", TopologiesDocument)


def occupation_document(of: Occupation) -> TopologiesDocument:
    """All topologies."""
    topologies = (
        TopologyUsePart(
            each.flavor, each.topology, each.levels, tuple(_domain(each, domain) for domain in each.domains)
        )
        for each in of.topologies
    )
    return TopologiesDocument(tuple(topologies), of.fidelity)


def _domain(of: TopologyUse, each: DomainUse) -> DomainUsePart:
    amounts = tuple(DomainAmount(r, each.used[r], each.free[r]) for r in of.resources)
    return DomainUsePart(each.depth, each.level, each.name, each.nodes, amounts)
