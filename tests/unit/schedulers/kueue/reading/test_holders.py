"""What a workload with quota holds, as its pods end or its job shrinks."""

from typing import Any

import orjson
import pytest

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.packed import read_as
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.reading.holders import held_pod_sets, read
from kubectl_fairshare.schedulers.kueue.reading.typed import MisreadError
from kubectl_fairshare.schedulers.kueue.reading.workload_fields import WorkloadFields

KEY = ObjectKey("kueue.x-k8s.io", "Workload", "team", "w")
CPU = FlavorResource("any", "cpu")


def workload(count: int, *, admitted: int | None = 5, reclaimable: int | None = None) -> dict[str, Any]:
    assignment: dict[str, Any] = {"name": "main", "flavors": {"cpu": "any"}, "resourceUsage": {"cpu": "5"}}
    if admitted is not None:
        assignment["count"] = admitted
    reserved = {"type": "QuotaReserved", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    status: dict[str, Any] = {
        "conditions": [reserved],
        "admission": {"clusterQueue": "q", "podSetAssignments": [assignment]},
    }
    if reclaimable is not None:
        status["reclaimablePods"] = [{"name": "main", "count": reclaimable}]
    spec = {"queueName": "q", "podSets": [{"name": "main", "count": count}]}
    return {"metadata": {"name": "w", "namespace": "team"}, "spec": spec, "status": status}


def fields(data: dict[str, Any]) -> WorkloadFields:
    return read_as(orjson.dumps(data), WorkloadFields)


def usage(data: dict[str, Any], *, reclaims: bool = True) -> int:
    found = read(KEY, fields(data), reclaims=reclaims)
    assert isinstance(found, Holder)
    return found.usage[CPU]


@pytest.mark.parametrize(
    ("data", "reclaims", "cpu"),
    [
        (workload(5), True, 5000),
        (workload(4), True, 4000),  # the job shrank
        (workload(9), True, 5000),  # it was admitted with fewer pods
        (workload(5, reclaimable=2), True, 3000),
        (workload(5, reclaimable=9), True, 0),
        (workload(5, reclaimable=2), False, 5000),  # gate off
        (workload(4, reclaimable=2), False, 4000),
        (workload(5, admitted=None), True, 5000),
    ],
)
def test_usage_is_scaled_to_the_pods_that_still_need_quota(data: dict[str, Any], reclaims: bool, cpu: int) -> None:
    assert usage(data, reclaims=reclaims) == cpu
    ((name, _, flavors, held),) = held_pod_sets(fields(data), reclaims=reclaims)
    assert (name, flavors, held) == ("main", {"cpu": "any"}, {"cpu": cpu})


def test_a_pod_set_without_a_count_has_one_pod() -> None:
    data = workload(5, admitted=5)
    del data["spec"]["podSets"][0]["count"]
    assert usage(data) == 1000


def test_an_assignment_for_no_pod_set_of_the_workload_holds_nothing() -> None:
    data = workload(5)
    data["spec"]["podSets"][0]["name"] = "other"
    assert usage(data) == 0


@pytest.mark.parametrize("nothing", [None, {}, "x"])
def test_an_admission_without_assignments_says_what_is_missing(nothing: object) -> None:
    data = workload(5)
    data["status"]["admission"]["podSetAssignments"] = nothing
    with pytest.raises(MisreadError, match="no list of `podSetAssignments`"):
        read(KEY, fields(data))
