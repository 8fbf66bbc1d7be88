"""The pod that a manifest asks for: itself, or one more of its template."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.pod_surroundings import ENDED, Surroundings
from kubectl_fairshare.jobs.pod_templates import end_of, pod_of, wanted_pods
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest


def manifest(kind: str, data: dict[str, Any], group: str = "") -> Manifest:
    return Manifest(ObjectKey(group, kind, "a", "web"), "v1", data, Origin("", 0))


def read(key: ObjectKey, data: JsonObject, *, taken: bool) -> tuple[ObjectKey, JsonObject] | None:
    """The pod as it is handed to a scheduler's reader, which asks for its class."""
    assert not taken
    Surroundings().priority(Field(key, ("spec",), data["spec"]))
    return None if (data.get("status") or {}).get("phase") in ENDED else (key, data)


TEMPLATE = {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": []}}


@pytest.mark.parametrize(
    ("group", "kind", "spec"),
    [
        ("apps", "Deployment", {"template": TEMPLATE}),
        ("apps", "ReplicaSet", {"template": TEMPLATE}),
        ("apps", "StatefulSet", {"template": TEMPLATE}),
        ("batch", "Job", {"template": TEMPLATE}),
        ("batch", "CronJob", {"jobTemplate": {"spec": {"template": TEMPLATE}}}),
    ],
)
def test_a_template_makes_one_more_pod(group: str, kind: str, spec: Any) -> None:
    found = pod_of(manifest(kind, {"spec": spec}, group), read)
    key, data = found.pod
    assert (str(key), data["metadata"], found.written.path[-1]) == ("Pod a/web-xxxxx", TEMPLATE["metadata"], "template")


def test_what_is_wrong_with_a_template_is_told_at_the_template() -> None:
    spec = {"template": {"spec": {"priorityClassName": "no-such-class"}}}
    with pytest.raises(FairshareError) as caught:
        pod_of(manifest("Deployment", {"spec": spec}, "apps"), read)
    assert [str(p.place) for p in caught.value.problems] == ["Deployment a/web spec.template.spec.priorityClassName"]


def test_a_pod_is_asked_about_as_if_it_waited() -> None:
    found = pod_of(manifest("Pod", {"spec": {"nodeName": "n", "nodeSelector": {"a": "b"}}}), read)
    assert (found.pod[1]["spec"], [r.key for r in found.demand.selector]) == ({"nodeSelector": {"a": "b"}}, ["a"])


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        ("ConfigMap", {}, "the pod template of `ConfigMap` in `v1` is not known"),
        ("Pod", {"spec": {}, "status": {"phase": "Failed"}}, "Pod a/web has ended"),
        ("Pod", {}, "`spec` must be an object"),
    ],
)
def test_what_makes_no_pod_is_told(kind: str, data: Any, message: str) -> None:
    with pytest.raises(FairshareError) as caught:
        pod_of(manifest(kind, data), read)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "spec", "status", "pods"),
    [
        ("Deployment", {"replicas": 3}, {}, 3),
        ("Deployment", {}, {}, 1),
        ("DaemonSet", {}, {}, 0),
        ("Job", {"parallelism": 4, "completions": 10}, {"succeeded": 7}, 3),
        ("Job", {"parallelism": 4}, {"succeeded": 7}, 4),
        ("Job", {"parallelism": 4, "suspend": True}, {}, 0),
        ("Job", {"parallelism": 4}, {"conditions": [{"type": "Complete", "status": "True"}]}, 0),
    ],
)
def test_the_pods_that_an_object_wants_now(kind: str, spec: Any, status: Any, pods: int) -> None:
    assert wanted_pods(manifest(kind, {"spec": spec, "status": status}, "apps")) == pods


def test_only_a_true_condition_ends_a_job() -> None:
    conditions = [{"type": "Failed", "status": "False"}, {"type": "Complete", "status": "True"}]
    found = end_of(manifest("Job", {"status": {"conditions": conditions}}, "batch"))
    assert found is not None
    assert (str(found.place), found.value) == ("Job a/web status.conditions[1].type", "Complete")
    assert end_of(manifest("Job", {"status": {"conditions": conditions[:1]}}, "batch")) is None
