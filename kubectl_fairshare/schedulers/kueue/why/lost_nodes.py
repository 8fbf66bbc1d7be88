"""The outcome of a running workload that lost a node: in the next cycle its pods move, or it is evicted.

Source: Kueue v0.19, KEP-2724; "topology" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/why/test_lost_nodes.py``.
"""

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.json import rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.explain.doubts import plan_gaps
from kubectl_fairshare.schedulers.kueue.explain.planning import outcome_of
from kubectl_fairshare.schedulers.kueue.model.workload import SecondPass
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Fact, Step


def lost_node_step(state: State, second: SecondPass, entry: ProcessedHead) -> Step:
    """What the next cycle does with the pods on the node that was lost first."""
    node = second.unhealthy[0]
    places = (p.topology for p in second.admitted if p.topology is not None)
    pods = sum(d.pods for place in places for d in place.domains if d.values[-1] == node)
    moves = entry.status is HeadStatus.ASSUMED
    end = "moves" if moves else "evicted" if entry.status is HeadStatus.EVICTED else "waits"
    to = (d.values[-1] for p in entry.nomination.placements for d in p.domains) if moves else ()
    operands = (("node", node), ("pods", pods), ("end", end), ("to", ", ".join(to)))
    return Step(TopologyLaw.LOST_NODE, operands, holds=moves, rests_on=(_evidence(state, second, node),))


def _evidence(state: State, second: SecondPass, node: str) -> Fact:
    """Where the status says that the node is lost; otherwise where it says that pods are there."""
    marked = rows(state.snapshot.manifests[second.holder.key].passing_data, "status", "unhealthyNodes")
    number = next((i for i, each in enumerate(marked) if each.get("name") == node), None)
    path = ("status", "admission") if number is None else ("status", "unhealthyNodes", number, "name")
    return Fact(Place(second.holder.key, path), node)


def own_doubts(state: State, entry: ProcessedHead) -> tuple[Gap, ...]:
    """What is not certain of where its pods go."""
    found = entry.nomination
    return tuple(gap for gap in plan_gaps(state, found, outcome_of(state, found)) if gap.touches)
