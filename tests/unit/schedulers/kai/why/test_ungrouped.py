"""A hand-written pod without PodGroup: ``why`` knows as much of its creation as ``plan``."""

import json
from pathlib import Path

import pytest

from tests.screens import shown

QUEUE = """apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {{name: {name}}}
spec:
  {parent}
  resources:
    gpu: {{quota: -1, limit: -1, overQuotaWeight: 1}}
    cpu: {{quota: -1, limit: -1, overQuotaWeight: 1}}
    memory: {{quota: -1, limit: -1, overQuotaWeight: 1}}
---
"""
NODE = """apiVersion: v1
kind: Node
metadata: {name: node-a}
status:
  allocatable: {cpu: "8", memory: 16Gi, pods: "20", nvidia.com/gpu: "4"}
  conditions: [{type: Ready, status: "True"}]
---
"""
POD = """apiVersion: v1
kind: Pod
metadata: {name: p, namespace: team, labels: {kai.scheduler/queue: q}, annotations: {%s}}
spec: {schedulerName: kai-scheduler, containers: [{name: c, image: x, resources: {requests: {cpu: 1}}}]}
"""
FULL = """---
apiVersion: v1
kind: ResourceQuota
metadata: {name: full, namespace: team}
spec: {hard: {pods: "1"}}
status: {hard: {pods: "1"}, used: {pods: "1"}}
"""


@pytest.mark.parametrize(
    ("annotations", "limit", "doubt"),
    [
        ("", "", ""),
        ("", FULL, "ResourceQuota"),
        ("gpu-fraction: '2'", "", "KAI's webhook rejects it: gpu-fraction must be a number between 0 and 1"),
    ],
)
def test_what_is_not_created_does_not_wait(tmp_path: Path, annotations: str, limit: str, doubt: str) -> None:
    """Source: the API server's ResourceQuota admission; ``ValidatePod`` of KAI's admission webhook."""
    queues = QUEUE.format(name="top", parent="") + QUEUE.format(name="q", parent="parentQueue: top")
    state, work = tmp_path / "state.yaml", tmp_path / "work.yaml"
    state.write_text(queues + NODE + POD % annotations + limit)
    work.write_text(POD % annotations)
    why = json.loads(shown(f"kubectl-fairshare why pod/p -n team -f {state} --scheduler kai -o json").stdout)
    plan = json.loads(shown(f"kubectl-fairshare plan -w {work} -f {state} --scheduler kai -o json").stdout)
    assert why["verdict"] == ("Unknown" if doubt else "Waiting")
    assert plan["outcome"] == ("Unknown" if doubt else "Admitted")
    for each in (why, plan):
        assert each["fidelity"]["exact"] is not bool(doubt)
        assert doubt in str(each["fidelity"]["notModelled"])
