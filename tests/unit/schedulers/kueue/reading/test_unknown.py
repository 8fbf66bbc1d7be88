"""Names in Kueue's domain that Kueue does not know, and one that only others read."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import Screen

QUEUES = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: any, resources: [{name: cpu, nominalQuota: 4}]}]
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: jobs, namespace: team, annotations: {kueue.x-k8s.io/NAME: "true"}}
spec: {clusterQueue: team}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: one, namespace: team, labels: {kueue.x-k8s.io/queue-name: jobs}}
spec:
  suspend: true
  template: {spec: {restartPolicy: Never, containers: [{name: c, image: a, resources: {requests: {cpu: 1}}}]}}
"""


@pytest.mark.parametrize(("name", "exact"), [("default-queue", True), ("default-queues", False)])
def test_a_name_that_another_program_reads_leaves_an_answer_exact(
    run: Callable[[str], Screen], tmp_path: Path, name: str, *, exact: bool
) -> None:
    (tmp_path / "queues.yaml").write_text(QUEUES.replace("NAME", name))
    (tmp_path / "job.yaml").write_text(JOB)
    screen = run(f"kubectl-fairshare plan -f {tmp_path}/queues.yaml -w {tmp_path}/job.yaml --complete -o json")
    found = json.loads(screen.stdout)
    (answer,) = found.get("items", [found])
    assert answer["fidelity"]["exact"] == exact, screen
