"""``why`` says what becomes of a running workload that lost a node, also of a node that the question takes away."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown
from tests.unit.cli.why_state import asked, evidence, screen
from tests.unit.schedulers.kueue.topology.test_workloads import (
    HOST,
    LEVELS,
    RACK,
    Object,
    flavor,
    kueue,
    node,
    on,
    pod_set,
    queue,
    workload,
)

LOST = "kueue-topology-lost-node"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def cluster(*hosts: Object, lost: str = "", count: int = 4) -> list[Object]:
    """A workload of four pods on x1 and x2, or of fewer on x1 alone, in one rack."""
    placed = {"x1": 2, "x2": count - 2} if count > 2 else {"x1": count}
    running = workload("w", "q", pod_set(count, **RACK), **on("f", "q", placed, lost=lost))
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}
    local = kueue("LocalQueue", "q", {"clusterQueue": "q"}, namespace="team")
    racks = kueue("Topology", "racks", LEVELS)
    daemon = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "daemon", "namespace": "kube-system"},
        "spec": {"nodeName": "x2", "containers": [{"name": "c"}]},
        "status": {"phase": "Running"},
    }
    return [namespace, local, racks, daemon, flavor("f"), queue("q", {"f": 9}), *hosts, running]


def said(objects: list[Object], more: str = "") -> tuple[Any, ...]:
    found = asked(objects, f"workload/w -n team --complete {more}")
    return found["verdict"], found["law"], found["sentence"], found["fidelity"]["exact"]


@pytest.mark.parametrize(
    ("beside", "end"),
    [
        ([node("x3", "r", 2)], "the next cycle moves 2 pods to x3"),
        ([node("x3", "r", 1), node("x4", "r", 1)], "the next cycle moves 2 pods to x3, x4"),
        ([node("y1", "other", 2)], "the next cycle evicts it, as there is no other place for 2 pods"),
    ],
)
def test_a_workload_that_lost_a_node_moves_or_is_evicted(beside: list[Object], end: str) -> None:
    expected = ("Running", LOST, f"its node x1 is lost: {end}", True)
    assert said(cluster(node("x2", "r", 2), *beside, lost="x1")) == expected
    there = cluster(node("x1", "r", 2), node("x2", "r", 2), *beside)
    assert said(there)[1] == "kueue-admitted"
    assert said(there, "--overlay-delete node/x1") == expected


def test_the_mark_is_cited_or_the_place_of_the_pods() -> None:
    marked = cluster(node("x2", "r", 2), lost="x1")
    assert "Workload team/w status.unhealthyNodes[0].name" in evidence(asked(marked, "workload/w -n team --complete"))
    there = cluster(node("x1", "r", 2), node("x2", "r", 2))
    found = asked(there, "workload/w -n team --complete --overlay-delete node/x1")
    assert "Workload team/w status.admission" in evidence(found)


def test_a_node_that_has_none_of_its_pods_may_go() -> None:
    there = cluster(node("x1", "r", 2), node("x2", "r", 2), node("x3", "r", 2))
    assert said(there, "--overlay-delete node/x3")[1] == "kueue-admitted"


def test_pods_that_were_placed_by_rack_alone_have_no_node_to_lose() -> None:
    objects = cluster(node("x1", "r", 2), node("x2", "r", 2))
    given = objects[-1]["status"]["admission"]["podSetAssignments"][0]["topologyAssignment"]
    given |= {
        "levels": ["rack"],
        "slices": [
            {"domainCount": 1, "valuesPerLevel": [{"universal": "r"}], "podCounts": {"universal": 4}},
        ],
    }
    objects[2]["spec"] = {"levels": [{"nodeLabel": "rack"}]}
    assert HOST not in given["levels"]
    assert said(objects, "--overlay-delete node/x1")[1] == "kueue-admitted"


def test_a_second_lost_node_is_refused_because_kueue_evicts_the_workload() -> None:
    there = cluster(node("x1", "r", 2), node("x2", "r", 2), node("x3", "r", 4))
    found = screen(there, "workload/w -n team --overlay-delete node/x1 --overlay-delete node/x2")
    assert found.code == 3
    assert "loses more than one node (x1, x2)" in found.stderr
    marked = cluster(node("x2", "r", 2), node("x3", "r", 4), lost="x1")
    assert screen(marked, "workload/w -n team --overlay-delete node/x2").code == 3


def test_what_its_queue_does_not_consider_stays_where_it_is() -> None:
    objects = cluster(node("x2", "r", 2), node("x3", "r", 2), lost="x1")
    check = {"name": "c", "state": "Rejected", "message": "", "lastTransitionTime": "2026-01-01T00:00:01Z"}
    objects[-1]["status"]["admissionChecks"] = [check]
    assert said(objects)[2] == "its node x1 is lost: the next cycle leaves its pods where they are"


def test_a_list_counts_it_as_running() -> None:
    assert "1 running" in screen(cluster(node("x2", "r", 2), node("x3", "r", 2), lost="x1"), "-A --complete").stdout


def test_a_queue_that_is_deleted_under_running_work_is_not_gone_yet() -> None:
    local = kueue("LocalQueue", "other", {"clusterQueue": "other"}, namespace="team")
    objects = [*cluster(node("x1", "r", 2), node("x2", "r", 2)), queue("other", {"f": 9}), local]
    Path("state.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    told = "ClusterQueue q, which Kueue keeps until the work that holds quota in it has ended"
    for args in (
        "shares -f state.json",
        "cycle -f state.json",
        "plan -f state.json --queue team/other --request cpu=1",
    ):
        found = shown(f"kubectl-fairshare {args} --complete --overlay-delete cq/q")
        assert told in " ".join(found.stdout.split())
    assert told not in shown("kubectl-fairshare shares -f state.json --complete --overlay-delete cq/other").stdout


def test_without_the_other_pods_it_is_not_sure_where_its_pods_go() -> None:
    objects = [o for o in cluster(node("x2", "r", 2), node("x3", "r", 2), lost="x1") if o["kind"] != "Pod"]
    assert said(objects)[1:] == (LOST, "its node x1 is lost: the next cycle moves 2 pods to x3", False)


def test_the_cycle_tells_a_move_from_an_admission() -> None:
    objects = cluster(node("x2", "r", 2), node("x3", "r", 2), lost="x1")
    Path("state.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    found = shown("kubectl-fairshare cycle -f state.json --complete").stdout
    assert "0 heads of 0 waiting, 1 for a new place" in found
    assert "runs on: its pods of a lost node move (f)" in found
