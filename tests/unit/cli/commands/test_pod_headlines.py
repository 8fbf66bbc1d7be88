"""The first line about a pod that waits names the filter that rejects it, not what the scheduler tried last.

Tests ``words/plan_clauses.py`` of ElasticQuota and Koordinator; the filters are those of Kubernetes 1.35, in order:
NodeUnschedulable, TaintToleration, NodeAffinity, NodeResourcesFit, after the quotas' PreFilter.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.screens import shown

HOUSES = {
    "capacityscheduler": "scheduling.x-k8s.io/v1alpha1",
    "koord-scheduler": "scheduling.sigs.k8s.io/v1alpha1",
}
LABELS = {"quota.scheduling.koordinator.sh/name": "quota"}
TAINT = {"taints": [{"key": "gpu", "value": "true", "effect": "NoSchedule"}]}


def node(name: str, cpu: int, **spec: Any) -> dict[str, Any]:
    amounts = {"cpu": str(cpu), "memory": "16Gi", "pods": "110"}
    status = {"allocatable": amounts, "conditions": [{"type": "Ready", "status": "True"}]}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": spec, "status": status}


def pod(name: str, scheduler: str, cpu: int, **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "red", "uid": name, "labels": LABELS}
    metadata["creationTimestamp"] = "2026-02-01T08:00:00Z"
    requests = {"requests": {"cpu": str(cpu)}}
    filled = {"schedulerName": scheduler, "containers": [{"name": "c", "image": "x", "resources": requests}], **spec}
    status = {"phase": "Running", "startTime": "2026-02-01T08:00:00Z"} if "nodeName" in spec else {"phase": "Pending"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": filled, "status": status}


@pytest.mark.parametrize("scheduler", HOUSES)
@pytest.mark.parametrize(
    ("nodes", "asked", "headline"),
    [
        ([node("n1", 8, unschedulable=True), node("n2", 2)], {}, "not now: n1 has room, but is cordoned"),
        ([node("n1", 8, **TAINT), node("n2", 4)], {}, "not now: n1 has room, but has a taint that the pod does not"),
        ([node("n1", 8), node("n2", 2)], {"nodeSelector": {"zone": "a"}}, "never: n1 has room, but does not match"),
        ([node("n1", 3, **TAINT), node("n2", 4)], {}, "not now: no node has room for it"),
        ([node("n1", 3, **TAINT), node("n2", 3)], {}, "never: no single node is large enough for it"),
        ([node("n2", 4)], {"preemptionPolicy": "Never"}, "not now: no node has room for it; its preemptionPolicy is"),
        ([node("n2", 4, **TAINT)], {}, "never: n2 is large enough, but has a taint"),
    ],
    ids=["cordon", "taint", "selector", "too small for its taint to matter", "size", "no preemption", "large enough"],
)
def test_the_headline_is_the_filter_that_rejects(
    tmp_path: Path, scheduler: str, nodes: list[dict[str, Any]], asked: dict[str, Any], headline: str
) -> None:
    quota = {"apiVersion": HOUSES[scheduler], "kind": "ElasticQuota", "spec": {"min": {"cpu": "20"}}}
    quota |= {"metadata": {"name": "quota", "namespace": "red"}, "spec": {"min": {"cpu": "20"}, "max": {"cpu": "20"}}}
    running = pod("running", scheduler, 1, nodeName="n2", priority=9)
    waiting = pod("big", scheduler, 4, priority=0, **asked)
    file = tmp_path / "state.yaml"
    spare = node("spare", 20, taints=[{"key": "no", "effect": "NoSchedule"}])
    spare["status"]["allocatable"]["pods"] = "0"
    file.write_text(yaml.safe_dump_all([quota, *nodes, spare, running, waiting]))
    screen = " ".join(shown(f"kubectl-fairshare why pod/big -n red -f {file}").stdout.split())
    assert screen.startswith(f"red/big · {headline}"), screen[:200]
