"""``why`` of states that pass: evictions that are over, preemptions of others, queues that go, deactivations."""

from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.why_state import (
    ADMITTED,
    GPU,
    RESERVED,
    Object,
    asked,
    condition,
    evidence,
    job,
    kueue,
    queue,
    running,
    screen,
    surroundings,
    workload,
)

BASE = [*surroundings(), *queue("q")]
PREEMPTING = [*surroundings(), *queue("q", preemption={"withinClusterQueue": "LowerPriority"})]
PREEMPTED = (
    "Preempted to accommodate a workload (UID: uid-taker, JobUID: UNKNOWN) due to prioritization in the ClusterQueue; "
    "preemptor path: /q; preemptee path: /q"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)


def said(document: Any) -> tuple[str, str, str]:
    return document["verdict"], document["reason"], document["law"]


def pending(name: str, gpus: int, message: str, **more: Any) -> Object:
    return workload(name, gpus, condition("QuotaReserved", "False", "Pending", message), **more)


def over(message: str) -> list[Object]:
    """The conditions of an eviction after which the workload got quota again."""
    return [condition(kind, "False", "QuotaReserved", f"Previously: {message}") for kind in ("Evicted", "Preempted")]


def test_a_preemption_that_is_over_is_told_with_rule_and_preemptor() -> None:
    found = asked([*BASE, running("taker"), running("w", 1, *over(PREEMPTED))], "workload/w -n team")
    assert (found["verdict"], found["eviction"]["reason"]) == ("Running", "Preempted")
    assert found["eviction"]["rule"] == "InClusterQueue"
    assert found["eviction"]["preemptor"]["workload"] == "Workload team/taker"
    assert "then got quota again" in screen([*BASE, running("w", 1, *over(PREEMPTED))], "w").stdout


@pytest.mark.parametrize(("counted", "reason"), [(["AdmissionCheck"], "AdmissionCheck"), (["A", "B"], "")])
def test_of_another_eviction_that_is_over_the_count_tells_the_reason(counted: list[str], reason: str) -> None:
    evictions = [{"reason": each, "underlyingCause": "", "count": 1} for each in counted]
    again = workload(
        "w", 1, RESERVED, ADMITTED, *over("gone")[:1], status={"schedulingStats": {"evictions": evictions}}
    )
    assert asked([*BASE, again], "workload/w -n team")["eviction"]["reason"] == reason


@pytest.mark.parametrize("asks", [1, 4])
def test_nobody_of_the_queue_is_looked_at_while_others_leave_for_one(asks: int) -> None:
    leaving = running("low", 3, condition("Evicted", reason="Preempted", message="gone"))
    told = "insufficient unused quota. Pending the preemption of 1 workload(s)"
    first = pending("first", 3, told, spec={"priority": 5})
    objects = [*PREEMPTING, leaving, first, workload("w", asks, spec={"priority": 9})]
    found = asked(objects, "workload/w -n team")
    assert (found["verdict"], found["law"]) == ("NotNow", "kueue-behind-preemptor")
    assert found["head"]["name"] == "first"
    assert found["comparison"]["agreement"] == "Unseen"
    assert said(asked(objects, "workload/first -n team"))[:2] == ("Waiting", "WaitingForPreemptedWorkloads")


def test_a_preemption_that_has_ended_keeps_nobody_back() -> None:
    first = pending("first", 1, "insufficient. Pending the preemption of 1 workload(s)", spec={"priority": 5})
    objects = [*PREEMPTING, running("low", 2), first, workload("w", 1, spec={"priority": 9})]
    assert said(asked(objects, "workload/w -n team"))[2] == "kueue-next-cycle"


CAUSES = [
    ("DeactivatedDueToAdmissionCheck", "an admission check rejected it (budget)"),
    ("DeactivatedDueToMaximumExecutionTimeExceeded", "it ran for longer than its maximum execution time"),
    ("DeactivatedDueToRequeuingLimitExceeded", "its pods were not ready in time"),
    ("DeactivatedDueToSomethingElse", "SomethingElse"),
    ("Deactivated", "its spec.active was set to false"),
]


@pytest.mark.parametrize(("reason", "words"), CAUSES)
def test_a_deactivation_is_told_with_its_cause(reason: str, words: str) -> None:
    checks = [
        {"name": "budget", "state": "Pending", "message": "Reset to Pending after eviction. Previously: Rejected"}
    ]
    evicted = condition("Evicted", reason=reason, message="told")
    off = workload("w", 1, evicted, spec={"active": False}, status={"admissionChecks": checks})
    found = asked([*BASE, off], "workload/w -n team")
    assert said(found) == ("Never", "Deactivated", "kueue-workload-inactive")
    assert words in found["sentence"]
    assert evidence(found)[:2] == ["Workload team/w spec.active", "Workload team/w status.conditions[0].message"]
    assert ("AdmissionCheck budget" in evidence(found)) == reason.endswith("AdmissionCheck")


def test_what_was_written_before_a_deactivation_is_told_to_be_old() -> None:
    evicted = condition("Evicted", reason="Deactivated", message="The workload is deactivated")
    reserved = condition("QuotaReserved", "False", "Pending", "insufficient")
    off = workload("w", 1, reserved, evicted, spec={"active": False})
    found = asked([*BASE, off], "workload/w -n team")["comparison"]
    assert found["agreement"] == "NotSinceEviction"
    assert "from the deactivation" in found["sentence"]


def checked(check: Object) -> list[Object]:
    uses = {"admissionChecks": [{"name": "budget"}]}
    return [*surroundings(), *queue("q", admissionChecksStrategy=uses), check, workload("w")]


def test_a_stored_check_that_nobody_called_active_is_not() -> None:
    check = kueue("AdmissionCheck", "budget", {"controllerName": "example.com/b"})
    found = asked(checked(check), "workload/w -n team")
    assert said(found) == ("Waiting", "Suspended", "kueue-queue-inactive")
    assert "budget" in found["sentence"]
    del check["metadata"]["resourceVersion"]
    assert said(asked(checked(check), "workload/w -n team"))[1] == "PendingEvaluation"


def test_a_queue_that_was_deleted_admits_nobody_and_those_that_run_go_on() -> None:
    leaves = [*surroundings(), *queue("q")]
    leaves[2]["metadata"]["deletionTimestamp"] = "2026-03-02T12:00:00Z"
    found = asked([*leaves, running("r"), workload("w")], "workload/w -n team")
    assert said(found) == ("Never", "Suspended", "kueue-queue-inactive")
    assert "ClusterQueue q metadata.deletionTimestamp" in evidence(found)
    assert "it was deleted" in found["sentence"]
    assert asked([*leaves, running("r"), workload("w")], "workload/r -n team")["verdict"] == "Running"


def test_a_prebuilt_workload_that_nobody_made_is_named() -> None:
    labels = {"kueue.x-k8s.io/queue-name": "q", "kueue.x-k8s.io/prebuilt-workload-name": "mine"}
    found = asked([*BASE, job("j", labels=labels)], "job/j -n team")
    assert said(found) == ("Never", "Misconfigured", "kueue-prebuilt-missing")
    assert evidence(found)[0] == "Job team/j metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]"
    assert "the job names mine, which does not" in screen([*BASE, job("j", labels=labels)], "job/j -n team").stdout
    assert asked([*BASE, job("j", labels=labels), workload("mine")], "job/j -n team")["verdict"] == "Waiting"


def test_a_condition_that_says_not_looked_at_yet_is_no_difference() -> None:
    message = "Workload is pending evaluation in the scheduling queue"
    reserved = condition("QuotaReserved", "False", "PendingEvaluation", message)
    found = asked([*BASE, running("full", 4), workload("w", 1, reserved)], "workload/w -n team")
    assert found["comparison"]["agreement"] == "Unseen"


def test_one_that_got_in_by_preemption_tells_who_left_for_it() -> None:
    evicted = condition("Evicted", reason="Preempted", message=PREEMPTED)
    objects = [*BASE, running("taker", 4), workload("w", 1, evicted), workload("other", 1)]
    assert [d["name"] for d in asked(objects, "workload/taker -n team")["displaced"]] == ["w"]
    assert "preempted for it: team/w" in screen(objects, "workload/taker -n team").stdout


def test_behind_a_strict_head_another_strategy_is_tried_and_no_quota() -> None:
    strict = [*surroundings(), *queue("q", queueingStrategy="StrictFIFO"), running("r", 2)]
    objects = [*strict, workload("head", 3, created=1), workload("w", 1, created=2)]
    found = asked(objects, "workload/w -n team")
    assert [(x["before"], x["after"], x["outcome"]) for x in found["lifts"]] == [
        ("StrictFIFO", "BestEffortFIFO", "Admitted")
    ]
    large = asked([*objects[:-1], workload("w", 3, created=2)], "workload/w -n team")
    assert large["lifts"][0]["outcome"] == "Waits"
    assert large["remedies"] == []


def test_a_field_that_keeps_a_workload_out_is_told_with_its_value() -> None:
    stopped = [*surroundings(), *queue("q", stopPolicy="Hold"), workload("w")]
    assert "spec.stopPolicy: Hold" in screen(stopped, "w").stdout
    limits = {"limits": [{"type": "Container", "max": {"example.com/gpu": "1"}}]}
    metadata = {"name": "small", "namespace": "team"}
    bounds = {"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata, "spec": limits}
    shown = screen([*BASE, bounds, workload("w", 2)], "w").stdout
    assert "spec.limits[0].max[example.com/gpu]: 1" in shown
    assert "requests[example.com/gpu]: 2" in " ".join(shown.split())


def test_one_that_is_being_evicted_is_not_told_who_could_make_it_leave() -> None:
    leaving = running("w", 1, condition("Evicted", reason="ClusterQueueStopped", message="The ClusterQueue is stopped"))
    shown = screen([*surroundings(), *queue("q", stopPolicy="HoldAndDrain"), leaving], "w").stdout
    assert "nobody's policy" not in shown
    assert "holds 1 example.com/gpu" in shown


def test_chance_between_equal_heads_of_two_queues_is_no_exact_answer() -> None:
    shared = kueue("Cohort", "org", {"resourceGroups": queue("x")[0]["spec"]["resourceGroups"]})
    queues = [*queue("a", 0, cohortName="org"), *queue("b", 0, cohortName="org")]
    rivals = [workload("one", 3, queue="a"), workload("two", 3, queue="b")]
    first, second = (asked([*surroundings(), shared, *queues, *rivals], f"workload/{name}") for name in ("one", "two"))
    assert [said(first)[0], said(second)[0]] == ["Waiting", "NotNow"]
    assert [each["fidelity"]["outcomes"] for each in (first, second)] == [2, 2]
    assert [each["fidelity"]["exact"] for each in (first, second)] == [False, False]
    assert all("leaves that to chance" in each["sentence"] for each in (first, second))
    alone = asked([*surroundings(), shared, *queues, *rivals[:1]], "workload/one")
    assert alone["fidelity"]["exact"]
    small = [workload("one", 2, queue="a"), workload("two", 2, queue="b")]
    assert asked([*surroundings(), shared, *queues, *small], "workload/two")["fidelity"]["exact"]


PODS: Object = {"spec": {"containers": [{"name": "c", "resources": {"requests": {GPU: "1"}}}]}}
RAY: Object = {"headGroupSpec": {"template": PODS}, "workerGroupSpecs": []}
SPARK: Object = {"mode": "cluster", "driver": {"memory": "1g"}, "executor": {"memory": "1g"}}
WRAPPED: Object = {"template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, **PODS}}
OTHERS: dict[str, tuple[str, Object]] = {
    "RayJob": ("ray.io/v1", {"rayClusterSpec": RAY, "submissionMode": "HTTPMode"}),
    "AppWrapper": ("workload.codeflare.dev/v1beta2", {"components": [WRAPPED]}),
    "SparkApplication": ("sparkoperator.k8s.io/v1beta2", SPARK),
}
DEPLOYED: Object = {"type": "ResourcesDeployed", "status": "True"}


@pytest.mark.parametrize(
    ("kind", "status", "field"),
    [
        ("RayJob", {"jobDeploymentStatus": "Complete"}, "jobDeploymentStatus"),
        ("RayJob", {"jobDeploymentStatus": "Failed"}, "jobDeploymentStatus"),
        ("RayJob", {"jobDeploymentStatus": "Running"}, ""),
        ("AppWrapper", {"phase": "Succeeded", "conditions": [DEPLOYED]}, "phase"),
        ("AppWrapper", {"phase": "Failed", "conditions": [DEPLOYED | {"status": "False"}]}, "phase"),
        ("AppWrapper", {"phase": "Failed", "conditions": [DEPLOYED]}, ""),
        ("SparkApplication", {"applicationState": {"state": "SUBMISSION_FAILED"}}, "applicationState.state"),
        ("SparkApplication", {"applicationState": {"state": "RUNNING"}}, ""),
    ],
)
def test_other_kinds_end_by_other_fields(kind: str, status: Object, field: str) -> None:
    api, spec = OTHERS[kind]
    found = asked([*BASE, job("j", kind=kind, api=api, spec=spec, status=status)], f"{kind.lower()}/j -n team")
    assert (said(found) == ("Finished", "Finished", "kueue-finished")) is bool(field)
    assert (evidence(found)[0] == f"{kind} team/j status.{field}") is bool(field)


@pytest.mark.parametrize(("flavors", "runs"), [(["any"], True), ([], True), (["any", "b"], False), (["b"], False)])
def test_a_multikueue_check_is_on_all_flavors_of_its_queue_and_no_other(flavors: list[str], runs: bool) -> None:
    strategy = {"admissionChecks": [{"name": "mk", "onFlavors": flavors}]}
    active = {"conditions": [condition("Active")]}
    check = kueue("AdmissionCheck", "mk", {"controllerName": "kueue.x-k8s.io/multikueue"}, status=active)
    found = asked([*surroundings(), *queue("q", admissionChecksStrategy=strategy), check, workload("w")], "w -n team")
    assert (said(found)[2] != "kueue-queue-inactive") is runs
