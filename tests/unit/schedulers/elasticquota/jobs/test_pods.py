"""Pods as they are read: what completes them, and what is wrong with them."""

from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import Surroundings, read_pod, surroundings
from kubectl_fairshare.schedulers.elasticquota.jobs.templates import pod_of
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from tests.unit.schedulers.kueue.jobs.contexts import context_of

ALONE = Surroundings()
KEY = ObjectKey("", "Pod", "a", "p")
SPEC: dict[str, Any] = {"containers": [{"name": "c", "resources": {"requests": {"cpu": 1}}}]}


def manifest(kind: str, data: dict[str, Any], group: str = "", name: str = "p", version: str = "v1") -> Manifest:
    return Manifest(ObjectKey(group, kind, "a", name), version, data, Origin("", 0))


def classes(*found: dict[str, Any]) -> Surroundings:
    """The surroundings with these PriorityClasses."""
    made = [
        manifest("PriorityClass", {"metadata": {"name": one["name"]}, **one}, "scheduling.k8s.io", one["name"])
        for one in found
    ]
    return surroundings(made, context_of(made, Configuration(), {}))


def read(data: dict[str, Any], around: Surroundings = ALONE, *, taken: bool = False) -> Pod:
    found = read_pod(KEY, data, around, taken=taken)
    assert found is not None
    return found


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_a_pod_that_has_ended_is_none(phase: str) -> None:
    assert read_pod(KEY, {"spec": SPEC, "status": {"phase": phase}}, Surroundings(), taken=True) is None


def test_a_pod_without_a_uid_is_known_by_its_name() -> None:
    assert read({"spec": SPEC}).uid == "a/p"
    assert read({"metadata": {"uid": "u"}, "spec": SPEC}).uid == "u"


def test_what_the_status_tells_is_read() -> None:
    status = {"phase": "Running", "startTime": "2026-01-01T00:00:01Z", "nominatedNodeName": "n"}
    metadata = {"deletionTimestamp": "2026-01-01T00:00:02Z", "labels": {"app": "x"}}
    found = read({"metadata": metadata, "spec": {**SPEC, "nodeName": "m"}, "status": status})
    assert (found.running, found.terminating, found.nominated, found.node) == (True, True, "n", "m")
    assert found.started is not None
    assert (found.started % (60 * 10**9), found.labels) == (10**9, {"app": "x"})


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
    found = read({"spec": {**SPEC, **spec}}, around)
    assert (found.priority, found.preempts) == (priority, preempts)


def test_a_default_class_may_keep_pods_from_preempting() -> None:
    around = classes({"name": "usual", "value": 5, "globalDefault": True, "preemptionPolicy": "Never"})
    assert not read({"spec": SPEC}, around).preempts


def test_a_class_that_is_not_there_is_told() -> None:
    with pytest.raises(FairshareError, match="PriorityClass `lost` is not in the input"):
        read({"spec": {**SPEC, "priorityClassName": "lost"}})


AFFINITY: dict[str, Any] = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "x"}]}


@pytest.mark.parametrize(
    ("spec", "feature"),
    [
        ({"affinity": {"podAffinity": AFFINITY}}, "InterPodAffinity"),
        ({"affinity": {"podAntiAffinity": AFFINITY}}, "InterPodAffinity"),
        ({"topologySpreadConstraints": [{"whenUnsatisfiable": "DoNotSchedule"}]}, "PodTopologySpread"),
        ({"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]}, "Volumes"),
        ({"resourceClaims": [{"name": "r"}]}, "DynamicResourceAllocation"),
        ({"containers": [{"name": "c", "ports": [{"containerPort": 80, "hostPort": 80}]}]}, "HostPorts"),
        ({"hostNetwork": True, "containers": [{"name": "c", "ports": [{"containerPort": 80}]}]}, "HostPorts"),
    ],
)
def test_what_is_not_modelled_is_named_for_a_pod_that_waits(spec: Any, feature: str) -> None:
    assert read({"spec": {**SPEC, **spec}}).unmodelled == (feature,)
    assert read({"spec": {**SPEC, **spec, "nodeName": "n"}}).unmodelled == ()


def test_what_does_not_filter_is_not_named() -> None:
    spec = {
        "topologySpreadConstraints": [{"whenUnsatisfiable": "ScheduleAnyway"}],
        "volumes": [{"name": "v", "emptyDir": {}}],
    }
    assert read({"spec": {**SPEC, **spec}}).unmodelled == ()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"spec": {"containers": "x"}}, "`spec.containers` must be a list, not `x`"),
        ({"spec": {"containers": [{"resources": {"requests": {"cpu": "x"}}}]}}, "`x` is not a quantity"),
        ({"spec": {"containers": [{"resources": {"requests": {"cpu": "-1"}}}]}}, "quantity `-1` is negative"),
        ({"spec": {**SPEC, "nodeName": 7}}, "`spec.nodeName` must be a string, not `7`"),
        ({"spec": {**SPEC, "priority": "high"}}, "`spec.priority` must be a whole number"),
        ({"spec": {**SPEC, "priority": 1 << 40}}, "`spec.priority` must be a whole number"),
        ({"metadata": {"labels": {"a": 1}}, "spec": SPEC}, "`metadata.labels.a` must be a string"),
        ({"spec": SPEC, "status": {"startTime": "soon"}}, "cannot be read: `soon` is not a moment"),
        ({"metadata": {}}, "cannot be read"),
        ({"spec": []}, "`spec`"),
    ],
)
def test_what_cannot_be_read_is_told(data: Any, message: str) -> None:
    with pytest.raises(FairshareError) as caught:
        read(data)
    assert message in str(caught.value)


TEMPLATE = {"metadata": {"labels": {"app": "x"}}, "spec": SPEC}


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
    pod = pod_of(manifest(kind, {"spec": spec}, group, "web"), Surroundings()).pod
    assert (str(pod.key), pod.charge.cpu, pod.labels) == ("Pod a/web-xxxxx", 1000, {"app": "x"})


def test_what_is_wrong_with_a_template_is_told_at_the_template() -> None:
    spec = {"template": {"spec": {**SPEC, "priorityClassName": "no-such-class"}}}
    with pytest.raises(FairshareError) as caught:
        pod_of(manifest("Deployment", {"spec": spec}, "apps", "web"), Surroundings())
    assert [str(p.place) for p in caught.value.problems] == ["Deployment a/web spec.template.spec.priorityClassName"]


def test_a_pod_is_asked_about_as_if_it_waited() -> None:
    pod, demand, _ = pod_of(
        manifest("Pod", {"spec": {**SPEC, "nodeName": "n", "nodeSelector": {"a": "b"}}}), Surroundings()
    )
    assert (pod.node, [r.key for r in demand.selector]) == ("", ["a"])


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        ("ConfigMap", {}, "the pod template of `ConfigMap` in `v1` is not known"),
        ("Pod", {"spec": SPEC, "status": {"phase": "Failed"}}, "Pod a/p has ended"),
        ("Pod", {}, "`spec` must be an object"),
    ],
)
def test_what_makes_no_pod_is_told(kind: str, data: Any, message: str) -> None:
    with pytest.raises(FairshareError) as caught:
        pod_of(manifest(kind, data), Surroundings())
    assert message in str(caught.value)
