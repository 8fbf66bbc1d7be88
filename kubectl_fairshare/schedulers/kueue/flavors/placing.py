"""Whether a topology places a workload's pods: the placement itself is imported only where one does.

Decides nothing: it says whether a topology is asked at all, and imports what decides.
Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet, SecondPass
from kubectl_fairshare.schedulers.kueue.topology.requests import is_asked, is_topology_only
from kubectl_fairshare.schedulers.kueue.tree.state import State

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.flavors.topology import TopologyPlacing


def topology_placing(
    state: State, queue: int, pod_sets: Sequence[PodSet], second: SecondPass | None = None
) -> "TopologyPlacing | None":
    """The placement of the pods of one workload in one queue; None if no topology places any of them."""
    if not state.configuration.topology:
        return None
    topology_only = is_topology_only(state.forest.nodes[queue].queue, state.kueue.flavors)
    asks = any(is_asked(p, topology_only=topology_only) for p in pod_sets)
    if not asks and second is None:
        return None
    from kubectl_fairshare.schedulers.kueue.flavors.topology import TopologyPlacing

    return TopologyPlacing(state, queue, pod_sets, second)


def lacks_place(assignment: Assignment | None) -> bool:
    """Whether some pod set found no place on the nodes."""
    from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw

    pod_sets = () if assignment is None else assignment.pod_sets
    return any(isinstance(r.law, TopologyLaw) for p in pod_sets for r in p.reasons)
