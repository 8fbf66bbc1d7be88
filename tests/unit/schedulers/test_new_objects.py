"""New jobs and pods that an API server rejects for their own fields; a real one answers alike in ``tests/live``."""

from typing import Any

import pytest

from kubectl_fairshare.answers.fidelity import INVALID_OBJECT
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.new_objects import new_object_gaps, rejections

Object = dict[str, Any]


def manifest(kind: str, spec: Object, group: str = "batch", **metadata: Any) -> Manifest:
    named = {"name": "j", "namespace": "team", **metadata}
    key = ObjectKey(group, kind, "team", named["name"])
    return Manifest(key, "v1", {"metadata": {k: v for k, v in named.items() if v}, "spec": spec}, Origin("", 0))


def template(policy: str | None = "Never", labels: Object | None = None) -> Object:
    spec: Object = {"containers": [{"name": "c", "image": "none"}]}
    return {"metadata": {"labels": labels or {}}, "spec": spec | ({"restartPolicy": policy} if policy else {})}


def job(policy: str | None = "Never", labels: Object | None = None, **spec: Any) -> Manifest:
    return manifest("Job", {"template": template(policy, labels), **spec})


def fields(given: Manifest) -> list[str]:
    """The fields of the mistakes."""
    return [clause.split()[0] for clause in rejections(given)]


@pytest.mark.parametrize(
    ("policy", "mistakes"),
    [
        ("Never", []),
        ("OnFailure", []),
        ("Always", ["spec.template.spec.restartPolicy must be OnFailure or Never, not Always"]),
        (None, ["spec.template.spec.restartPolicy must be OnFailure or Never"]),
    ],
)
def test_a_job_needs_a_restart_policy_with_which_it_ends(policy: str | None, mistakes: list[str]) -> None:
    assert [*rejections(job(policy))] == mistakes
    cron = manifest("CronJob", {"jobTemplate": {"spec": {"template": template(policy)}}})
    assert [*rejections(cron)] == [f"spec.jobTemplate.{clause}" for clause in mistakes]


@pytest.mark.parametrize(
    ("spec", "mistakes"),
    [
        ({"containers": []}, ["containers is missing"]),
        ({"containers": [{"name": "c"}]}, ["containers[0].image is missing"]),
        ({"containers": [{"image": "i"}]}, ["containers[0].name is missing"]),
        ({"containers": [{"name": "A", "image": "i"}]}, ["containers[0].name is not a DNS label"]),
        (
            {"containers": [{"name": "c", "image": "i"}], "initContainers": [{"name": "c", "image": "i"}]},
            ["initContainers[0].name occurs twice: c"],
        ),
        ({"containers": [{"name": "c", "image": "i"}], "initContainers": []}, []),
    ],
)
def test_containers_have_a_name_of_their_own_and_an_image(spec: Object, mistakes: list[str]) -> None:
    found = [*rejections(job(None, template={"spec": {**spec, "restartPolicy": "Never"}}))]
    assert found == [f"spec.template.spec.{clause}" for clause in mistakes]
    assert [*rejections(manifest("Pod", spec, ""))] == [f"spec.{clause}" for clause in mistakes]


@pytest.mark.parametrize(
    ("policy", "rejected"), [(None, False), ("Always", False), ("Never", True), ("OnFailure", True), ("Often", True)]
)
def test_pods_that_serve_always_restart(policy: str | None, rejected: bool) -> None:
    for kind in ("Deployment", "StatefulSet", "ReplicaSet"):
        assert bool(fields(manifest(kind, {"template": template(policy)}, "apps"))) == rejected
    pod = manifest("Pod", template(policy)["spec"], "")
    assert bool(fields(pod)) == (policy == "Often")


@pytest.mark.parametrize(
    ("spec", "mistakes"),
    [
        ({"parallelism": 0, "completions": 0}, []),
        ({"parallelism": -1}, ["spec.parallelism"]),
        ({"completions": -1, "backoffLimit": -2}, ["spec.completions", "spec.backoffLimit"]),
        ({"completionMode": "Indexed"}, []),
        ({"completionMode": "Indexed", "parallelism": 1}, ["spec.completions"]),
        ({"completionMode": "Indexed", "completions": 4}, []),
        ({"completionMode": "Indexed", "completions": 4, "parallelism": 100_001}, ["spec.parallelism"]),
        ({"completionMode": "indexed"}, ["spec.completionMode"]),
        ({"backoffLimitPerIndex": 1}, ["spec.backoffLimitPerIndex"]),
    ],
)
def test_the_numbers_of_a_job(spec: Object, mistakes: list[str]) -> None:
    assert fields(job(**spec)) == mistakes


@pytest.mark.parametrize(
    ("spec", "labels", "mistakes"),
    [
        ({"selector": {"matchLabels": {"a": "b"}}}, {"a": "b"}, ["spec.selector"]),
        ({"selector": {"matchLabels": {"job-name": "j"}}}, {}, []),
        ({"selector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}}, {"a": "b"}, ["spec.selector"]),
        ({"selector": {"matchExpressions": [{"key": "a", "operator": "DoesNotExist"}]}}, {}, []),
        ({"selector": {}}, {}, []),
        ({}, {"job-name": "j"}, []),
        ({}, {"job-name": "other"}, ["spec.template.metadata.labels"]),
        ({}, {"controller-uid": "1"}, ["spec.template.metadata.labels"]),
        ({"manualSelector": True}, {}, ["spec.selector"]),
        ({"manualSelector": True, "selector": {"matchLabels": {"a": "b"}}}, {"a": "b"}, []),
        ({"manualSelector": True, "selector": {"matchLabels": {"a": "b"}}}, {}, ["spec.selector"]),
    ],
)
def test_the_selector_of_a_job(spec: Object, labels: Object, mistakes: list[str]) -> None:
    assert fields(job(labels=labels, **spec)) == mistakes


def test_a_cron_job_takes_no_selector() -> None:
    spec = {"template": template(), "selector": {}, "manualSelector": True}
    cron = manifest("CronJob", {"jobTemplate": {"spec": spec}})
    assert fields(cron) == ["spec.jobTemplate.spec.selector", "spec.jobTemplate.spec.manualSelector"]


@pytest.mark.parametrize(
    ("metadata", "mistakes"),
    [
        ({"name": "Train"}, ["metadata.name"]),
        ({"name": "a_b"}, ["metadata.name"]),
        ({"name": "a.b"}, []),
        ({"name": "a" * 64}, ["metadata.name"]),
        ({"name": "", "generateName": "train-"}, []),
        ({"name": "", "generateName": "Train-"}, ["metadata.generateName"]),
        ({"labels": {"a": "b c"}}, ["metadata.labels"]),
        ({"labels": {"a/b/c": ""}}, ["metadata.labels"]),
        ({"namespace": "a.b"}, ["metadata.namespace"]),
    ],
)
def test_names_and_labels(metadata: Object, mistakes: list[str]) -> None:
    assert fields(manifest("Job", {"template": template()}, **metadata)) == mistakes


def test_an_indexed_job_names_its_hosts() -> None:
    spec = {"template": template(), "completionMode": "Indexed", "completions": 10}
    assert fields(manifest("Job", spec, name="a.b")) == ["metadata.name"]
    assert fields(manifest("Job", spec, name="a" * 62)) == ["metadata.name"]
    assert fields(manifest("CronJob", {"jobTemplate": {"spec": spec}}, name="a" * 52)) == []
    assert fields(manifest("CronJob", {"jobTemplate": {"spec": spec}}, name="a" * 53)) == ["metadata.name"]


def test_labels_of_a_pod_template_are_labels() -> None:
    assert fields(job(labels={"a": "-"})) == ["spec.template.metadata.labels"]


def test_only_new_objects_are_rejected() -> None:
    new = job("Always")
    (gap,) = new_object_gaps([new], {})
    assert (gap.feature, gap.touches, gap.subject.split(":")[0]) == (INVALID_OBJECT, True, "Job team/j")
    stored = manifest("Job", {"template": template("Always")}, resourceVersion="1")
    assert new_object_gaps([stored], {}) == ()
    assert new_object_gaps([new], {stored.key: stored}) == ()
    assert len(new_object_gaps([new], {new.key: new})) == 1
