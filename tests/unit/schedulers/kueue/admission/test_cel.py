"""The rules of Kueue's CustomResourceDefinitions; recorded writes in tests/conformance show most of them at work."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.admission.cel import RULES

KUEUE = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "a"}


def broken(name: str, new: Any, old: Any = None) -> list[str]:
    """The gists of the rules that do not hold, those on changes only with an old value."""
    rules = (rule for rule in RULES[name] if old is not None or not rule.transition)
    return [rule.gist for rule in rules if not rule.verdict(new, old)]


def workload(reference: Any, reserved: bool = True, queue: str = "a") -> Any:
    conditions = [{"type": "QuotaReserved", "status": str(reserved)}]
    return {"spec": {"priorityClassRef": reference, "queueName": queue}, "status": {"conditions": conditions}}


@pytest.mark.parametrize(
    ("name", "value", "holds"),
    [
        ("flavor-fungibility", {"preference": "x", "whenCanBorrow": "TryNextFlavor", "whenCanPreempt": "Stop"}, False),
        ("preemption", {"reclaimWithinCohort": "Never", "borrowWithinCohort": {"policy": "Never"}}, True),
        ("preemption", {"reclaimWithinCohort": "Never", "borrowWithinCohort": {"policy": "LowerPriority"}}, False),
        ("cluster-queue-spec-v1beta1", {"cohort": "a"}, True),
        ("cluster-source", {"kubeConfig": {}, "clusterProfileRef": {}}, False),
        ("levels", [{"nodeLabel": "kubernetes.io/hostname"}, {"nodeLabel": "a"}], False),
        ("tolerations", [{"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 1}], True),
        ("tolerations", [{"operator": "Exists", "value": "x"}], False),
        ("pod-set", {"count": 2, "minCount": 3}, False),
        ("pod-set", {"count": 2.0, "minCount": 1}, False),
        ("workload-spec", {"priorityClassRef": {}}, False),
        ("one-form", {"universal": 1, "individual": [1]}, False),
    ],
)
def test_rules_on_a_value(name: str, value: Any, holds: bool) -> None:
    assert (broken(name, value) == []) is holds


def test_a_rule_without_the_field_that_it_needs_cannot_be_evaluated() -> None:
    (rule,) = RULES["resource-group"]
    assert rule.verdict({"flavors": []}, None) is None


def test_a_priority_class_stays_while_quota_is_reserved() -> None:
    old = {"group": "scheduling.k8s.io", "kind": "PriorityClass", "name": "a"}
    assert broken("workload", workload({**old, "name": "b"}), workload(old)) == [
        "priorityClassRef.name of a PriorityClass is immutable while quota is reserved"
    ]
    assert broken("workload", workload({**old, "name": "b"}), workload(old, reserved=False)) == []
    assert broken("workload", workload({**KUEUE, "name": "b"}), workload(KUEUE)) == []


def test_a_queue_stays_while_quota_is_reserved_before_and_after() -> None:
    assert broken("workload", workload(KUEUE, queue="b"), workload(KUEUE)) == [
        "queueName is immutable while quota is reserved"
    ]
    assert broken("workload", workload(KUEUE, reserved=False, queue="b"), workload(KUEUE)) == []
