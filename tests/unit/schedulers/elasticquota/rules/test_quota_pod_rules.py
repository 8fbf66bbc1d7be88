"""Pods that quotas count otherwise than meant, who is evicted, and what the scheduler and the controller count."""

import json
from typing import Any

import pytest

from kubectl_fairshare.finding import Insert, Severity
from tests.unit.schedulers.elasticquota.rules.objects import (
    deployment,
    node,
    pod,
    pod_spec,
    quota,
    scheduler,
)
from tests.unit.schedulers.kueue.rules.asking import places, reported

PLUGIN = {"name": "CapacityScheduling"}
RIVAL = {"disabled": [{"name": "DefaultPreemption"}]}
COMPLETE = {"multiPoint": {"enabled": [PLUGIN]}, "postFilter": RIVAL}


def profile(plugins: dict[str, Any], name: str = "capacity") -> dict[str, Any]:
    return {"schedulerName": name, "plugins": plugins}


def running(text: str, **metadata: Any) -> str:
    """The pod as one that runs since noon, with more metadata."""
    data = json.loads(text)
    data["metadata"].update(metadata)
    return json.dumps({**data, "status": {"phase": "Running", "startTime": "2026-03-01T12:00:00Z"}}) + "\n"


def test_pods_without_requests_are_told_once_for_a_namespace() -> None:
    texts = quota("a", {"cpu": 4}), pod("a", "one"), pod("a", "two"), pod("b", "free")
    assert places("E023", *texts, complete=True) == ["warning Pod a/one spec.containers[0]"]


def test_limits_are_requests() -> None:
    spec = pod_spec()
    spec["containers"][0]["resources"] = {"limits": {"cpu": 1}}
    text = json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "a"}, "spec": spec})
    assert reported("E023", quota("a", {"cpu": 4}), text + "\n") == ()


def test_a_limit_range_fills_in_requests() -> None:
    item = {"type": "Container", "defaultRequest": {"cpu": "100m"}}
    limits = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "l", "namespace": "a"}}
    text = json.dumps({**limits, "spec": {"limits": [item]}}) + "\n"
    assert reported("E023", quota("a", {"cpu": 4}), text, pod("a")) == ()


def test_a_sidecar_costs_the_quota_less_than_the_node() -> None:
    sidecar = [{"name": "s", "restartPolicy": "Always", "resources": {"requests": {"cpu": 2}}}]
    texts = quota("a", {"cpu": 8}), pod("a", requests={"cpu": 2}, initContainers=sidecar)
    (found,) = reported("E024", *texts)
    assert "2 cpu and takes 4 cpu of a node" in found.finding.message
    assert str(found.finding.place) == "Pod a/train spec.initContainers[0].resources"


def test_resources_of_the_whole_pod_are_unknown_to_the_quota() -> None:
    texts = quota("a", {"cpu": 8}), pod("a", requests={"cpu": 1}, resources={"requests": {"cpu": 3}})
    assert places("E024", *texts) == ["warning Pod a/train spec.resources"]


def test_rounding_of_containers_is_no_difference_worth_telling() -> None:
    containers = [{"name": n, "resources": {"requests": {"cpu": "1100u"}}} for n in ("a", "b", "c")]
    assert reported("E024", quota("a", {"cpu": 8}), pod("a", containers=containers)) == ()


def test_pods_of_another_scheduler_are_told_where_profiles_are_known() -> None:
    texts = quota("a", {"cpu": 4}), pod("a", requests={"cpu": 1})
    assert reported("E028", *texts) == ()
    (found,) = reported("E028", *texts, scheduler(profile(COMPLETE)), complete=True)
    assert found.severity is Severity.ERROR
    assert found.finding.remedy.text == "write `schedulerName: capacity`"


@pytest.mark.parametrize(
    ("plugins", "said"),
    [
        (COMPLETE, ""),
        ({"multiPoint": {"enabled": [PLUGIN], "disabled": [{"name": "*"}]}}, ""),
        ({"multiPoint": {"enabled": [PLUGIN]}, "postFilter": {"disabled": [{"name": "*"}], "enabled": [PLUGIN]}}, ""),
        ({"multiPoint": {"enabled": [PLUGIN]}}, "DefaultPreemption runs before CapacityScheduling"),
        ({"preFilter": {"enabled": [PLUGIN]}, "postFilter": RIVAL}, "does not run at `postFilter`, `reserve`"),
        ({"multiPoint": {"enabled": [PLUGIN]}, "postFilter": {"disabled": [{"name": "*"}]}}, "at `postFilter`"),
        ({"multiPoint": {"enabled": [{"name": "Coscheduling"}]}}, ""),
    ],
)
def test_a_profile_runs_the_plugin_everywhere_and_alone(plugins: dict[str, Any], said: str) -> None:
    found = reported("E029", scheduler(profile(plugins)))
    assert len(found) == bool(said)
    assert all(said in r.finding.message for r in found)


def test_default_preemption_is_disabled_where_it_is_missing() -> None:
    (found,) = reported("E029", scheduler(profile({"multiPoint": {"enabled": [PLUGIN]}})))
    assert found.finding.remedy.edits == (Insert(found.finding.place, "postFilter", RIVAL),)


def test_garbage_in_the_schedulers_configuration_is_passed_over() -> None:
    assert reported("E029", scheduler(profile({"multiPoint": [], "preFilter": {"enabled": [1]}}))) == ()


def test_a_priority_class_may_keep_pods_from_preempting() -> None:
    never = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "calm"}, "value": 1}
    text = json.dumps({**never, "preemptionPolicy": "Never"}) + "\n"
    texts = quota("a", {"cpu": 4}), text, deployment("a", {"cpu": 1}, priorityClassName="calm")
    assert places("E030", *texts) == ["warning Deployment a/serve spec.template.spec.priorityClassName"]


def test_a_namespace_without_min_has_nothing_to_reclaim() -> None:
    texts = quota("a", max={"cpu": 4}), pod("a", requests={"cpu": 1}, preemptionPolicy="Never")
    assert reported("E030", *texts) == ()


@pytest.mark.parametrize(("size", "found"), [(4, False), ("4001m", True)])
def test_a_pod_as_large_as_min_can_reclaim(size: Any, found: bool) -> None:
    texts = quota("a", {"cpu": 4}), quota("b", {"cpu": 4}), pod("a", requests={"cpu": size})
    assert bool(reported("E031", *texts)) is found


def test_a_pod_larger_than_every_node_is_told_as_such() -> None:
    texts = quota("a", {"cpu": 16}), node("n1"), node("n2"), pod("a", requests={"cpu": 9})
    (found,) = reported("E031", *texts)
    assert "1 cpu more than any node has" in found.finding.message


def test_system_namespaces_have_no_quota() -> None:
    assert places("E013", quota("kube-system", {"cpu": 4})) == [
        "error ElasticQuota kube-system/kube-system metadata.namespace"
    ]


def test_daemon_pods_of_a_borrower_are_evictable() -> None:
    agent = running(pod("a", requests={"cpu": 2}, node="n1"), ownerReferences=[{"kind": "DaemonSet", "name": "agent"}])
    assert reported("E013", quota("a", {"cpu": 2}), agent) == ()
    assert places("E013", quota("a", {"cpu": 1}), agent) == ["error Pod a/train metadata.name"]


def test_one_priority_keeps_a_borrower_from_preempting() -> None:
    pods = [pod("a", name, {"cpu": 1}, "n1") for name in ("one", "two")]
    assert len(reported("E032", quota("a", {"cpu": 1}), *pods)) == 1
    assert reported("E032", quota("a", {"cpu": 2}), *pods) == ()


def test_a_budget_that_covers_no_pod_of_a_borrower_is_not_told() -> None:
    selector = {"matchLabels": {"app": "serve"}}
    budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b", "namespace": "a"}}
    text = json.dumps({**budget, "spec": {"selector": selector}}) + "\n"
    texts = quota("a", {"cpu": 1}), text
    plain = pod("a", requests={"cpu": 2}, node="n1")
    assert reported("E033", *texts, plain) == ()
    assert places("E033", *texts, running(plain, labels={"app": "serve"})) == ["info PodDisruptionBudget a/b spec"]


@pytest.mark.parametrize(("created", "found"), [("2026-03-01T12:00:01Z", True), ("2026-03-01T12:00:00Z", False)])
def test_a_quota_newer_than_a_pods_start_does_not_count_it(created: str, found: bool) -> None:
    texts = quota("a", {"cpu": 4}, creationTimestamp=created), running(pod("a", requests={"cpu": 1}, node="n1"))
    assert bool(reported("E025", *texts)) is found


def test_status_tells_why_it_differs() -> None:
    bound = pod("a", "bound", {"cpu": 1}, "n1")
    texts = quota("a", {"cpu": 4}, status={"used": {"cpu": 1}}), running(pod("a", requests={"cpu": 1}, node="n1"))
    assert reported("E026", *texts) == ()
    (found,) = reported("E026", *texts, bound)
    assert "the controller counts running pods alone" in found.finding.message


def test_status_is_not_held_against_pods_that_are_not_in_the_input() -> None:
    text = quota("a", {"cpu": 4}, status={"used": {"cpu": 1}})
    assert reported("E026", text) == ()
    assert len(reported("E026", text, complete=True)) == 1


def test_the_schedulers_configuration_is_found_in_a_config_map() -> None:
    inside = scheduler(profile({"multiPoint": {"enabled": [PLUGIN]}}))
    data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "s"}}
    text = json.dumps({**data, "data": {"scheduler-config.yaml": inside, "notes": "kubescheduler.config.k8s.io: ["}})
    assert places("E029", text) == ["error ConfigMap s/c data[scheduler-config.yaml].profiles[0].plugins"]
    assert len(reported("E028", text, quota("a", {"cpu": 4}), pod("a", requests={"cpu": 1}))) == 1
