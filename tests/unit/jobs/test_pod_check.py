from typing import Any

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.pod_check import check_pod
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey

POD = ObjectKey("", "Pod", "default", "p")
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def checked(**pod: Any) -> None:
    check_pod(Field(POD, (), pod))


def container(**fields: Any) -> dict[str, Any]:
    return {"containers": [{"name": "c", **fields}]}


def near(kind: str, term: Any) -> dict[str, Any]:
    return {"affinity": {"podAffinity": {kind: [term]}}}


def test_a_pod_as_an_api_server_stores_it_passes() -> None:
    resources = {"requests": {"cpu": 1, "memory": None}, "limits": {"cpu": "2"}}
    checked(metadata={"labels": {"a": "b"}}, spec=container(resources=resources), status={"phase": "Running"})


@pytest.mark.parametrize(
    ("pod", "field"),
    [
        ({"metadata": "x"}, "metadata"),
        ({"metadata": {"labels": "x"}}, "labels"),
        ({"metadata": {"annotations": {"a": 1}}}, "annotations"),
        ({"spec": {"containers": "x"}}, "containers"),
        ({"spec": {"containers": ["x"]}}, "containers"),
        ({"spec": container(resources="x")}, "resources"),
        ({"spec": container(resources={"requests": ["cpu"]})}, "requests"),
        ({"spec": container(resources={"requests": {"cpu": "many"}})}, "many"),
        ({"spec": container(resources={"limits": {"cpu": []}})}, "not a quantity"),
        ({"spec": {"overhead": "x"}}, "overhead"),
        ({"spec": {"nodeName": 5}}, "nodeName"),
        ({"status": {"phase": []}}, "phase"),
        ({"spec": {"containers": [None]}}, "null"),
        ({"spec": container(ports="x")}, "ports"),
        ({"spec": container(ports=[1.5])}, "ports[0]"),
        ({"spec": container(ports=[{"hostPort": "80"}])}, "hostPort"),
        ({"spec": container(ports=[{"hostPort": 80, "hostIP": 1}])}, "hostIP"),
        ({"spec": {"volumes": "x"}}, "volumes"),
        ({"spec": {"volumes": [{"name": ["x"]}]}}, "volumes[0].name"),
        ({"spec": {"volumes": [{"persistentVolumeClaim": "x"}]}}, "persistentVolumeClaim"),
        ({"spec": container(name=["c"])}, "containers[0].name"),
        ({"status": {"conditions": ["Ready"]}}, "conditions[0]"),
        ({"status": {"conditions": [{"type": 5}]}}, "conditions[0].type"),
        ({"status": {"containerStatuses": {}}}, "containerStatuses"),
        ({"status": {"initContainerStatuses": [{"name": []}]}}, "initContainerStatuses[0].name"),
        ({"status": {"containerStatuses": [{"resources": {"requests": ["cpu"]}}]}}, "resources.requests"),
        ({"status": {"containerStatuses": [{"allocatedResources": {"cpu": []}}]}}, "allocatedResources.cpu"),
        ({"spec": {"resourceClaims": [1.5]}}, "resourceClaims[0]"),
        ({"status": {"resourceClaimStatuses": [{"name": 5}]}}, "resourceClaimStatuses"),
        ({"spec": {"nodeSelector": {"zone": 1}}}, "nodeSelector"),
        ({"spec": {"tolerations": {}}}, "tolerations"),
        ({"spec": {"topologySpreadConstraints": [[]]}}, "topologySpreadConstraints[0]"),
        ({"spec": {"affinity": []}}, "affinity"),
        ({"spec": {"affinity": {"nodeAffinity": {PREFERRED: [{"weight": "x"}]}}}}, "weight"),
        ({"spec": near(REQUIRED, "x")}, "podAffinity"),
        ({"spec": near(REQUIRED, {"namespaces": [5]})}, "namespaces[0]"),
        ({"spec": near(REQUIRED, {"labelSelector": {"matchLabels": "x"}})}, "matchLabels"),
        ({"spec": near(REQUIRED, {"labelSelector": {"matchExpressions": [{"values": 5}]}})}, "values"),
        ({"spec": near(PREFERRED, {"weight": 1, "podAffinityTerm": []})}, "podAffinityTerm"),
    ],
)
def test_a_field_of_another_type_is_named(pod: dict[str, Any], field: str) -> None:
    with pytest.raises(FairshareError) as error:
        checked(**pod)
    assert field in str(error.value.problems[0].message) or field in str(error.value.problems[0].place)
