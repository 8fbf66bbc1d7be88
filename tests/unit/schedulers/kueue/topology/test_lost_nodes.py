"""Workloads that lost a node, where the objects that they name are gone."""

from kubectl_fairshare.schedulers.kueue.words.messages import entry_message
from tests.unit.schedulers.kueue.topology.test_workloads import HOST, cycle, node, on, pod_set, queue, state, workload


def test_who_lost_a_node_asks_again_though_its_flavor_is_gone() -> None:
    """Kueue looks at the assignment alone, and finds the ClusterQueue inactive."""
    given = state(
        queue("cq", {"main": 4}),
        node("n1", "r1", 2),
        workload("run", "cq", pod_set(1, required=HOST), **on("main", "cq", {"n1": 1}, lost="n1")),
    )
    entry = cycle(given)["run"]
    assert (entry.status, entry.reason, entry_message(entry)) == (
        "inadmissible",
        "Suspended",
        "ClusterQueue cq is inactive",
    )
