"""Rules: who is evicted when a namespace uses more than its min."""

import json

from tests.unit.schedulers.elasticquota.rules.objects import (
    pod,
    quota,
    running,
)
from tests.unit.schedulers.kueue.rules.asking import places, reported


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
