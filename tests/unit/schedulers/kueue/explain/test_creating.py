"""A job of which Kueue can make no Workload has no exact plan; a real Kueue makes none in ``tests/live``."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.answers.fidelity import UNREAD
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.cluster.resources import needs
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.explain.creating import creating_gaps
from kubectl_fairshare.schedulers.kueue.jobs import Context, pending_of
from kubectl_fairshare.schedulers.recording import manifests_of
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
integrations: {frameworks: [batch/job, ray.io/raycluster, pod, statefulset]}
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
    assert document["byWhatIsModelled"] == "Admitted"
    subjects = [each["subject"] for each in document["fidelity"]["notModelled"] if each["touches"]]
    start = f"the Workload that Kueue makes of RayCluster team/r: {field}: "
    assert [each.startswith(start) for each in subjects] == ([True] if field else [])


def test_of_a_job_that_kueue_does_not_manage_no_workload_is_made(tmp_path: Path) -> None:
    document = planned(cluster("a_b", queued=False), tmp_path)
    assert (document["outcome"], document["fidelity"]["exact"]) == ("Unmanaged", True)


TWICE: Any = [{"name": "http", "containerPort": 80}, {"name": "metrics", "containerPort": 80}]
CONTAINER: Any = {"name": "c", "image": "i", "resources": {"requests": {"cpu": 0.5}}}


def job(kind: str = "Job", metadata: Any = None, container: Any = None, **pods: Any) -> dict[str, Any]:
    """A Job, or another kind that is written so, with these fields of its pods."""
    spec = {
        "containers": [CONTAINER | (container or {})],
        "restartPolicy": "Always" if kind == "StatefulSet" else "Never",
        **pods,
    }
    own = {"name": "j", "namespace": "team", "labels": QUEUED}
    if kind == "Pod":
        return {"apiVersion": "v1", "kind": "Pod", "metadata": own, "spec": spec}
    template = {"metadata": metadata, "spec": spec}
    version = "batch/v1" if kind == "Job" else "apps/v1"
    more = {} if kind == "Job" else {"selector": {"matchLabels": {"a": "b"}}}
    return {"apiVersion": version, "kind": kind, "metadata": own, "spec": {"template": template, **more}}


@pytest.mark.parametrize(
    ("made", "field"),
    [
        (job(container={"ports": TWICE}), "containers[0].ports[1]"),
        (job("Pod", container={"ports": TWICE}), "containers[0].ports[1]"),
        (job("StatefulSet", {"labels": {"a": "b"}}, {"ports": TWICE}), "containers[0].ports[1]"),
        (job(imagePullSecrets=[{"name": "a"}, {"name": "a"}]), "imagePullSecrets[1]"),
        (job(hostAliases=[{"ip": "1.2.3.4", "hostnames": [name]} for name in "ab"]), "hostAliases[1]"),
        (job(initContainers=[CONTAINER | {"name": "first", "ports": TWICE}]), "initContainers[0].ports[1]"),
        (job(container={"ports": [{"containerPort": 80}, {"containerPort": 80, "protocol": "UDP"}]}), ""),
        (job(container={"env": [{"name": "A", "value": text} for text in "ab"], "volumeMounts": None}), ""),
        (job(metadata={"creationTimestamp": None, "labels": {"a": "b"}}), ""),
        (job(initContainers=[]), ""),
    ],
)
def test_the_workload_has_the_pods_of_the_job(made: dict[str, Any], field: str, tmp_path: Path) -> None:
    fidelity = planned(made, tmp_path)["fidelity"]
    subjects = [each["subject"] for each in fidelity["notModelled"] if each["touches"]]
    of = f"the Workload that Kueue makes of {made['kind']} team/j: spec.podSets[0].template.spec."
    assert subjects == ([f"{of}{field}: occurs twice"] if field else [])
    assert fidelity["exact"] is not bool(field)


@pytest.mark.parametrize(
    ("metadata", "field"),
    [
        ({"labels": {"team name": "x"}}, "labels"),
        ({"labels": {"team": "of five"}}, "labels"),
        ({"annotations": {"a b": "x"}}, "annotations"),
        ({"labels": {"team": "five"}, "annotations": {"a": "of five"}}, ""),
    ],
)
def test_the_workload_has_the_labels_of_the_pods(metadata: dict[str, Any], field: str, tmp_path: Path) -> None:
    ray = cluster("a")
    ray["spec"]["headGroupSpec"] = {"template": {"metadata": metadata, **PODS}}
    fidelity = planned(ray, tmp_path)["fidelity"]
    start = "the Workload that Kueue makes of RayCluster team/r: spec.podSets[0].template.metadata."
    subjects = [each["subject"] for each in fidelity["notModelled"] if each["touches"]]
    assert [each.startswith(f"{start}{field}") for each in subjects] == ([True] if field else [])


WORKLOAD: dict[str, Any] = {
    "apiVersion": "kueue.x-k8s.io/v1beta2",
    "kind": "Workload",
    "metadata": {"name": "w", "namespace": "team"},
    "spec": {"queueName": "jobs", "podSets": [{"name": "main", "count": -1, "template": PODS}]},
}


@pytest.mark.parametrize("together", ["", " --together"])
def test_a_workload_that_no_api_server_takes_is_an_error(together: str, tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(STATE)
    (tmp_path / "w.json").write_text(json.dumps(WORKLOAD))
    asked = f"kubectl-fairshare plan -f {tmp_path}/state.yaml -w {tmp_path}/w.json"
    alone = shown(f"{asked}{together}")
    assert (alone.code, alone.stdout) == (3, "")
    assert "the API server rejects Workload team/w: spec.podSets[0].count: -1, at least 0" in alone.stderr
    (tmp_path / "j.json").write_text(json.dumps(job()))
    both = shown(f"{asked} -w {tmp_path}/j.json -o json")
    assert (both.code, "Workload team/w" in both.stderr) == (3, True)
    assert [each["outcome"] for each in json.loads(both.stdout)["items"]] == ["Admitted"]


SANDBOX = {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "s"}, "handler": "s"}


@pytest.mark.parametrize(
    ("pods", "more", "exact"),
    [
        ({"runtimeClassName": "s"}, "", False),
        ({"runtimeClassName": "s"}, " --complete", True),
        ({"runtimeClassName": "s"}, json.dumps(SANDBOX), True),
        ({"runtimeClassName": "s", "overhead": {"cpu": "1"}}, "", True),
        ({"runtimeClassName": ""}, "", True),
    ],
)
def test_the_overhead_of_a_runtime_class_must_be_known(
    pods: dict[str, Any], more: str, exact: bool, tmp_path: Path
) -> None:
    """Kueue goes on without that of a class that does not exist."""
    (tmp_path / "more.yaml").write_text(more if more.startswith("{") else "")
    (tmp_path / "state.yaml").write_text(STATE)
    wanted = {**WORKLOAD["spec"], "podSets": [{"name": "main", "template": {"spec": PODS["spec"] | pods}}]}
    (tmp_path / "w.json").write_text(json.dumps(WORKLOAD | {"spec": wanted}))
    extra = f" -f {tmp_path}/more.yaml" if more.startswith("{") else more
    screen = shown(f"kubectl-fairshare plan -f {tmp_path}/state.yaml -w {tmp_path}/w.json -o json{extra}")
    fidelity = json.loads(screen.stdout)["fidelity"]
    missing = [each["subject"] for each in fidelity["notModelled"] if each["feature"] == "NotInInput"]
    assert ("RuntimeClass s" in missing, fidelity["exact"]) == (not exact, exact)


def test_what_never_fits_needs_no_overhead(tmp_path: Path) -> None:
    document = planned(job(container={"resources": {"requests": {"cpu": "41"}}}, runtimeClassName="s"), tmp_path)
    assert (document["outcome"], document["fidelity"]["exact"]) == ("Never", True)


def test_why_of_a_job_without_a_workload_asks_whether_one_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(STATE)
    for ports, exact in ((TWICE, False), (TWICE[:1], True)):
        (tmp_path / "job.json").write_text(json.dumps(job(container={"ports": ports})))
        screen = shown(f"kubectl-fairshare why -f {tmp_path}/state.yaml -f {tmp_path}/job.json job/j -n team -o json")
        document = json.loads(screen.stdout)
        assert (document["verdict"], document["fidelity"]["exact"]) == ("Waiting" if exact else "Unknown", exact)


def bound(hard: dict[str, str], used: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    """A ResourceQuota of the jobs' namespace."""
    metadata = {"name": "bounds", "namespace": "team"}
    status = {"status": {"hard": hard, "used": used}} if used else {}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard, **spec}, **status}


WORKLOADS = "count/workloads.kueue.x-k8s.io"


@pytest.mark.parametrize(
    ("quota", "subjects"),
    [
        (bound({WORKLOADS: "1"}), ["Workload"]),
        (bound({WORKLOADS: "2"}), []),
        (bound({WORKLOADS: "2"}, {WORKLOADS: "2"}), ["Workload"]),
        (bound({WORKLOADS: "1"}, {WORKLOADS: "0"}), []),
        (bound({WORKLOADS: "1"}, scopes=["NotTerminating"]), []),
        (bound({"count/jobs.batch": "0"}), ["Job"]),
        (bound({"count/jobs.batch": "0", WORKLOADS: "0"}), ["Job", "Workload"]),
        (bound({"count/workloads": "0", "count/pods": "0"}), []),
    ],
)
def test_no_more_workloads_are_made_than_a_quota_counts(
    quota: dict[str, Any], subjects: list[str], tmp_path: Path
) -> None:
    state = f"{STATE}---\n{json.dumps(quota)}\n---\n"
    other = {**WORKLOAD, "spec": {**WORKLOAD["spec"], "podSets": [{"name": "main", "template": PODS}]}}
    stored = {**other, "metadata": {**WORKLOAD["metadata"], "name": "old", "uid": "1"}}
    (tmp_path / "state.yaml").write_text(f"{state}{json.dumps(stored)}")
    (tmp_path / "j.json").write_text(json.dumps(job()))
    (tmp_path / "w.json").write_text(json.dumps(other))
    workloads = [each for each in subjects if each == "Workload"]
    files = [(f"-w {tmp_path}/j.json", subjects), (f"-w {tmp_path}/w.json", workloads)]
    for words, counted in (*files, ("--request cpu=1 --queue team/jobs", workloads)):
        asked = f"kubectl-fairshare plan -f {tmp_path}/state.yaml {words} -o json"
        fidelity = json.loads(shown(asked).stdout)["fidelity"]
        found = [each["subject"] for each in fidelity["notModelled"] if each["feature"] == "ResourceQuotaCount"]
        assert (found, fidelity["exact"]) == (counted, not counted), words


@pytest.mark.parametrize("words", ["-w w.json", "-w j.json", "--request cpu=1 --queue team/jobs"])
def test_no_workload_is_made_in_a_namespace_that_is_being_deleted(words: str, tmp_path: Path) -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}
    (tmp_path / "j.json").write_text(json.dumps(job()))
    new = {**WORKLOAD, "spec": {**WORKLOAD["spec"], "podSets": [{"name": "main", "template": PODS}]}}
    (tmp_path / "w.json").write_text(json.dumps(new))
    for phase, exact in (("Active", True), ("Terminating", False)):
        given = json.dumps(namespace | {"status": {"phase": phase}})
        (tmp_path / "state.yaml").write_text(f"{STATE}---\n{given}")
        asked = f"kubectl-fairshare plan -f {tmp_path}/state.yaml {words.replace('-w ', f'-w {tmp_path}/')} -o json"
        assert json.loads(shown(asked).stdout)["fidelity"]["exact"] is exact


def test_why_on_a_cluster_reads_the_quotas_that_may_keep_a_workload_from_being_made() -> None:
    reads = [each.cluster() for each in known_schedulers()]
    assert "ResourceQuota" in {each.kind for each in needs("why", reads)}


def test_a_workload_that_is_there_is_not_counted_again(tmp_path: Path) -> None:
    made = {**WORKLOAD, "spec": {**WORKLOAD["spec"], "podSets": [{"name": "main", "template": PODS}]}}
    (tmp_path / "state.yaml").write_text(f"{STATE}---\n{json.dumps(bound({WORKLOADS: '1'}))}\n---\n{json.dumps(made)}")
    (tmp_path / "w.json").write_text(json.dumps(made))
    screen = shown(f"kubectl-fairshare plan -f {tmp_path}/state.yaml -w {tmp_path}/w.json -o json")
    assert json.loads(screen.stdout)["fidelity"]["exact"]


@pytest.mark.parametrize(("most", "exact"), [("0", False), ("1", True)])
def test_a_new_job_of_the_input_is_one_job(most: str, exact: bool, tmp_path: Path) -> None:
    quota = bound({"count/jobs.batch": most})
    (tmp_path / "state.yaml").write_text(f"{STATE}---\n{json.dumps(quota)}\n---\n{json.dumps(job())}")
    screen = shown(f"kubectl-fairshare why -f {tmp_path}/state.yaml job/j -n team -o json")
    assert json.loads(screen.stdout)["fidelity"]["exact"] is exact


@pytest.mark.parametrize(("unread", "subjects"), [((), []), (("Pod",), []), (("ResourceQuota",), ["ResourceQuota"])])
def test_quotas_that_may_not_be_read_may_count_the_workload(unread: tuple[str, ...], subjects: list[str]) -> None:
    new = next(iter(manifests_of([job()], "job")))
    objects = [each for each in yaml.safe_load_all(STATE) if "metadata" in each]
    snapshot = assemble(list(manifests_of(objects, "state")), known_schedulers(), unread).snapshot
    context = snapshot.part(Context)
    found = creating_gaps(snapshot, context, pending_of(new, context), [new])
    assert [gap.subject for gap in found if gap.feature == UNREAD] == subjects


def test_jobs_with_one_generated_name_differ_in_what_the_server_adds(tmp_path: Path) -> None:
    made = job()
    made["metadata"] = {"generateName": "j-", "namespace": "team", "labels": QUEUED}
    (tmp_path / "state.yaml").write_text(STATE)
    (tmp_path / "jobs.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [made, made]}))
    screen = shown(f"kubectl-fairshare plan -f {tmp_path}/state.yaml -w {tmp_path}/jobs.json -o json")
    plans = json.loads(screen.stdout)["items"]
    assert [(each["outcome"], each["fidelity"]["exact"]) for each in plans] == [("Admitted", True)] * 2


def new_pod(cpu: str, *, queued: bool = True, **metadata: Any) -> dict[str, Any]:
    named = {"name": "p", "namespace": "team", "labels": QUEUED if queued else {}, **metadata}
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": named, "spec": {"containers": [container]}}


CPU = "requests.cpu"
MANAGED = {**QUEUED, "kueue.x-k8s.io/managed": "true"}
NEVER = ("Never", "Never", "never creates it: ResourceQuota team/bounds rejects the pod (requests.cpu)")
LATER = ("Waits", "NotNow", "does not create it: ResourceQuota team/bounds rejects the pod (requests.cpu)")


@pytest.mark.parametrize(
    ("quota", "pod", "expected"),
    [
        (bound({CPU: "2"}), new_pod("3"), NEVER),
        (bound({CPU: "2"}, {CPU: "2"}), new_pod("3"), NEVER),
        (bound({CPU: "2"}, {CPU: "1500m"}), new_pod("1"), LATER),
        (bound({CPU: "2"}, {CPU: "1"}), new_pod("1"), None),
        (bound({CPU: "2"}), new_pod("3", queued=False), NEVER),
        (bound({CPU: "2"}), new_pod("3", uid="u", resourceVersion="1", labels=MANAGED), None),
    ],
    ids=["above the bound", "above it beside others", "no room now", "room", "not managed", "created already"],
)
def test_a_new_pod_that_a_quota_rejects_is_not_created_and_all_questions_say_so(
    quota: dict[str, Any], pod: dict[str, Any], expected: tuple[str, str, str] | None, tmp_path: Path
) -> None:
    """The admission plugin answers 403; with others gone, the pod can be created if it is within the bound itself."""
    (tmp_path / "state.yaml").write_text(f"{STATE}---\n{json.dumps(quota)}")
    (tmp_path / "pod.json").write_text(json.dumps(pod))
    given = f"-f {tmp_path}/state.yaml"
    plan = json.loads(shown(f"kubectl-fairshare plan {given} -w {tmp_path}/pod.json -o json").stdout)
    why = json.loads(shown(f"kubectl-fairshare why {given} -f {tmp_path}/pod.json pod/p -n team -o json").stdout)
    listed = shown(f"kubectl-fairshare why {given} -f {tmp_path}/pod.json -A -o wide").stdout
    lint = shown(f"kubectl-fairshare lint {tmp_path}").stdout
    assert plan["fidelity"]["exact"] is why["fidelity"]["exact"] is True
    managed = bool(pod["metadata"]["labels"])
    if expected is None:
        assert plan["outcome"] == "Admitted"
        assert "not create" not in f"{why['sentence']} {listed}"
        assert "K210" not in lint
        return
    outcome, verdict, sentence = expected
    assert (plan["outcome"], why["verdict"]) == (outcome, verdict)
    assert sentence in plan["verdict"]
    assert sentence in why["sentence"]
    assert (sentence in " ".join(listed.split())) is managed
    assert ("K210" in lint) is managed
