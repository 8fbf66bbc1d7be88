"""Pods that no scheduler sees, or not as their templates describe them, with ElasticQuota and with Koordinator."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.question import PlanQuestion, Wishes

Object = dict[str, Any]
GROUPS = {"elasticquota": "scheduling.x-k8s.io/v1alpha1", "koordinator": "scheduling.sigs.k8s.io/v1alpha1"}
NAMES = {"elasticquota": "default-scheduler", "koordinator": "koord-scheduler"}
ON_BOTH = "placed now on any of n1, n2"


def a(kind: str, name: str, api: str = "v1", namespace: str | None = "a", **data: Any) -> Object:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {}) | data.pop("metadata", {})
    return {"apiVersion": api, "kind": kind, "metadata": metadata, **data}


def spec_of(cpu: str = "1", **more: Any) -> Object:
    container = {"name": "c", "image": "none", "resources": {"requests": {"cpu": cpu}}}
    return {"schedulerName": "none", "containers": [container], **more}


def pod(name: str = "p", cpu: str = "1", status: Any = None, metadata: Any = None, **more: Any) -> Object:
    return a("Pod", name, metadata=metadata or {}, spec=spec_of(cpu, **more), **({"status": status} if status else {}))


def owned(name: str, node: str, cpu: str = "1") -> Object:
    owner = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "j", "uid": "u", "controller": True}
    return pod(name, cpu, {"phase": "Running"}, {"ownerReferences": [owner]}, nodeName=node)


def full(node: str) -> Object:
    return pod(f"full-{node}", "10", {"phase": "Running"}, nodeName=node)


def making(kind: str = "Job", pods: Object | None = None, **spec: Any) -> Object:
    """An object that makes pods."""
    group = "batch/v1" if kind in ("Job", "CronJob") else "apps/v1"
    inner = {"restartPolicy": "Never"} if group == "batch/v1" else {}
    template = {"metadata": {"labels": {"app": "j"}}, "spec": {**(pods or spec_of()), **inner}}
    return a(kind, "j", group, spec={"selector": {"matchLabels": {"app": "j"}}, "template": template, **spec})


def job(pods: Object | None = None, **spec: Any) -> Object:
    found = making("Job", pods, **spec)
    del found["spec"]["selector"]
    return found


def cron_job(inner: Object, **spec: Any) -> Object:
    return a("CronJob", "j", "batch/v1", spec={"schedule": "@daily", "jobTemplate": {"spec": inner["spec"]}, **spec})


def cluster(scheduler: str) -> list[Object]:
    """A quota and two nodes of 10 cpu."""
    bounds = {"min": {"cpu": "20"}, "max": {"cpu": "20"}}
    quota = a("ElasticQuota", "a", GROUPS[scheduler], spec=bounds)
    ready = {"allocatable": {"cpu": "10", "pods": "110"}, "conditions": [{"type": "Ready", "status": "True"}]}
    return [quota, *(a("Node", name, namespace=None, status=ready) for name in ("n1", "n2"))]


@pytest.fixture(params=GROUPS)
def scheduler(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def verdict(scheduler: str, tmp_path: Path) -> Any:
    """The verdict on an object, beside others."""

    def verdict(asked: Object, *others: Object, complete: bool = False, nodes: bool = True) -> str:
        known, house = known_schedulers(), scheduler_named(scheduler)
        of_cluster = cluster(scheduler)[: None if nodes else 1]
        for name, objects in (("state.yaml", [*of_cluster, *others]), ("asked.yaml", [asked])):
            text = yaml.safe_dump_all(objects).replace("schedulerName: none", f"schedulerName: {NAMES[scheduler]}")
            (tmp_path / name).write_text(text)
        manifests = read([str(tmp_path / "state.yaml")], known).manifests
        snapshot = assemble(manifests, known, complete=complete).snapshot
        given = read([str(tmp_path / "asked.yaml")], known)
        (answer,) = house.plan(snapshot, PlanQuestion(given, Wishes(), "a"))
        if not answer.fidelity.exact:
            assert answer.verdict.startswith("unknown: not modelled: ")
        return answer.verdict.removeprefix("unknown: not modelled: ")

    return verdict


def test_a_pod_that_names_its_node_is_bound_without_a_scheduler(verdict: Any) -> None:
    bound = "its nodeName: it is bound to n1 when it is created, without a scheduler and without a quota"
    assert verdict(pod(nodeName="n1")) == bound
    assert verdict(job(spec_of(nodeName="n1"))) == bound
    assert verdict(pod()) == ON_BOTH


def test_a_pod_that_an_api_server_has_is_planned_as_if_it_waited(verdict: Any) -> None:
    stored = {"uid": "u", "resourceVersion": "7"}
    assert verdict(pod(nodeName="n1", metadata=stored)) == ON_BOTH
    assert verdict(pod(priority=5, preemptionPolicy="Never", metadata=stored)) == ON_BOTH


@pytest.mark.parametrize(
    ("asked", "supposed", "pods"),
    [
        (job(), "", 1),
        (job(suspend=False, parallelism=2), "", 2),
        (job(parallelism=4, completions=3), "", 3),
        (job(suspend=True), "if resumed, ", 1),
        (job(suspend=True, parallelism=2), "if resumed, ", 2),
        (job(parallelism=0), "if scaled up, ", 1),
        (job(completions=0), "if scaled up, ", 1),
        (cron_job(job()), "", 1),
        (cron_job(job(parallelism=2)), "", 2),
        (cron_job(job(), suspend=True), "if resumed, ", 1),
        (cron_job(job(suspend=True)), "if resumed, ", 1),
        (making("Deployment", replicas=0), "if scaled up, ", 1),
        (making("Deployment", replicas=1), "", 1),
        (making("Deployment", replicas=3), "", 3),
    ],
)
def test_a_plan_is_about_one_pod_and_says_on_what_condition_and_of_how_many(
    verdict: Any, asked: Object, supposed: str, pods: int
) -> None:
    assert verdict(asked) == f"{supposed}{ON_BOTH}{f' (one of its {pods} pods)' if pods > 1 else ''}"


def test_pods_that_another_controller_makes_are_not_known(verdict: Any) -> None:
    unknown = "the pods that example.com/other makes of it (managedBy)"
    assert verdict(job(managedBy="example.com/other")) == unknown
    assert verdict(cron_job(job(managedBy="example.com/other"))) == unknown
    assert verdict(job(managedBy="kubernetes.io/job-controller")) == ON_BOTH


def test_a_pod_of_a_daemon_set_is_for_a_node_that_lacks_one(verdict: Any) -> None:
    daemons = making("DaemonSet")
    assert verdict(daemons) == ON_BOTH
    assert verdict(daemons, owned("j-1", "n1")) == "placed now on n2"
    assert verdict(daemons, owned("j-1", "n1"), full("n2")).startswith("waits: ")
    assert verdict(daemons, owned("j-1", "n1"), owned("j-2", "n2")) == (
        "another pod of DaemonSet a/j, which has one on every node that it may use"
    )


def test_the_nodes_of_a_daemon_set_matter_only_where_their_answers_differ(verdict: Any) -> None:
    differ = "for which of 2 nodes the pod is: a DaemonSet makes one for each node, and their answers differ"
    assert verdict(making("DaemonSet"), full("n2")) == differ
    assert verdict(making("DaemonSet"), full("n1"), full("n2")).startswith("waits: ")
    assert verdict(making("DaemonSet", spec_of("11"))).startswith("can never be placed: ")
    assert verdict(making("DaemonSet", spec_of(nodeSelector={"no": "node"}))).startswith("can never be placed: ")


def test_a_daemon_set_has_a_pod_on_a_cordoned_node(verdict: Any) -> None:
    taint = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
    status = {"allocatable": {"cpu": "10", "pods": "110"}}
    cordoned = a("Node", "n3", namespace=None, spec={"unschedulable": True, "taints": [taint]}, status=status)
    assert verdict(making("DaemonSet"), cordoned, owned("j-1", "n1"), owned("j-2", "n2")) == "placed now on n3"
    assert verdict(making("Deployment"), cordoned, full("n1"), full("n2")).startswith("waits: ")


def test_without_nodes_quota_alone_is_decided_for_a_daemon_set(verdict: Any) -> None:
    assert "it may use" not in verdict(making("DaemonSet"), owned("j-1", "n1"), nodes=False)


def test_a_pod_whose_classes_are_missing_or_contradicted_is_not_placed(verdict: Any) -> None:
    invalid = "a pod that no API server takes: "
    assert verdict(pod(priority=7)) == f"{invalid}priority is 7, and a pod without a PriorityClass has 0"
    assert verdict(pod(overhead={"cpu": "1"})) == f"{invalid}overhead is set, and it has no RuntimeClass"
    assert verdict(pod(runtimeClassName="kata")) == "RuntimeClass kata is not in the input"
    missing = verdict(pod(runtimeClassName="kata"), complete=True)
    assert missing == f"{invalid}its RuntimeClass kata does not exist"
    kata = a("RuntimeClass", "kata", "node.k8s.io/v1", None, handler="kata")
    assert verdict(pod(runtimeClassName="kata"), kata, complete=True) == ON_BOTH


@pytest.mark.parametrize("asked", [pod(), job()])
def test_nothing_is_created_in_a_namespace_that_is_being_deleted(verdict: Any, asked: Object) -> None:
    ending = "namespace a is being deleted, so an API server creates nothing in it"
    deleted = a("Namespace", "a", namespace=None, metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})
    assert verdict(asked, deleted) == ending
    assert verdict(asked, a("Namespace", "a", namespace=None, status={"phase": "Terminating"})) == ending
    assert verdict(asked, a("Namespace", "b", namespace=None, status={"phase": "Terminating"})) == ON_BOTH
    assert verdict(asked, a("Namespace", "a", namespace=None, status={"phase": "Active"})) == ON_BOTH
