"""Preemption for a place: whether one is there is known after each workload that leaves."""

from tests.unit.schedulers.kueue.topology.test_workloads import (
    HOST,
    flavor,
    kueue,
    node,
    on,
    planned,
    pod_set,
    queue,
    state,
    workload,
)


def test_a_block_of_several_racks_is_cleared_without_what_is_free_in_another() -> None:
    levels = [{"nodeLabel": level} for level in ("block", "rack", HOST)]
    nodes = [node(f"x{i}", f"r{i // 2}", 1, block=f"b{i // 4}") for i in range(8)]
    kept = [workload(f"high{i}", "q", pod_set(1), priority=9, **on("f", "q", {f"x{i}": 1})) for i in (0, 1)]
    low = [workload(f"low{i}", "q", pod_set(1), **on("f", "q", {f"x{i}": 1})) for i in (4, 5, 6, 7)]
    asks = workload("asks", "q", pod_set(4, required="block"), priority=5)
    given = state(
        kueue("Topology", "blocks", {"levels": levels}),
        flavor("f", "blocks"),
        queue("q", {"f": 99}, preemption={"withinClusterQueue": "LowerPriority"}),
        *(*nodes, *kept, *low, asks),
    )
    mode, _, _, victims = planned(given, "asks")
    assert (mode, sorted(victims)) == ("Preempt", ["low4", "low5", "low6", "low7"])
