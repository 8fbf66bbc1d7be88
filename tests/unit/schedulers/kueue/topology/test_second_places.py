"""Workloads of lost nodes, and those in flavors that their ClusterQueue no longer has.

What is expected here is what a real Kueue does with these states.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown

API = "kueue.x-k8s.io/v1beta2"
AT = "2026-01-01T00:00:00Z"
REPORT = "testdata/reports/kueue-topology-gate-off-second-pass/state.yaml"
Object = dict[str, Any]


def kueue(kind: str, name: str, spec: Object, **more: Any) -> Object:
    """An object of Kueue's."""
    namespaced = {"namespace": "team"} if kind in ("LocalQueue", "Workload") else {}
    metadata = {"name": name, **namespaced, **more.pop("metadata", {})}
    return {"apiVersion": API, "kind": kind, "metadata": metadata, "spec": spec, **more}


def queue(name: str, flavor: str, quota: int) -> list[Object]:
    """A ClusterQueue of one flavor, which takes back what it lent, and its LocalQueue."""
    flavors = [{"name": flavor, "resources": [{"name": "cpu", "nominalQuota": quota}]}]
    spec = {
        "namespaceSelector": {},
        "cohortName": "all",
        "preemption": {"reclaimWithinCohort": "Any"},
        "resourceGroups": [{"coveredResources": ["cpu"], "flavors": flavors}],
    }
    return [kueue("ClusterQueue", name, spec), kueue("LocalQueue", name, {"clusterQueue": name})]


def node(name: str, cpus: str = "4") -> Object:
    labels = {"pool": "a", "kubernetes.io/hostname": name}
    status = {"allocatable": {"cpu": cpus, "pods": "10"}, "conditions": [{"type": "Ready", "status": "True"}]}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "status": status}


def workload(name: str, pods: int, priority: int, **status: Any) -> Object:
    """A Workload; with a ``queue`` it holds quota there."""
    held = status.pop("queue", "")
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
    pod_set = {"name": "main", "count": pods, "template": {"spec": {"containers": [container]}}}
    spec = {"queueName": held or status.pop("asks", "lender"), "priority": priority, "podSets": [pod_set]}
    slices = [{"domainCount": 1, "valuesPerLevel": [{"universal": "x1"}], "podCounts": {"universal": pods}}]
    assigned = {
        "name": "main",
        "count": pods,
        "flavors": {"cpu": "f"},
        "resourceUsage": {"cpu": str(pods)},
        "topologyAssignment": {"levels": ["kubernetes.io/hostname"], "slices": slices},
    }
    told = {"status": "True", "message": "", "lastTransitionTime": AT}
    conditions = [{"type": each, "reason": each, **told} for each in ("QuotaReserved", "Admitted")]
    holding = {"admission": {"clusterQueue": held, "podSetAssignments": [assigned]}, "conditions": conditions, **status}
    metadata = {"uid": name, "creationTimestamp": AT}
    return kueue("Workload", name, spec, metadata=metadata, **({"status": holding} if held else {}))


def report(folder: Path, *objects: Object) -> Object:
    """A cycle in a cluster with the flavors ``f`` and ``g`` of one topology."""
    levels = {"levels": [{"nodeLabel": "kubernetes.io/hostname"}]}
    flavors = [
        kueue("ResourceFlavor", name, {"nodeLabels": {"pool": pool}, "topologyName": "t"})
        for name, pool in (("f", "a"), ("g", "b"))
    ]
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}
    spec = {"nodeName": "elsewhere", "containers": [{"name": "c", "image": "i"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "other", "namespace": "team"}, "spec": spec}
    items = [namespace, pod, kueue("Topology", "t", levels), *flavors, *objects]
    (folder / "state.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return dict(json.loads(shown(f"kubectl-fairshare cycle -f {folder}/state.json --complete -o json").stdout))


def cycle(folder: Path, *objects: Object) -> list[Object]:
    """The heads of such a cycle, which is exact."""
    document = report(folder, *objects)
    assert document["fidelity"]["exact"]
    return list(document["entries"])


@pytest.mark.parametrize(("flavor", "victims"), [("f", ["held"]), ("g", [])])
def test_nodes_of_a_dropped_flavor_are_not_freed_for_a_preemptor(
    flavor: str, victims: list[str], tmp_path: Path
) -> None:
    queues = [*queue("lender", "f", 4), *queue("borrower", flavor, 0)]
    held, asks = workload("held", 4, 0, queue="borrower"), workload("asks", 1, 10)
    (head,) = cycle(tmp_path, *queues, node("x1"), held, asks)
    assert [each["workload"]["name"] for each in head["victims"]] == victims


@pytest.mark.parametrize(("flavor", "status"), [("f", "assumed"), ("g", "evicted")])
def test_pods_of_a_lost_node_find_no_place_in_a_dropped_flavor(flavor: str, status: str, tmp_path: Path) -> None:
    queues = [*queue("lender", "f", 4), *queue("borrower", flavor, 0)]
    held = workload("held", 4, 0, queue="borrower", unhealthyNodes=[{"name": "x1"}])
    (head,) = cycle(tmp_path, *queues, node("x1"), node("x2"), held)
    assert head["status"] == status


@pytest.mark.parametrize(("fair", "outcomes"), [(True, 2), (False, 1)])
def test_chance_decides_who_of_a_queue_looks_for_a_second_place(fair: bool, outcomes: int, tmp_path: Path) -> None:
    """With fair sharing one of them does in a cycle, without it both."""
    strategies = {"fairSharing": {"preemptionStrategies": ["LessThanInitialShare"]}} if fair else {}
    configuration = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", **strategies}
    lost = [workload(name, 1, 0, queue="lender", unhealthyNodes=[{"name": "x1"}]) for name in ("one", "two")]
    document = report(tmp_path, configuration, *queue("lender", "f", 4), node("x1"), node("x2"), *lost)
    assert document["fidelity"]["outcomes"] == outcomes
    assert [each["status"] for each in document["entries"]].count("assumed") == (1 if fair else 2)


def test_the_head_of_a_queue_comes_before_those_that_look_for_a_second_place(tmp_path: Path) -> None:
    configuration = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"}
    fair = {**configuration, "fairSharing": {"preemptionStrategies": ["LessThanInitialShare"]}}
    lost = [workload(name, 1, 0, queue="lender", unhealthyNodes=[{"name": "x1"}]) for name in ("one", "two")]
    head = workload("head", 1, 0)
    document = report(tmp_path, fair, *queue("lender", "f", 4), node("x1"), node("x2"), *lost, head)
    assert document["fidelity"]["outcomes"] == 1
    assumed = [each["workload"]["name"] for each in document["entries"] if each["status"] == "assumed"]
    assert assumed == ["head"]


def test_with_fair_sharing_quota_that_is_held_does_not_count_again(tmp_path: Path) -> None:
    """The one that looks for a second place stays within its quota, so it goes before one that borrows."""
    configuration = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"}
    fair = {**configuration, "fairSharing": {"preemptionStrategies": ["LessThanInitialShare"]}}
    queues = [*queue("content", "f", 2), *queue("greedy", "f", 1), *queue("rest", "f", 5)]
    held = workload("held", 2, 0, queue="content", unhealthyNodes=[{"name": "x1"}])
    heads = cycle(tmp_path, fair, *queues, node("x1", "2"), node("x2", "2"), held, workload("new", 2, 9, asks="greedy"))
    assert [(each["workload"]["name"], each["status"]) for each in heads][:1] == [("held", "assumed")]


def gate_off(path: str) -> Object:
    """What the cycle does with the one workload of the state."""
    screen = json.loads(shown(f"kubectl-fairshare cycle -f {path} -o json").stdout)
    assert screen["fidelity"]["exact"]
    (entry,) = screen["entries"]
    return dict(entry)


def test_a_second_pass_asks_for_its_quota_once_more_where_the_gate_is_off(tmp_path: Path) -> None:
    """``NeedsSecondPass`` has no gate; ``assignFlavors`` keeps the held flavors only with the gate on."""
    entry = gate_off(REPORT)
    assert (entry["mode"], entry["status"], entry["reason"]) == ("Preempt", "", "WaitingForQuota")
    assert entry["message"].endswith("insufficient unused quota for cpu in flavor f, 2 more needed")
    assert "runs on: no place is looked for" in shown(f"kubectl-fairshare cycle -f {REPORT}").stdout
    (tmp_path / "twice.yaml").write_text(Path(REPORT).read_text().replace('nominalQuota: "2"', 'nominalQuota: "4"'))
    assert gate_off(f"{tmp_path}/twice.yaml")["mode"] == "Fit"


def test_a_second_pass_is_counted_as_it_was_admitted_where_the_gate_is_off(tmp_path: Path) -> None:
    """``totalRequestsFromAdmission``: the amounts of the admission, not those of the pods."""
    text = Path(REPORT).read_text().replace('resourceUsage: {cpu: "2"}', 'resourceUsage: {cpu: "1"}')
    (tmp_path / "state.yaml").write_text(text)
    assert gate_off(f"{tmp_path}/state.yaml")["mode"] == "Fit"
