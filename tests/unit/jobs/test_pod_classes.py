"""New pods that contradict their classes, or name classes that the input lacks."""

from typing import Any

import pytest

from kubectl_fairshare.answers.fidelity import INVALID, NOT_GIVEN, UNREAD
from kubectl_fairshare.jobs.context import pod_context
from kubectl_fairshare.jobs.pod_classes import class_clauses, missing_class_gaps
from kubectl_fairshare.jobs.pod_surroundings import Surroundings, surroundings
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest

KEY = ObjectKey("", "Pod", "team", "asked")
HIGH = "its PriorityClass high sets"
NONE = "a pod without a PriorityClass has"


def a_class(kind: str, name: str, **data: Any) -> Manifest:
    group = "node.k8s.io" if kind == "RuntimeClass" else "scheduling.k8s.io"
    return Manifest(ObjectKey(group, kind, "", name), "v1", {"metadata": {"name": name}, **data}, Origin("", 0))


CLASSES = (
    a_class("PriorityClass", "high", value=1000),
    a_class("PriorityClass", "patient", value=5, preemptionPolicy="Never"),
    a_class("RuntimeClass", "vm", handler="vm", overhead={"podFixed": {"cpu": "500m"}}),
    a_class("RuntimeClass", "plain", handler="runc"),
)


def around(*more: Manifest) -> Surroundings:
    every = (*CLASSES, *more)
    return surroundings(every, pod_context(every, []))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, []),
        ({"priority": 0}, []),
        ({"priority": 1000}, [f"priority is 1000, and {NONE} 0"]),
        ({"priority": 1000, "priorityClassName": "high"}, []),
        ({"priority": 7, "priorityClassName": "high"}, [f"priority is 7, and {HIGH} 1000"]),
        ({"priority": 2_000_001_000, "priorityClassName": "system-node-critical"}, []),
        ({"priority": 7, "priorityClassName": "other"}, []),
        ({"preemptionPolicy": "PreemptLowerPriority"}, []),
        ({"preemptionPolicy": "Never"}, [f"preemptionPolicy is Never, and {NONE} PreemptLowerPriority"]),
        (
            {"preemptionPolicy": "Never", "priorityClassName": "high"},
            [f"preemptionPolicy is Never, and {HIGH} PreemptLowerPriority"],
        ),
        ({"preemptionPolicy": "Never", "priorityClassName": "patient"}, []),
        (
            {"preemptionPolicy": "PreemptLowerPriority", "priorityClassName": "patient"},
            ["preemptionPolicy is PreemptLowerPriority, and its PriorityClass patient sets Never"],
        ),
        ({"overhead": {}}, []),
        ({"overhead": {"cpu": "1"}}, ["overhead is set, and it has no RuntimeClass"]),
        ({"overhead": {"cpu": 0.5}, "runtimeClassName": "vm"}, []),
        ({"overhead": {"cpu": "1"}, "runtimeClassName": "vm"}, ["overhead is not that of its RuntimeClass vm"]),
        ({"overhead": {"cpu": "1"}, "runtimeClassName": "plain"}, ["overhead is not that of its RuntimeClass plain"]),
        ({"overhead": {"cpu": "1"}, "runtimeClassName": "other"}, []),
    ],
)
def test_a_new_pod_may_repeat_what_its_classes_set_and_nothing_else(spec: Any, expected: list[str]) -> None:
    assert list(class_clauses(KEY, spec, around())) == expected


def test_the_default_class_sets_what_a_pod_without_one_may_repeat() -> None:
    default = a_class("PriorityClass", "usual", value=3, globalDefault=True, preemptionPolicy="Never")
    assert list(class_clauses(KEY, {"priority": 3, "preemptionPolicy": "Never"}, around(default))) == []
    assert list(class_clauses(KEY, {"priority": 0}, around(default))) == [f"priority is 0, and {NONE} 3"]


def test_a_field_of_another_type_is_an_error_at_its_place() -> None:
    with pytest.raises(FairshareError) as caught:
        list(class_clauses(KEY, {"priority": "high"}, around()))
    assert str(caught.value.problems[0].place) == "Pod team/asked spec.priority"


@pytest.mark.parametrize(
    ("unread", "exists_nowhere", "feature", "subject"),
    [
        ((), False, NOT_GIVEN, "RuntimeClass kata"),
        ((), True, INVALID, "its RuntimeClass kata does not exist"),
        (("RuntimeClass",), True, UNREAD, "RuntimeClass"),
    ],
)
def test_a_class_that_the_input_lacks_is_a_gap(
    unread: tuple[str, ...], exists_nowhere: bool, feature: str, subject: str
) -> None:
    pods = [(KEY, {"runtimeClassName": "kata"}), (KEY, {"runtimeClassName": "vm", "priorityClassName": "high"})]
    (gap,) = missing_class_gaps(pods, around(), unread, lambda _: exists_nowhere)
    assert (gap.feature, gap.subject, gap.touches) == (feature, subject, True)


def test_a_priority_class_that_the_input_lacks_is_a_gap_too() -> None:
    (gap,) = missing_class_gaps([(KEY, {"priority": 7, "priorityClassName": "other"})], around(), (), lambda _: False)
    assert (gap.subject, [str(p) for p in gap.places]) == (
        "PriorityClass other",
        ["Pod team/asked spec.priorityClassName"],
    )
