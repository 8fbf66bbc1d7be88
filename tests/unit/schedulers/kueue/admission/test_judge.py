"""What the API server says of one write: where it ends, for what, and what is kept."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.admission.judge import judge

V1BETA1, V1BETA2 = "kueue.x-k8s.io/v1beta1", "kueue.x-k8s.io/v1beta2"


def written(kind: str, spec: Any, version: str = V1BETA2, **more: Any) -> dict[str, Any]:
    metadata = {"name": "x"} | ({"namespace": "team"} if kind in ("LocalQueue", "Workload") else {})
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec, **more}


def quota(**fields: Any) -> dict[str, Any]:
    return {
        "coveredResources": ["cpu"],
        "flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": 4, **fields}]}],
    }


def spec_of(kind: str, spec: Any, version: str = V1BETA2) -> Any:
    stored = judge(written(kind, spec, version)).stored
    assert stored is not None
    return stored["spec"]


def test_defaults_are_filled_in() -> None:
    assert spec_of("ClusterQueue", {}) == {
        "flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"},
        "preemption": {
            "borrowWithinCohort": {"policy": "Never"},
            "reclaimWithinCohort": "Never",
            "withinClusterQueue": "Never",
        },
        "queueingStrategy": "BestEffortFIFO",
        "stopPolicy": "None",
    }


def test_a_cluster_queue_is_written_back_by_go_on_create_only() -> None:
    text = {"resourceGroups": [quota(nominalQuota=0.5)]}
    created = judge(written("ClusterQueue", text))
    assert created.stored is not None
    assert created.stored["spec"]["resourceGroups"] == [quota(nominalQuota="500m")]
    assert created.stored["metadata"]["finalizers"] == ["kueue.x-k8s.io/resource-in-use"]
    again = judge(written("ClusterQueue", text), old=created.stored)
    assert (again.accepted, again.stage) == (False, "schema")


def test_a_missing_quota_becomes_zero_in_a_cluster_queue_alone() -> None:
    misspelt = {"resourceGroups": [quota()]}
    misspelt["resourceGroups"][0]["flavors"][0]["resources"][0] = {"name": "cpu", "nominalquota": 5}
    queue, cohort = judge(written("ClusterQueue", misspelt)), judge(written("Cohort", misspelt))
    assert queue.unknown_fields == (("spec", "resourceGroups", 0, "flavors", 0, "resources", 0, "nominalquota"),)
    assert queue.stored is not None
    assert queue.stored["spec"]["resourceGroups"] == [quota(nominalQuota="0")]
    assert [(c.field, c.type) for c in cohort.causes] == [
        ("spec.resourceGroups[0].flavors[0].resources[0].nominalQuota", "FieldValueRequired")
    ]


@pytest.mark.parametrize(
    ("kind", "spec", "stage", "fields"),
    [
        ("ClusterQueue", {"stopPolicy": "Stop"}, "schema", {"spec.stopPolicy"}),
        ("ClusterQueue", {"resourceGroups": [quota(borrowingLimit=1)]}, "cel", {"spec"}),
        (
            "ClusterQueue",
            {"resourceGroups": [quota(lendingLimit=5)]},
            "webhook",
            {"spec.resourceGroups[0].flavors[0].resources[0].lendingLimit"},
        ),
        ("ClusterQueue", {"stopPolicy": 1}, "mutating", {"spec.stopPolicy"}),
        ("ClusterQueue", [], "mutating", {"spec"}),
        ("LocalQueue", {"clusterQueue": "A"}, "schema", {"spec.clusterQueue"}),
        ("Cohort", {"fairSharing": {"weight": "1e1.5"}}, "webhook", set()),
        ("ResourceFlavor", {"topologyName": "t"}, "cel", {"spec"}),
        ("ResourceFlavor", {"nodeLabels": {"a": "?"}}, "webhook", {"spec.nodeLabels"}),
        ("ResourceFlavor", {"tolerations": [{"key": "", "operator": "Lt"}]}, "cel", {"spec.tolerations"}),
        ("Topology", {"levels": [{"nodeLabel": "a"}, {"nodeLabel": "a"}]}, "cel", {"spec.levels"}),
        ("MultiKueueCluster", {"clusterSource": {}}, "cel", {"spec.clusterSource"}),
        (
            "Workload",
            {"priorityClassRef": {}},
            "schema",
            {f"spec.priorityClassRef.{f}" for f in ("group", "kind", "name")},
        ),
        ("Workload", {"maximumExecutionTimeSeconds": 2**31}, "mutating", set()),
        ("Nothing", {}, "notFound", set()),
    ],
)
def test_refused(kind: str, spec: Any, stage: str, fields: set[str]) -> None:
    judgement = judge(written(kind, spec))
    assert (judgement.accepted, judgement.stage, {c.field for c in judgement.causes}) == (False, stage, fields)
    assert judgement.stored is None


def test_what_go_cannot_take_is_named() -> None:
    judgement = judge(written("Cohort", {"fairSharing": {"weight": "1e1.5"}}))
    assert judgement.unlisted is not None
    assert judgement.unlisted.path == ("spec", "fairSharing", "weight")


def test_causes_lead_to_the_field() -> None:
    (cause,) = judge(written("ResourceFlavor", {"nodeTaints": [{"key": "?", "effect": "NoExecute"}]})).causes
    assert (cause.field, cause.path) == ("spec.nodeTaints[0].key", ("spec", "nodeTaints", 0, "key"))


def test_metadata_is_judged_apart() -> None:
    odd = written("Cohort", {}) | {"metadata": {"name": "A", "labels": {"a": "-"}, "foo": 1}}
    judgement = judge(odd)
    assert {c.field for c in judgement.causes} == {"metadata.name", "metadata.labels"}
    assert judgement.unknown_fields == (("metadata", "foo"),)
    assert judge(odd | {"metadata": {"name": 1}}).stage == "decode"


def test_an_update_may_leave_wrong_what_was_wrong() -> None:
    # v1beta1 takes a queue with a check named twice, and stores what v1beta2 would refuse.
    twice = {"admissionChecksStrategy": {"admissionChecks": [{"name": "a"}, {"name": "a"}]}}
    old = judge(written("ClusterQueue", twice, V1BETA1)).stored
    assert old is not None
    unchanged = judge(written("ClusterQueue", {**twice, "stopPolicy": "Hold"}), old=old)
    assert unchanged.accepted
    assert not judge(written("ClusterQueue", twice)).accepted


def test_immutable_fields() -> None:
    old = written("LocalQueue", {"clusterQueue": "a"})
    assert judge(written("LocalQueue", {}), old=old).accepted
    assert [c.field for c in judge(written("LocalQueue", {"clusterQueue": "b"}), old=old).causes] == [
        "spec.clusterQueue"
    ]


def test_a_status_is_written_through_its_subresource_alone() -> None:
    old = written("LocalQueue", {"clusterQueue": "a"})
    status = {"pendingWorkloads": 1, "reservingWorkloads": 0, "admittedWorkloads": 0}
    new = written("LocalQueue", {"clusterQueue": "b"}, status=status)
    through = judge(new, old=old, subresource="status").stored
    assert through is not None
    assert (through["spec"]["clusterQueue"], through["status"]) == ("a", status)
    created = judge(new).stored
    assert created is not None
    assert "status" not in created


def test_the_object_is_left_alone() -> None:
    data = written("ClusterQueue", {"resourceGroups": [quota(nominalQuota=1)], "foo": None})
    before = repr(data)
    judge(data)
    assert repr(data) == before


def test_every_version_but_one_is_deprecated() -> None:
    assert judge(written("Cohort", {}, V1BETA1)).warnings != ()
    assert judge(written("MultiKueueConfig", {"clusters": ["a"]}, V1BETA1)).warnings == ()
    assert judge(written("Cohort", {})).warnings == ()
