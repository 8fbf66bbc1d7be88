"""What completes pods, read for every scheduler alike."""

from typing import Any

from kubectl_fairshare.jobs.context import pod_context
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest


def manifest(group: str, kind: str, name: str, namespace: str = "", **data: Any) -> Manifest:
    return Manifest(ObjectKey(group, kind, namespace, name), "v1", data, Origin("x", 0))


def test_classes_overheads_and_labels_are_read() -> None:
    problems: list[Problem] = []
    context = pod_context(
        [
            manifest("", "Namespace", "team", metadata={"labels": {"a": "b"}}),
            manifest("", "Pod", "p", "team", spec=3),
            manifest("node.k8s.io", "RuntimeClass", "vm", overhead={"podFixed": {"cpu": "250m"}}),
            manifest("scheduling.k8s.io", "PriorityClass", "high", value=7, globalDefault=True),
        ],
        problems,
    )
    assert problems == []
    assert context.namespace_labels == {"team": {"a": "b", "kubernetes.io/metadata.name": "team"}}
    assert context.overheads == {"vm": {"cpu": 250 * 10**6}}
    assert context.overhead_texts == {"vm": {"cpu": "250m"}}
    assert (context.priority_classes["high"], context.default_priority) == (7, 7)
    assert context.priority_classes["system-node-critical"] == 2_000_001_000


def test_what_cannot_be_read_is_told_and_the_rest_stays() -> None:
    problems: list[Problem] = []
    context = pod_context(
        [
            manifest("", "LimitRange", "bad", "team", spec={"limits": 3}),
            manifest("scheduling.k8s.io", "PriorityClass", "odd", value="much"),
            manifest("scheduling.k8s.io", "PriorityClass", "sound", value=3),
        ],
        problems,
    )
    assert len(problems) == 2
    assert context.limit_ranges == {}
    assert (context.priority_classes["sound"], context.default_priority) == (3, None)
