"""Whole workloads with topology, on manifests: flavors, preemption, cycles, lost nodes.

The recordings in ``tests/conformance`` hold hundreds; here are those that they seldom or never reach.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.schedulers.kueue.cycle.cycle import ProcessedHead, run_cycle
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate, nominate_again
from kubectl_fairshare.schedulers.kueue.explain.cycle import cycle_report
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.reads import READS
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from kubectl_fairshare.schedulers.kueue.words.messages import entry_message, nomination_message
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of
from tests.unit.schedulers.kueue.topology.ground import hosts_of

Object = dict[str, Any]
KUEUE = "kueue.x-k8s.io/v1beta2"
HOST = "kubernetes.io/hostname"
Groups = Iterable[tuple[str, tuple[str, ...]]]


def kueue(kind: str, name: str, spec: Object, **more: Any) -> Object:
    return {"apiVersion": KUEUE, "kind": kind, "metadata": {"name": name, **more}, "spec": spec}


def flavor(name: str, topology: str | None = "racks", **labels: str) -> Object:
    return kueue("ResourceFlavor", name, {"nodeLabels": labels or {"pool": "main"}, "topologyName": topology})


def queue(
    name: str, quotas: Mapping[str, int], groups: Iterable[tuple[str, tuple[str, ...]]] = (), **spec: Any
) -> Object:
    """A queue in which each flavor has as many cpu; ``groups`` are others, of a resource and its flavors, with 99."""
    written = [("cpu", tuple(quotas)), *groups]
    return kueue(
        "ClusterQueue",
        name,
        {
            "namespaceSelector": {},
            "resourceGroups": [
                {
                    "coveredResources": [resource],
                    "flavors": [
                        {"name": f, "resources": [{"name": resource, "nominalQuota": quotas.get(f, 99)}]}
                        for f in flavors
                    ],
                }
                for resource, flavors in written
                if flavors
            ],
            **spec,
        },
    )


def node(name: str, rack: str, cpu: int, *, ready: bool = True, **labels: str) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"rack": rack, HOST: name, "pool": "main", **labels}},
        "spec": {},
        "status": {
            "allocatable": {"cpu": str(cpu), "pods": "9"},
            "conditions": [{"type": "Ready", "status": str(ready)}],
        },
    }


def pod_set(count: int, cpu: int | None = 1, name: str = "main", **topology: Any) -> Object:
    requests = {} if cpu is None else {"cpu": str(cpu)}
    containers = [{"name": "c", "image": "i", "resources": {"requests": requests}}]
    template = {"spec": {"restartPolicy": "Never", "containers": containers}}
    return {"name": name, "count": count, "template": template} | ({"topologyRequest": topology} if topology else {})


def workload(name: str, lq: str, *pod_sets: Object, priority: int = 0, **status: Any) -> Object:
    metadata = {"namespace": "team", "uid": name, "creationTimestamp": "2026-01-01T00:00:00Z"}
    made = kueue("Workload", name, {"queueName": lq, "priority": priority, "podSets": [*pod_sets]}, **metadata)
    return made | ({"status": status} if status else {})


def on(flavor_name: str, cluster_queue: str, hosts: Mapping[str, int], cpu: int = 1, *, lost: str = "") -> Object:
    """The status of a workload that runs on these hosts."""
    pods = sum(hosts.values())
    slices = [
        {"domainCount": 1, "valuesPerLevel": [{"universal": host}], "podCounts": {"universal": count}}
        for host, count in hosts.items()
    ]
    given = {
        "name": "main",
        "count": pods,
        "flavors": {"cpu": flavor_name},
        "resourceUsage": {"cpu": str(cpu * pods)},
        "topologyAssignment": {"levels": [HOST], "slices": slices},
    }
    conditions = [
        {"type": kind, "status": "True", "reason": kind, "message": "", "lastTransitionTime": NOW}
        for kind in ("QuotaReserved", "Admitted")
    ]
    status = {"admission": {"clusterQueue": cluster_queue, "podSetAssignments": [given]}, "conditions": conditions}
    return status | ({"unhealthyNodes": [{"name": lost}]} if lost else {})


NOW = "2026-01-01T00:00:01Z"
LEVELS = {"levels": [{"nodeLabel": "rack"}, {"nodeLabel": HOST}]}


def state(*objects: Object, release: str = "0.19") -> State:
    """The state of the objects, with a LocalQueue for each queue, a topology of racks and hosts, and a namespace."""
    names = [o["metadata"]["name"] for o in objects if o["kind"] == "ClusterQueue"]
    locals_ = [kueue("LocalQueue", name, {"clusterQueue": name}, namespace="team") for name in names]
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}
    made = [*objects, *locals_, kueue("Topology", "racks", LEVELS), namespace]
    assembled = assemble(
        manifests_of(map(accepted_form, made), "test"), KnownSchedulers((READS,)), releases={"kueue": release}
    )
    assert assembled.problems == ()
    return state_of(assembled.snapshot)


def planned(given: State, name: str) -> tuple[str, str, dict[str, int], list[str]]:
    """Mode, message, hosts and victims of a pending workload."""
    found = nominate(given, next(w for w in given.kueue.pending if w.key.name == name))
    assert found.assignment is not None
    assert found.search is not None
    hosts: dict[str, int] = {}
    for served in found.assignment.pod_sets:
        hosts |= hosts_of(served.topology) if served.topology is not None else {}
    return str(found.mode), nomination_message(found), hosts, [t.holder.key.name for t in found.search.targets]


def cycle(given: State) -> dict[str, ProcessedHead]:
    return {entry.nomination.workload.key.name: entry for entry in run_cycle(given).entries}


def hosts_in(entry: ProcessedHead) -> dict[str, int]:
    assert entry.nomination.assignment is not None
    places = (p.topology for p in entry.nomination.assignment.pod_sets)
    return {host: pods for place in places if place is not None for host, pods in hosts_of(place).items()}


RACK: Mapping[str, Any] = {"required": "rack"}


def test_quota_is_ample_and_the_nodes_are_not_so_the_lowest_priorities_leave() -> None:
    nodes = [node("x1", "r1", 2), node("x2", "r1", 2), node("x3", "r2", 2), node("x4", "r2", 2)]
    running = [
        workload(f"w{i}", "q", pod_set(1), priority=p, **on("f", "q", {f"x{i}": 1}))
        for i, p in ((1, 1), (3, 2), (2, 3), (4, 4))
    ]
    asks = workload("asks", "q", pod_set(4, **RACK), priority=9)
    given = state(
        flavor("f"), queue("q", {"f": 99}, preemption={"withinClusterQueue": "LowerPriority"}), *nodes, *running, asks
    )
    mode, message, hosts, victims = planned(given, "asks")
    assert (mode, sorted(victims)) == ("Preempt", ["w1", "w2"])
    assert 'topology "racks" allows to fit only 2 out of 4 pod(s)' in message
    assert hosts == {"x1": 2, "x2": 2}


def test_what_the_empty_cluster_cannot_hold_is_no_fit() -> None:
    given = state(flavor("f"), queue("q", {"f": 99}), node("x1", "r1", 2), workload("asks", "q", pod_set(3, **RACK)))
    found = nominate(given, given.kueue.pending[0])
    assert found.assignment is not None
    assert (str(found.mode), found.assignment.token) == ("NoFit", "TopologyPlacementFailed")


def test_a_request_for_a_topology_never_takes_a_plain_flavor() -> None:
    given = state(
        flavor("plain", None), queue("q", {"plain": 99}), node("x1", "r1", 2), workload("asks", "q", pod_set(1, **RACK))
    )
    assert planned(given, "asks")[:2] == (
        "NoFit",
        'couldn\'t assign flavors to pod set main: Flavor "plain" does not support TopologyAwareScheduling',
    )


def test_a_plain_flavor_may_stand_beside_for_what_the_pods_do_not_request() -> None:
    """Quota-only resources come from transformations; here the group covers nothing that the pods ask for."""
    beside = queue("q", {"f": 99}, groups=[("credits", ("plain",))])
    given = state(
        flavor("f"), flavor("plain", None), beside, node("x1", "r1", 2), workload("asks", "q", pod_set(1, **RACK))
    )
    assert planned(given, "asks")[0] == "Fit"


def test_pods_without_requests_get_no_flavor_that_could_place_them() -> None:
    given = state(flavor("f"), queue("q", {"f": 9}), node("x1", "r1", 2), workload("asks", "q", pod_set(1, None)))
    assert planned(given, "asks")[:2] == ("NoFit", "failed to assign flavors to pod set main: no TAS flavor assigned")


def test_a_queue_without_resource_groups_refuses_even_pods_without_requests() -> None:
    given = state(flavor("f"), queue("q", {}), node("x1", "r1", 2), workload("asks", "q", pod_set(1, None)))
    message = (
        "failed to assign flavors to pod set main: workload requires Topology, but there is no TAS cache information"
    )
    assert planned(given, "asks")[:2] == ("NoFit", message)


def test_the_second_head_of_a_cycle_takes_another_rack() -> None:
    nodes = [node("x1", "r1", 2), node("x2", "r2", 2)]
    asking = [workload(f"w{i}", f"q{i}", pod_set(2, **RACK)) for i in (1, 2)]
    entries = cycle(state(flavor("f"), queue("q1", {"f": 9}), queue("q2", {"f": 9}), *nodes, *asking))
    assert [str(entries[name].status) for name in ("w1", "w2")] == ["assumed", "assumed"]
    assert (hosts_in(entries["w1"]), hosts_in(entries["w2"])) == ({"x1": 2}, {"x2": 2})


def test_where_there_is_no_other_rack_the_second_head_waits() -> None:
    nodes = [node("x1", "r1", 3), node("x2", "r2", 1)]
    asking = [workload(f"w{i}", f"q{i}", pod_set(2, **RACK)) for i in (1, 2)]
    entries = cycle(state(flavor("f"), queue("q1", {"f": 9}), queue("q2", {"f": 9}), *nodes, *asking))
    assert entries["w2"].reason == "WaitingForQuota"
    assert entry_message(entries["w2"]).endswith('topology "racks" allows to fit only 1 out of 2 pod(s)')


def test_what_is_nominated_anew_keeps_to_its_flavors() -> None:
    nodes = [node("x1", "r1", 2), node("y1", "r9", 2, pool="other")]
    first = workload("w1", "q1", pod_set(2, **RACK))
    second = workload("w2", "q2", pod_set(2, **RACK))
    both = queue("q2", {"f": 9, "g": 9})
    entries = cycle(state(flavor("f"), flavor("g", pool="other"), queue("q1", {"f": 9}), both, *nodes, first, second))
    assert entries["w2"].reason == "WaitingForQuota"
    assert "skipping flavor g" not in entry_message(entries["w2"])  # the search stopped at f, and so before g
    assert 'topology "racks" doesn\'t allow to fit any of 2 pod(s)' in entry_message(entries["w2"])


def test_two_flavors_over_one_node_do_not_see_each_other_within_a_cycle() -> None:
    asking = [workload("w1", "q1", pod_set(2, **RACK)), workload("w2", "q2", pod_set(2, **RACK))]
    flavors = [flavor("f"), flavor("g")]
    entries = cycle(state(*flavors, queue("q1", {"f": 9}), queue("q2", {"g": 9}), node("x1", "r1", 2), *asking))
    assert [str(entries[name].status) for name in ("w1", "w2")] == ["assumed", "assumed"]
    running = workload("w1", "q1", pod_set(2, **RACK), **on("f", "q1", {"x1": 2}))
    given = state(*flavors, queue("q1", {"f": 9}), queue("q2", {"g": 9}), node("x1", "r1", 2), running, asking[1])
    assert planned(given, "w2")[0] == "Preempt"


def lost(hosts: Mapping[str, int], present: Mapping[str, int], topology: Mapping[str, Any], *, gone: str = "x1") -> Any:
    """The hosts after ``gone`` was lost of a workload on ``present``, or the message."""
    racks = {name: name[0] for name in hosts}
    nodes = [node(name, racks[name], cpu) for name, cpu in hosts.items()]
    running = workload("w", "q", pod_set(sum(present.values()), **topology), **on("f", "q", present, lost=gone))
    given = state(flavor("f"), queue("q", {"f": 99}), *nodes, running)
    found = nominate_again(given, given.kueue.second_pass[0])
    assert found.assignment is not None
    places = found.assignment.pod_sets[0].topology
    return hosts_of(places) if str(found.mode) == "Fit" and places is not None else nomination_message(found)


PAIRS = {"podSetSliceRequiredTopology": "rack", "podSetSliceSize": 2}
HOSTS = {"x2": 2, "x3": 2, "y1": 2, "y2": 4}


@pytest.mark.parametrize(
    ("hosts", "present", "topology", "answer"),
    [
        (HOSTS, {"x1": 2, "x2": 2}, RACK, {"x2": 2, "x3": 2}),
        ({k: v for k, v in HOSTS.items() if k != "x3"}, {"x1": 2, "x2": 2}, {"preferred": "rack"}, {"x2": 2, "y1": 2}),
        (HOSTS, {"x1": 2}, RACK, {"x2": 2}),
        (HOSTS, {"x1": 2, "x9": 1}, RACK, "contains the stale domain x9"),
        (
            HOSTS,
            {"x1": 1, "y2": 1},
            {"podSetSliceRequiredTopology": "rack", "podSetSliceSize": 2},
            "topology level not",
        ),
        (HOSTS, {"x1": 2, "x2": 1}, {"required": HOST}, "topologyDomain: 4"),
    ],
)
def test_a_lost_node_is_replaced(hosts: Any, present: Any, topology: Any, answer: Any) -> None:
    found = lost(hosts, present, topology)
    assert found == answer if isinstance(answer, dict) else answer in found


def test_what_a_lost_node_leaves_without_a_place_is_evicted() -> None:
    running = workload("w", "q", pod_set(4, **RACK), **on("f", "q", {"x1": 2, "x2": 2}, lost="x1"))
    entries = cycle(state(flavor("f"), queue("q", {"f": 9}), node("x2", "x", 2), node("y1", "y", 4), running))
    assert str(entries["w"].status) == "evicted"


@pytest.mark.parametrize(
    ("selector", "checks", "law"),
    [
        ({"matchLabels": {"team": "other"}}, [], Law.NAMESPACE_NOT_SELECTED),
        ({}, [{"name": "c", "state": "Rejected", "message": "", "lastTransitionTime": NOW}], Law.CHECKS_FAILED),
    ],
)
def test_what_its_queue_does_not_consider_keeps_its_quota(selector: Any, checks: Any, law: Law) -> None:
    """Neither replaced nor evicted: nothing is looked for."""
    running = workload("w", "q", pod_set(4, **RACK), **on("f", "q", {"x1": 2, "x2": 2}, lost="x1"))
    running["status"]["admissionChecks"] = checks
    made = queue("q", {"f": 9})
    made["spec"]["namespaceSelector"] = selector
    (entry,) = cycle(state(flavor("f"), made, node("x2", "x", 2), node("y1", "y", 4), running)).values()
    assert str(entry.status) == "inadmissible"
    assert entry.nomination.refused is not None
    assert entry.nomination.refused.law is law


def test_a_head_comes_before_its_queues_lost_workload_under_fair_sharing_alone() -> None:
    running = workload("w", "q", pod_set(2, **RACK), **on("f", "q", {"x1": 2}, lost="x1"))
    given = state(flavor("f"), queue("q", {"f": 9}), node("x2", "x", 4), running, workload("asks", "q", pod_set(1)))
    entries = cycle(given)
    assert [(name, str(e.status)) for name, e in entries.items()] == [("w", "assumed"), ("asks", "assumed")]


def test_cordoned_and_unready_nodes_do_not_count() -> None:
    closed = node("x1", "r1", 4)
    closed["spec"]["unschedulable"] = True
    nodes = [closed, node("x2", "r1", 4, ready=False), node("x3", "r1", 1)]
    given = state(flavor("f"), queue("q", {"f": 9}), *nodes, workload("asks", "q", pod_set(2, **RACK)))
    assert "allows to fit only 1 out of 2 pod(s)" in planned(given, "asks")[1]


def test_other_pods_take_room_unless_a_topology_placed_them_or_they_are_over() -> None:
    def pod(name: str, cpu: int, phase: str = "Running", **annotations: str) -> Object:
        containers = [{"name": "c", "resources": {"requests": {"cpu": str(cpu)}}}]
        metadata = {"name": name, "namespace": "other", "annotations": annotations}
        spec = {"nodeName": "x1", "containers": containers}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": phase}}

    pods = [
        pod("plain", 1),
        pod("over", 1, "Succeeded"),
        pod("placed", 1, **{"kueue.x-k8s.io/podset-unconstrained-topology": "true"}),
    ]
    asks = workload("asks", "q", pod_set(3, **RACK))
    given = state(flavor("f"), queue("q", {"f": 9}), node("x1", "r1", 3), *pods, asks)
    assert "allows to fit only 2 out of 3 pod(s)" in planned(given, "asks")[1]


def test_what_a_ready_check_adds_counts_before_there_is_quota_too_but_not_for_flavors() -> None:
    updates: list[Any] = [{"name": "main", "nodeSelector": {"zone": "b", "pool": "other"}}]
    checks = [{"name": "c", "state": "Ready", "message": "", "lastTransitionTime": NOW, "podSetUpdates": updates}]
    nodes = [node("x1", "r1", 2, zone="a"), node("x2", "r2", 2, zone="b")]
    asks = workload("asks", "q", pod_set(1, **RACK), admissionChecks=checks)
    mode, message, _, _ = planned(state(flavor("f"), queue("q", {"f": 9}), *nodes, asks), "asks")
    assert (mode, "nodeSelector: 2" in message) == ("NoFit", True)
    del updates[0]["nodeSelector"]["pool"]
    assert planned(state(flavor("f"), queue("q", {"f": 9}), *nodes, asks), "asks")[2] == {"x2": 1}
    checks[0]["state"] = "Pending"
    assert planned(state(flavor("f"), queue("q", {"f": 9}), *nodes, asks), "asks")[2] == {"x1": 1}


def test_what_a_ready_check_adds_to_pods_decides_where_they_go() -> None:
    held = on("f", "q", {"x1": 1})
    del held["admission"]["podSetAssignments"][0]["topologyAssignment"]
    held["admission"]["podSetAssignments"][0]["delayedTopologyRequest"] = "Pending"
    held["conditions"] = held["conditions"][:1]
    updates = [{"name": "main", "nodeSelector": {"zone": "b"}}]
    held["admissionChecks"] = [{"name": "c", "state": "Ready", "podSetUpdates": updates}]
    running = workload("w", "q", pod_set(1, **RACK), **held)
    nodes = [node("x1", "r1", 2, zone="a"), node("x2", "r2", 2, zone="b")]
    given = state(flavor("f"), queue("q", {"f": 9}), *nodes, running)
    found = nominate_again(given, given.kueue.second_pass[0])
    assert found.assignment is not None
    assert found.assignment.pod_sets[0].topology is not None
    assert hosts_of(found.assignment.pod_sets[0].topology) == {"x2": 1}


def test_where_only_fewer_pods_have_a_place_after_the_checks_kueue_tries_in_vain() -> None:
    """Kueue 0.19.2 assumes the Workload with fewer pods; the API server refuses to change its admission."""
    held = on("f", "q", {"x1": 4})
    (given,) = held["admission"]["podSetAssignments"]
    del given["topologyAssignment"]
    given["delayedTopologyRequest"] = "Pending"
    held["conditions"] = held["conditions"][:1]
    held["admissionChecks"] = [{"name": "c", "state": "Ready"}]
    asks = pod_set(4, **RACK)
    running = workload("w", "q", asks, **held)
    nodes = [node("x1", "r1", 2), node("x2", "r1", 1), node("y1", "r2", 2)]
    made = flavor("f"), queue("q", {"f": 9}), *nodes
    assert str(cycle(state(*made, running))["w"].status) == ""
    asks["minCount"] = 1
    entry = cycle(state(*made, running))["w"]
    assert (str(entry.status), hosts_in(entry)) == ("assumed", {"x1": 2, "x2": 1})
    assert entry.nomination.assignment is not None
    (served,) = entry.nomination.assignment.pod_sets
    assert (served.count, served.requests) == (3, {"cpu": 3000})
    assert entry.nomination.shrinks
    assert not entry.nomination.admits
    found = cycle_report(state(*made, running)).fidelity
    assert any("it has fewer pods than the Workload holds quota for" in doubt for doubt in found.doubts)


def test_two_nodes_of_one_host_name_leave_the_place_to_chance() -> None:
    twins = [node("x1", "r1", 2), node("x2", "r2", 2)]
    twins[1]["metadata"]["labels"][HOST] = "x1"
    given = state(flavor("f"), queue("q", {"f": 9}), *twins, workload("asks", "q", pod_set(1, **RACK)))
    doubt = plan(given, given.kueue.pending[0]).fidelity.doubts[-1]
    assert doubt.startswith("in which domain nodes are that share a host name")
