"""Rules: pods that their quota counts otherwise than meant, or that it cannot help."""

import json
from typing import Any

import pytest

from kubectl_fairshare.finding import Severity
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
    assert "counts as 2 cpu in the ElasticQuota of `a` and uses 4 cpu on its node" in found.finding.message
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
