"""``why`` finds the object that a name means, and the Workload behind it."""

import json
from pathlib import Path

import pytest

from tests.screens import Screen
from tests.unit.cli.why_state import (
    GPU,
    KUEUE,
    Object,
    asked,
    job,
    kueue,
    owned,
    queue,
    running,
    screen,
    surroundings,
    workload,
)

BASE = [*surroundings(), *queue("q"), running("full", 4)]
_REPLICATED = {"name": "a", "template": {"spec": {"template": {"spec": {"containers": []}}}}}
ELSEWHERE: Object = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "elsewhere"}}
TRAIN = workload("job-train-aaaaa", 2, metadata=owned("Job", "train", uid="job-train"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)


def refused(objects: list[Object], args: str, code: int = 2) -> Screen:
    found = screen(objects, args)
    assert found.code == code, str(found)
    assert found.stdout == ""
    return found


@pytest.mark.parametrize(
    "args",
    [
        "job/train -n team",
        "jobs/train -n team",
        "job.batch/train -n team",
        "workload/job-train-aaaaa -n team",
        "wl/job-train-aaaaa -n team",
        "train -n team",
        "train",
        "team/train",
        "team/job/train",
        "team/job-train-aaaaa",
    ],
)
def test_every_form_leads_to_the_workload(args: str) -> None:
    assert asked([*BASE, job("train", 2), TRAIN], args)["workload"]["name"] == "job-train-aaaaa"


def test_a_job_that_only_its_workload_names_is_found() -> None:
    found = asked([*BASE, TRAIN], "job/train -n team")
    assert (found["workload"]["name"], found["job"]) == ("job-train-aaaaa", "Job team/train")


def test_a_workload_without_owner_is_found_by_its_name() -> None:
    assert asked([*BASE, job("train", 2), workload("job-train-ef30b", 2)], "job/train")["workload"] is None
    plain = job("train", 2)
    del plain["metadata"]["uid"]
    assert asked([*BASE, plain, workload("job-train-ef30b", 2)], "job/train")["workload"]["name"] == "job-train-ef30b"


def test_a_pod_leads_to_the_job_above_it() -> None:
    pod = job("train-x", kind="Pod", api="v1", labels={}, metadata=owned("Job", "train", uid="job-train"), spec={})
    assert asked([*BASE, job("train", 2), TRAIN, pod], "pod/train-x -n team")["workload"]["name"] == "job-train-aaaaa"


def test_a_pod_of_an_unmanaged_job_is_answered_by_the_job() -> None:
    pod = job("train-x", kind="Pod", api="v1", labels={}, metadata=owned("Job", "train", uid="job-train"), spec={})
    found = asked([*BASE, job("train", 2, labels={}), pod], "pod/train-x -n team")
    assert found["verdict"] == "Unmanaged"
    assert found["evidence"][0]["object"] == "Job team/train"


def test_a_deployment_is_answered_by_the_workloads_of_its_pods() -> None:
    deployment = job("web", kind="Deployment", api="apps/v1")
    replicas = job("web-1", kind="ReplicaSet", api="apps/v1", metadata=owned("Deployment", "web", api="apps/v1"))
    pods, made = [], []
    for name in ("web-1-a", "web-1-b"):
        pods.append(job(name, kind="Pod", api="v1", metadata=owned("ReplicaSet", "web-1", api="apps/v1"), spec={}))
        made.append(workload(f"pod-{name}-00000", 2, metadata=owned("Pod", name, api="v1")))
    found = asked([*BASE, deployment, replicas, *pods, *made], "deployment/web -n team")
    assert found["kind"] == "WhyList"
    assert [i["workload"]["name"] for i in found["items"]] == ["pod-web-1-a-00000", "pod-web-1-b-00000"]


@pytest.mark.parametrize("label", ["prebuilt-workload-name", "pod-group-name"])
def test_a_label_may_name_the_workload(label: str) -> None:
    labels = {"kueue.x-k8s.io/queue-name": "q", f"kueue.x-k8s.io/{label}": "mine"}
    pod = job("p", kind="Pod", api="v1", labels=labels, spec={})
    assert asked([*BASE, pod, workload("mine", 2)], "pod/p -n team")["workload"]["name"] == "mine"


def test_of_several_workloads_those_that_have_not_finished_answer() -> None:
    done = {"type": "Finished", "status": "True", "reason": "Succeeded", "lastTransitionTime": "2026-03-02T12:00:00Z"}
    old = workload("job-train-00000", 2, done, metadata=owned("Job", "train", uid="job-train"))
    assert asked([*BASE, job("train", 2), old, TRAIN], "job/train")["workload"]["name"] == "job-train-aaaaa"


def test_a_later_job_of_the_same_name_has_not_the_workload_of_the_former() -> None:
    former = workload("job-train-aaaaa", 2, metadata=owned("Job", "train", uid="of-the-former"))
    assert asked([*BASE, job("train", 2), former], "job/train -n team")["workload"] is None


def test_an_ambiguous_name_lists_what_it_may_mean() -> None:
    other = workload("other", 2)
    other["metadata"]["namespace"] = "elsewhere"
    found = refused([*BASE, other, workload("other", 2)], "other")
    assert "`other` may mean 2 objects" in found.stderr
    assert "`elsewhere/workload/other`, `team/workload/other`" in found.stderr


def test_a_name_that_several_objects_of_one_workload_have_is_not_ambiguous() -> None:
    made = workload("train", 2, metadata=owned("Job", "train", uid="job-train"))
    assert asked([*BASE, job("train", 2), made], "train")["workload"]["name"] == "train"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("job/trian -n team", "did you mean `team/job/train`?"),
        ("job/train -n elsewhere", "the input has `team/job/train`"),
        ("jobset/nothing-like-it -n team", "the input has no object of that kind"),
        ("jobset/trains -n team", "did you mean `team/job/train`?"),
        ("a/b/c/d", "write `job/NAME`"),
        ("job/", "write `job/NAME`"),
        ("job/train -A", "remove the name or `-A`"),
        ("job/train --now yesterday", "is not a time"),
    ],
)
def test_a_wrong_name_is_told_with_a_remedy(args: str, says: str) -> None:
    assert says in refused([*BASE, job("train", 2), TRAIN], args).stderr


def test_an_owner_without_workload_that_is_not_in_the_input_is_told() -> None:
    pod = job("p", kind="Pod", api="v1", labels={}, metadata=owned("Thing", "t", api="example.com/v1"), spec={})
    found = refused([*BASE, pod], "thing/t -n team", code=3)
    assert "the input has neither Thing team/t nor its Workload" in found.stderr


def test_all_that_wait_are_grouped_by_what_binds() -> None:
    labels = {"kueue.x-k8s.io/queue-name": "q", "kueue.x-k8s.io/priority-class": "nope"}
    objects = [*BASE, workload("a", 2), workload("b", 3, created=5), workload("c", 9), job("j", labels=labels)]
    found = asked(objects, "-A --complete")
    groups = [(g["verdict"], g["binds"], [w["subject"] for w in g["workloads"]]) for g in found["groups"]]
    assert groups == [
        ("Never", "nominalQuota 4 example.com/gpu in any of ClusterQueue q", ["Workload team/c"]),
        ("Never", "Kueue makes no Workload: its WorkloadPriorityClass nope does not exist", ["Job team/j"]),
        (
            "NotNow",
            "nominalQuota 4 example.com/gpu in any of ClusterQueue q",
            ["Workload team/a", "Workload team/b"],
        ),
    ]
    assert [w["position"] for w in found["groups"][-1]["workloads"]] == [1, 3]
    assert "all: 1 running, 3 pending" in screen(objects, "-A").stdout


def test_without_a_name_the_namespace_is_listed() -> None:
    assert asked([*BASE, workload("a", 2)], "-n team")["groups"] != []
    assert asked([*BASE, ELSEWHERE, workload("a", 2)], "-n elsewhere")["groups"] == []
    assert "no workload waits" in screen(BASE, "-A").stdout


def test_names_are_printed_as_kubectl_names_objects() -> None:
    found = screen([*BASE, workload("a", 2)], "-n team", "name")
    assert found.stdout == "workload.kueue.x-k8s.io/team/a\n"


def test_kinds_that_an_answer_rests_on_are_not_called_skipped() -> None:
    found = screen([*BASE, job("train", 2), TRAIN, kueue("MultiKueueConfig", "m", {})], "job/train")
    assert "Job" not in found.stderr
    assert "MultiKueueConfig" in found.stderr


def test_yaml_says_what_json_says() -> None:
    import yaml

    objects = [*BASE, job("train", 2), TRAIN]
    assert yaml.safe_load(screen(objects, "train", "yaml").stdout) == json.loads(
        screen(objects, "train", "json").stdout
    )


def test_a_kind_whose_pods_another_object_renders_is_answered_by_its_workload_or_with_that_object() -> None:
    api = "trainer.kubeflow.org/v1alpha1"
    train = job("t", kind="TrainJob", api=api, spec={"runtimeRef": {"name": "r"}})
    made = workload("trainjob-t-00000", 2, metadata=owned("TrainJob", "t", api=api))
    assert asked([*BASE, train, made], "trainjob/t -n team")["verdict"] == "NotNow"
    without = screen([*BASE, train], "trainjob/t -n team")
    assert without.code == 5
    assert "unknown: ClusterTrainingRuntime r is not in the input" in without.stdout
    pod = {"spec": {"containers": [{"name": "c", "resources": {"requests": {GPU: "3"}}}]}}
    replicated = [{"name": "node", "template": {"spec": {"template": pod}}}]
    metadata = {"name": "r", "resourceVersion": "1"}
    spec = {"template": {"spec": {"replicatedJobs": replicated}}}
    runtime = {"apiVersion": api, "kind": "ClusterTrainingRuntime", "metadata": metadata, "spec": spec}
    found = screen([*BASE, train, runtime], "trainjob/t -n team", "json")
    assert (json.loads(found.stdout)["verdict"], found.stderr) == ("NotNow", "")


def test_a_group_of_pods_speaks_with_one_voice_while_it_waits_for_more() -> None:
    pods = [_of_group(f"p{i}", 3) for i in range(2)]
    found = asked([*BASE, *pods], "pod/p1 -n team")
    assert found["verdict"] == "Never"
    assert "pod group g is incomplete: 2 of 3 pods can run" in found["sentence"]
    assert screen([*BASE, *pods], "-n team").stdout.count("pod group g is incomplete") == 1


def test_any_pod_of_a_group_leads_to_its_workload() -> None:
    pods = [_of_group(f"p{i}", 2) for i in range(2)]
    made = workload("g", 2, metadata=owned("Pod", "p0", api="v1"))
    assert asked([*BASE, *pods, made], "pod/p1 -n team")["workload"]["name"] == "g"


def _of_group(name: str, total: int) -> Object:
    labels = {f"{KUEUE}/queue-name": "q", f"{KUEUE}/pod-group-name": "g"}
    annotations = {f"{KUEUE}/pod-group-total-count": str(total)}
    spec = {"containers": [{"name": "c", "resources": {"requests": {GPU: "1"}}}]}
    pod = job(name, labels=labels, kind="Pod", api="v1", spec=spec)
    pod["metadata"]["annotations"] = annotations
    return pod


def test_a_child_of_another_job_is_answered_by_the_one_above() -> None:
    job_set = job("set", kind="JobSet", api="jobset.x-k8s.io/v1alpha2", spec={"replicatedJobs": [_REPLICATED]})
    child = job("set-a-0", labels={}, metadata=owned("JobSet", "set", api="jobset.x-k8s.io/v1alpha2"))
    made = workload("jobset-set-00000", 2, metadata=owned("JobSet", "set", api="jobset.x-k8s.io/v1alpha2"))
    assert asked([*BASE, job_set, child, made], "job/set-a-0 -n team")["workload"]["name"] == "jobset-set-00000"
    assert asked([*BASE, job_set, child], "job/set-a-0 -n team")["evidence"][0]["object"] == "JobSet team/set"


def test_a_set_of_groups_is_answered_by_the_workload_of_each() -> None:
    api = "leaderworkerset.x-k8s.io/v1"
    spec = {"replicas": 2, "leaderWorkerTemplate": {"size": 2, "workerTemplate": {"spec": {"containers": []}}}}
    groups = [
        workload(f"leaderworkerset-s-{i}-00000", 2, metadata=owned("LeaderWorkerSet", "s", api=api, controller=False))
        for i in range(2)
    ]
    found = asked([*BASE, job("s", kind="LeaderWorkerSet", api=api, spec=spec), *groups], "leaderworkerset/s -n team")
    assert [i["workload"]["name"] for i in found["items"]] == [g["metadata"]["name"] for g in groups]
    assert {i["job"] for i in found["items"]} == {"LeaderWorkerSet team/s"}


def test_a_kind_and_names_apart_are_read_as_kubectl_reads_them() -> None:
    objects = [*BASE, job("train", 2), TRAIN]
    assert asked(objects, "job train -n team")["workload"]["name"] == "job-train-aaaaa"
    assert [i["subject"] for i in asked(objects, "job train train")["items"]] == ["Job team/train"] * 2
    assert asked([*BASE, workload("job", 1)], "job")["workload"]["name"] == "job"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("job", "name one: `job/NAME`; `-A` lists all that wait"),
        ("clusterqueue/q", "error: a ClusterQueue does not wait for quota"),
        ("lq/q", "ask about a job or a Workload"),
    ],
)
def test_a_kind_that_does_not_wait_is_told(args: str, says: str) -> None:
    assert says in refused([*BASE, TRAIN], args).stderr


def test_a_namespace_in_which_nothing_waits_is_told_with_what_waits_elsewhere() -> None:
    shown = screen([*BASE, ELSEWHERE, TRAIN], "-n elsewhere").stdout
    assert "no workload waits in namespace elsewhere" in shown
    assert "not listed: 1 waiting in other namespaces (-A)" in shown
    assert "not listed: 1 running · ages as of " in screen([*BASE, TRAIN], "-n team").stdout


def test_without_a_namespace_the_work_of_all_namespaces_of_files_is_listed() -> None:
    found = asked([*BASE, ELSEWHERE, TRAIN], "")
    assert (found["namespace"], len(found["groups"])) == (None, 1)


@pytest.mark.parametrize("place", ["metadata", "conditions", "start"])
def test_ages_count_to_the_newest_object_of_the_input(place: str) -> None:
    late = "2026-03-04T13:00:00Z"
    parts: Object = {
        "metadata": {"metadata": {"name": "n", "creationTimestamp": late}},
        "conditions": {"status": {"conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": late}]}},
        "start": {"status": {"startTime": late}},
    }
    other: Object = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}, "spec": {"containers": []}}
    other |= parts[place]
    shown = screen([*BASE, TRAIN, other], "-n team").stdout
    assert "  2d2h  not now  " in shown
    assert "ages as of 2026-03-04T13:00:00Z, the newest object" in " ".join(shown.split())
    assert "ages as of" not in screen([*BASE, TRAIN, other], "-n team --now 2026-03-04T13:00:00Z").stdout


def test_a_namespace_that_the_input_lacks_is_a_wrong_call() -> None:
    found = screen([*BASE, TRAIN], "-n taem")
    assert found.code == 2
    assert "namespace `taem` is not in the input" in found.stderr
    assert "did you mean `team`?" in found.stderr


def test_the_victims_of_a_workload_are_shown() -> None:
    policy = queue("p", preemption={"withinClusterQueue": "LowerPriority"})
    high = workload("high", 2, queue="p", spec={"priority": 9})
    found = screen([*surroundings(), *policy, running("low", 4, queue="p"), high], "workload/high -n team")
    assert "VICTIM" in found.stdout
    assert "team/low" in found.stdout
