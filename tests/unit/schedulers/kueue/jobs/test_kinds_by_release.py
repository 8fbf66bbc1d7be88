"""Which kinds of jobs a release manages, what its webhooks reject in them, and what of their pods it counts."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.screens import shown
from tests.unit.schedulers.kueue.test_laws_by_release import QUEUES, ray

LABEL = {"kueue.x-k8s.io/queue-name": "l"}
ELASTIC = {"kueue.x-k8s.io/elastic-job": "true"}
CONFIGURATION = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"}
SPARK = "sparkoperator.k8s.io/sparkapplication"
Manifest = dict[str, Any]


def service(**cluster: Any) -> Manifest:
    found = ray("RayService")
    return {**found, "spec": {"rayClusterConfig": {**found["spec"], **cluster}}}


def spark() -> Manifest:
    role = {"coreRequest": "1", "memory": "512m"}
    spec = {"mode": "cluster", "driver": role, "executor": {**role, "instances": 1}}
    return {"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication", "spec": spec}


def written(folder: Path, job: Manifest, *settings: Manifest, **metadata: Any) -> tuple[Path, Path]:
    """The files of the queues, with the Configuration, and of the job."""
    policy, path = folder / "policy.yaml", folder / "job.yaml"
    policy.write_text(QUEUES + "---\n" + yaml.safe_dump_all(settings), "utf-8")
    own = {"name": "j", "namespace": "default", "labels": LABEL, **metadata}
    path.write_text(yaml.safe_dump({**job, "metadata": own}), "utf-8")
    return policy, path


def planned(folder: Path, job: Manifest, release: str, *settings: Manifest, **metadata: Any) -> Manifest:
    policy, path = written(folder, job, *settings, **metadata)
    document = json.loads(shown(f"kubectl-fairshare plan -f {policy} -w {path} --release {release} -o json").stdout)
    return dict(document)


def configured(frameworks: list[str], **gates: bool) -> Manifest:
    found = {**CONFIGURATION, "integrations": {"frameworks": frameworks}}
    return {**found, "featureGates": gates} if gates else found


@pytest.mark.parametrize(
    ("release", "frameworks", "managed"),
    [
        ("0.16", ["ray.io/raycluster"], True),
        ("0.16", ["batch/job"], False),
        ("0.17", ["ray.io/raycluster"], False),
        ("0.17", ["ray.io/rayservice"], True),
    ],
)
def test_a_ray_service_is_managed_by_its_cluster_before_v0_17(
    tmp_path: Path, release: str, frameworks: list[str], managed: bool
) -> None:
    document = planned(tmp_path, service(), release, configured(frameworks))
    assert (document["outcome"] == "Admitted", document["fidelity"]["grade"]) == (managed, "exact")
    assert ("not managed by Kueue" in json.dumps(document)) is not managed


def test_v0_16_has_no_spark_applications(tmp_path: Path) -> None:
    """Without a Configuration in the input all kinds count that the release knows."""
    found = {release: json.dumps(planned(tmp_path, spark(), release)) for release in ("0.16", "0.17")}
    assert f"Kueue v0.16 has no integration {SPARK}" in found["0.16"]
    assert "has no integration" not in found["0.17"]


@pytest.mark.parametrize(("release", "nested"), [("0.16", False), ("0.17", True)])
def test_the_cluster_of_a_ray_service_is_a_job_of_its_own_before_v0_17(
    tmp_path: Path, release: str, nested: bool
) -> None:
    owner = {"apiVersion": "ray.io/v1", "kind": "RayService", "name": "s", "uid": "u", "controller": True}
    document = planned(tmp_path, ray("RayCluster"), release, ownerReferences=[owner])
    assert any(gap["feature"] == "NestedJob" for gap in document["fidelity"]["notModelled"]) is nested


@pytest.mark.parametrize(("release", "most"), [("0.16", 7), ("0.17", 7), ("0.18", 9), ("0.19", 17)])
@pytest.mark.parametrize("make", [lambda **c: ray("RayCluster", **c), service], ids=["cluster", "service"])
def test_as_many_groups_of_workers_as_pod_sets_allow(tmp_path: Path, release: str, most: int, make: Any) -> None:
    head = ray("RayCluster")["spec"]["headGroupSpec"]
    groups = [{**head, "groupName": f"g{n}", "replicas": 1} for n in range(most + 1)]
    codes = []
    for some in (groups[:-1], groups):
        policy, path = written(tmp_path, make(workerGroupSpecs=some))
        codes.append(shown(f"kubectl-fairshare plan -f {policy} -w {path} --release {release}"))
    assert codes[0].code == 0
    assert f"Kueue's webhook accepts {most} at most" in " ".join(codes[1].stderr.split())


@pytest.mark.parametrize(
    ("make", "rejected"),
    [(lambda **c: ray("RayCluster", **c), True), (lambda **c: ray("RayJob", **c), False)],
    ids=["RayCluster", "RayJob"],
)
def test_ray_jobs_that_are_annotated_may_scale_where_the_gate_of_elastic_jobs_is_off(
    tmp_path: Path, make: Any, rejected: bool
) -> None:
    policy, path = written(tmp_path, make(enableInTreeAutoscaling=True), annotations=ELASTIC)
    found = shown(f"kubectl-fairshare plan -f {policy} -w {path} --release 0.17")
    assert ("Kueue's webhook rejects it" in " ".join(found.stderr.split())) is rejected


@pytest.mark.parametrize(("release", "refused"), [("0.17.6", False), ("0.17.7", True), ("0.18.2", False)])
def test_replicas_of_a_leader_worker_set_are_bounded_since_a_patch_of_each_line(
    tmp_path: Path, release: str, refused: bool
) -> None:
    template = {"spec": {"containers": [{"name": "c", "image": "i"}]}}
    spec = {"replicas": 1_000_001, "leaderWorkerTemplate": {"size": 1, "workerTemplate": template}}
    job = {"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet", "spec": spec}
    policy, path = written(tmp_path, job)
    found = shown(f"kubectl-fairshare lint {policy} {path} --select K207 --release {release}")
    assert (found.code == 1) is refused


@pytest.mark.parametrize(
    ("job", "release", "frameworks", "said", "remedy"),
    [
        (spark(), "0.16", ["batch/job"], f"Kueue v0.16 has no integration `{SPARK}`", "upgrade Kueue"),
        (service(), "0.16", ["batch/job"], "`ray.io/raycluster` is not enabled", "add `ray.io/raycluster`"),
        (service(), "0.17", ["batch/job"], "`ray.io/rayservice` is not enabled", "add `ray.io/rayservice`"),
    ],
)
def test_lint_names_the_integration_that_the_release_has(
    tmp_path: Path, job: Manifest, release: str, frameworks: list[str], said: str, remedy: str
) -> None:
    policy, path = written(tmp_path, job, configured(frameworks))
    told = " ".join(shown(f"kubectl-fairshare lint {policy} {path} --select K173 --release {release}").stdout.split())
    assert said in told
    assert remedy in told


@pytest.mark.parametrize(
    ("release", "gates", "rule"),
    [
        ("0.16", {}, "K118"),
        ("0.17", {}, "K131"),
        ("0.19", {}, "K131"),
        ("0.17", {"SparkApplicationIntegration": True}, ""),
        ("0.20", {"SparkApplicationIntegration": True}, ""),
    ],
)
def test_the_framework_of_spark_needs_its_gate(tmp_path: Path, release: str, gates: dict[str, bool], rule: str) -> None:
    path = tmp_path / "configuration.yaml"
    path.write_text(yaml.safe_dump(configured([SPARK], **gates)), "utf-8")
    found = shown(f"kubectl-fairshare lint {path} --release {release}")
    assert (found.code, f"error[{rule}]" in found.stdout) == ((1, True) if rule else (0, False))


@pytest.mark.parametrize("claim", ["resourceClaimName", "resourceClaimTemplateName"])
@pytest.mark.parametrize("configured_", [False, True])
@pytest.mark.parametrize(
    ("release", "outcome"), [("0.16", "Admitted"), ("0.17", "Admitted"), ("0.18", "Never"), ("0.19", "Never")]
)
def test_claims_of_pods_do_not_count_before_v0_18(
    tmp_path: Path, release: str, outcome: str, configured_: bool, claim: str
) -> None:
    """The gate DynamicResourceAllocation is off in 0.16 and 0.17, and a workload with claims is queued as any other."""
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}, "claims": [{"name": "g"}]}}
    pod = {"restartPolicy": "Never", "containers": [container], "resourceClaims": [{"name": "g", claim: "one"}]}
    job = {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": {"spec": pod}}}
    found = planned(tmp_path, job, release, *([CONFIGURATION] if configured_ else []))
    if outcome == "Admitted":
        assert (found["outcome"], found["fidelity"]["grade"]) == (outcome, "exact")
    else:  # a template that the input lacks leaves open what is counted
        assert found["outcome"] == (outcome if claim == "resourceClaimName" else "Unknown")


GROUP = "trainer.kubeflow.org"


def train_job(policy: Manifest | None = None, **trainer: Any) -> tuple[Manifest, Manifest]:
    """A TrainJob and its runtime, whose pods request 1 cpu and 2 GiB."""
    container = {"name": "node", "image": "i", "resources": {"requests": {"cpu": "1", "memory": "2Gi"}}}
    labels = {f"{GROUP}/trainjob-ancestor-step": "trainer"}
    template = {"metadata": {"labels": labels}, "spec": {"template": {"spec": {"containers": [container]}}}}
    of_runtime = {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": template}]}}}
    runtime = {
        "apiVersion": f"{GROUP}/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "r"},
        "spec": of_runtime if policy is None else {**of_runtime, "mlPolicy": policy},
    }
    spec = {"runtimeRef": {"name": "r"}, **({"trainer": trainer} if trainer else {})}
    return {"apiVersion": f"{GROUP}/v1alpha1", "kind": "TrainJob", "spec": spec}, runtime


@pytest.mark.parametrize(
    ("release", "patched", "grade"),
    [
        ("0.16", False, "exact"),
        ("0.16", True, "not exact"),
        ("0.17", True, "exact"),
        ("0.20", False, "exact"),
        ("0.20", True, "not exact"),
    ],
)
def test_a_train_job_is_rendered_by_the_trainer_of_the_release(
    tmp_path: Path, release: str, patched: bool, grade: str
) -> None:
    """Trainer v2.1 has no `runtimePatches`; v2.3 merges them into the whole runtime."""
    job, runtime = train_job()
    patch = {"manager": "example.com/m", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": []}}}}
    job["spec"] |= {"runtimePatches": [patch]} if patched else {}
    found = planned(tmp_path, job, release, runtime)
    assert (found["fidelity"]["grade"], found["byWhatIsModelled"]) == (grade, "Admitted")


@pytest.mark.parametrize(
    ("release", "policy", "requests"),
    [
        ("0.19", {"numNodes": 1}, {"cpu": "3"}),
        ("0.19", None, {"cpu": "3"}),
        ("0.20", {"numNodes": 1}, {"cpu": "3", "memory": "2Gi"}),
        ("0.20", None, {"cpu": "1", "memory": "2Gi"}),
    ],
)
def test_resources_per_node_replace_or_join_those_of_the_runtime(
    tmp_path: Path, release: str, policy: Manifest | None, requests: dict[str, str]
) -> None:
    job, runtime = train_job(policy, resourcesPerNode={"requests": {"cpu": "3"}})
    found = planned(tmp_path, job, release, runtime)
    (pods,) = found["workload"]["podSets"]
    assert {each["resource"]: each["perPod"]["quantity"] for each in pods["requests"]} == requests
    assert found["fidelity"]["grade"] == "exact"


@pytest.mark.parametrize(("release", "grade"), [("0.19", "exact"), ("0.20", "not exact")])
def test_flux_is_not_followed_to_the_later_trainer(tmp_path: Path, release: str, grade: str) -> None:
    job, runtime = train_job({"flux": {}}, numNodes=1)
    assert planned(tmp_path, job, release, runtime)["fidelity"]["grade"] == grade


LAYERS = {"kueue.x-k8s.io/podset-slice-required-topology-constraints": '[{"topology": "rack", "size": 1}]'}


@pytest.mark.parametrize(
    ("release", "gates", "found"),
    [
        ("0.16", {}, ""),
        ("0.17", {}, "K192"),
        ("0.18", {}, "K192"),
        ("0.18", {"TASMultiLayerTopology": True}, "K180"),
        ("0.19", {}, "K180"),
        ("0.19", {"TASMultiLayerTopology": False}, "K192"),
    ],
)
def test_a_list_of_layers_is_unknown_or_refused_or_read(
    tmp_path: Path, release: str, gates: dict[str, bool], found: str
) -> None:
    """The webhook refuses it while its gate is off; 0.16 does not know the annotation."""
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
    template = {"metadata": {"annotations": LAYERS}, "spec": {"restartPolicy": "Never", "containers": [container]}}
    job = {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": template}}
    settings = {**CONFIGURATION, "featureGates": gates}
    policy, path = written(tmp_path, job, settings)
    told = shown(f"kubectl-fairshare lint {policy} {path} --select K180,K192 --release {release}").stdout
    assert [rule for rule in ("K180", "K192") if f"error[{rule}]" in told] == ([found] if found else [])
    outcome = {"": "Admitted", "K180": "Never", "K192": "Unknown"}[found]
    assert planned(tmp_path, job, release, settings)["outcome"] == outcome
