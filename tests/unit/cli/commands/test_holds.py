"""What holds a job after Kueue has admitted it: the same sentence in ``plan``, ``why`` and ``lint``, for every kind."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown

REPORTS = "testdata/reports"
GATE = "scheduling gate `example.com/wait` holds its pods after admission, until the controller of the gate removes it"
EXCLUDED = (
    "the transformation of `nvidia.com/mig-1g.5gb` never applies: `excludeResourcePrefixes` removes `nvidia.com/` first"
)
ENABLED = (
    *("batch/job", "pod", "deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"),
    *("jobset.x-k8s.io/jobset", "ray.io/rayjob", "ray.io/raycluster", "workload.codeflare.dev/appwrapper"),
    *("kubeflow.org/pytorchjob", "kubeflow.org/mpijob", "trainer.kubeflow.org/trainjob"),
    *("sparkoperator.k8s.io/sparkapplication", "ray.io/rayservice"),
)
SPEC = {
    "restartPolicy": "Never",
    "schedulingGates": [{"name": "example.com/wait"}],
    "containers": [{"name": "main", "image": "x", "resources": {"requests": {"cpu": "1"}}}],
}
QUEUED = {"kueue.x-k8s.io/queue-name": "lq"}
POD = {"spec": SPEC}
SET = {"spec": {"template": POD, "parallelism": 2, "completions": 2}}
ROLE = {"replicas": 2, "template": POD}
CLUSTER = {"headGroupSpec": {"template": POD}, "workerGroupSpecs": []}
SPARK = {"coreRequest": "1", "template": POD}
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "Job": ("batch/v1", {**SET["spec"], "suspend": True}),
    "JobSet": ("jobset.x-k8s.io/v1alpha2", {"replicatedJobs": [{"name": "w", "template": SET}], "suspend": True}),
    "RayJob": (
        "ray.io/v1",
        {"rayClusterSpec": CLUSTER, "shutdownAfterJobFinishes": True, "submitterPodTemplate": POD, "suspend": True},
    ),
    "RayCluster": ("ray.io/v1", {**CLUSTER, "suspend": True}),
    "PyTorchJob": ("kubeflow.org/v1", {"pytorchReplicaSpecs": {"Worker": ROLE}}),
    "CronJob": (
        "batch/v1",
        {"schedule": "* * * * *", "jobTemplate": {"metadata": {"labels": QUEUED}, "spec": {**SET["spec"]}}},
    ),
    "RayService": ("ray.io/v1", {"rayClusterConfig": CLUSTER}),
    "MPIJob": ("kubeflow.org/v2beta1", {"mpiReplicaSpecs": {"Launcher": {"template": POD}, "Worker": ROLE}}),
    "LeaderWorkerSet": (
        "leaderworkerset.x-k8s.io/v1",
        {"leaderWorkerTemplate": {"size": 2, "workerTemplate": POD}},
    ),
    "AppWrapper": (
        "workload.codeflare.dev/v1beta2",
        {"components": [{"template": {"apiVersion": "batch/v1", "kind": "Job", **SET}}]},
    ),
    "Deployment": ("apps/v1", {"replicas": 2, "template": POD, "selector": {"matchLabels": {"a": "b"}}}),
    "StatefulSet": ("apps/v1", {"replicas": 2, "template": POD, "selector": {"matchLabels": {"a": "b"}}}),
    "Pod": ("v1", SPEC),
    "TrainJob": ("trainer.kubeflow.org/v1alpha1", {"runtimeRef": {"name": "torch"}, "suspend": True}),
    "SparkApplication": (
        "sparkoperator.k8s.io/v1beta2",
        {"mode": "cluster", "driver": SPARK, "executor": {**SPARK, "instances": 1}},
    ),
}
_OF_ONE_POD = ("RayCluster", "RayService", "TrainJob")
STEP = {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}


def _state(quota: str = "", *, gated: bool = False) -> list[dict[str, Any]]:
    flavors = [{"name": "f", "resources": [{"name": r, "nominalQuota": 20} for r in ("cpu", "memory")]}]
    groups = [{"coveredResources": ["cpu", "memory"], "flavors": flavors}]
    runtime = {"metadata": {"labels": STEP}, "spec": {"template": POD}}
    replicated = {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": runtime}]}}}
    settings = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"}
    objects = [
        _object("v1", "Namespace", "team", ""),
        _object("kueue.x-k8s.io/v1beta2", "ResourceFlavor", "f", ""),
        _object(
            "kueue.x-k8s.io/v1beta2", "ClusterQueue", "cq", "", {"namespaceSelector": {}, "resourceGroups": groups}
        ),
        _object("kueue.x-k8s.io/v1beta2", "LocalQueue", "lq", "team", {"clusterQueue": "cq"}),
        _object(
            "trainer.kubeflow.org/v1alpha1", "ClusterTrainingRuntime", "torch", "", _with_gates(replicated, gated=gated)
        ),
        {
            **settings,
            "integrations": {"frameworks": [*ENABLED]},
            "featureGates": {"SparkApplicationIntegration": True},
        },
    ]
    if quota:
        objects.append(_object("v1", "ResourceQuota", "rq", "team", {"hard": {"requests.cpu": quota}}))
    return objects


def _with_gates(spec: dict[str, Any], *, gated: bool) -> dict[str, Any]:
    text = json.dumps(spec)
    found: dict[str, Any] = json.loads(text if gated else text.replace('"schedulingGates"', '"unused"'))
    return found


def _object(version: str, kind: str, name: str, space: str, spec: dict[str, Any] | None = None) -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": space} if space else {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **({} if spec is None else {"spec": spec})}


def _job(kind: str, *, gated: bool) -> dict[str, Any]:
    version, spec = KINDS[kind]
    job = _object(version, kind, "j", "team", _with_gates(spec, gated=gated))
    if kind in ("Deployment", "StatefulSet"):
        job["spec"]["template"]["spec"]["restartPolicy"] = "Always"
    job["metadata"]["labels"] = QUEUED
    return job


def _screens(folder: Path, state: list[dict[str, Any]], job: dict[str, Any]) -> dict[str, str]:
    around, asked = folder / "state.json", folder / "job.json"
    around.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": state}), encoding="utf-8")
    asked.write_text(json.dumps(job), encoding="utf-8")
    kind = job["kind"].lower()
    calls = {
        "plan": f"plan -f {around} -w {asked}",
        "why": f"why {kind}/j -n team -f {around} -f {asked}",
        "lint": f"lint {around} {asked}",
    }
    return {name: " ".join(shown(f"kubectl-fairshare {call}").stdout.split()) for name, call in calls.items()}


# Kueue removes only its own gates: podset.Merge keeps those of the template, utilpod.Ungate names Kueue's.
@pytest.mark.parametrize("kind", KINDS)
def test_a_gate_of_another_controller_holds_every_kind_of_job(kind: str, tmp_path: Path) -> None:
    for name, text in _screens(tmp_path, _state(gated=True), _job(kind, gated=True)).items():
        assert GATE in text, f"{name}: {text}"
    for name, text in _screens(tmp_path, _state(), _job(kind, gated=False)).items():
        assert "holds its pods after admission" not in text, f"{name}: {text}"


# The admission plugin ResourceQuota, checkRequest: one pod after the other, and Kueue does not read it.
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("Pod", *_OF_ONE_POD)])
def test_a_resource_quota_rejects_pods_of_every_kind_of_job(kind: str, tmp_path: Path) -> None:
    for name, text in _screens(tmp_path, _state("1500m"), _job(kind, gated=False)).items():
        assert "ResourceQuota team/rq lets " in text, f"{name}: {text}"
        assert "pods be created (requests.cpu)" in text
    for text in _screens(tmp_path, _state("9"), _job(kind, gated=False)).values():
        assert "ResourceQuota team/rq" not in text


def test_the_pods_of_a_deployment_come_before_its_workloads(tmp_path: Path) -> None:
    """The first pod is rejected, so Kueue sees none."""
    text = _screens(tmp_path, _state("500m"), _job("Deployment", gated=False))["plan"]
    assert "never creates its pods: ResourceQuota team/rq rejects the pod (requests.cpu)" in text


@pytest.mark.parametrize(
    ("name", "given", "asked", "sentence", "headline"),
    [
        ("kueue-foreign-gate", "org", "pod.yaml", GATE, "admitted now; then held by scheduling gate example.com/wait"),
        (
            *("kueue-transformation-excluded", "org", "job.yaml"),
            EXCLUDED,
            "admitted now",
        ),
        (
            *("kueue-resourcequota-after-admission", "state.yaml", "ask.yaml"),
            "ResourceQuota t/rq lets 2 of its 4 pods be created (requests.cpu)",
            "admitted now; then held by ResourceQuota t/rq",
        ),
    ],
)
def test_reports(name: str, given: str, asked: str, sentence: str, headline: str) -> None:
    folder = f"{REPORTS}/{name}"
    document = json.loads(shown(f"kubectl-fairshare plan -f {folder}/{given} -w {folder}/{asked} -o json").stdout)
    assert document["verdict"] == headline
    assert document["fidelity"]["exact"] is True
    assert [hold["sentence"] for hold in document["holds"]] == [sentence]
    assert sentence in " ".join(shown(f"kubectl-fairshare lint {folder}").stdout.split())


# From v0.19.6 on, Kueue transforms before it excludes: what then counts was not measured.
def test_an_excluded_transformation_is_only_said_of_releases_that_exclude_first() -> None:
    folder = f"{REPORTS}/kueue-transformation-excluded"
    call = f"plan -f {folder}/org -w {folder}/job.yaml --release 0.19.6 -o json"
    document = json.loads(shown(f"kubectl-fairshare {call}").stdout)
    assert document["holds"] == []
    assert document["fidelity"]["exact"] is False


def test_the_list_of_what_waits_says_what_will_hold_a_workload(tmp_path: Path) -> None:
    first = {"name": "first", "image": "x", "resources": {"requests": {"cpu": "2"}}}
    sets = [{"name": "main", "count": 4, "template": {"spec": {**SPEC, "initContainers": [first]}}}]
    workload = _object("kueue.x-k8s.io/v1beta2", "Workload", "w", "team", {"queueName": "lq", "podSets": sets})
    state = tmp_path / "state.json"
    items = [*_state("1500m"), workload]
    state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}), encoding="utf-8")
    document = json.loads(shown(f"kubectl-fairshare why -A -f {state} -o json").stdout)
    (entry,) = (each for group in document["groups"] for each in group["workloads"])
    quota = "ResourceQuota team/rq lets 0 of its 4 pods be created (requests.cpu)"
    assert [hold["sentence"] for hold in entry["holds"]] == [GATE, quota]
    assert {(part["kind"], part["perPod"]) for part in entry["requestParts"]} == {("init container", "2")}
    text = " ".join(shown(f"kubectl-fairshare why -A -f {state}").stdout.split())
    assert "also held besides quotas, see `why NAME`: team/w" in text
    assert "requests that are not simply written, see `why NAME`: team/w" in text
