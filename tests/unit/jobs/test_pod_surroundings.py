"""What completes a pod: its class, its runtime; and what is wrong with it."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.pod_surroundings import (
    Surroundings,
    completed_spec,
    labels_of,
    surroundings,
    text_of,
    unreadable,
)
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from tests.unit.schedulers.kueue.jobs.contexts import context_of

KEY = ObjectKey("", "Pod", "a", "p")


def manifest(kind: str, data: dict[str, Any], group: str = "", name: str = "p", version: str = "v1") -> Manifest:
    return Manifest(ObjectKey(group, kind, "a", name), version, data, Origin("", 0))


def classes(*found: dict[str, Any]) -> Surroundings:
    """The surroundings with these PriorityClasses."""
    made = [
        manifest("PriorityClass", {"metadata": {"name": one["name"]}, **one}, "scheduling.k8s.io", one["name"])
        for one in found
    ]
    return surroundings(made, context_of(made, Configuration(), {}))


def field(spec: dict[str, Any]) -> Field:
    return Field(KEY, ("spec",), spec)


@pytest.mark.parametrize(
    ("spec", "priority", "preempts"),
    [
        ({}, 5, True),
        ({"priorityClassName": "high"}, 9, True),
        ({"priorityClassName": "meek"}, 3, False),
        ({"priorityClassName": "meek", "preemptionPolicy": "PreemptLowerPriority"}, 3, True),
        ({"priorityClassName": "high", "priority": 4}, 4, True),
        ({"priorityClassName": "meek", "priority": 4}, 4, True),
        ({"priority": 4, "preemptionPolicy": "Never"}, 4, False),
        ({"priorityClassName": "system-node-critical"}, 2000001000, True),
    ],
)
def test_priority_and_policy_come_from_the_class_unless_told(spec: Any, priority: int, preempts: bool) -> None:
    around = classes(
        {"name": "high", "value": 9},
        {"name": "meek", "value": 3, "preemptionPolicy": "Never"},
        {"name": "usual", "value": 5, "globalDefault": True},
    )
    assert around.priority(field(spec)) == (priority, preempts)


def test_a_default_class_may_keep_pods_from_preempting() -> None:
    around = classes({"name": "usual", "value": 5, "globalDefault": True, "preemptionPolicy": "Never"})
    assert around.priority(field({})) == (5, False)


def test_a_class_that_is_not_there_is_told() -> None:
    with pytest.raises(FairshareError, match="PriorityClass `lost` is not in the input"):
        Surroundings().priority(field({"priorityClassName": "lost"}))


@pytest.mark.parametrize("priority", ["high", True, 1 << 31, -(1 << 31) - 1])
def test_a_priority_is_a_number_of_32_bits(priority: object) -> None:
    with pytest.raises(ValueError, match="32 bits"):
        Surroundings().priority(field({"priority": priority}))


def test_a_runtime_class_adds_its_overhead_to_a_new_pod_only() -> None:
    data = {"metadata": {"name": "kata"}, "overhead": {"podFixed": {"cpu": "250m"}}, "scheduling": {"nodeSelector": {}}}
    made = [manifest("RuntimeClass", {**data, "handler": "k"}, "node.k8s.io", "kata")]
    made[0].data["scheduling"]["nodeSelector"]["a"] = "b"
    around = surroundings(made, context_of(made, Configuration(), {}))
    assert around.overhead({"runtimeClassName": "kata"}) == (("cpu", "250000000n"),)
    assert around.overhead({"runtimeClassName": "kata", "overhead": {"cpu": "1"}}) == ()
    assert list(around.added({"runtimeClassName": "kata"}, "a", taken=False)) == ["RuntimeClassScheduling"]
    assert list(around.added({"runtimeClassName": "kata"}, "a", taken=True)) == []


def test_labels_and_texts_of_another_type_are_refused() -> None:
    assert (text_of(None), text_of("a"), labels_of(None), labels_of({"a": "b"})) == ("", "a", {}, {"a": "b"})
    for call, value in ((text_of, 7), (labels_of, {"a": 1}), (labels_of, ["a"])):
        with pytest.raises(ValueError, match="text"):
            call(value)


def test_an_unreadable_pod_is_named_with_its_field_where_that_is_found() -> None:
    with pytest.raises(FairshareError, match=r"`spec.containers` must be a list"):
        unreadable(KEY, {"spec": {"containers": "x"}}, ValueError("x"))
    assert "Pod a/p cannot be read: gone" in str(unreadable(KEY, {"spec": {"containers": []}}, ValueError("gone")))


def test_what_is_null_in_a_new_pod_is_nothing() -> None:
    containers = [
        None,
        {"resources": None},
        {"resources": {"limits": {"cpu": None, "memory": "1Gi"}, "requests": None}},
    ]
    found = completed_spec({"containers": containers, "initContainers": None}, "a", Surroundings())
    assert [each["resources"]["requests"] for each in found["containers"]] == [{}, {}, {"cpu": "0", "memory": "1Gi"}]
    assert found["initContainers"] == []
