"""A new pod that a ResourceQuota rejects gets to no scheduler, whichever decides."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.screens import Screen

Run = Callable[[str], Screen]
TIGHT = """\
apiVersion: v1
kind: ResourceQuota
metadata: {{name: tight, namespace: {namespace}}}
spec: {{hard: {{pods: "{pods}"}}}}
"""
KUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: queue}
spec:
  namespaceSelector: {}
  resourceGroups:
    - coveredResources: [cpu]
      flavors: [{name: default, resources: [{name: cpu, nominalQuota: 4}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: queue, namespace: team}
spec: {clusterQueue: queue}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: team, labels: {{kueue.x-k8s.io/queue-name: queue{more}}}{annotations}}}
spec: {{containers: [{{name: c, image: example.com/c, resources: {{requests: {{cpu: "1"}}}}}}]}}
---
"""
GROUP = ", kueue.x-k8s.io/pod-group-name: g"
COUNT = ', annotations: {kueue.x-k8s.io/pod-group-total-count: "2"}'


def features(run: Run, line: str, namespace: str, pods: int, folder: Path) -> list[str]:
    """The features that make the answer inexact, with a quota of so many pods in the namespace."""
    (folder / "tight.yaml").write_text(TIGHT.format(namespace=namespace, pods=pods), encoding="utf-8")
    screen = run(f"kubectl-fairshare {line} -f {folder / 'tight.yaml'} -o json --complete")
    gaps = json.loads(screen.stdout)["fidelity"]["notModelled"]
    return [gap["feature"] for gap in gaps if gap["touches"]]


KAI = "plan -f testdata/kai/org/queues.yaml -w testdata/kai/train.yaml"
OF_PODS = {
    "elasticquota": ("scheduling.x-k8s.io", "capacityscheduler", "E038"),
    "koordinator": ("scheduling.sigs.k8s.io", "koord-scheduler", "Q031"),
}
"""For each scheduler of single pods: the group of its quotas, its name, and the rule of lint."""


def test_a_job_whose_pods_a_resource_quota_rejects_has_no_exact_plan(run: Run, tmp_path: Path) -> None:
    assert "ResourceQuota" not in features(run, KAI, "ml", 9, tmp_path)
    assert "ResourceQuota" in features(run, KAI, "ml", 0, tmp_path)


def written(folder: Path, house: str, pods: int) -> str:
    """The options for a state in which a ResourceQuota lets so many pods be in the namespace, of which one runs."""
    group, scheduler, _ = OF_PODS[house]
    quota = {
        "apiVersion": f"{group}/v1alpha1",
        "kind": "ElasticQuota",
        "metadata": {"name": "team", "namespace": "team"},
        "spec": {"min": {"cpu": 4}, "max": {"cpu": 4}},
    }
    room = {"cpu": "8", "memory": "8Gi", "pods": "9"}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": room}}
    running, new = (asking_pod(name, scheduler) for name in ("runs", "new"))
    running["spec"]["nodeName"] = "n"
    template = {"spec": {**new["spec"], "restartPolicy": "Never"}}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "late", "namespace": "team", "uid": "late"},
        "spec": {"template": template},
    }
    tight = yaml.safe_load(TIGHT.format(namespace="team", pods=pods))
    files = {"state": [quota, node, running, tight], "pod": [new], "job": [job]}
    for name, items in files.items():
        content = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
        (folder / f"{name}.json").write_text(content, encoding="utf-8")
    return f"-f {folder / 'state.json'} --complete"


def asking_pod(name: str, scheduler: str) -> dict[str, Any]:
    pod: dict[str, Any] = yaml.safe_load(POD.format(name=name, more="", annotations="").removesuffix("---\n"))
    pod["spec"]["schedulerName"] = scheduler
    return pod


# Kubernetes' admission plugin ResourceQuota: a pod that would be one too many is not created; its controller tries
# again, so it is created once another pod is gone, but never where not one pod is allowed.
@pytest.mark.parametrize("house", OF_PODS)
def test_a_new_pod_that_a_resource_quota_rejects_waits_or_is_never_created(
    run: Run, tmp_path: Path, house: str
) -> None:
    def planned(pods: int) -> tuple[dict[str, Any], str]:
        call = f"kubectl-fairshare plan {written(tmp_path, house, pods)} -w {tmp_path / 'pod.json'}"
        return json.loads(run(f"{call} -o json").stdout), run(call).stdout

    free, tight, none = planned(2), planned(1), planned(0)
    assert (free[0]["outcome"], free[0]["refusedAtCreation"]) == ("Admitted", [])
    document, screen = tight
    assert (document["outcome"], document["fidelity"]["exact"], document["victims"]) == ("Waits", True, [])
    (limit,) = document["bindings"]
    assert (limit["place"]["field"], limit["always"]) == ("spec.hard.pods", False)
    clause = "waits: the API server does not create it: pods: 1 requested + 1 used = 2 > 1 (ResourceQuota tight)"
    assert document["verdict"] == clause
    assert "once it is created: placed now on n" in screen
    assert {"ResourceQuota team/tight", "Pod team/runs"} <= set(document["restsOn"])
    assert (none[0]["outcome"], none[0]["fidelity"]["exact"]) == ("Never", True)
    assert "can never be placed: the API server never creates it: pods: 1 requested" in none[0]["verdict"]


@pytest.mark.parametrize("house", OF_PODS)
def test_why_says_of_a_job_what_plan_says_of_its_next_pod(run: Run, tmp_path: Path, house: str) -> None:
    for pods, verdict, outcome in ((1, "NotNow", "Waits"), (0, "Never", "Never")):
        state, job = written(tmp_path, house, pods), tmp_path / "job.json"
        alone = json.loads(run(f"kubectl-fairshare why job/late -n team {state} -f {job} -o json").stdout)
        listed = json.loads(run(f"kubectl-fairshare why -A {state} -f {job} -o json").stdout)
        (group,) = listed["groups"]
        plan = json.loads(run(f"kubectl-fairshare plan -w {job} {state} -o json").stdout)
        assert (alone["verdict"], alone["reason"], alone["notCreated"]) == (verdict, "RefusedByResourceQuota", 1)
        assert (group["verdict"], group["reason"]) == (verdict, "RefusedByResourceQuota")
        assert plan["outcome"] == outcome
        assert plan["refusedAtCreation"] == alone["refusedAtCreation"]
        screen = run(f"kubectl-fairshare why job/late -n team {state} -f {job}").stdout
        assert "1 pod not created: pods: 1 requested + 1 used = 2 >" in " ".join(screen.split())


def _more(resources: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda job: job["spec"]["template"]["spec"]["containers"][0].update(resources=resources)


MULTIKUEUE = "kueue.x-k8s.io/multikueue"
JOBS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "as written": _more({"requests": {"cpu": "1"}}),
    "beyond max and each node": _more({"requests": {"cpu": "100"}}),
    "managed by another": lambda job: job["spec"].update(managedBy=MULTIKUEUE),
    "request above its limit": _more({"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}),
    "a priority class that is not given": lambda job: job["spec"]["template"]["spec"].update(priorityClassName="no"),
    "a malformed amount": _more({"requests": {"cpu": "1 core"}}),
}
BESIDE: dict[str, list[dict[str, Any]]] = {
    "nothing": [],
    "a namespace that goes": [
        {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "team", "deletionTimestamp": "2026-01-01T00:00:00Z"},
        }
    ],
    "a bound that is raised": [
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": "tight", "namespace": "team"},
            "spec": {"hard": {"pods": "5"}},
            "status": {"hard": {"pods": "0"}, "used": {"pods": "0"}},
        }
    ],
}
VERDICTS = {"Never": "Never", "Waits": "NotNow", "Unknown": "Unknown"}


# One law: what is true of the next pod is true of the job that makes it, whatever else keeps that pod out.
@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("change", JOBS)
@pytest.mark.parametrize("house", OF_PODS)
def test_why_of_a_job_is_as_sure_as_the_plan_of_its_next_pod(
    run: Run, tmp_path: Path, house: str, change: str, beside: str
) -> None:
    state, path = written(tmp_path, house, 1), tmp_path / "job.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    JOBS[change](document["items"][0])
    path.write_text(json.dumps(document), encoding="utf-8")
    if BESIDE[beside]:
        given = tmp_path / "state.json"
        content = json.loads(given.read_text(encoding="utf-8"))
        kinds = {item["kind"] for item in BESIDE[beside]}
        kept = [item for item in content["items"] if item["kind"] not in kinds]
        given.write_text(json.dumps({**content, "items": kept + BESIDE[beside]}), encoding="utf-8")
    alone = run(f"kubectl-fairshare why job/late -n team {state} -f {path} -o json")
    listed = run(f"kubectl-fairshare why -A {state} -f {path} -o json")
    plan = run(f"kubectl-fairshare plan -w {path} {state} -o json")
    if not plan.stdout:
        assert json.loads(alone.stdout)["verdict"] == "Unknown" if alone.stdout else alone.code == plan.code
        return
    planned, said = json.loads(plan.stdout), json.loads(alone.stdout)
    assert said["verdict"] == VERDICTS[planned["outcome"]], (said, planned)
    assert said["fidelity"]["exact"] == planned["fidelity"]["exact"]
    (group,) = json.loads(listed.stdout)["groups"]
    assert group["verdict"] == said["verdict"]


@pytest.mark.parametrize("house", OF_PODS)
def test_lint_finds_a_new_pod_that_a_resource_quota_rejects(run: Run, tmp_path: Path, house: str) -> None:
    for number, found in ((2, False), (1, True)):
        written(tmp_path, house, number)
        (tmp_path / "job.json").unlink()
        screen = run(f"kubectl-fairshare lint {tmp_path} --select {OF_PODS[house][2]}").stdout
        assert ("Pod `team/new`: ResourceQuota team/tight rejects the pod (pods)" in screen) is found
        assert "team/runs" not in screen


def test_pods_that_are_kueue_workloads_count_alone_or_as_a_group(run: Run, tmp_path: Path) -> None:
    (tmp_path / "kueue.yaml").write_text(KUEUE, encoding="utf-8")
    (tmp_path / "pod.yaml").write_text(POD.format(name="a", more="", annotations=""), encoding="utf-8")
    pair = "".join(POD.format(name=name, more=GROUP, annotations=COUNT) for name in "ab")
    (tmp_path / "pair.yaml").write_text(pair, encoding="utf-8")
    for file, enough in (("pod", 1), ("pair", 2)):
        line = f"plan -f {tmp_path / 'kueue.yaml'} -w {tmp_path / file}.yaml"
        assert features(run, line, "team", enough, tmp_path) == []
        assert features(run, line, "team", enough - 1, tmp_path) == []
        screen = run(f"kubectl-fairshare {line} -f {tmp_path / 'tight.yaml'} --complete")
        assert "never creates it: ResourceQuota" in screen.stdout  # nor does a group without all of its pods run


def new_pods(run: Run, folder: Path, house: str, bound: int, number: int) -> list[tuple[str, str, bool]]:
    """For each of so many new pods, under a ResourceQuota of so many: what ``plan`` and ``why`` say, and whether exact.

    The answers of ``why -A`` are the same as those of ``why``.
    """
    names = [f"new{n}" for n in range(number)]
    written(folder, house, bound)
    pods = [asking_pod(name, OF_PODS[house][1]) for name in names]
    (folder / "pods.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": pods}), encoding="utf-8")
    state = f"-f {folder / 'state.json'} -f {folder / 'pods.json'} --complete"
    listed = json.loads(run(f"kubectl-fairshare why -A {state} -o json").stdout)
    groups = {work["subject"].split("/")[-1]: group for group in listed["groups"] for work in group["workloads"]}
    found = []
    for name in names:
        (folder / "one.json").write_text(json.dumps(asking_pod(name, OF_PODS[house][1])), encoding="utf-8")
        plan = json.loads(run(f"kubectl-fairshare plan {state} -w {folder / 'one.json'} -o json").stdout)
        why = json.loads(run(f"kubectl-fairshare why pod/{name} -n team {state} -o json").stdout)
        assert groups[name]["verdict"] == why["verdict"]
        assert plan["fidelity"]["exact"] == why["fidelity"]["exact"], (plan["fidelity"], why["fidelity"])
        found.append((plan["outcome"], why["verdict"], why["fidelity"]["exact"]))
    return found


# Of pods that no API server has, it is not known which one is created first: no answer may count the others as there.
@pytest.mark.parametrize("house", OF_PODS)
def test_new_pods_are_judged_beside_those_that_exist(run: Run, tmp_path: Path, house: str) -> None:
    assert new_pods(run, tmp_path, house, 1, 1) == [("Waits", "NotNow", True)]
    assert new_pods(run, tmp_path, house, 0, 2) == [("Never", "Never", True)] * 2
    assert new_pods(run, tmp_path, house, 3, 2) == [("Admitted", "Waiting", True)] * 2
    assert [exact for _, _, exact in new_pods(run, tmp_path, house, 2, 2)] == [False, False]


def kueue_answers(run: Run, folder: Path, bound: int, text: str, name: str) -> tuple[str, bool, str, bool]:
    """What ``plan`` and ``why`` say of new pods under a ResourceQuota of so many, each with whether it is exact."""
    (folder / "kueue.yaml").write_text(KUEUE, encoding="utf-8")
    (folder / "tight.yaml").write_text(TIGHT.format(namespace="team", pods=bound), encoding="utf-8")
    (folder / "pods.yaml").write_text(text, encoding="utf-8")
    state = f"-f {folder / 'kueue.yaml'} -f {folder / 'tight.yaml'} -f {folder / 'pods.yaml'} --complete -o json"
    why = json.loads(run(f"kubectl-fairshare why pod/{name} -n team {state}").stdout)
    asked = folder / "asked.yaml"
    asked.write_text(text if GROUP in text else next(p for p in text.split("---\n") if f"name: {name}," in p))
    plan = json.loads(run(f"kubectl-fairshare plan {state} -w {asked}").stdout)
    return plan["outcome"], plan["fidelity"]["exact"], why["verdict"], why["fidelity"]["exact"]


def test_new_pods_of_kueue_are_judged_beside_those_that_exist(run: Run, tmp_path: Path) -> None:
    three = "".join(POD.format(name=name, more="", annotations="") for name in "abc")
    outcome, exact, verdict, known = kueue_answers(run, tmp_path, 2, three, "b")
    assert (exact, known) == (False, False)
    assert verdict != "NotNow"
    assert outcome == "Unknown"
    assert kueue_answers(run, tmp_path, 3, three, "b") == ("Admitted", True, "Waiting", True)
    assert kueue_answers(run, tmp_path, 0, three, "b") == ("Never", True, "Never", True)


def test_why_of_a_new_pod_group_counts_all_of_its_pods(run: Run, tmp_path: Path) -> None:
    pair = "".join(POD.format(name=name, more=GROUP, annotations=COUNT) for name in "ab")
    for name in "ab":
        assert kueue_answers(run, tmp_path, 1, pair, name) == ("Never", True, "Never", True)
        assert kueue_answers(run, tmp_path, 2, pair, name) == ("Admitted", True, "Waiting", True)


def test_kai_is_not_exact_of_a_pod_that_may_not_be_created_wherever_it_is_given(run: Run, tmp_path: Path) -> None:
    """No API server has the pod, whether the input has it or not."""
    pod = asking_pod("p", "kai-scheduler")
    pod["metadata"]["labels"] = {"kai.scheduler/queue": "team"}
    queue = {"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": {"name": "team"}}
    resources = {key: {"quota": -1, "limit": -1, "overQuotaWeight": 1} for key in ("cpu", "memory", "gpu")}
    room = {"cpu": "8", "memory": "8Gi", "pods": "9"}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "one"}, "status": {"allocatable": room}}
    tight = yaml.safe_load(TIGHT.format(namespace="team", pods=0))
    (tmp_path / "w.json").write_text(json.dumps(pod), encoding="utf-8")
    found = []
    for items in ([], [pod]):
        state = [{**queue, "spec": {"resources": resources}}, node, tight, *items]
        (tmp_path / "state.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": state}))
        line = f"plan -f {tmp_path}/state.json -w {tmp_path}/w.json --complete --scheduler kai"
        document = json.loads(run(f"kubectl-fairshare {line} -o json").stdout)
        found.append((document["outcome"], document["fidelity"]["exact"]))
    assert found == [("Unknown", False)] * 2


def test_why_of_one_of_several_new_pods_of_kueue_is_unknown_as_plan_is(run: Run, tmp_path: Path) -> None:
    pair = "".join(POD.format(name=name, more="", annotations="") for name in "ab")
    assert kueue_answers(run, tmp_path, 1, pair, "a") == ("Unknown", False, "Unknown", False)
