"""Fields, values and names that the structures of an API lack."""

from typing import Any

import pytest

from kubectl_fairshare.api.kinds import Api, Kind
from kubectl_fairshare.api.unknown import CHOICES, KnownParts, scheduler_struct
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.schedulers.recording import manifest_of

QUOTAS = Api("schedulers/elasticquota/admission/structures", dict, [Kind("ElasticQuota", "x.io", ("v1alpha1",))])
KNOWN = KnownParts([QUOTAS], {"x.io/": frozenset({"group"}), "a.x.io/": frozenset()})
NEW = {"x.io/group": "1", "x.io/new": "1", "a.x.io/group": "1", "other.io/new": "1"}


def found(data: dict[str, Any]) -> list[str]:
    metadata = {"name": "n", "namespace": "a", **data.get("metadata", {})}
    manifest = manifest_of({**data, "metadata": metadata}, Origin("x", 0))
    return [field_text(place.path) for place in KNOWN.places(manifest)]


def pod(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "c"}], **spec}}


def test_fields_of_a_kind_of_the_api() -> None:
    quota = {"apiVersion": "x.io/v1alpha1", "kind": "ElasticQuota", "spec": {"min": {"cpu": 1}, "maxx": {}}, "top": 1}
    assert found(quota) == ["spec.maxx", "top"]


def test_a_null_is_no_field() -> None:
    assert found(pod(newThing=None)) == []


def test_names_in_the_domains() -> None:
    marked = found({**pod(), "metadata": {"labels": NEW, "annotations": {"x.io/other": "1"}}})
    assert marked == ["metadata.labels[x.io/new]", "metadata.labels[a.x.io/group]", "metadata.annotations[x.io/other]"]


def test_a_status_decides_nothing_but_what_is_named() -> None:
    assert found({**pod(), "status": {"newThing": 1}}) == []


@pytest.mark.parametrize(
    ("spec", "paths"),
    [
        ({"newThing": 1}, ["spec.newThing"]),
        ({"tolerations": [{"operator": "Gt"}]}, ["spec.tolerations[0].operator"]),
        ({"containers": [{"name": "c", "newThing": 1}]}, ["spec.containers[0].newThing"]),
        ({"containers": [{"resources": {"newThing": 1}}]}, ["spec.containers[0].resources.newThing"]),
        ({"volumes": [{"name": "v", "newKind": {}}]}, ["spec.volumes[0].newKind"]),
        ({"volumes": [{"name": "v", "csi": {"newThing": 1}}]}, []),
        ({"containers": [{"env": [{"newThing": 1}], "securityContext": {"newThing": 1}}]}, []),
        ({"securityContext": {"newThing": 1}, "dnsConfig": {"newThing": 1}}, []),
        ({"workloadRef": {"name": "w"}, "schedulingGroup": {"podGroupName": "g"}}, []),
        ({"preemptionPolicy": "Sometimes"}, ["spec.preemptionPolicy"]),
    ],
)
def test_the_parts_of_a_pod_that_decide(spec: dict[str, Any], paths: list[str]) -> None:
    assert found(pod(**spec)) == paths


def test_a_job_of_any_kind_is_looked_through_for_its_pods() -> None:
    template = {"metadata": {"annotations": NEW}, "spec": {"containers": [{"name": "c"}], "newThing": 1}}
    job = {"apiVersion": "new.io/v1", "kind": "NewJob", "spec": {"free": 1, "roles": [{"template": template}]}}
    assert found(job) == [
        *(f"spec.roles[0].template.metadata.annotations[{name}]" for name in ("x.io/new", "a.x.io/group")),
        "spec.roles[0].template.spec.newThing",
    ]


def test_every_choice_is_of_a_field_that_there_is() -> None:
    """A table of values for a field that no structure has would never count."""
    node = {"apiVersion": "v1", "kind": "Node", "spec": {"taints": [{"key": "x", "effect": "NoThing"}]}}
    assert found(node) == ["spec.taints[0].effect"]
    terms = [{"matchExpressions": [{"key": "x", "operator": "Near"}]}]
    near = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    around = {"requiredDuringSchedulingIgnoredDuringExecution": [{"labelSelector": terms[0]}]}
    spread = dict.fromkeys(("whenUnsatisfiable", "nodeAffinityPolicy", "nodeTaintsPolicy"), "New")
    spec = {
        "affinity": {"nodeAffinity": near, "podAffinity": around},
        "preemptionPolicy": "New",
        "tolerations": [{"effect": "New", "operator": "New"}],
        "topologySpreadConstraints": [spread],
    }
    assert len(found(pod(**spec))) + 1 == len({*CHOICES} - {("PodSpec", "preemptionPolicy")})


def test_the_scheduler_has_structures_of_its_own_plugins_alone() -> None:
    assert scheduler_struct("NodeResourcesFitArgs") is not None
    assert scheduler_struct("ElasticQuotaArgs") is None
