"""The search for victims: gangs over several nodes, minimum run times, what an action skips."""

from kubectl_fairshare.schedulers.kai.solver.actions import run
from kubectl_fairshare.schedulers.kai.solver.attempts import Action
from kubectl_fairshare.schedulers.kai.solver.cycle import course
from kubectl_fairshare.schedulers.kai.solver.generators import Probe, accumulated, multi_node, node_local
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.search import partial
from kubectl_fairshare.schedulers.kai.solver.signatures import signature
from tests.unit.schedulers.kai.solver.scenes import Json, NamedChanges, alone, job, layer, named, node, one, pod, queue

QUEUES = [queue("a", 0, created=1), queue("b", 4, created=2)]


def did(first: Layer, action: Action, *names: str) -> NamedChanges:
    """What one action does for some jobs."""
    return named(first, run(first, action, names).layer)


def shard(**spec: object) -> Json:
    return {"apiVersion": "kai.scheduler/v1", "kind": "SchedulingShard", "metadata": {"name": "default"}, "spec": spec}


def two_nodes(*more: Json) -> Layer:
    return layer(
        [node("n0", 2), node("n1", 2), *QUEUES, *more],
        one("a1", "a", 2, "n0"),
        one("a2", "a", 2, "n1"),
        job("b1", "b", pod("b1", 0, 2), pod("b1", 1, 2), minMember=2),
    )


def test_a_gang_takes_as_many_victims_as_it_has_nodes() -> None:
    found = did(two_nodes(), Action.RECLAIM, "b1")
    assert (found.evicted, found.pipelined) == (["a1-0", "a2-0"], {"b1-0": "n0", "b1-1": "n1"})


def test_scenarios_of_one_node_come_before_those_of_more() -> None:
    first = two_nodes()
    view = first.view("b1")
    candidates = tuple(first.view(name) for name in ("a1", "a2"))
    probe = Probe(first, partial(first, view, view.next[:1]), (), candidates, ("n0", "n1"))
    taken = [[batch.job for batch in scenario.potential] for scenario in accumulated(probe)]
    assert taken == [["a2"], ["a2", "a1"]]
    assert [[b.job for b in s.potential] for s in node_local(probe)] == [["a2"], ["a1"]]
    assert [[b.job for b in s.potential] for s in multi_node(probe)] == [["a2"], ["a2"], ["a2", "a1"]]


def test_a_probe_asks_for_part_of_the_job() -> None:
    first = two_nodes()
    view = first.view("b1")
    some = partial(first, view, view.next[:1])
    assert (view.next, some.next) == (("u-b1-0", "u-b1-1"), ("u-b1-0",))
    assert [leaf.minimum for leaf in some.root.leaves()] == [1]


def test_consolidation_may_be_off() -> None:
    spread = two_nodes(shard(placementStrategy={"gpu": "spread"}))
    assert Action.CONSOLIDATION not in {one.action for one in course(spread).tried}
    movable = [node("n0", 2), node("n1", 2), queue("a", 2, created=1), queue("b", 2, created=2)]
    jobs = [("a1", 1, "n0"), ("a2", 1, "n1")]

    def moved(*more: Json) -> NamedChanges:
        running = [one(name, "a", gpus, at) for name, gpus, at in jobs]
        return did(layer([*movable, *more], *running, one("b1", "b", 2)), Action.CONSOLIDATION, "b1")

    assert moved().moved == {"a2-0": "n0"}
    assert not moved(shard(args={"max-consolidation-preemptees": "0"})).any


def test_moved_victims_are_charged_where_consolidating_reclaim_is_off() -> None:
    movable = [node("n0", 2), node("n1", 2), queue("a", 2, created=1), queue("b", 2, created=2)]
    running = [one("a1", "a", 1, "n0"), one("a2", "a", 1, "n1")]
    first = layer(movable, *running, one("b1", "b", 2))
    assert did(first, Action.RECLAIM, "b1").moved == {"a2-0": "n0"}
    charged = layer([*movable, shard(args={"allow-consolidating-reclaim": "false"})], *running, one("b1", "b", 2))
    assert not did(charged, Action.RECLAIM, "b1").any


def test_a_min_runtime_protects_until_it_is_over() -> None:
    def reclaimed(start: str) -> list[str]:
        running = one("a1", "a", 2, "n0")
        running[0]["metadata"]["annotations"] = {"kai.scheduler/last-start-timestamp": start}
        objects = [node("n0", 2), *QUEUES, shard(minRuntime={"reclaimMinRuntime": "1h"})]
        return list(alone(layer(objects, running, one("b1", "b", 2)), "b1").evicted)

    assert reclaimed("2026-08-01T11:30:00Z") == []
    assert reclaimed("2026-08-01T10:30:00Z") == ["a1-0"]


def test_a_job_like_one_that_failed_is_skipped_unless_it_is_smaller() -> None:
    def tried(*more: Json) -> list[str]:
        objects = [node("n0", 2), queue("a", 0), queue("b", 0), *more]
        jobs = [one(f"b{i}", "b", gpus, priority="build-preemptible") for i, gpus in enumerate((2, 2, 1))]
        running = one("a1", "b", 2, "n0", priority="build")
        return [one.job for one in run(layer(objects, running, *jobs), Action.PREEMPT).tried]

    assert tried() == ["b0", "b2"]
    assert tried(shard(args={"use-scheduling-signatures": "false"})) == ["b0", "b1", "b2"]


def test_a_delayed_job_makes_nobody_leave() -> None:
    objects = [node("n0", 2), *QUEUES]
    waiting = job("b1", "b", pod("b1", 0, 2), preemptionDelay="1000h")
    assert not alone(layer(objects, one("a1", "a", 2, "n0"), waiting), "b1").any


def test_no_one_of_equal_priority_is_preempted() -> None:
    objects = [node("n0", 2), queue("a", 2)]
    for priority, evicted in (("train", []), ("low", ["a1-0"])):
        running = one("a1", "a", 2, "n0", priority=priority)
        assert did(layer(objects, running, one("a2", "a", 2)), Action.PREEMPT, "a2").evicted == evicted


def test_a_job_with_a_port_is_not_like_one_without() -> None:
    ports = {"containers": [{"name": "m", "resources": {"requests": {"cpu": "1"}}, "ports": [{"containerPort": 80}]}]}
    first = layer([node("n0"), *QUEUES], one("b1", "b", 1), one("b2", "b", 1), one("b3", "b", 1, spec=ports))
    plain, like, other = (signature(first.ground.gangs[name]) for name in ("b1", "b2", "b3"))
    assert plain == like != other
