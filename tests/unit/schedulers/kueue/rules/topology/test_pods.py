"""Rules: Pods whose topology annotation makes them invisible to placement."""

import json
from typing import Any

import pytest

from tests.unit.schedulers.kueue.rules.asking import configuration, reported

ANNOTATION = "kueue.x-k8s.io/podset-preferred-topology"


def pod(namespace: str = "team", labels: dict[str, str] | None = None, *, owned: bool = False) -> str:
    metadata: dict[str, Any] = {
        "name": "p",
        "namespace": namespace,
        "labels": labels or {},
        "annotations": {ANNOTATION: "rack"},
    }
    if owned:
        metadata["ownerReferences"] = [{"apiVersion": "batch/v1", "kind": "Job", "name": "j", "controller": True}]
    spec = {"nodeName": "n1", "containers": [{"name": "c", "image": "i"}]}
    return json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}) + "\n"


@pytest.mark.parametrize(
    ("document", "number"),
    [
        (pod(), 1),
        (pod(labels={"kueue.x-k8s.io/queue-name": "jobs"}), 0),
        (pod(owned=True), 0),
        (pod("kube-system", owned=True), 1),
    ],
)
def test_pods_without_a_queue_or_outside_of_managed_namespaces(document: str, number: int) -> None:
    assert len(reported("K201", document)) == number


def test_without_topologies_no_pod_is_judged() -> None:
    assert (
        reported("K201", pod(), configuration("featureGates: {TopologyAwareScheduling: false, AllBeta: false}\n")) == ()
    )
