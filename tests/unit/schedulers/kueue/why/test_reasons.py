"""``why`` names the reason that Kueue has, and what the next cycle does with a head."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown
from tests.unit.cli.why_state import (
    GPU,
    Object,
    asked,
    condition,
    configuration,
    kueue,
    queue,
    running,
    screen,
    surroundings,
    workload,
)

BASE = [*surroundings(), *queue("q")]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(document: Any) -> tuple[str, str, str]:
    return document["verdict"], document["reason"], document["law"]


def node(name: str, gpus: int) -> Object:
    """A ready Node of flavor ``any``."""
    labels = {"a": "b", "kubernetes.io/hostname": name}
    status = {"allocatable": {GPU: str(gpus), "pods": "9"}, "conditions": [condition("Ready")]}
    metadata = {"name": name, "resourceVersion": "1", "labels": labels}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "status": status}


def pod(name: str, on: str, gpus: int) -> Object:
    """A running Pod that Kueue does not place."""
    container = {"name": "c", "resources": {"requests": {GPU: str(gpus)}}}
    metadata = {"name": name, "namespace": "team", "resourceVersion": "1"}
    spec = {"nodeName": on, "containers": [container]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Running"}}


def test_a_head_whose_namespace_is_not_selected_keeps_nobody_back_and_one_without_namespace_does() -> None:
    by_name = {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["away"]}]}
    strict = [*surroundings(), *queue("q", queueingStrategy="StrictFIFO", namespaceSelector=by_name)]
    local = kueue("LocalQueue", "q", {"clusterQueue": "q", "stopPolicy": "None"}, namespace="away")
    head = workload("head", 1, created=1, metadata={"namespace": "away"})
    away = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "away", "resourceVersion": "1"}}
    objects = [*strict, local, head, workload("w", 1, created=2)]
    found = asked([*objects, away], "workload/w -n team --complete")
    assert said(found) == ("Waiting", "PendingEvaluation", "kueue-next-cycle")
    found = asked(objects, "workload/w -n team --complete")
    assert said(found) == ("NotNow", "PendingEvaluation", "kueue-behind-head")


def test_a_victim_that_leaves_for_another_is_not_waited_for() -> None:
    lower = {"borrowWithinCohort": {"policy": "LowerPriority"}, "reclaimWithinCohort": "LowerPriority"}
    own = {"withinClusterQueue": "LowerPriority", **lower}
    both = [*queue("q", cohortName="org", preemption=own), *queue("other", cohortName="org")]
    leaving = running("leaving", 4, condition("Evicted", reason="PodsReadyTimeout", message="gone"))
    objects = [*surroundings(), *both, leaving, running("rest", 3, queue="other")]
    waits = workload("w", 5, created=2, spec={"priority": 8})
    assert said(asked([*objects, waits], "workload/w -n team"))[1] == "WaitingForPreemptedWorkloads"
    first = workload("first", 1, queue="other", created=1)
    found = asked([*objects, first, waits], "workload/w -n team")
    assert said(found) == ("NotNow", "WaitingForQuota", "kueue-no-longer-fits")
    behind = [*objects, workload("ahead", 5, spec={"priority": 9}), waits]
    assert said(asked(behind, "workload/w -n team")) == ("NotNow", "WaitingForQuota", "kueue-behind-preemptor")


def test_a_gate_that_the_record_alone_tells_of_keeps_nobody_out() -> None:
    told = condition("QuotaReserved", "False", "AdmissionGated", "Admission is gated by: example.com/copy")
    found = asked([*BASE, workload("w", 1, told)], "workload/w -n team")
    assert said(found) == ("Waiting", "PendingEvaluation", "kueue-next-cycle")
    gate = {"annotations": {"kueue.x-k8s.io/admission-gated-by": "example.com/copy"}}
    for featured, reason in (({}, "AdmissionGated"), ({"AdmissionGatedBy": False}, "PendingEvaluation")):
        objects = [*BASE, configuration(featureGates=featured), workload("w", 1, told, metadata=gate)]
        assert said(asked(objects, "workload/w -n team"))[1] == reason


def test_where_a_topology_keeps_it_out_the_reason_is_the_topology() -> None:
    placed = kueue("ResourceFlavor", "any", {"nodeLabels": {"a": "b"}, "topologyName": "t"})
    topology = kueue("Topology", "t", {"levels": [{"nodeLabel": "kubernetes.io/hostname"}]})
    objects = [BASE[0], placed, topology, *queue("q", 8), node("n", 4), pod("p", "n", 4)]
    for gpus, verdict in ((5, "Never"), (1, "NotNow")):
        found = asked([*objects, workload("w", gpus)], "workload/w -n team --complete")
        assert said(found)[:2] == (verdict, "TopologyPlacementFailed")


def test_a_resource_beside_one_that_fits_that_no_flavor_covers_matches_no_flavor() -> None:
    other = workload("w", 1)
    other["spec"]["podSets"][0]["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "1"
    found = asked([*BASE, other], "workload/w -n team")
    assert said(found) == ("Never", "NoMatchingFlavor", "kueue-resource-unavailable")


def test_a_request_for_a_topology_that_no_flavor_of_the_queue_has_matches_no_flavor() -> None:
    counted = {"input": "example.com/x", "strategy": "Replace", "outputs": {GPU: "1"}}
    asks = workload("w", 4)
    pod_set = asks["spec"]["podSets"][0]
    pod_set["topologyRequest"] = {"unconstrained": True}
    pod_set["template"]["spec"]["containers"][0]["resources"]["requests"] = {"example.com/x": "4"}
    objects = [*BASE, configuration(resources={"transformations": [counted]}), running("r", 1), asks]
    found = asked(objects, "workload/w -n team --complete")
    assert said(found) == ("Never", "NoMatchingFlavor", "kueue-no-topology")
    assert found["sentence"] == "it asks for a topology, and no flavor of its ClusterQueue has one"


def test_a_queue_that_the_input_lacks_leaves_open_what_its_quota_refuses() -> None:
    """A ClusterQueue that the input lacks may be of the cohort: plan and why call the same job unknown."""
    absent = kueue("LocalQueue", "other", {"clusterQueue": "absent"}, namespace="team")
    waits = workload("w", 9)
    objects = [*surroundings(), *queue("q", cohortName="all"), absent, waits]
    for each in objects:
        del each["metadata"]["resourceVersion"]  # written by hand: what is not here may exist
    found = asked(objects, "workload/w -n team", code=5)
    assert said(found)[:2] == ("Unknown", "NotModelled")
    assert "quota alone refuses it, but this decides" in " ".join(screen(objects, "workload/w -n team").stdout.split())
    Path("job.json").write_text(json.dumps(waits))
    plan = json.loads(shown("kubectl-fairshare plan -f state.json -w job.json -o json").stdout)
    assert plan["outcome"] == "Unknown"
    assert said(asked(objects, "workload/w -n team --complete"))[0] != "Unknown"
