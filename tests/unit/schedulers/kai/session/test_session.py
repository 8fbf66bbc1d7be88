"""What counts in a session: nodes, queues, pods."""

import pytest

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import GpuKind, GpuRequest, KaiState, Phase, Shard, SubGroup
from kubectl_fairshare.schedulers.kai.session.session import open_session
from tests.unit.schedulers.kai.build import group, node, pod, queue, session, state


def test_nodes_that_are_not_ready_or_of_another_pool_do_not_count() -> None:
    nodes = [node("a"), node("b", unready="unschedulable"), replace(node("c"), pool="other")]
    totals = session([queue("q")], nodes=nodes).totals
    assert totals.total.gpu == 8
    assert (totals.left_out, totals.elsewhere) == ((("b", "unschedulable"),), ("c",))


def test_pods_of_other_schedulers_are_taken_off() -> None:
    found = session([queue("q")], pods=[pod("x", 0, 3, foreign=True)]).totals
    assert (found.total.gpu, found.foreign.gpu, found.foreign_pods) == (5, 3, 1)


def test_a_shard_with_a_pool_sees_its_own_objects_alone() -> None:
    nodes = [node("a"), replace(node("b"), pool="p")]
    queues = [queue("q"), replace(queue("r"), pool="p")]
    found = session(queues, nodes=nodes, shard=Shard(pool="p"))
    assert (list(found.standings), found.totals.total.gpu) == (["r"], 8)


def test_a_queue_without_its_parent_goes_with_all_below_it() -> None:
    found = session([queue("a"), queue("b", "gone"), queue("c", "b")])
    assert list(found.standings) == ["a"]
    assert [(lost.queue.name, lost.parent, lost.cycle) for lost in found.lost] == [
        ("b", "gone", False),
        ("c", "gone", False),
    ]


def test_queues_in_a_circle_are_lost() -> None:
    found = session([queue("a", "b"), queue("b", "a"), queue("c", "c")])
    assert [lost.cycle for lost in found.lost] == [True, True, True]


def test_without_the_full_hierarchy_only_queues_with_a_parent_count_below_one() -> None:
    found = session([queue("top"), queue("leaf", "top")], shard=Shard(full_hierarchy=False))
    assert {name: s.queue.parent for name, s in found.standings.items()} == {"default": "", "leaf": "default"}


def test_a_pod_counts_in_its_queue_and_in_all_above() -> None:
    groups = [group("run", "leaf"), group("wait", "leaf")]
    pods = [pod("run", 0, 2), pod("wait", 0, 3, phase=Phase.PENDING), pod("run", 1, 1, phase=Phase.RELEASING)]
    found = session([queue("top"), queue("leaf", "top")], groups, pods)
    for name in ("top", "leaf"):
        standing = found.standings[name]
        assert (standing.allocated.gpu, standing.request.gpu, standing.non_preemptible.gpu) == (2, 5, 0)


def test_a_pod_on_a_node_that_the_shard_does_not_have_holds_nothing() -> None:
    found = session([queue("q")], [group("run", "q")], [pod("run", 0, 2, at="elsewhere")])
    assert found.standings["q"].allocated.gpu == 0


def test_gpu_memory_counts_on_its_node_on_the_smallest_and_on_the_largest_gpu() -> None:
    asked = GpuRequest(GpuKind.MEMORY, 1, 0.0, 1000)
    pods = [pod("run", 0, 0, gpu=asked, at="big"), pod("wait", 0, 0, gpu=asked, phase=Phase.PENDING)]
    nodes = [node("big", memory=8000), node("small", memory=4000)]
    found = session([queue("q")], [group("run", "q"), group("wait", "q")], pods, nodes)
    assert found.standings["q"].allocated.gpu == 0.13
    assert found.standings["q"].request.gpu == 0.13 + 0.25
    assert (found.jobs["wait"].request.gpu, found.jobs["wait"].asked.gpu) == (0.25, 0.125)


def test_a_gpu_without_memory_holds_nothing_of_a_request_for_memory() -> None:
    asked = GpuRequest(GpuKind.MEMORY, 1, 0.0, 1000)
    found = session([queue("q")], [group("run", "q")], [pod("run", 0, 0, gpu=asked)], [node(memory=0)])
    assert found.standings["q"].allocated.gpu == 0


def _many() -> KaiState:
    groups = [group("a", "leaf"), group("b", "leaf"), group("c", "other", sub_groups=(SubGroup("s", None, 1, None),))]
    pods = [pod("a", 0, 2), pod("a", 1, 1), pod("b", 0, 3, phase=Phase.PENDING), pod("c", 0, 1, sub_group="s")]
    return state([queue("top"), queue("leaf", "top"), queue("other")], groups, pods, [node(), node("m")])


BEFORE = open_session(_many())
OLD = BEFORE.state
FIRST, *OTHERS = OLD.pods
CHANGES = {
    "nothing": (OLD, {"a", "b", "c"}),
    "a pod moves": (replace(OLD, pods=(replace(FIRST, node="m"), *OTHERS)), {"b", "c"}),
    "a pod comes": (replace(OLD, pods=(*OLD.pods, pod("b", 1))), {"a", "c"}),
    "a pod leaves": (replace(OLD, pods=tuple(OTHERS)), {"b", "c"}),
    "a pod changes its job": (replace(OLD, pods=(replace(FIRST, group="b"), *OTHERS)), {"c"}),
    "a pod of an unknown sub-group": (replace(OLD, pods=(*OLD.pods, pod("c", 1, sub_group="t"))), {"a", "b"}),
    "a job comes": (replace(OLD, pod_groups=(*OLD.pod_groups, group("d", "leaf"))), {"a", "b", "c"}),
    "a job changes": (replace(OLD, pod_groups=(group("a", "other"), *OLD.pod_groups[1:])), {"b", "c"}),
    "a queue leaves": (replace(OLD, queues={n: q for n, q in OLD.queues.items() if n != "leaf"}), {"c"}),
    "a node changes": (replace(OLD, nodes=(node("n", 4), node("m"))), set()),
    "the default priority changes": (replace(OLD, priorities=replace(OLD.priorities, default=7)), set()),
    "workers have another label": (replace(OLD, gpu_worker_label="gpus"), set()),
}


@pytest.mark.parametrize(("changed", "same"), CHANGES.values(), ids=CHANGES)
def test_a_session_takes_from_an_earlier_one_what_is_the_same(changed: KaiState, same: set[str]) -> None:
    found = open_session(changed, before=BEFORE)
    assert found == open_session(changed)
    assert {name for name, job in found.jobs.items() if job is BEFORE.jobs.get(name)} == same


def test_a_session_of_another_shard_takes_nothing() -> None:
    shard = Shard(restricted=True)
    found = open_session(OLD, shard, before=BEFORE)
    assert found == open_session(OLD, shard)
    assert not any(job is BEFORE.jobs.get(name) for name, job in found.jobs.items())
