"""What all nodes together could give that no single one can."""

from kubectl_fairshare.answers.outcome import Outcome
from tests.unit.schedulers.elasticquota.build import node, planned, pod, quota, state


def test_scattered_room_is_told_node_by_node() -> None:
    nodes = (node("n1", cpu=4), node("n2", cpu=4))
    at = state(*nodes, quota("a", {"cpu": 9}), pod("a/x", "n1", cpu=3), pod("a/y", "n2", cpu=1))
    spread = planned(at, pod("a/new", cpu=4)).spread
    assert spread is not None
    assert [(r.node, r.free.cpu if r.free else None) for r in spread.rooms] == [("n2", 3000), ("n1", 1000)]
    assert spread.is_reason


def test_room_in_sum_is_no_reason_where_quotas_refuse_in_any_case() -> None:
    at = state(node("n1", cpu=4), node("n2", cpu=4), quota("a", {"cpu": 3}))
    spread = planned(at, pod("a/new", cpu=4)).spread
    assert spread is not None
    assert (spread.in_sum, spread.quotas_allow, spread.is_reason) == (True, False, False)


def test_a_pod_that_any_node_could_give_is_counted_once_in_the_sum() -> None:
    nodes = [node(f"n{i}", cpu=4) for i in range(4)]
    borrowed = [pod(f"b/x{i}", f"n{i}", cpu=2) for i in range(4)]
    unquoted = [pod(f"x/y{i}", f"n{i}", cpu=2) for i in range(4)]
    at = state(*nodes, quota("a", {"cpu": 9}), quota("b", {"cpu": 7}), *borrowed, *unquoted)
    spread = planned(at, pod("a/new", cpu=4)).spread
    assert spread is not None
    assert [r.takeable.cpu for r in spread.rooms] == [2000] * 4
    assert (spread.takeable, spread.in_sum) == (1, False)


def test_nodes_that_keep_the_pod_off_give_nothing() -> None:
    cordoned = node("n2", unschedulable=True, cpu=9)
    at = state(node("n1", cpu=4), cordoned, quota("a", {"cpu": 9}), pod("a/x", "n1", cpu=3))
    spread = planned(at, pod("a/new", cpu=4)).spread
    assert spread is not None
    assert [r.node for r in spread.rooms] == ["n1"]


def test_without_nodes_it_is_told_who_could_be_taken() -> None:
    at = state(quota("a", {"cpu": 4}), quota("b", {"cpu": 0}), pod("b/x", "far", cpu=2))
    found = planned(at, pod("a/new", cpu=4))
    assert found.outcome is Outcome.UNKNOWN
    assert found.spread is not None
    assert [(r.node, r.free, r.pods) for r in found.spread.rooms] == [("far", None, 1)]
