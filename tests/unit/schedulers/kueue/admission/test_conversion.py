"""v1beta1 becomes v1beta2 as Kueue converts it."""

from typing import Any

import pytest

from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission.conversion import (
    ConversionError,
    convert,
    path_as_written,
    path_in_text,
    to_v1beta2,
)
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP


def old(kind: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": kind, "metadata": {"name": "x"}, **fields}


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("ClusterQueue", {"cohort": "c"}, {"cohortName": "c"}),
        ("ClusterQueue", {"cohort": ""}, {}),
        (
            "ClusterQueue",
            {
                "admissionChecks": ["a"],
                "admissionChecksStrategy": {"admissionChecks": [{"name": "b", "onFlavors": ["f"]}]},
            },
            {"admissionChecksStrategy": {"admissionChecks": [{"name": "a"}]}},
        ),
        (
            "ClusterQueue",
            {"admissionChecks": [], "admissionChecksStrategy": {"admissionChecks": [{"name": "b"}]}},
            {"admissionChecksStrategy": {"admissionChecks": [{"name": "b"}]}},
        ),
        (
            "ClusterQueue",
            {"flavorFungibility": {"whenCanBorrow": "Borrow", "whenCanPreempt": "Preempt"}},
            {"flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "MayStopSearch"}},
        ),
        ("Cohort", {"fairSharing": {"weight": 1}}, {"fairSharing": {"weight": "1"}}),
        (
            "MultiKueueCluster",
            {"kubeConfig": {"location": "l", "locationType": "Path"}},
            {"clusterSource": {"kubeConfig": {"location": "l", "locationType": "Path"}}},
        ),
        (
            "Workload",
            {"priorityClassName": "p", "priorityClassSource": "kueue.x-k8s.io/workloadpriorityclass"},
            {"priorityClassRef": {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "p"}},
        ),
        ("Workload", {"priorityClassName": "p", "priorityClassSource": ""}, {}),
        ("AdmissionCheck", {"controllerName": "c", "retryDelayMinutes": 5}, {"controllerName": "c"}),
    ],
)
def test_specs(kind: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    assert to_v1beta2(old(kind, spec=before))["spec"] == after


def test_an_object_in_v1beta2_is_returned_as_it_is() -> None:
    data = {**old("Cohort", spec={"nonsense": 1}), "apiVersion": "kueue.x-k8s.io/v1beta2"}
    assert to_v1beta2(data) is data


def test_status_fields_are_renamed() -> None:
    queue = to_v1beta2(old("LocalQueue", status={"flavorUsage": [{"name": "f", "resources": []}], "flavors": []}))
    assert queue["status"]["flavorsUsage"] == [{"name": "f"}]
    workload = to_v1beta2(old("Workload", status={"accumulatedPastExexcutionTimeSeconds": 7}))
    assert workload["status"] == {"accumulatedPastExecutionTimeSeconds": 7}


def test_the_way_back() -> None:
    before = old("ClusterQueue", spec={"cohort": "c", "stopPolicy": "Hold"})
    back = convert(convert(before, "v1beta2"), "v1beta1")
    assert (back["apiVersion"], back["spec"]) == (before["apiVersion"], before["spec"])


def test_what_cannot_be_converted_is_named() -> None:
    with pytest.raises(ConversionError) as raised:
        to_v1beta2(old("LocalQueue", spec={"fairSharing": {"weight": "1e1.5"}}))
    assert raised.value.path == ("spec", "fairSharing", "weight")


@pytest.mark.parametrize(
    ("kind", "stored", "written"),
    [
        ("ClusterQueue", ("spec", "cohortName"), ("spec", "cohort")),
        ("ClusterQueue", ("spec", "stopPolicy"), ("spec", "stopPolicy")),
        ("MultiKueueCluster", ("spec", "clusterSource", "kubeConfig"), ("spec", "kubeConfig")),
        ("Workload", ("spec", "priorityClassRef", "name"), ("spec", "priorityClassName")),
    ],
)
def test_where_a_field_was_written(kind: str, stored: tuple[str, ...], written: tuple[str, ...]) -> None:
    assert path_as_written("v1beta1", kind, stored) == written
    assert path_as_written("v1beta2", kind, stored) == stored


def test_a_field_that_stands_in_the_text_is_found_there_whatever_its_version_calls_it() -> None:
    spec = {"cohortName": "c", "stopPolicy": "Hold"}
    manifest = Manifest(
        ObjectKey(GROUP, "ClusterQueue", "", "q"), "v1beta1", old("ClusterQueue", spec=spec), Origin("-", 0)
    )
    assert path_in_text(manifest, ("spec", "cohortName")) == ("spec", "cohortName")
    bare = replace(manifest, held_data=old("ClusterQueue", spec={}))
    assert path_in_text(bare, ("spec", "cohortName")) == ("spec", "cohort")
    assert path_in_text(replace(bare, version="v1beta2"), ("spec", "cohortName")) == ("spec", "cohortName")
