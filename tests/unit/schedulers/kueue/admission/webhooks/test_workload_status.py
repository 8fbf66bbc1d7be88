"""Kueue's webhook for the status of Workloads."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.admission.webhooks.workload_status import status_causes, status_update_causes

CONDITION = {"type": "QuotaReserved", "status": "True", "reason": "x", "lastTransitionTime": "x"}
ADMISSION: Any = {"clusterQueue": "q", "podSetAssignments": [{"name": "main", "count": 2}]}


def workload(reserved: bool = False, annotations: Any = None, **status: Any) -> dict[str, Any]:
    if reserved:
        status = {"conditions": [CONDITION], "admission": ADMISSION, **status}
    spec = {"podSets": [{"name": "main", "count": 2, "template": {}}]}
    return {"metadata": {"annotations": annotations or {}}, "spec": spec, "status": status}


def check(state: str, **update: Any) -> dict[str, Any]:
    return {"name": "check", "state": state, "podSetUpdates": [{"name": "main", **update}]}


def reclaimed(count: int, name: str = "main") -> list[dict[str, Any]]:
    return [{"name": name, "count": count}]


@pytest.mark.parametrize(
    ("status", "complained"),
    [
        ({"conditions": [CONDITION]}, ["status.admission"]),
        ({"conditions": [CONDITION], "admission": ADMISSION}, []),
        (
            {"conditions": [CONDITION], "admission": {"podSetAssignments": [{"name": "b"}]}},
            ["status.admission.podSetAssignments[0].name"],
        ),
        ({"conditions": [{**CONDITION, "status": "False"}] * 2}, ["status.conditions[1].type"]),
        ({"conditions": [{"type": "A", "status": "yes", "reason": "x"}]}, ["status", "lastTransitionTime"]),
        ({"reclaimablePods": reclaimed(2)}, []),
        ({"reclaimablePods": reclaimed(3)}, ["status.reclaimablePods[main].count"]),
        ({"reclaimablePods": reclaimed(1, "b")}, ["status.reclaimablePods[b].name"]),
        ({"admissionChecks": [check("Ready", name="b")]}, ["status.admissionChecks[0].podSetUpdates[0].name"]),
    ],
)
def test_a_status(status: Any, complained: list[str]) -> None:
    places = [cause.field for cause in status_causes(workload(**status), None)]
    assert places == [each if "." in each else f"status.conditions[0].{each}" for each in complained]


@pytest.mark.parametrize(
    ("resource", "amount", "fits"),
    [("cpu", "1", True), ("cpu", "1001m", False), ("memory", "2Ki", True), ("memory", "3", False)],
)
def test_usage_is_a_multiple_of_the_count(resource: str, amount: str, fits: bool) -> None:
    assigned = {"name": "main", "count": 2, "resourceUsage": {resource: amount}}
    view = workload(True, admission={"podSetAssignments": [assigned]})
    assert [cause.field for cause in status_causes(view, None)] == (
        [] if fits else [f"status.admission.podSetAssignments[0].resourceUsage[{resource}]"]
    )


def updated(new: Any, old: Any) -> list[str]:
    return [cause.field for cause in status_update_causes(new, old)]


def test_an_admission_is_immutable_except_for_its_topology() -> None:
    assigned = {"name": "main", "count": 2, "topologyAssignment": {"levels": ["a"]}}
    old = workload(True)
    assert updated(workload(True, admission={**ADMISSION, "podSetAssignments": [assigned]}), old) == []
    assert updated(workload(True, admission={**ADMISSION, "clusterQueue": "other"}), old) == ["status.admission"]


def test_reclaimed_pods_are_not_taken_back_while_quota_is_reserved() -> None:
    old = workload(True, reclaimablePods=reclaimed(1))
    assert updated(workload(True, reclaimablePods=reclaimed(2)), old) == []
    assert updated(workload(True, reclaimablePods=reclaimed(0)), old) == ["status.reclaimablePods[main].count"]
    assert updated(workload(True), old) == ["status.reclaimablePods[main]"]
    assert updated(workload(), old) == []


def test_the_updates_of_a_check_stay_once_it_is_ready() -> None:
    ready, labelled = check("Ready"), check("Ready", labels={"a": "b"})
    place = ["status.admissionChecks[0].podSetUpdates"]
    assert updated(workload(admissionChecks=[labelled]), workload(admissionChecks=[ready])) == place
    assert updated(workload(admissionChecks=[labelled]), workload(admissionChecks=[check("Pending")])) == []


def test_a_cluster_is_one_that_was_nominated() -> None:
    old = workload(nominatedClusterNames=["a"])
    assert updated(workload(clusterName="a"), old) == []
    assert updated(workload(clusterName="b"), old) == ["status.clusterName"]
    replacing = {"kueue.x-k8s.io/workload-slice-replacement-for": "x"}
    assert updated(workload(annotations=replacing, clusterName="b"), old) == []
