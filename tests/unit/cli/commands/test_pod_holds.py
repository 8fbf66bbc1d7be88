"""What holds the pods of a job, and where their requests come from, with the schedulers of pods and KAI."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown

PODS = ("elasticquota", "koordinator")
HOUSES = (*PODS, "kai")
RULES = {"elasticquota": "E038", "koordinator": "Q031", "kai": "A042"}
GATE = "scheduling gate `example.com/wait` keeps its scheduler from its pods until its controller removes it"
QUOTA = "ResourceQuota team/rq lets 2 of its 4 pods be created (requests.cpu)"
NAMES = {"quota.scheduling.koordinator.sh/name": "lab"}
QUEUE = {"kai.scheduler/queue": "leaf"}
ROOM = {"cpu": 40, "memory": "40Gi", "pods": 100}
ANNOTATION = "LimitRanger plugin set: memory request for container main; cpu limit for container main"


def _object(version: str, kind: str, name: str, more: dict[str, Any], space: str = "team") -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": space}, **more}


def _state(hard: str = "") -> list[dict[str, Any]]:
    quota = {"spec": {"min": {"cpu": 20, "memory": "20Gi"}, "max": {"cpu": 20, "memory": "20Gi"}}}
    free = {"quota": -1, "limit": -1}
    bounds = {"resources": dict.fromkeys(("gpu", "cpu", "memory"), free)}
    ready = {"allocatable": ROOM, "conditions": [{"type": "Ready", "status": "True"}]}
    objects = [
        _object("v1", "Namespace", "team", {}, ""),
        _object("v1", "Node", "n", {"status": ready}, ""),
        _object("scheduling.x-k8s.io/v1alpha1", "ElasticQuota", "eq", quota),
        _object("scheduling.sigs.k8s.io/v1alpha1", "ElasticQuota", "lab", quota),
        _object("scheduling.run.ai/v2", "Queue", "dept", {"spec": bounds}, ""),
        _object("scheduling.run.ai/v2", "Queue", "leaf", {"spec": {"parentQueue": "dept", **bounds}}, ""),
    ]
    if hard:
        objects.append(_object("v1", "ResourceQuota", "rq", {"spec": {"hard": {"requests.cpu": hard}}}))
    return objects


def _pod(house: str, *, gated: bool = False) -> dict[str, Any]:
    named = {"schedulerName": "kai-scheduler"} if house == "kai" else {}
    gates = {"schedulingGates": [{"name": "example.com/wait"}]} if gated else {}
    main = {"name": "main", "image": "x", "resources": {"requests": {"cpu": "3"}}}
    return {"metadata": {"labels": {**NAMES, "a": "b"}}, "spec": {**named, **gates, "containers": [main]}}


def _jobs(template: dict[str, Any]) -> dict[str, dict[str, Any]]:
    ends = {"metadata": template["metadata"], "spec": {**template["spec"], "restartPolicy": "Never"}}
    run = {"parallelism": 4, "completions": 4, "template": ends}
    replicas = {"replicas": 4, "selector": {"matchLabels": {"a": "b"}}, "template": template}
    return {
        "Job": _object("batch/v1", "Job", "j", {"spec": run}),
        "CronJob": _object(
            "batch/v1", "CronJob", "j", {"spec": {"schedule": "* * * * *", "jobTemplate": {"spec": run}}}
        ),
        "ReplicaSet": _object("apps/v1", "ReplicaSet", "j", {"spec": replicas}),
        "Deployment": _object("apps/v1", "Deployment", "j", {"spec": replicas}),
        "StatefulSet": _object("apps/v1", "StatefulSet", "j", {"spec": {**replicas, "serviceName": "s"}}),
    }


OF_KAI = {
    "PyTorchJob": lambda t: _object(
        "kubeflow.org/v1",
        "PyTorchJob",
        "j",
        {"spec": {"pytorchReplicaSpecs": {"Worker": {"replicas": 4, "template": t}}}},
    ),
    "JobSet": lambda t: _object(
        "jobset.x-k8s.io/v1alpha2",
        "JobSet",
        "j",
        {"spec": {"replicatedJobs": [{"name": "w", "template": {"spec": _jobs(t)["Job"]["spec"]}}]}},
    ),
}
"""Kinds whose pods only KAI's house reads."""
ASKED = [*((house, kind) for house in HOUSES for kind in _jobs(_pod("")) if (house, kind) != ("kai", "CronJob"))]
ASKED += [("kai", kind) for kind in OF_KAI]


def _job(house: str, kind: str, *, gated: bool) -> dict[str, Any]:
    template = _pod(house, gated=gated)
    job = OF_KAI[kind](template) if kind in OF_KAI else _jobs(template)[kind]
    job["metadata"]["labels"] = QUEUE
    return job


def _written(folder: Path, name: str, *objects: dict[str, Any]) -> Path:
    path = folder / name
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    return path


def _screens(folder: Path, house: str, state: list[dict[str, Any]], job: dict[str, Any]) -> dict[str, str]:
    around, asked = _written(folder, "state.json", *state), _written(folder, "job.json", job)
    calls = {
        "plan": f"plan -f {around} -w {asked}",
        "why": f"why {job['kind'].lower()}/j -n team -f {around} -f {asked}",
    }
    return {name: _flat(f"{call} --scheduler {house}") for name, call in calls.items()}


def _flat(call: str) -> str:
    return " ".join(shown(f"kubectl-fairshare {call}").stdout.split())


# The admission plugin ResourceQuota, checkRequest: one pod after the other, before a scheduler sees any.
@pytest.mark.parametrize(("house", "kind"), ASKED)
def test_a_resource_quota_rejects_pods_of_every_kind_of_job(house: str, kind: str, tmp_path: Path) -> None:
    job = _job(house, kind, gated=False)
    lint = f"lint {tmp_path}/state.json {tmp_path}/job.json --select {RULES[house]}"
    for name, text in {**_screens(tmp_path, house, _state("7"), job), "lint": _flat(lint)}.items():
        assert QUOTA in text, f"{name}: {text}"
    for text in (*_screens(tmp_path, house, _state("12"), job).values(), _flat(lint)):
        assert "ResourceQuota team/rq" not in text


# kube-scheduler, PreEnqueue of SchedulingGates; KAI, isReadyForScheduling: gated pods do not count.
@pytest.mark.parametrize(("house", "kind"), ASKED)
def test_a_gate_holds_every_kind_of_job(house: str, kind: str, tmp_path: Path) -> None:
    for name, text in _screens(tmp_path, house, _state(), _job(house, kind, gated=True)).items():
        assert GATE in text, f"{name}: {text}"
        assert "· exact (" in text or "PriorityClass inference" in text, f"{name}: {text}"
    for text in _screens(tmp_path, house, _state(), _job(house, kind, gated=False)).values():
        assert "scheduling gate" not in text


@pytest.mark.parametrize("house", PODS)
def test_a_gated_pod_waits_and_the_plan_says_what_comes_then(house: str, tmp_path: Path) -> None:
    job = _job(house, "Job", gated=True)
    state, asked = _written(tmp_path, "state.json", *_state()), _written(tmp_path, "job.json", job)
    found = json.loads(shown(f"kubectl-fairshare plan -f {state} -w {asked} --scheduler {house} -o json").stdout)
    first = "waits: its scheduler ignores it until scheduling gate `example.com/wait` is removed; without it, "
    assert (found["outcome"], found["verdict"]) == ("Waits", f"{first}placed now on n (one of its 4 pods)")
    assert found["remedies"] == []


# KAI's pod grouper sees the pods that exist: two, of a Job whose gang needs one, of a PyTorchJob whose gang needs four.
@pytest.mark.parametrize(
    ("kind", "outcome", "verdict"),
    [
        ("Job", "Admitted", "admitted now: enough resources are idle; then held by ResourceQuota team/rq"),
        (
            *("PyTorchJob", "Waits"),
            "waits: it needs 4 pods without scheduling gates; it has 2 pods, gated ones included",
        ),
    ],
)
def test_kai_decides_on_the_pods_that_are_created(kind: str, outcome: str, verdict: str, tmp_path: Path) -> None:
    state = _written(tmp_path, "state.json", *_state("7"))
    asked = _written(tmp_path, "job.json", _job("kai", kind, gated=False))
    found = json.loads(shown(f"kubectl-fairshare plan -f {state} -w {asked} --scheduler kai -o json").stdout)
    assert (found["outcome"], found["verdict"]) == (outcome, verdict)
    assert found["fidelity"]["exact"] is True


def test_pods_of_kai_that_are_all_rejected_are_not_decided(tmp_path: Path) -> None:
    text = _screens(tmp_path, "kai", _state("2"), _job("kai", "Job", gated=False))["plan"]
    assert text.startswith("? unknown: the ResourceQuotas of its namespace: they reject a pod")


def _stored(house: str, number: int) -> dict[str, Any]:
    made = _pod(house)
    made["spec"]["containers"][0]["resources"]["requests"]["memory"] = "256Mi"
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "u", "controller": True}
    metadata = {
        "uid": f"u{number}",
        "resourceVersion": "1",
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "ownerReferences": [owner],
        "labels": {**NAMES, **QUEUE},
        "annotations": {"kubernetes.io/limit-ranger": ANNOTATION, "pod-group-name": "pg-j"},
    }
    pod = _object("v1", "Pod", f"j-{number}", {"spec": made["spec"], "status": {"phase": "Pending"}})
    return {**pod, "metadata": {**pod["metadata"], **metadata}}


def _half_created(house: str) -> list[dict[str, Any]]:
    job = _job(house, "Job", gated=False)
    job["metadata"] |= {"uid": "u", "resourceVersion": "1"}
    group = _object("scheduling.run.ai/v2alpha2", "PodGroup", "pg-j", {"spec": {"minMember": 1, "queue": "leaf"}})
    return [*_state("7"), job, group, _stored(house, 0), _stored(house, 1)]


# LimitRanger, mergeContainerResources: the annotation lists what it set, "cpu, memory request for container main".
@pytest.mark.parametrize("house", HOUSES)
def test_a_stored_pod_says_which_requests_are_defaults(house: str, tmp_path: Path) -> None:
    state = _written(tmp_path, "state.json", *_half_created(house))
    call = f"kubectl-fairshare why job/j -n team -f {state} --scheduler {house}"
    text = " ".join(shown(call).stdout.split())
    assert "256Mi container main: default of a LimitRange, as the pod's annotation says" in text
    assert "cpu: one pod" not in text
    assert QUOTA in text
    documents = json.loads(shown(f"{call} -o json").stdout)
    first = documents["items"][0] if documents["kind"] == "WhyList" else documents
    parts = {(part["resource"], part["source"], part["perPod"]) for part in first["requestParts"]}
    assert parts == {("cpu", "written", "3"), ("memory", "added", "256Mi")}


@pytest.mark.parametrize("house", HOUSES)
def test_the_parts_are_those_of_waiting_pods(house: str, tmp_path: Path) -> None:
    """A job that runs has none."""
    objects = _half_created(house)
    for pod in objects[-2:]:
        pod["spec"]["nodeName"], pod["status"] = "n", {"phase": "Running", "startTime": "2026-01-01T00:00:00Z"}
    state = _written(tmp_path, "state.json", *objects)
    text = shown(f"kubectl-fairshare why pod/j-0 -n team -f {state} --scheduler {house}").stdout
    assert "where the requests come from" not in text


# PodOwners: a pod and its PodGroup belong to the object that makes the pods.
@pytest.mark.parametrize("house", HOUSES)
def test_the_list_of_what_waits_says_what_else_holds_a_job(house: str, tmp_path: Path) -> None:
    job = _job(house, "Job", gated=True)
    job["metadata"]["uid"] = "j"
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "j", "controller": True}
    pod = {"apiVersion": "v1", "kind": "Pod", **_pod(house)}
    named = {"name": "j-0", "namespace": "team", "uid": "j-0", "ownerReferences": [owner]}
    pod["metadata"] = {**pod["metadata"], **named, "annotations": {"pod-group-name": "g"}}
    pod["spec"]["initContainers"] = [{"name": "first", "image": "x", "resources": {"requests": {"cpu": "4"}}}]
    pod["status"] = {"phase": "Pending"}
    group = _object("scheduling.run.ai/v2alpha2", "PodGroup", "g", {"spec": {"queue": "leaf", "minMember": 1}})
    group["metadata"]["ownerReferences"] = [owner]
    state = _written(tmp_path, "state.json", *_state("7"), job, pod, *([group] if house == "kai" else []))
    call = f"why -A -f {state} --scheduler {house}"
    document = json.loads(shown(f"kubectl-fairshare {call} -o json").stdout)
    (entry,) = (each for found in document["groups"] for each in found["workloads"] if each.get("requestParts"))
    assert {(part["kind"], part["perPod"]) for part in entry["requestParts"]} >= {("init container", "4")}
    assert [hold["sentence"] for hold in entry["holds"]] == [GATE, QUOTA]
    text = _flat(call)
    assert "also held besides quotas, see `why NAME`: team/" in text
    assert "requests that are not simply written, see `why NAME`: team/" in text
