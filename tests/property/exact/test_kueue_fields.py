"""Every field of Kueue's objects is read, or is named here with the reason why no admission depends on it.

A field that a release adds to the schemas belongs to one of the two. A field is read if two values of it make two
states: what reads the state decides then, or a gap takes ``exact`` from the answer (``test_kueue_exact``).
"""

import json
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from tests.property.exact import pod_fields
from tests.property.exact.kueue_fields import FieldNames, fields, two_values, with_value

SAMPLE = Path(__file__).resolve().parents[3] / "testdata" / "input" / "every-field.jsonl"
KINDS = (
    *("AdmissionCheck", "ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor", "Topology"),
    *("Workload", "WorkloadPriorityClass"),
)
WRITTEN_FROM_USAGE = "Kueue writes it from its own usage, and reads it nowhere"
ABOUT_A_CONDITION = "Kueue reads type, status, reason and moment of conditions"
MULTIKUEUE = "only MultiKueue and the jobs on worker clusters read it"
TIMED = "only a timer reads it, after the admission"
WRITTEN_FOR_PEOPLE = "it is written for people and metrics"
GATED_OFF = "the gate ConcurrentAdmission is off, and a gap where it is on"
STATUS = {
    **dict.fromkeys(("admittedWorkloads", "pendingWorkloads", "reservingWorkloads"), WRITTEN_FROM_USAGE),
    "fairSharing.weightedShare": WRITTEN_FROM_USAGE,
    **dict.fromkeys(
        (f"{use}.[].{field}" for use in ("flavorsReservation", "flavorsUsage") for field in ("name", "resources")),
        WRITTEN_FROM_USAGE,
    ),
    "conditions": "Kueue writes it from the objects that the answer reads itself",
}
CONDITION = {
    f"status.conditions.[].{field}": ABOUT_A_CONDITION for field in ("lastTransitionTime", "message", "reason", "type")
}
IDLE: dict[str, dict[str, str]] = {
    "AdmissionCheck": {**CONDITION, "status.conditions.[].observedGeneration": ABOUT_A_CONDITION},
    "ClusterQueue": {
        **{f"status.{field}": reason for field, reason in STATUS.items()},
        "spec.concurrentAdmissionPolicy.migration": GATED_OFF,
    },
    "Cohort": {
        "status.fairSharing.weightedShare": WRITTEN_FROM_USAGE,
        "spec.resourceGroups.[].coveredResources": "the quotas of a Cohort are those of its flavors",
    },
    "LocalQueue": {f"status.{field}": reason for field, reason in STATUS.items()},
    "ResourceFlavor": {
        "spec.nodeTaints.[].timeAdded": "Kueue writes taints without it",
        "spec.tolerations.[].tolerationSeconds": TIMED,
    },
    "Topology": {},
    "Workload": {
        "spec.maximumExecutionTimeSeconds": TIMED,
        "spec.podSets.[].topologyRequest.podIndexLabel": "it orders pods within a place",
        "spec.podSets.[].topologyRequest.subGroupCount": "it orders pods within a place",
        "spec.podSets.[].topologyRequest.subGroupIndexLabel": "it orders pods within a place",
        "spec.preemptionGates.[].name": "each closed gate counts, whatever its name",
        "status.accumulatedPastExecutionTimeSeconds": TIMED,
        "status.admissionChecks.[].lastTransitionTime": TIMED,
        "status.admissionChecks.[].message": WRITTEN_FOR_PEOPLE,
        "status.admissionChecks.[].name": "all checks of the status count",
        "status.admissionChecks.[].podSetUpdates.[].annotations": "only nodes have a say: selectors and tolerations",
        "status.admissionChecks.[].podSetUpdates.[].labels": "only nodes have a say: selectors and tolerations",
        "status.admissionChecks.[].podSetUpdates.[].tolerations.[].tolerationSeconds": TIMED,
        "status.admissionChecks.[].requeueAfterSeconds": "a check to be retried keeps the Workload out by itself",
        "status.admissionChecks.[].retryCount": TIMED,
        "status.clusterName": MULTIKUEUE,
        "status.conditions.[].observedGeneration": ABOUT_A_CONDITION,
        "status.nominatedClusterNames.[]": MULTIKUEUE,
        "status.resourceRequests": "Kueue counts requests from spec, and writes them here for people",
        "status.schedulingStats": WRITTEN_FOR_PEOPLE,
    },
    "WorkloadPriorityClass": {"description": WRITTEN_FOR_PEOPLE},
}
VALUES: dict[tuple[str, str], tuple[Any, Any]] = {
    ("AdmissionCheck", "status.conditions.[].status"): ("True", "False"),
    ("Workload", "spec.priorityClassRef"): (
        {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "wpc"},
        {"group": "scheduling.k8s.io", "kind": "PriorityClass", "name": "wpc"},
    ),
    ("Workload", "status.conditions.[].type"): ("QuotaReserved", "Requeued"),
    ("Workload", "status.conditions.[].reason"): ("OnHold", "Pending"),
    ("Workload", "status.conditions.[].message"): ("x. Pending the preemption of 1 workload(s)", "x"),
    ("Workload", "status.admission.podSetAssignments.[].name"): ("main", "other"),
    (
        "Workload",
        "status.admission.podSetAssignments.[].topologyAssignment.slices.[].podCounts",
    ): ({"universal": 1}, {"individual": [2]}),
    ("Workload", "status.preemptionGates"): (
        [{"name": "g", "position": "Open"}],
        [{"name": "g", "position": "Closed"}],
    ),
    ("Workload", "status.reclaimablePods.[].name"): ("main", "other"),
    ("Workload", "status.unhealthyNodes.[].name"): ("r", "s"),
    ("Workload", "status.admissionChecks.[].podSetUpdates.[].name"): ("main", "other"),
    ("Workload", "status.admissionChecks.[].state"): ("Ready", "Pending"),
}
CONDITIONS_READ = {
    *("Admitted", "DeactivationTarget", "Evicted", "Finished", "PodsReady", "QuotaReserved", "Requeued"),
    "WaitingForReplacementPods",
}
CONDITIONS_IDLE = {
    "BlockedOnPreemptionGates": "the scheduler writes it, and asks the gates themselves",
    "Preempted": "the condition Evicted says the same and counts",
}
KEYS_READ = {"admission-gated-by", "workload-slice-replacement-for"}
KEYS_IDLE = {
    "component-workload-index": MULTIKUEUE,
    "concurrent-admission-parent": GATED_OFF,
    "elastic-job": "the slice names the one that it replaces",
    "job-owner-gvk": MULTIKUEUE,
    "job-owner-name": MULTIKUEUE,
    "multikueue-origin": MULTIKUEUE,
    "priority-boost": "the gate PriorityBoost is off, and a gap where it is on",
    "priority-class": "Kueue has written the value of the class to spec.priority",
    "queue-name": "a Workload names its queue in spec.queueName",
    "workload-allowed-resource-flavors": GATED_OFF,
    "workload-slice-name": "it names the job of pods",
}
TEMPLATE_READ = {"resourceClaims"}
"""What of a pod template no scheduler of pods is needed for: the others are of no account for quota."""


def sample() -> list[Any]:
    """An object of each kind, with placements by topology; of Workloads one that waits, two that hold quota."""
    objects = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]
    objects = [o for o in objects if o.get("kind") in (*KINDS, "Namespace", "LimitRange", "PriorityClass")]
    for each in objects:
        each["metadata"]["resourceVersion"] = "1"
        if each["kind"] == "ResourceFlavor":
            each["spec"]["topologyName"] = "topo"
    held = next(o for o in objects if o["metadata"]["name"] == "held")
    held["status"]["reclaimablePods"] = [{"name": "main", "count": 1}]
    second = json.loads(json.dumps(held))
    second["metadata"] |= {"name": "second", "uid": "second"}
    second["status"]["conditions"] = second["status"]["conditions"][:1]
    for each in second["status"]["admission"]["podSetAssignments"]:
        each["delayedTopologyRequest"] = "Pending"
    update = {"name": "main", "nodeSelector": {"a": "b"}, "tolerations": [{"key": "k", "operator": "Exists"}]}
    second["status"]["admissionChecks"][0]["podSetUpdates"] = [update]
    pending = next(o for o in objects if o["metadata"]["name"] == "pend")
    pending["spec"]["podSets"][0]["topologyRequest"] = {"podSetSliceRequiredTopology": "rack", "podSetSliceSize": 1}
    pending["spec"]["preemptionGates"] = [{"name": "g"}]
    return [*objects, second]


def state(objects: list[Any]) -> tuple[KueueState, Context] | str:
    """What the house reads; the text of the error where it reads nothing."""
    sharing = {"usageHalfLifeTime": "1h"}
    try:
        found = case_snapshot({"name": "x", "config": {"admissionFairSharing": sharing}, "objects": objects})
    except FairshareError as error:
        return str(error)
    return found.part(KueueState), found.part(Context)


def is_read(kind: str, way: FieldNames, schema: Any) -> bool:
    values, given = two_values(schema), sample()
    for length in range(len(way)):
        if (known := VALUES.get((kind, ".".join(way[: len(way) - length])))) is not None:
            values, way = known, way[: len(way) - length]
            break
    changed = ([with_value(o, way, value) if o["kind"] == kind else o for o in given] for value in values)
    first, second = map(state, changed)
    return first != second or isinstance(first, str)


def is_listed(kind: str, way: FieldNames) -> bool:
    """Whether the field, or what it is in, is of no account."""
    name = ".".join(way)
    return any(name == each or name.startswith(f"{each}.") for each in IDLE[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_is_read_or_named_with_a_reason(kind: str) -> None:
    found = {way: (is_read(kind, way, schema), is_listed(kind, way)) for way, schema in fields(kind)}
    assert {".".join(way): each for way, each in found.items() if each[0] == each[1]} == {}


def waiting_with(**status: Any) -> list[Any]:
    return [o | {"status": status} if o["metadata"]["name"] == "pend" else o for o in sample()]


def conditions(kind: str) -> list[tuple[KueueState, Context] | str]:
    """The states with a condition that is True, False, and not there."""
    moment = {"reason": "R", "message": "m", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    given = [[{"type": kind, "status": status, **moment}] for status in ("True", "False")]
    return [state(waiting_with(conditions=each)) for each in (*given, [])]


@pytest.mark.parametrize("kind", sorted(CONDITIONS_IDLE))
def test_these_conditions_of_a_pending_workload_are_of_no_account(kind: str) -> None:
    first, *others = conditions(kind)
    assert all(each == first for each in others)


@pytest.mark.parametrize("kind", sorted(CONDITIONS_READ - {"Admitted", "Evicted", "PodsReady", "QuotaReserved"}))
def test_these_conditions_of_a_pending_workload_count(kind: str) -> None:
    first, *others = conditions(kind)
    assert any(each != first for each in others)


def keyed(part: str, key: str, value: str) -> tuple[KueueState, Context] | str:
    objects = sample()
    for each in (o for o in objects if o["kind"] == "Workload"):
        each["metadata"].setdefault(part, {})[f"kueue.x-k8s.io/{key}"] = value
    return state(objects)


@pytest.mark.parametrize("part", ["labels", "annotations"])
def test_these_keys_of_a_workload_are_of_no_account(part: str) -> None:
    before = state(sample())
    assert [key for key in sorted(KEYS_IDLE) if keyed(part, key, "x") != before] == []


def test_these_keys_of_a_workload_count() -> None:
    before = state(sample())
    values = dict.fromkeys(KEYS_READ, "x") | {"workload-slice-replacement-for": "ns/held"}
    assert [key for key, value in sorted(values.items()) if keyed("annotations", key, value) == before] == []


@pytest.mark.parametrize("field", sorted({*pod_fields.GAPS, *pod_fields.IDLE} - {"affinity"}))
def test_of_a_template_only_claims_count_beside_requests_and_nodes(field: str) -> None:
    value = pod_fields.IDLE[field] if field in pod_fields.IDLE else pod_fields.GAPS[field][0]
    objects = sample()
    before = state(objects)
    for each in (o for o in objects if o["kind"] == "Workload"):
        each["spec"]["podSets"][0]["template"]["spec"][field] = value
    assert (state(objects) != before) is (field in TEMPLATE_READ)
