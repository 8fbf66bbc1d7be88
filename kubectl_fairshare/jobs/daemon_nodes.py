"""The nodes that the next pods of a DaemonSet are for: its controller makes a pod for each node, and ties it to it.

Source: Kubernetes 1.35, the controller of DaemonSets.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.node_demand import LabelledNode, NodeDemand, barrier
from kubectl_fairshare.jobs.nodes import required_affinity
from kubectl_fairshare.jobs.pod_owners import PodOwners
from kubectl_fairshare.jobs.pod_surroundings import ENDED
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import NodeTerm, Requirement
from kubectl_fairshare.model.values import replace

DAEMON_SET: Final = ("apps", "DaemonSet")
_NAME: Final = "metadata.name"


class DaemonNodes(NamedTuple):
    """The nodes that a DaemonSet may use: those that have its pod, and those that lack one; both sorted."""

    having: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


def daemon_nodes(
    owner: ObjectKey, demand: NodeDemand, nodes: Iterable[LabelledNode], manifests: Mapping[ObjectKey, Manifest]
) -> DaemonNodes:
    """The ``nodes`` that a DaemonSet may use. ``demand`` is that of its pods, ``manifests`` are those of the input."""
    allowed = sorted(node.name for node in nodes if barrier(demand, node) is None)
    pods = (root_of(manifests[key]) for key in PodOwners(manifests).pods(owner))
    taken = {_node_of(pod) for pod in pods if pod.at("status", "phase").text() not in ENDED}
    return DaemonNodes(
        tuple(name for name in allowed if name in taken), tuple(name for name in allowed if name not in taken)
    )


def tied_to(demand: NodeDemand, nodes: Iterable[str]) -> NodeDemand:
    """The demand of a pod that is for one of ``nodes``: they replace its required affinity to nodes."""
    terms = (NodeTerm((), (Requirement(_NAME, "In", (name,)),)) for name in nodes)
    return replace(demand, affinity=tuple(terms))


def _node_of(pod: Field) -> str:
    """The node of a pod, or the one that it is tied to."""
    spec = pod.at("spec")
    fields = (each for term in required_affinity(spec) or () for each in term.fields)
    tied = (each.values[0] for each in fields if each.key == _NAME and each.operator == "In" and each.values)
    return spec.at("nodeName").text() or next(tied, "")
