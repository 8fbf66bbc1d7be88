"""Pods as they are read: what completes them, and what is wrong with them."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.pod_surroundings import Surroundings
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import read_pod
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod

ALONE = Surroundings()
KEY = ObjectKey("", "Pod", "a", "p")
SPEC: dict[str, Any] = {"containers": [{"name": "c", "resources": {"requests": {"cpu": 1}}}]}


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
