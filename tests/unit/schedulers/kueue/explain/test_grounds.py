"""A plan shows where pods go, or the domains that come closest; what is proposed was tried."""

from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.shares_view import SharesViewReport
from kubectl_fairshare.report.text.drawing import lines_of
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.documents.plan import ground
from kubectl_fairshare.schedulers.kueue.explain.citation import cited_objects
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.occupation import occupation
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.schedulers.kueue.words.occupation import occupation_view
from kubectl_fairshare.schedulers.kueue.words.screens.plan import verdict
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import change_clause
from kubectl_fairshare.schedulers.kueue.words.screens.plan_topology import ground_blocks
from tests.unit.schedulers.kueue.topology.test_workloads import (
    RACK,
    Object,
    flavor,
    node,
    on,
    pod_set,
    queue,
    state,
    workload,
)

RACKS = [node("x1", "r1", 2), node("x2", "r1", 2), node("x3", "r2", 2), node("x4", "r2", 1)]
ALWAYS_THERE: Object = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "daemon", "namespace": "kube-system"},
    "spec": {"nodeName": "elsewhere", "containers": [{"name": "c"}]},
    "status": {"phase": "Running"},
}


def planned(*objects: Object, pods: bool = True) -> Plan:
    given = state(flavor("f"), queue("q", {"f": 99}), *objects, *([ALWAYS_THERE] if pods else []))
    return plan(given, next(w for w in given.kueue.pending if w.key.name == "asks"))


def asking(count: int, **topology: Any) -> Object:
    return workload("asks", "q", pod_set(count, **topology))


def test_the_tree_shows_what_each_domain_has_and_gets() -> None:
    found = planned(*RACKS, asking(3, **RACK))
    rows = [(row.depth, row.name, row.room, row.pods) for row in found.grounds[0].rows]
    assert rows == [(0, "r2", 3, 3), (1, "x3", 2, 2), (1, "x4", 1, 1)]
    assert found.fidelity.exact


def test_each_level_that_was_left_says_by_how_much_it_is_short() -> None:
    found = planned(*RACKS, asking(3, preferred="kubernetes.io/hostname"))
    tried = [(each.best, each.room, each.asked) for each in found.grounds[0].tried]
    assert tried == [("x1", 2, 3), ("r1", 4, 3)]


def test_what_is_short_binds_in_amounts_and_the_remedies_were_tried() -> None:
    closed = node("x5", "r1", 1)
    closed["spec"]["unschedulable"] = True
    running = workload("old", "q", pod_set(1, **RACK), **on("f", "q", {"x1": 1}))
    found = planned(*RACKS, closed, running, asking(4, **RACK))
    assert [(b.node, b.needed, b.reachable) for b in found.bindings] == [("rack r1", 4000, 3000)]
    assert found.grounds[0].absent[0][1] == "cordoned"
    kinds = {remedy.kind for remedy in found.remedies}
    assert kinds == {RemedyKind.COUNT, RemedyKind.REQUEST, RemedyKind.LEVEL, RemedyKind.UNCORDON, RemedyKind.END}
    texts = [change_clause(remedy) for remedy in found.remedies]
    assert "uncordon node/x5" in [text.lower().replace(" x5", "/x5") for text in texts]


def test_the_screen_and_the_document_hold_the_same() -> None:
    found = planned(*RACKS, asking(5, **RACK))
    text = "\n".join(lines_of(ground_blocks(found), View()))
    assert "main: 5 pods in one rack, in topology racks (flavor f)" in text
    assert "rack: the most room is in r1, for 4 of 5 pods: 1 short" in text
    document = ground(found.grounds[0])
    assert (document.placed, document.levels[0].room) == (False, 4)
    assert [domain.name for domain in document.domains] == ["r1", "r2"]


@pytest.mark.parametrize(("nodes", "pods"), [([], False), (RACKS, False)])
def test_without_nodes_or_the_pods_on_them_nobody_is_promised_a_place(nodes: list[Object], pods: bool) -> None:
    found = planned(*nodes, asking(2, **RACK), pods=pods)
    assert (str(found.outcome), str(found.computed)) == ("Unknown", "Admitted")


def test_what_not_even_free_nodes_hold_is_certain_without_pods() -> None:
    found = planned(*RACKS, asking(9, **RACK), pods=False)
    assert (str(found.outcome), found.fidelity.exact) == ("Never", True)


def test_what_quota_refuses_is_certain_without_nodes() -> None:
    found = planned(asking(100, **RACK), pods=False)
    assert (str(found.outcome), found.fidelity.exact) == ("Never", True)


def test_shares_by_domain_add_up_what_is_used_and_free() -> None:
    running = workload("old", "q", pod_set(1, **RACK), **on("f", "q", {"x1": 1}))
    given = state(flavor("f"), queue("q", {"f": 99}), *RACKS, running, ALWAYS_THERE)
    printed = SharesViewReport(occupation_view(occupation(given)))
    document: Any = printed.document({})
    topology = document["topologies"][0]
    found = [(d["name"], d["nodes"], d["amounts"][0]["used"], d["amounts"][0]["free"]) for d in topology["domains"][:3]]
    assert [(name, nodes) for name, nodes, _, _ in found] == [("r1", 2), ("x1", 1), ("x2", 1)]
    assert [(used["value"], free["value"]) for _, _, used, free in found] == [(1000, 3000), (1000, 1000), (0, 2000)]
    assert "and 4 domains of level kubernetes.io/hostname (-o wide)" in printed.screen(View())
    empty = SharesViewReport(occupation_view(occupation(state(flavor("f"), queue("q", {"f": 99}), ALWAYS_THERE))))
    assert "DOMAIN" not in empty.screen(View())
    assert "no domain: no Node of the input has the labels of the flavor and its topology" in empty.screen(View())


def test_fewer_pods_than_a_slice_are_never_admitted_though_quota_fits() -> None:
    found = planned(*RACKS, asking(3, podSetSliceRequiredTopology="rack", podSetSliceSize=4))
    assert (found.computed, found.fidelity.exact) == (Outcome.NEVER, True)
    assert TopologyLaw.NO_DOMAIN in {step.law for step in found.proof}
    assert condition(found).message == ""
    assert "fewer than a slice of 4" in verdict(found)


def test_fewer_pods_than_a_slice_wait_where_partial_admission_leaves_them() -> None:
    running = workload("old", "q", pod_set(2, **RACK), **on("f", "q", {"x1": 2}))
    shrinks = pod_set(4, podSetSliceRequiredTopology="rack", podSetSliceSize=4) | {"minCount": 1}
    found = planned(*RACKS, running, workload("asks", "q", shrinks))
    assert (found.computed, found.nomination.admits) == (Outcome.WAITS, False)


def test_three_pod_sets_in_one_group_are_never_exact_where_they_fit() -> None:
    def group(number: int) -> Object:
        sets = [pod_set(1, **RACK, podSetGroupName="all") | {"name": f"p{i}"} for i in range(number)]
        return workload("asks", "q", *sets)

    assert planned(*RACKS, group(2)).fidelity.exact
    found = planned(*RACKS, group(3))
    assert (found.computed, found.outcome) == (Outcome.ADMITTED, Outcome.UNKNOWN)
    assert "crashes" in found.fidelity.doubts[0]


def test_a_plan_rests_on_all_pods_on_nodes_and_names_each_workload_once() -> None:
    """Those of another tree take room on the same nodes; the one that is asked about may hold quota itself."""
    beside = workload("beside", "r", pod_set(1, **RACK), **on("f", "r", {"x1": 1}))
    given = state(flavor("f"), queue("q", {"f": 99}), queue("r", {"f": 99}), *RACKS, beside, asking(3, **RACK))
    found = plan(given, next(w for w in given.kueue.pending if w.key.name == "asks"))
    keys = cited_objects(given, found)
    assert [key.name for key in keys if key.kind == "Workload"] == ["asks", "beside"]
    assert [key.name for key in keys if key.kind == "Node"] == ["x1", "x2", "x3", "x4"]
    again = cited_objects(given, replace(found, workload=replace(found.workload, key=keys[-1])))
    assert len(set(again)) == len(again)
