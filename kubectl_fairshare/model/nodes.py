"""Nodes that no cluster has: what an option describes. Tested in ``tests/unit/input/test_hypothetical_nodes.py``."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.model.json import mapping
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, field

HYPOTHETICAL: Final = "fairshare.dev/hypothetical"
"""The annotation of a hypothetical Node. No Pod outside of the input can run on such a Node."""


class NodeGroup(Value, frozen=True):
    """``count`` equal Nodes, named ``name-1`` and so on; ``allocatable`` maps resources to quantities as written."""

    count: int
    allocatable: Mapping[str, str]
    labels: Mapping[str, str] = field(default_factory=dict)
    name: str = "node"

    def __str__(self) -> str:
        """The group as the option describes it."""
        amounts = [f"{resource}={value}" for resource, value in self.allocatable.items()]
        labels = [f"label={key}={value}" for key, value in self.labels.items()]
        return f"{self.count}x{','.join((*amounts, *labels, f'name={self.name}'))}"


def is_hypothetical(node: Manifest) -> bool:
    """Whether a Node is hypothetical."""
    return HYPOTHETICAL in mapping(node.data, "metadata", "annotations")
