"""Topologies in releases before 0.19: each law that changed, on the smallest state in which it shows.

The laws were read off Kueue's code at each tag; recordings of v0.16.9, v0.17.8 and v0.18.1 to v0.18.6 hold hundreds of
states.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate_again
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from tests.unit.schedulers.kueue.topology.test_workloads import (
    RACK,
    Object,
    cycle,
    flavor,
    hosts_in,
    node,
    on,
    planned,
    pod_set,
    queue,
    state,
    workload,
)

GROUP = {"podSetGroupName": "g", **RACK}


@pytest.mark.parametrize(("release", "mode"), [("0.16", "Fit"), ("0.17", "Fit"), ("0.18", "Preempt")])
def test_flavors_of_one_host_see_each_other_since_0_18(release: str, mode: str) -> None:
    running = workload("w1", "q1", pod_set(2, **RACK), **on("f", "q1", {"x1": 2}))
    asking = workload("w2", "q2", pod_set(2, **RACK))
    queues = [flavor("f"), flavor("g"), queue("q1", {"f": 9}), queue("q2", {"g": 9})]
    assert planned(state(*queues, node("x1", "r1", 2), running, asking, release=release), "w2")[0] == mode


@pytest.mark.parametrize(("release", "status"), [("0.16", "skipped"), ("0.18.1", "skipped"), ("0.17", "assumed")])
def test_a_place_that_is_taken_meanwhile_is_looked_for_anew_since_0_17(release: str, status: str) -> None:
    nodes = [node("x1", "r1", 2), node("x2", "r2", 2)]
    asking = [workload(f"w{i}", f"q{i}", pod_set(2, **RACK)) for i in (1, 2)]
    given = state(flavor("f"), queue("q1", {"f": 9}), queue("q2", {"f": 9}), *nodes, *asking, release=release)
    assert str(cycle(given)["w2"].status) == status


@pytest.mark.parametrize(
    ("release", "mode", "status", "says"),
    [
        ("0.16", "Fit", "assumed", "no TAS flavor assigned"),
        ("0.17", "NoFit", "", "no TAS flavor assigned"),
        ("0.18", "Fit", "skipped", ""),
    ],
)
def test_a_leader_that_requests_nothing(release: str, mode: str, status: str, says: str) -> None:
    """v0.16.9 admits it without a place: an error leaves the mode as it was. Later it never fits beside others."""
    asking = workload("w", "q", pod_set(1, None, "leader", **GROUP), pod_set(2, 1, "workers", **GROUP))
    given = state(flavor("f"), queue("q", {"f": 9}), node("x1", "r1", 4), asking, release=release)
    found = planned(given, "w")
    assert (found[0], says in found[1]) == (mode, True)
    assert str(cycle(given)["w"].status) == status


@pytest.mark.parametrize(
    ("release", "places"), [("0.17", {}), ("0.18.4", {}), ("0.18", {"x1": 2, "x2": 1}), ("0.19", {"x1": 2, "x2": 1})]
)
def test_a_leader_is_sure_of_its_place_since_0_18_5(release: str, places: Mapping[str, int]) -> None:
    """Workers that would take the least host whole, with the leader: Kueue v0.17.8 admits both without any place."""
    free = {"podSetGroupName": "g", "unconstrained": True}
    asking = workload("w", "q", pod_set(1, 2, "leader", **free), pod_set(2, 1, "workers", **free))
    nodes = [node("x1", "r1", 2), node("x2", "r1", 3)]
    found = planned(state(flavor("f"), queue("q", {"f": 9}), *nodes, asking, release=release), "w")
    assert found[0] == "Fit"
    assert (found[2] == {}) is (places == {})


@pytest.mark.parametrize(
    ("release", "status"),
    [("0.17", "skipped"), ("0.18.4", "skipped"), ("0.17.7", "assumed"), ("0.18.3", "assumed"), ("0.18", "assumed")],
)
def test_requests_of_0_are_dropped_in_two_releases(release: str, status: str) -> None:
    given = state(
        flavor("f"), queue("q", {"f": 9}), node("x1", "r1", 2), workload("w", "q", pod_set(1, 0)), release=release
    )
    assert str(cycle(given)["w"].status) == status


@pytest.mark.parametrize(("release", "statuses"), [("0.18.5", ["assumed", "assumed"]), ("0.18", ["assumed", ""])])
def test_a_new_place_for_lost_pods_is_taken_for_the_rest_of_the_cycle(release: str, statuses: list[str]) -> None:
    running = workload("w1", "q1", pod_set(2, **RACK), **on("f", "q1", {"x1": 2}, lost="x1"))
    asking = workload("w2", "q2", pod_set(2, **RACK))
    queues = [flavor("f"), queue("q1", {"f": 9}), queue("q2", {"f": 9})]
    entries = cycle(state(*queues, node("x2", "r1", 2), running, asking, release=release))
    assert [str(entries[name].status) for name in ("w1", "w2")] == statuses


@pytest.mark.parametrize(("release", "victims"), [("0.18.3", []), ("0.18.4", ["low"])])
def test_the_search_for_victims_places_lost_pods_alone_since_0_18_4(release: str, victims: list[str]) -> None:
    """Before, it looks for a place for all pods of the workload, beside those that run."""
    running = workload("w", "q", pod_set(4), priority=9, **on("f", "q", {"x1": 2, "x2": 2}, lost="x1"))
    low = workload("low", "q", pod_set(2), **on("f", "q", {"x3": 2}))
    made = queue("q", {"f": 9}, preemption={"withinClusterQueue": "LowerPriority"})
    given = state(flavor("f"), made, node("x2", "r1", 2), node("x3", "r1", 2), running, low, release=release)
    found = nominate_again(given, given.kueue.second_pass[0])
    assert found.search is not None
    assert [t.holder.key.name for t in found.search.targets] == victims


@pytest.mark.parametrize(("release", "mode"), [("0.16", "Preempt"), ("0.18.0", "Preempt"), ("0.17", "Fit")])
def test_pods_take_what_they_are_charged_before_0_17_5(release: str, mode: str) -> None:
    running = workload("w1", "q", pod_set(1, 1), **on("f", "q", {"x1": 1}, cpu=3))
    given = state(
        flavor("f"),
        queue("q", {"f": 9}),
        node("x1", "r1", 4),
        running,
        workload("w2", "q", pod_set(3)),
        release=release,
    )
    assert planned(given, "w2")[0] == mode


def test_a_cycle_books_charges_once_for_each_resource() -> None:
    """Kueue v0.16.9 (`ComputeTASNetUsage`): two resources of one flavor count twice until the next cycle."""
    made = [queue(f"q{i}", {"f": 9}, [("memory", ("f",))]) for i in (1, 2)]
    host = node("x1", "r1", 4)
    host["status"]["allocatable"]["memory"] = "99"
    asking = [workload(f"w{i}", f"q{i}", pod_set(2)) for i in (1, 2)]
    for each in asking:
        each["spec"]["podSets"][0]["template"]["spec"]["containers"][0]["resources"]["requests"]["memory"] = "1"
    statuses = {}
    for release in ("0.16", "0.17"):
        entries = cycle(state(flavor("f"), *made, host, *asking, release=release))
        statuses[release] = [str(entries[name].status) for name in ("w1", "w2")]
    assert statuses == {"0.16": ["assumed", "skipped"], "0.17": ["assumed", "assumed"]}


@pytest.mark.parametrize(("release", "mode"), [("0.16", "Fit"), ("0.17", "NoFit"), ("0.19", "NoFit")])
def test_slices_within_slices_are_dropped_by_the_api_server_of_0_16(release: str, mode: str) -> None:
    constraints = [{"topology": "rack", "size": 4}]
    asking = workload("w", "q", pod_set(4, podsetSliceRequiredTopologyConstraints=constraints))
    nodes = [node("x1", "r1", 2), node("x2", "r2", 2)]
    assert planned(state(flavor("f"), queue("q", {"f": 9}), *nodes, asking, release=release), "w")[0] == mode


@pytest.mark.parametrize(("release", "status"), [("0.17", "assumed"), ("0.18.5", "assumed"), ("0.18", "evicted")])
def test_racks_whose_names_begin_alike_are_one_for_lost_pods_before_0_18_6(release: str, status: str) -> None:
    running = workload("w", "q", pod_set(4, **RACK), **on("f", "q", {"x1": 2, "x2": 2}, lost="x1"))
    nodes = [node("x2", "r1", 2), node("y1", "r10", 2)]
    entry = cycle(state(flavor("f"), queue("q", {"f": 9}), *nodes, running, release=release))["w"]
    assert str(entry.status) == status
    assert status == "evicted" or hosts_in(entry) == {"x2": 2, "y1": 2}


def labelled(**metadata: Any) -> Object:
    container = {"name": "c", "resources": {"requests": {"cpu": "2"}}}
    spec = {"nodeName": "x1", "containers": [container]}
    made = {"name": "p", "namespace": "team", **metadata}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": made, "spec": spec}


@pytest.mark.parametrize(
    ("metadata", "modes"),
    [
        ({"labels": {"kueue.x-k8s.io/tas": "true"}}, ["Fit", "NoFit"]),
        ({"annotations": {"kueue.x-k8s.io/podset-slice-required-topology-constraints": "[]"}}, ["NoFit", "Fit"]),
        ({"annotations": {"kueue.x-k8s.io/podset-required-topology": "rack"}}, ["Fit", "Fit"]),
    ],
)
def test_what_marks_a_pod_that_a_topology_places(metadata: Mapping[str, Any], modes: list[str]) -> None:
    asking, pod = workload("w", "q", pod_set(2, **RACK)), labelled(**metadata)
    states = (
        state(flavor("f"), queue("q", {"f": 9}), node("x1", "r1", 2), pod, asking, release=release)
        for release in ("0.16", "0.17")
    )
    assert [planned(each, "w")[0] for each in states] == modes


@pytest.mark.parametrize(("release", "doubtful"), [("0.18.4", True), ("0.18", False)])
def test_a_host_with_the_name_of_a_rack(release: str, doubtful: bool) -> None:
    asking = workload("w", "q", pod_set(1, **RACK))
    given = state(flavor("f"), queue("q", {"f": 9}), node("r1", "r1", 2), asking, release=release)
    told = plan(given, given.kueue.pending[0]).fidelity.doubts
    assert any("host name" in each for each in told) is doubtful


@pytest.mark.parametrize(("release", "named"), [("0.16", "example.com/gpu"), ("0.17", "cpu")])
def test_a_resource_that_a_node_lacks_is_named_first_before_0_17_8(release: str, named: str) -> None:
    asking = workload("w", "q", pod_set(1, 3, **RACK))
    asking["spec"]["podSets"][0]["template"]["spec"]["containers"][0]["resources"]["requests"]["example.com/gpu"] = "1"
    made = queue("q", {"f": 9}, [("example.com/gpu", ("f",))])
    given = state(flavor("f"), made, node("x1", "r1", 2), asking, release=release)
    assert f'resource "{named}": 1' in planned(given, "w")[1]
