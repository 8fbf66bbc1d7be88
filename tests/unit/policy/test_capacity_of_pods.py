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


def rows(run: Run, words: str) -> Any:
    return json.loads(run(f"kubectl-fairshare capacity {words} -o json").stdout)["queues"]
