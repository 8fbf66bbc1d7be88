"""``capacity``: a workload takes as much of a quota of ``pods`` as it has pods; other schedulers do not count them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]
COUNTED = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: low, namespace: default}
spec:
  queueName: q
  priority: -1
  podSets: [{name: main, count: 2, template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]
status:
  admission:
    clusterQueue: vision
    podSetAssignments: [{name: main, count: 2, flavors: {cpu: any, pods: any}, resourceUsage: {cpu: 2, pods: 2}}]
  conditions:
  - {type: QuotaReserved, status: "True", reason: A, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: any}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: vision}
spec:
  namespaceSelector: {}
  preemption: {withinClusterQueue: LowerPriority}
  resourceGroups:
  - coveredResources: [cpu, pods]
    flavors: [{name: any, resources: [{name: cpu, nominalQuota: 40}, {name: pods, nominalQuota: 5}]}]
"""


def test_a_workload_takes_one_of_a_quota_of_pods_for_each_of_its_pods(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text(COUNTED)
    cpu, pods = rows(run, f"-f {tmp_path}/in.yaml")
    assert [pods[when]["size"]["value"] for when in ("now", "preempting", "ever")] == [3, 5, 5]
    assert "5 pods" in pods["ever"]["binds"]
    assert (pods["copies"], cpu["copies"]) == (3, 3)


@pytest.mark.parametrize("group", ["scheduling.x-k8s.io", "scheduling.sigs.k8s.io"])
def test_a_quota_of_pods_that_binds_none_has_no_row(run: Run, tmp_path: Path, group: str) -> None:
    quota = f"{{apiVersion: {group}/v1alpha1, kind: ElasticQuota, metadata: {{name: q, namespace: t}}"
    node = "{apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: 9, pods: 9}}}"
    (tmp_path / "in.yaml").write_text(
        f"{quota}, spec: {{min: {{cpu: 4, pods: 3}}, max: {{cpu: 4, pods: 3}}}}}}\n---\n{node}\n"
    )
    assert [row["resource"] for row in rows(run, f"-f {tmp_path}/in.yaml --complete")] == ["cpu"]
    screen = run(f"kubectl-fairshare capacity -f {tmp_path}/in.yaml --complete --resource pods")
    assert (screen.code, "a quota of `pods` binds no pod" in screen.stderr) == (2, True)


# The sum of all min of scheduler-plugins is 0 for what no min lists, and no pod is above it; Koordinator's max bounds
# what it lists. `plan` says the same of one pod.
@pytest.mark.parametrize(
    ("group", "request_of", "now"),
    [
        ("scheduling.x-k8s.io", "memory=1Gi", 0),
        ("scheduling.x-k8s.io", "example.com/x=1", 0),
        ("scheduling.sigs.k8s.io", "memory=1Gi", 8 << 30),
        ("scheduling.sigs.k8s.io", "example.com/x=1", 3),
        ("scheduling.sigs.k8s.io", "example.com/y=1", 0),
    ],
)
def test_a_request_of_what_no_quota_names_is_answered_as_plan_does(
    run: Run, tmp_path: Path, group: str, request_of: str, now: int
) -> None:
    quota = f"{{apiVersion: {group}/v1alpha1, kind: ElasticQuota, metadata: {{name: q, namespace: t}}"
    room = "{cpu: 9, pods: 9, memory: 8Gi, example.com/x: 3}"
    node = f"{{apiVersion: v1, kind: Node, metadata: {{name: a}}, status: {{allocatable: {room}}}}}"
    quotas = f"{quota}, spec: {{min: {{cpu: 4}}, max: {{cpu: 4}}}}}}\n"
    (tmp_path / "in.yaml").write_text(f"{quotas}---\n{node}\n")
    (row,) = rows(run, f"-f {tmp_path}/in.yaml --complete --request {request_of}")
    assert row["now"]["size"]["value"] == now
    chosen = "-n t" if group == "scheduling.x-k8s.io" else "--queue q"
    plan = run(f"kubectl-fairshare plan -f {tmp_path}/in.yaml --complete {chosen} --request {request_of} -o json")
    assert (json.loads(plan.stdout)["outcome"] == "Admitted") is bool(now)
    (tmp_path / "in.yaml").write_text(quotas)
    without = run(f"kubectl-fairshare capacity -f {tmp_path}/in.yaml --complete --request {request_of}")
    assert "no queue has quota for" in without.stderr


# Kubernetes' admission plugin ResourceQuota: a pod above its bound is never created.
def test_a_resource_quota_bounds_the_largest_pod_of_its_namespace(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text(
        "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: ElasticQuota, metadata: {name: q, namespace: t}, "
        "spec: {min: {cpu: 4}, max: {cpu: 4}}}\n---\n"
        "{apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: 9, pods: 9}}}\n---\n"
        "{apiVersion: v1, kind: ResourceQuota, metadata: {name: r, namespace: t}, spec: {hard: {cpu: 2}}}\n"
    )
    (row,) = rows(run, f"-f {tmp_path}/in.yaml --complete")
    assert [row[when]["size"]["value"] for when in ("now", "preempting", "ever")] == [2000, 2000, 2000]
    assert row["now"]["binds"] == "cpu: 3 requested + 0 used = 3 > 2 (ResourceQuota r)"


def rows(run: Run, words: str) -> Any:
    return json.loads(run(f"kubectl-fairshare capacity {words} -o json").stdout)["queues"]
