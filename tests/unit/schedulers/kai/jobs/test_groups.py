"""The PodGroup and pods that KAI makes of a Job or a Pod."""

from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission, submission_of, with_submission
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, KindDefault, PriorityClasses

STATE = KaiState(
    priorities=PriorityClasses({"train": 50, "build": 100, "inference": 125}),
    defaults={"ReplicaSet": KindDefault("build", ""), "StatefulSet.apps": KindDefault("gone", "Non-Preemptible")},
)


def made(
    kind: str = "Job",
    group: str = "batch",
    spec: Any = None,
    labels: Any = None,
    pod: Any = None,
    **annotations: str,
) -> Submission:
    metadata = {"name": "j", "labels": labels or {}, "annotations": annotations}
    template = {"metadata": {"labels": pod or {}}, "spec": {"containers": [], **(spec or {}).pop("pod", {})}}
    data = {"metadata": metadata, "spec": {"template": template, **(spec or {})}}
    return submission_of(Manifest(ObjectKey(group, kind, "ns", "j"), "v1", data, Origin("in", 0)), STATE)


def test_a_job_needs_one_pod_and_has_as_many_as_run_at_once() -> None:
    found = made(spec={"parallelism": 5, "completions": 3})
    assert (found.group.min_member, len(found.pods)) == (1, 3)


def test_more_pods_than_any_cluster_holds_are_not_made() -> None:
    with pytest.raises(FairshareError, match="has 99,999,999 pods; a cluster can have 150,000"):
        made(spec={"parallelism": 99_999_999})


def test_an_annotation_makes_a_job_a_gang() -> None:
    assert made(**{"kai.scheduler/batch-min-member": "4"}).group.min_member == 4
    assert made(**{"kai.scheduler/batch-min-member": "2147483647"}).group.min_member == 2147483647
    for wrong in ("four", "2147483648", "-1"):
        found = made(**{"kai.scheduler/batch-min-member": wrong})
        assert found.group.ungrouped is not None
        assert (found.group.ungrouped.modelled, found.pods) == (True, ())


@pytest.mark.parametrize(
    ("labels", "pod", "queue"),
    [
        ({"kai.scheduler/queue": "a"}, {"kai.scheduler/queue": "b"}, "a"),
        ({"project": "p"}, {"kai.scheduler/queue": "b"}, "b"),
        ({"project": "p"}, {}, "p"),
        ({}, {"project": "p", "kai.scheduler/node-pool": "x"}, "p-x"),
        ({}, {}, "default-queue"),
    ],
)
def test_labels_name_the_queue(labels: Any, pod: Any, queue: str) -> None:
    assert made(labels=labels, pod=pod).group.queue == queue


def test_a_pod_of_a_project_goes_to_the_queue_of_its_node_pool() -> None:
    data = {"metadata": {"labels": {"project": "p", "kai.scheduler/node-pool": "x"}}, "spec": {"containers": []}}
    found = submission_of(Manifest(ObjectKey("", "Pod", "ns", "j"), "v1", data, Origin("in", 0)), STATE)
    assert (found.group.queue, found.group.pool) == ("p-x", "x")


def test_the_priority_class_is_one_that_exists_else_that_of_the_kind() -> None:
    assert made(labels={"priorityClassName": "build"}).group.priority_class == "build"
    assert made(labels={"priorityClassName": "gone"}).group.priority_class == "train"
    assert made(spec={"pod": {"priorityClassName": "build"}}).group.priority_class == "build"
    assert made("Deployment", "apps").group.priority_class == "inference"


def test_an_empty_label_hides_the_priority_class_of_the_pods() -> None:
    build = {"pod": {"priorityClassName": "build"}}
    assert made(labels={"priorityClassName": ""}, spec=build).group.priority_class == "train"
    assert made(pod={"priorityClassName": ""}, spec={**build}).group.priority_class == "train"


def test_a_new_pod_without_a_priority_class_has_the_global_default() -> None:
    classes = PriorityClasses({"train": 50, "standard": 100}, 100, "standard")
    there = replace(STATE, priorities=classes)
    for labels, name in (({}, "standard"), ({"priorityClassName": "train"}, "train")):
        data = {"metadata": {"labels": labels}, "spec": {"template": {"spec": {"containers": []}}}}
        made_of = Manifest(ObjectKey("batch", "Job", "ns", "j"), "v1", data, Origin("in", 0))
        assert submission_of(made_of, there).group.priority_class == name


def test_pods_of_one_spark_application_share_a_pod_group() -> None:
    labels = {"spark-app-name": "pi", "spark-app-selector": "spark-1"}

    def of_spark(name: str, state: KaiState) -> Submission:
        data = {"metadata": {"name": name, "labels": labels}, "spec": {"containers": []}}
        return submission_of(Manifest(ObjectKey("", "Pod", "ns", name), "v1", data, Origin("in", 0)), state)

    driver = of_spark("driver", STATE)
    assert driver.group.name == "spark-1"
    executor = of_spark("executor", with_submission(STATE, driver))
    assert [pod.key.name for pod in executor.pods] == ["driver", "executor"]
    labels["spark-app-selector"] = ""
    found = of_spark("driver", STATE).group.ungrouped
    assert found is not None
    assert (found.modelled, "which is empty" in found.reason) == (True, True)
    del labels["spark-app-name"]
    assert of_spark("driver", STATE).group.name == "pg-driver"


def test_a_label_says_whether_a_job_can_be_preempted() -> None:
    assert made(labels={"kai.scheduler/preemptibility": "non-preemptible"}).group.preemptible is False
    assert made().group.preemptible is None


@pytest.mark.parametrize(
    ("owner", "pod", "preemptible"),
    [
        ("no", "preemptible", True),
        ("no", "no", False),
        (None, None, False),
        ("", "preemptible", None),
        (None, "", None),
    ],
)
def test_the_first_valid_label_says_whether_a_job_can_be_preempted(
    owner: str | None, pod: str | None, preemptible: bool | None
) -> None:
    label = "kai.scheduler/preemptibility"
    labels, marks = ({} if value is None else {label: value} for value in (owner, pod))
    found = made("StatefulSet", "apps", labels=labels, pod=marks)
    assert found.group.preemptible is preemptible, "the default of a StatefulSet is not to be preemptible"


def test_other_kinds_are_not_guessed() -> None:
    ungrouped = made("SparkApplication", "sparkoperator.k8s.io").group.ungrouped
    assert ungrouped is not None
    assert (ungrouped.modelled, "SparkApplication" in ungrouped.reason) == (False, True)


def test_what_makes_no_pods_is_no_job() -> None:
    config_map = Manifest(ObjectKey("", "ConfigMap", "ns", "c"), "v1", {"data": {}}, Origin("in", 0))
    with pytest.raises(FairshareError, match="makes no pods"):
        submission_of(config_map, STATE)


def test_a_topology_of_the_job_is_one_of_its_pod_group() -> None:
    found = made(**{"kai.scheduler/topology": "racks", "kai.scheduler/topology-required-placement": "rack"})
    assert found.group.raw["spec"]["topologyConstraint"]["topology"] == "racks"
    assert made().group.raw == {}


def test_an_annotation_delays_preemption() -> None:
    assert made(**{"kai.scheduler/preemption-delay": "5m"}).group.preemption_delay == 300 * 10**9
    assert made(**{"kai.scheduler/preemption-delay": "soon"}).group.preemption_delay == 0


@pytest.mark.parametrize(("owner", "minutes"), [("", 60), ("soon", 60), ("-5m", 60), ("0s", 0), ("5m", 5)])
def test_the_delay_of_the_pods_counts_where_the_owner_has_none(owner: str, minutes: int) -> None:
    pods = {"template": {"metadata": {"annotations": {"kai.scheduler/preemption-delay": "1h"}}, "spec": {}}}
    annotations = {"kai.scheduler/preemption-delay": owner} if owner else {}
    assert made(spec=pods, **annotations).group.preemption_delay == minutes * 60 * 10**9


def test_a_pod_of_a_known_group_is_planned_with_it() -> None:
    first = made()
    state = with_submission(STATE, first)
    metadata = {"name": "more", "annotations": {"pod-group-name": first.group.name}}
    one = Manifest(ObjectKey("", "Pod", "ns", "more"), "v1", {"metadata": metadata, "spec": {}}, Origin("in", 0))
    assert len(submission_of(one, state).pods) == 2


def test_a_pod_of_another_group_is_not_grouped_by_itself() -> None:
    part = replace(STATE, complete=False)
    for annotation, modelled, text in (
        ({"pod-group-name": "gone"}, False, "`gone`, which is not in the input"),
        ({"kai.scheduler/skip-podgrouper": "true"}, True, "it names no PodGroup"),
    ):
        data = {"metadata": {"name": "p", "annotations": annotation}, "spec": {"containers": []}}
        found = submission_of(Manifest(ObjectKey("", "Pod", "ns", "p"), "v1", data, Origin("in", 0)), part)
        assert found.group.ungrouped is not None
        assert (found.group.ungrouped.modelled, found.pods) == (modelled, ())
        assert text in found.group.ungrouped.reason


def test_a_pod_group_that_a_complete_input_lacks_does_not_exist() -> None:
    data = {"metadata": {"name": "p", "annotations": {"pod-group-name": "gone"}}, "spec": {"containers": []}}
    named = Manifest(ObjectKey("", "Pod", "ns", "p"), "v1", data, Origin("in", 0))
    for state, modelled in (
        (replace(STATE, complete=True), True),
        (replace(STATE, complete=True, unread=frozenset({"PodGroup"})), False),
    ):
        ungrouped = submission_of(named, state).group.ungrouped
        assert ungrouped is not None
        assert ungrouped.modelled is modelled


def test_a_job_takes_the_place_of_one_with_its_name() -> None:
    state = with_submission(with_submission(STATE, made()), made(labels={"kai.scheduler/queue": "a"}))
    assert [group.queue for group in state.pod_groups] == ["a"]
    assert len(state.pods) == 1


def test_a_job_leaves_one_of_its_name_in_another_namespace_alone() -> None:
    """KAI knows PodGroups by name alone, and makes names that no other has."""
    state = with_submission(STATE, made())
    key = ObjectKey("batch", "Job", "other", "j")
    data = {"metadata": {"name": "j"}, "spec": {"template": {"spec": {"containers": []}}}}
    state = with_submission(state, submission_of(Manifest(key, "v1", data, Origin("in", 0)), state))
    assert [group.name for group in state.pod_groups] == ["pg-j", "pg-j-other"]
    assert [pod.group for pod in state.pods] == ["pg-j", "pg-j-other"]


def test_the_defaults_of_a_kind_count_where_a_job_says_nothing() -> None:
    assert made("ReplicaSet", "apps").group.priority_class == "build"
    assert made("ReplicaSet", "apps", labels={"priorityClassName": "train"}).group.priority_class == "train"
    found = made("StatefulSet", "apps").group
    assert (found.priority_class, found.preemptible) == ("train", False)
    assert made("StatefulSet", "apps", pod={"kai.scheduler/preemptibility": "preemptible"}).group.preemptible is True
