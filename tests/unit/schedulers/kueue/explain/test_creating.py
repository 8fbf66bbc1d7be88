"""A job of which Kueue can make no Workload has no exact plan; a real Kueue makes none in ``tests/live``."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown

STATE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  namespaceSelector: {}
  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 40}]}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: jobs, namespace: team}
spec: {clusterQueue: q}
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
integrations: {frameworks: [batch/job, ray.io/raycluster]}
"""
QUEUED = {"kueue.x-k8s.io/queue-name": "jobs"}
PODS = {"spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]}}


def cluster(*groups: str, queued: bool = True) -> dict[str, Any]:
    """A RayCluster with these groups of workers."""
    metadata = {"name": "r", "namespace": "team", "labels": QUEUED if queued else {}}
    workers = [{"groupName": name, "replicas": 1, "template": PODS} for name in groups]
    spec = {"headGroupSpec": {"template": PODS}, "workerGroupSpecs": workers}
    return {"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": metadata, "spec": spec}


def planned(job: dict[str, Any], folder: Path) -> dict[str, Any]:
    (folder / "state.yaml").write_text(STATE)
    (folder / "job.json").write_text(json.dumps(job))
    screen = shown(f"kubectl-fairshare plan -f {folder}/state.yaml -w {folder}/job.json -o json")
    return dict(json.loads(screen.stdout))


@pytest.mark.parametrize(
    ("groups", "field"),
    [
        (("a-b",), ""),
        (("A",), ""),
        (("",), ""),
        (("a" * 63,), ""),
        (("a_b",), "spec.podSets[1].name"),
        (("a.b",), "spec.podSets[1].name"),
        (("a" * 64,), "spec.podSets[1].name"),
        (("a", "A"), "spec.podSets[2]"),
    ],
)
def test_pod_sets_have_names_that_a_workload_may_have(groups: tuple[str, ...], field: str, tmp_path: Path) -> None:
    document = planned(cluster(*groups), tmp_path)
    assert document["fidelity"]["exact"] is not bool(field)
    assert document["byQuotaAlone"] == "Admitted"
    subjects = [each["subject"] for each in document["fidelity"]["notModelled"] if each["touches"]]
    start = f"the Workload that Kueue makes of RayCluster team/r: {field}: "
    assert [each.startswith(start) for each in subjects] == ([True] if field else [])


def test_of_a_job_that_kueue_does_not_manage_no_workload_is_made(tmp_path: Path) -> None:
    document = planned(cluster("a_b", queued=False), tmp_path)
    assert (document["outcome"], document["fidelity"]["exact"]) == ("Unmanaged", True)
