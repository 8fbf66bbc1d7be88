"""Never means one thing in every house: it stays out whatever ends, with all nodes in service.

A cordon and the conditions of a node pass without a change of the job, the quotas or the labels of nodes, so a job that
waits for them is "not now". Sources: Kubernetes 1.35, NodeUnschedulable, TaintToleration, NodeAffinity,
NodeResourcesFit, and NodeLifecycleController for the taints; KAI's Predicates; Kueue's snapshot of TAS.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.screens import shown

CORDON: Final[dict[str, Any]] = {
    "unschedulable": True,
    "taints": [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}],
}
NOT_READY: Final = {"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}]}
OWN: Final = {"key": "team", "value": "a", "effect": "NoSchedule"}
SCHEDULERS: Final = {"kai": "kai-scheduler", "koordinator": "koord-scheduler"}
LABELS: Final = {
    "kueue.x-k8s.io/queue-name": "lq",
    "kai.scheduler/queue": "leaf",
    "quota.scheduling.koordinator.sh/name": "lab",
}
CASES: Final[dict[str, tuple[dict[str, Any], dict[str, Any], int, str]]] = {
    "open": ({}, {}, 4, "Admitted"),
    "cordoned": (CORDON, {}, 4, "Waits"),
    "cordoned, tainted too": ({**CORDON, "taints": [*CORDON["taints"], OWN]}, {}, 4, "Never"),
    "cordoned, no label": (CORDON, {"nodeSelector": {"zone": "a"}}, 4, "Never"),
    "cordoned, too small": (CORDON, {}, 9, "Never"),
    "not ready": (NOT_READY, {}, 4, "Waits"),
    "tainted": ({"taints": [OWN]}, {}, 4, "Never"),
    "no label": ({}, {"nodeSelector": {"zone": "a"}}, 4, "Never"),
    "too small": ({}, {}, 9, "Never"),
}
"""Fields of the one large node, fields of the pod, its cpu, and the outcome."""


def _object(version: str, kind: str, name: str, spec: dict[str, Any], space: str = "") -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": space} if space else {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}


def _node(name: str, cpu: int, spec: dict[str, Any]) -> dict[str, Any]:
    ready = "False" if spec == NOT_READY else "True"
    found = _object("v1", "Node", name, spec)
    found["metadata"]["labels"] = {"kubernetes.io/hostname": name, "pool": "a"}
    room = {"cpu": str(cpu), "memory": "64Gi", "pods": "110"}
    return {**found, "status": {"allocatable": room, "conditions": [{"type": "Ready", "status": ready}]}}


def _state(large: dict[str, Any]) -> list[dict[str, Any]]:
    amounts = {"min": {"cpu": 20}, "max": {"cpu": 20}}
    bounds = {"resources": {r: {"quota": -1, "limit": -1} for r in ("gpu", "cpu", "memory")}}
    flavors = [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": 20}]}]
    kueue = "kueue.x-k8s.io/v1beta2"
    return [
        _object("v1", "Namespace", "t", {}),
        _object("v1", "Pod", "proxy", {"nodeName": "n2", "containers": [{"name": "c", "image": "x"}]}, "kube-system"),
        _node("n1", 8, large),
        _node("n2", 2, {}),
        _object(kueue, "Topology", "top", {"levels": [{"nodeLabel": "kubernetes.io/hostname"}]}),
        _object(kueue, "ResourceFlavor", "f", {"nodeLabels": {"pool": "a"}, "topologyName": "top"}),
        _object(
            kueue,
            "ClusterQueue",
            "cq",
            {"namespaceSelector": {}, "resourceGroups": [{"coveredResources": ["cpu"], "flavors": flavors}]},
        ),
        _object(kueue, "LocalQueue", "lq", {"clusterQueue": "cq"}, "t"),
        _object("scheduling.x-k8s.io/v1alpha1", "ElasticQuota", "eq", amounts, "t"),
        _object("scheduling.sigs.k8s.io/v1alpha1", "ElasticQuota", "lab", amounts, "t"),
        _object("scheduling.run.ai/v2", "Queue", "dept", bounds),
        _object("scheduling.run.ai/v2", "Queue", "leaf", {"parentQueue": "dept", **bounds}),
    ]


def _job(house: str, cpu: int, more: dict[str, Any]) -> dict[str, Any]:
    named = {"schedulerName": SCHEDULERS[house]} if house in SCHEDULERS else {}
    container = {"name": "c", "image": "x", "resources": {"requests": {"cpu": str(cpu)}}}
    spec = {"restartPolicy": "Never", "containers": [container], **named, **more}
    annotations = {"kueue.x-k8s.io/podset-required-topology": "kubernetes.io/hostname"}
    template = {"metadata": {"labels": LABELS, **({"annotations": annotations} if house == "kueue" else {})}}
    job = _object("batch/v1", "Job", "j", {"suspend": house == "kueue", "template": {**template, "spec": spec}}, "t")
    job["metadata"]["labels"] = LABELS
    return job


@pytest.mark.parametrize("house", ["kueue", "kai", "elasticquota", "koordinator"])
@pytest.mark.parametrize("case", CASES)
def test_never_is_what_no_end_and_no_passing_state_of_a_node_changes(house: str, case: str, tmp_path: Path) -> None:
    large, more, cpu, outcome = CASES[case]
    state, asked = tmp_path / "state.json", tmp_path / "job.json"
    state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": _state(large)}), encoding="utf-8")
    asked.write_text(json.dumps(_job(house, cpu, more)), encoding="utf-8")
    screen = shown(f"kubectl-fairshare plan -f {state} -w {asked} --scheduler {house} -o json")
    found = json.loads(screen.stdout)
    assert (found["outcome"], found["fidelity"]["exact"]) == (outcome, True), found["verdict"]
    said = found["verdict"]
    if case.startswith("cordoned") and outcome == "Waits":
        assert "cordoned" in said or "unschedulable" in said
    if "taint" in case and (house, case) != ("kueue", "cordoned, tainted too"):  # Kueue counts the node as cordoned
        assert "taint" in said


# queue manager AddOrUpdateWorkload: a workload whose devices cannot be counted is in no queue, as why says.
def test_a_cycle_counts_what_no_queue_takes_as_never(tmp_path: Path) -> None:
    folder = Path("testdata/reports/kueue-dra-unmapped")
    claims = "resourceClaims: [{name: g, resourceClaimTemplateName: one}]"
    amounts = "{requests: {cpu: 1}, claims: [{name: g}]}"
    pod = f"{{containers: [{{name: c, image: x, resources: {amounts}}}], {claims}}}"
    metadata = "{name: w, namespace: main, uid: w, resourceVersion: '1', creationTimestamp: '2026-08-01T09:00:00Z'}"
    spec = f"{{queueName: q, podSets: [{{name: main, count: 1, template: {{spec: {pod}}}}}]}}"
    workload = f"apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {metadata}\nspec: {spec}\n"
    (tmp_path / "w.yaml").write_text(workload)
    for command in ("cycle", "why -A"):
        call = f"kubectl-fairshare {command} -f {folder}/org -f {folder}/cfg.yaml -f {tmp_path}/w.yaml"
        assert shown(call).stdout.startswith("1 never"), command
