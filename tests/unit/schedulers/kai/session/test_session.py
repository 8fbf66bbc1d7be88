"""What counts in a session: nodes, queues, pods."""

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import GpuKind, GpuRequest, Phase, Shard
from tests.unit.schedulers.kai.build import group, node, pod, queue, session


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
