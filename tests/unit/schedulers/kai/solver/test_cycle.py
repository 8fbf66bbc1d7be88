"""What KAI's actions do to pods, on the small states that were run in KAI itself."""

from typing import Any

from kubectl_fairshare.schedulers.kai.solver.actions import run
from kubectl_fairshare.schedulers.kai.solver.attempts import Action
from kubectl_fairshare.schedulers.kai.solver.cycle import (
    ENOUGH,
    Fork,
    considered,
    course,
    course_from,
    other_runs,
    runs_to_try,
    varies,
)
from kubectl_fairshare.schedulers.kai.solver.ground import walking
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from tests.unit.schedulers.kai.solver.scenes import alone, job, layer, node, one, pod, queue, together

QUEUES = [queue("a", 4, created=1), queue("b", 4, created=2)]


def test_a_victim_that_still_fits_is_put_back() -> None:
    first = layer(
        [node("n0", 9), *QUEUES],
        one("a0", "a", 5, "n0"),
        one("a1", "a", 2, "n0"),
        one("a2", "a", 1, "n0"),
        one("b1", "b", 3),
    )
    found = alone(first, "b1")
    assert found.evicted == ["a1-0"]
    assert found.pipelined == {"b1-0": "n0"}
    assert course(first, ("b1",)).by is Action.RECLAIM


def test_a_queue_of_higher_priority_takes_its_place_back_first() -> None:
    queues = [queue("hi", 1, priority=200), queue("lo", 1)]
    jobs = [one(name, "hi", 1, "n0") for name in ("h1", "h2", "h3")]
    first = layer([node("n0", 4), *queues], *jobs, one("l1", "lo", 1, "n0"), one("l1b", "lo", 1))
    assert not alone(first, "l1b").any


def test_an_older_larger_job_of_the_same_queue_stands_in_the_way() -> None:
    queues = [queue("a", 2, created=1), queue("b", 2, created=2)]
    held = [one("a1", "a", 2, "n0"), one("a2", "a", 1, "n0"), one("b0", "b", 1, "n0")]
    assert alone(layer([node("n0", 4), *queues], *held, one("b1", "b", 1)), "b1").evicted == ["a2-0"]
    ahead = layer([node("n0", 4), *queues], *held, one("big", "b", 3), one("b1", "b", 1))
    assert not alone(ahead, "b1").any


def test_pods_move_so_that_nobody_loses() -> None:
    first = layer(
        [node("n0", 2), node("n1", 2), *QUEUES], one("a1", "a", 1, "n0"), one("a2", "a", 1, "n1"), one("b1", "b", 2)
    )
    found = alone(first, "b1")
    assert (found.moved, found.pipelined, found.evicted) == ({"a2-0": "n0"}, {"b1-0": "n1"}, [])
    assert course(first, ("b1",)).by is Action.CONSOLIDATION


def test_reclaim_may_move_one_victim_and_evict_another() -> None:
    first = layer(
        [node("n0", 4), node("n1", 4), *QUEUES],
        one("a0", "a", 2, "n0"),
        one("a1", "a", 2, "n1"),
        one("a2", "a", 1, "n1"),
        one("b1", "b", 4),
    )
    found = alone(first, "b1")
    assert (found.evicted, found.moved, found.pipelined) == (["a2-0"], {"a1-0": "n0"}, {"b1-0": "n1"})


def test_a_job_waits_for_a_terminating_pod_and_evicts_nobody() -> None:
    leaving = one("a1", "a", 4, "n0", leaves="2026-08-01T11:59:30Z")
    first = layer([node("n0", 8), *QUEUES], leaving, one("a2", "a", 4, "n0"), one("b1", "b", 4))
    assert alone(first, "b1").pipelined == {"b1-0": "n0"}
    assert alone(first, "b1").evicted == []


def test_nobody_waits_for_a_pod_that_is_stuck() -> None:
    stuck = one("a1", "a", 4, "n0", leaves="2026-08-01T11:57:00Z")
    first = layer([node("n0", 8), queue("a"), queue("b", 4)], stuck, one("a2", "a", 4, "n0"), one("b1", "b", 4))
    assert alone(first, "b1").evicted == ["a2-0"]


def test_a_gang_of_which_a_part_waits_waits_whole() -> None:
    leaving = one("a1", "a", 2, "n0", leaves="2026-08-01T11:59:30Z")
    pods = (pod("b1", 0, 2), pod("b1", 1, 2))
    nodes = [node("n0", 2), node("n1", 2), *QUEUES]
    whole = alone(layer(nodes, leaving, job("b1", "b", *pods, minMember=2)), "b1")
    assert (whole.bound, whole.pipelined) == ({}, {"b1-0": "n1", "b1-1": "n0"})
    pods = (pod("b1", 0, 2), pod("b1", 1, 2))
    some = alone(layer(nodes, leaving, job("b1", "b", *pods)), "b1")
    assert (some.bound, some.pipelined) == ({"b1-0": "n1"}, {"b1-1": "n0"})


def test_elastic_pods_leave_one_by_one_from_the_last() -> None:
    queues = [queue("a", 0), queue("b", 3)]
    elastic = job("a1", "a", *(pod("a1", number, 1, "n0") for number in range(4)))
    first = layer([node("n0", 6), *queues], one("a2", "a", 2, "n0"), elastic, one("b1", "b", 3))
    assert alone(first, "b1").evicted == ["a1-1", "a1-2", "a1-3"]


def test_the_sub_group_farthest_above_its_minimum_gives_way() -> None:
    names = [{"name": "x", "minMember": 1}, {"name": "y", "minMember": 1}]
    labels = ["x", "x", "y", "y", "y"]
    pods = [pod("a1", i, 1, "n0", labels={"kai.scheduler/subgroup-name": name}) for i, name in enumerate(labels)]
    running = job("a1", "a", *pods, priority="low", subGroups=names)
    first = layer([node("n0", 5), *QUEUES], running, one("a2", "a", 1, priority="build-preemptible"))
    assert alone(first, "a2").evicted == ["a1-4"]


def test_halves_of_two_gpus_move_together() -> None:
    halves = [one("a1", "a", 0.5, "n0", group="g0"), one("a2", "a", 0.5, "n0", group="g1")]
    first = layer([node("n0", 2), *QUEUES], *halves, one("b1", "b", 1))
    assert alone(first, "b1").moved == {"a2-0": "n0"}


def test_parts_of_gpus_are_compared_as_floats_are() -> None:
    first = layer(
        [node("n0", 1), node("n1", 1), *[queue("a", 0), queue("b", 2)]],
        one("a1", "a", 0.7, "n0", group="g0"),
        job("b1", "b", pod("b1", 0, 1), pod("b1", 1, 1), minMember=2),
    )
    assert alone(first, "b1").evicted == ["a1-0"]


def test_a_found_plan_that_is_not_whole_leaves_its_mark_on_the_cycle() -> None:
    queues = [queue("a", 0), queue("b", 2)]
    gang = job("a1", "a", pod("a1", 0, 1, "n0"), pod("a1", 1, 1, "n0"), minMember=2)
    names = [{"name": "x", "minMember": 1}, {"name": "y", "minMember": 1}]
    pods = [pod("b1", i, 1, labels={"kai.scheduler/subgroup-name": name}) for i, name in enumerate("xy")]
    first = layer(
        [node("n0", 2), *queues], gang, job("b1", "b", *pods, subGroups=names, minSubGroup=1), one("b2", "b", 1)
    )
    assert alone(first, "b2").evicted == ["a1-0", "a1-1"]
    both = course(first)
    assert both.by is None
    assert [one.job for one in both.tried if one.ghost] == ["b1"]
    assert together(first).pipelined == {"b1-0": "n0"}


def test_a_job_without_enough_pods_is_not_considered() -> None:
    first = layer([node("n0"), *QUEUES], job("b1", "b", pod("b1", 0, 1), minMember=2), one("b2", "none", 1))
    assert [considered(first.ground.session, name) for name in ("b1", "b2")] == ["notReady", "noQueue"]
    assert not alone(first, "b1").any


def test_kai_goes_back_step_by_step_and_counts_a_shared_gpu_twice() -> None:
    """The gang's first pod fits once a half moves; its second never does, and the plan is dropped."""
    halves = [one(f"a{number}", "a", 0.5, "n0", group=f"g{number}") for number in range(2)]
    spec = {"nodeSelector": {"kubernetes.io/hostname": "n0"}}
    gang = job("b1", "b", *(pod("b1", number, 1, spec=spec) for number in range(2)), minMember=2)
    kept_free = node("n1", 1, taints=[{"key": "kept", "effect": "NoSchedule"}])
    first = layer([node("n0", 2), kept_free, queue("a"), queue("b", 4)], *halves, gang)
    after = run(first, Action.CONSOLIDATION, ("b1",)).layer
    assert after.pod_states == first.pod_states
    shared = {name: (gpu.used, gpu.allocated) for name, gpu in first.ledgers["n0"].shared.items()}
    assert shared == {"g0": (40950, 40950), "g1": (40950, 40950)}
    assert after.ledgers["n0"].shared["g1"].used > 40950
    assert after.ledgers["n1"] == first.ledgers["n1"]


def reclaimed_then_asking(minimum: int) -> Layer:
    """b1 takes the running pod of v, whose other pod waits and could preempt a2, which b1 cannot use."""
    b1 = one("b1", "b", 1, spec={"nodeSelector": {"kubernetes.io/hostname": "n0"}})
    both = job("v", "a", pod("v", 0, 1, "n0"), pod("v", 1, 1), priority="build-preemptible", minMember=minimum)
    low = one("a2", "a", 1, "n1", priority="low")
    return layer([node("n0", 1), node("n1", 1), queue("a", 0), queue("b", 1)], low, both, b1)


def test_a_job_that_lost_pods_it_needs_asks_no_more_in_the_cycle() -> None:
    found = together(reclaimed_then_asking(2))
    assert (found.evicted, found.pipelined) == (["v-0"], {"b1-0": "n0"})


def test_a_victim_that_found_no_place_still_counts_its_evicted_pods_as_next() -> None:
    first = reclaimed_then_asking(1)
    found = together(first)
    assert (found.evicted, found.pipelined) == (["v-0"], {"b1-0": "n0"})
    after = course(first).layer
    assert after.stale == {"v"}
    assert after.view("v").next == ("u-v-0",)


def test_the_state_below_never_changes() -> None:
    first = layer([node("n0", 2), queue("a"), queue("b", 2)], one("a1", "a", 2, "n0"), one("b1", "b", 2))
    before = (dict(first.ledgers), dict(first.pod_states), dict(first.standings))
    assert alone(first, "b1").evicted == ["a1-0"]
    assert (first.ledgers, first.pod_states, first.standings) == before


def pinned(name: str, number: int, gpus: int, at: str) -> dict[str, Any]:
    return pod(name, number, gpus, spec={"nodeSelector": {"kubernetes.io/hostname": at}})


def test_victims_of_one_queue_are_judged_in_map_order() -> None:
    """The queue may keep 13 of its 16 GPUs: 2 may go before 4, but once 4 are gone 2 may not. KAI itself does both."""
    nodes = [node("n0", 4), node("n1", 2), node("n2", 10)]
    asker = job("b1", "b", pinned("b1", 0, 2, "n1"), pinned("b1", 1, 1, "n0"), minMember=2)
    here = {"nodeSelector": {"kubernetes.io/hostname": "n1"}}
    held = [one("r1", "a", 4, "n0"), one("r2", "a", 2, "n1", spec=here), one("r3", "a", 10, "n2", priority="build")]
    first = layer([*nodes, queue("a", created=1), queue("b", created=2)], *held, asker)
    found = course(first, ("b1",))
    assert varies(first, found, ("b1",))
    assert found.fork is not None
    assert {course_from(other, ("b1",)).by for other in other_runs(found.fork, ENOUGH)} == {Action.RECLAIM, None}


def test_parts_of_gpus_are_added_up_in_map_order() -> None:
    """0.1 + 0.2 + 0.3 may be more than 0.6, and is above the fair share then."""
    held = [one(f"r{i}", "a", part, "n0", group=f"g{i}") for i, part in enumerate((0.1, 0.2, 0.3))]
    first = layer([node("n0", 8), queue("a", created=1)], *held)
    amounts = {walking(first, number).standings["a"].allocated.gpu for number in range(10)}
    assert amounts == {0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1}
    whole = layer([node("n0", 8), queue("a", created=1)], one("r0", "a", 3, "n0"), one("r1", "a", 2, "n0"))
    assert walking(whole, 7).ground.session is whole.ground.session


def test_no_other_run_is_tried_where_no_order_matters() -> None:
    first = layer([node("n0", 8), *QUEUES], one("b1", "b", 3))
    assert runs_to_try(first, course(first, ("b1",)).tried) == 0
    halves = layer([node("n0", 8), *QUEUES], one("b1", "b", 0.5))
    tried = course(halves, ("b1",)).tried
    assert runs_to_try(halves, tried) > runs_to_try(halves, tried, briefly=True) - 1 >= ENOUGH
    assert len(list(other_runs(Fork(halves), 3))) == 3
