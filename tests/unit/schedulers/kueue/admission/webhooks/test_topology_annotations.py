"""A new job whose annotations Kueue's webhook rejects has no exact plan: no scheduler ever sees it."""

import json
from pathlib import Path

import pytest

from tests.screens import shown
from tests.unit.schedulers.kueue.rules.topology.test_annotations import LAYERS, REQUIRED, job, layers

STATE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: t}
spec: {levels: [{nodeLabel: rack}, {nodeLabel: host}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
spec: {nodeLabels: {pool: p}, topologyName: t}
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
apiVersion: v1
kind: Node
metadata: {name: node, labels: {pool: p, rack: r, host: h}}
status: {allocatable: {cpu: "8", pods: "110"}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: team}
spec: {nodeName: node, containers: [{name: c, image: i}]}
status: {phase: Running}
"""
SLICES = REQUIRED | {"slice-required-topology": "host"}


def planned(annotations: dict[str, str], folder: Path, *, pods: int = 4) -> tuple[int, bool, str]:
    """The exit code, whether the answer is exact, and the verdict."""
    (folder / "state.yaml").write_text(STATE)
    (folder / "job.json").write_text(job(annotations, pods))
    screen = shown(f"kubectl-fairshare plan -f {folder}/state.yaml -w {folder}/job.json -o json")
    document = json.loads(screen.stdout)
    return screen.code, document["fidelity"]["exact"], document["verdict"]


@pytest.mark.parametrize("annotations", [REQUIRED, SLICES | {"slice-size": "2"}, SLICES | {"slice-size": "+2"}])
def test_a_job_that_kueue_takes_has_an_exact_plan(annotations: dict[str, str], tmp_path: Path) -> None:
    assert planned(annotations, tmp_path)[:2] == (0, True)


@pytest.mark.parametrize(
    ("annotations", "why"),
    [
        (SLICES | {"slice-size": "two"}, "not a number"),
        (SLICES | {"slice-size": "9" * 5000}, "not a number"),
        (SLICES | {"slice-size": "0"}, "below 1"),
        (SLICES | {"slice-size": "5"}, "above the 4 pods"),
        (REQUIRED | {"preferred-topology": "rack"}, "exclude each other"),
        (REQUIRED | {LAYERS: layers(("rack", 4), ("host", 3))}, "does not divide"),
    ],
)
def test_a_job_that_kueue_rejects_has_none(annotations: dict[str, str], why: str, tmp_path: Path) -> None:
    code, exact, verdict = planned(annotations, tmp_path)
    assert (code, exact) == (5, False)
    assert "Kueue's webhook rejects it" in verdict
    assert why in verdict


@pytest.mark.parametrize("level", ["", "-", "a/b/c", "Example.com/rack"])
def test_a_level_is_a_node_label(level: str, tmp_path: Path) -> None:
    for annotations in ({"required-topology": level}, SLICES | {"slice-required-topology": level, "slice-size": "2"}):
        _, exact, verdict = planned(annotations, tmp_path)
        assert (exact, "is not a node label" in verdict) == (False, True)


def test_annotations_that_no_webhook_checks_may_keep_kueue_from_making_a_workload(tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(STATE)
    for annotations, exact in ((REQUIRED, True), (SLICES | {"slice-size": "two"}, False)):
        (tmp_path / "job.json").write_text(job(annotations, kind="StatefulSet"))
        screen = shown(f"kubectl-fairshare plan -f {tmp_path}/state.yaml -w {tmp_path}/job.json -o json")
        document = json.loads(screen.stdout)
        assert document["fidelity"]["exact"] is exact
        assert ("an annotation that no webhook checks: slice size `two`" in document["verdict"]) is not exact


def test_a_train_job_is_checked_as_its_runtime_renders_it(tmp_path: Path) -> None:
    container = {"name": "node", "image": "i", "resources": {"requests": {"cpu": "1"}}}
    metadata = {"annotations": {"kueue.x-k8s.io/podset-slice-size": "2"}}
    pods = {"template": {"metadata": metadata, "spec": {"containers": [container]}}}
    runtime = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "r"},
        "spec": {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": {"spec": pods}}]}}},
    }
    (tmp_path / "state.yaml").write_text(f"{STATE}---\n{json.dumps(runtime)}\n")
    train = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "t", "namespace": "team", "labels": {"kueue.x-k8s.io/queue-name": "jobs"}},
        "spec": {"runtimeRef": {"name": "r"}},
    }
    (tmp_path / "job.json").write_text(json.dumps(train))
    screen = shown(f"kubectl-fairshare plan -f {tmp_path}/state.yaml -w {tmp_path}/job.json -o json")
    assert "Kueue's webhook rejects it: a slice size needs a level" in json.loads(screen.stdout)["verdict"]


def test_the_sign_of_a_slice_size_is_read(tmp_path: Path) -> None:
    """Nine pods have no room for their requests; in slices of four, the ninth is not placed."""
    assert planned(REQUIRED, tmp_path, pods=9)[:2] == (4, True)
    assert [planned(SLICES | {"slice-size": size}, tmp_path, pods=9)[:2] for size in ("4", "+4")] == [(0, True)] * 2
