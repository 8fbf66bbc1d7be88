"""``why`` of a head says what the next cycle does with it, after all that the cycle takes before it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown
from tests.unit.cli.why_state import (
    GPU,
    Object,
    asked,
    condition,
    configuration,
    evidence,
    kueue,
    queue,
    running,
    surroundings,
    workload,
)
from tests.unit.schedulers.kueue.why.test_reasons import node, pod, said

NEXT = ("Waiting", "PendingEvaluation", "kueue-next-cycle")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def placed() -> list[Object]:
    """Two queues without a cohort that share the four GPUs of one node."""
    flavor = kueue("ResourceFlavor", "any", {"nodeLabels": {"a": "b"}, "topologyName": "t"})
    topology = kueue("Topology", "t", {"levels": [{"nodeLabel": "kubernetes.io/hostname"}]})
    return [surroundings()[0], flavor, topology, node("n", 4), pod("p", "n", 0), *queue("q"), *queue("other")]


def found_for(objects: list[Object]) -> Any:
    return asked(objects, "workload/w -n team --complete")


def test_a_head_of_another_tree_takes_the_place_on_nodes_that_both_share() -> None:
    waits = workload("w", 2, created=2)
    assert said(found_for([*placed(), waits])) == NEXT
    found = found_for([*placed(), workload("first", 3, queue="other", created=1), waits])
    assert said(found) == ("NotNow", "WaitingForQuota", "kueue-no-longer-fits")
    assert "Workload team/first" in evidence(found)
    assert said(found_for([*placed(), workload("second", 3, queue="other", created=3), waits])) == NEXT


def test_a_workload_that_asks_for_a_place_again_is_first() -> None:
    reserved = condition("QuotaReserved", reason="QuotaReserved")
    check = {"name": "c", "state": "Ready", "message": "", "lastTransitionTime": "2026-03-02T11:00:00Z"}
    assigned = {"name": "main", "count": 1, "flavors": {GPU: "any"}, "resourceUsage": {GPU: "3"}}
    delayed = {"clusterQueue": "other", "podSetAssignments": [assigned | {"delayedTopologyRequest": "Pending"}]}
    again = workload("again", 3, reserved, queue="other", status={"admission": delayed, "admissionChecks": [check]})
    found = found_for([*placed(), again, workload("w", 2, created=2, spec={"priority": 9})])
    assert said(found) == ("NotNow", "WaitingForQuota", "kueue-no-longer-fits")


def test_with_blocked_admission_one_head_is_admitted_at_a_time() -> None:
    block = configuration(waitForPodsReady={"blockAdmission": True})
    both = [*surroundings(), *queue("q", cohortName="org"), *queue("other", cohortName="org"), block]
    objects = [*both, workload("first", queue="other", created=1), workload("w", created=2)]
    assert said(found_for(objects)) == ("Waiting", "WaitingForPodsReady", "kueue-pods-ready-first")
    assert said(asked(objects, "workload/first -n team --complete")) == NEXT
    apart = [*surroundings(), *queue("q"), *queue("other"), block]
    found = found_for([*apart, workload("first", queue="other", created=1), workload("w", created=2)])
    assert not found["fidelity"]["exact"]


def test_a_workload_whose_pods_are_not_ready_is_cited_with_its_condition() -> None:
    block = configuration(waitForPodsReady={"blockAdmission": True})
    objects = [*surroundings(), *queue("q"), block]
    for unready in (running("r", 2), running("r", 2, condition("PodsReady", "False", reason="Starting"))):
        cited = found_for([*objects, unready, workload("w")])["evidence"]
        assert [each["value"] in (None, "False") for each in cited if each["object"].endswith("/r")] == [True]


def test_what_is_not_modelled_of_another_head_leaves_its_turn_open() -> None:
    both = [*surroundings(), *queue("q", cohortName="org"), *queue("other", cohortName="org"), running("r", 6)]
    first = workload("first", 1, queue="other", created=1)
    objects = [*both, first, workload("w", created=2)]
    assert said(found_for(objects)) == NEXT
    first["spec"]["podSets"][0]["template"]["spec"]["resourceClaims"] = [
        {"name": "c", "resourceClaimTemplateName": "t"}
    ]
    assert not found_for(objects)["fidelity"]["exact"]


def test_a_head_that_fits_once_the_victims_of_another_have_left_waits_for_them() -> None:
    gates = configuration(featureGates={"RecomputeAssignmentUponPreemptionTargetsOverlap": True})
    own = {"withinClusterQueue": "LowerPriority", "reclaimWithinCohort": "Any"}
    both = [*queue("q", cohortName="org", preemption=own), *queue("other", cohortName="org", preemption=own)]
    objects = [*surroundings(), gates, *both, *queue("third", 0, cohortName="org"), running("r", 8, queue="third")]
    first = workload("first", 2, queue="other", created=1)
    found = found_for([*objects, first, workload("w", 2, created=2)])
    assert said(found) == ("Waiting", "WaitingForPreemptedWorkloads", "kueue-deferred-fit")


@pytest.mark.parametrize(
    ("evicted", "strategy", "record", "exact"),
    [
        ((), "BestEffortFIFO", "insufficient unused quota", False),
        ((), "StrictFIFO", "insufficient unused quota", True),
        ((), "BestEffortFIFO", "x. Pending the preemption of 1 workload(s)", True),
        ((condition("Evicted", reason="Preempted", at="2026-03-02T12:30:00Z"),), "BestEffortFIFO", "", True),
    ],
)
def test_one_that_others_left_for_once_may_still_be_first(
    evicted: tuple[Object, ...], strategy: str, record: str, exact: bool
) -> None:
    message = "Preempted to accommodate a workload (UID: uid-low, JobUID: UNKNOWN) due to x; preemptor path: /q"
    queues = queue("q", queueingStrategy=strategy, preemption={"withinClusterQueue": "LowerPriority"})
    left = running("left", 1, condition("Preempted", "False", "QuotaReserved", f"Previously: {message}"))
    low = workload("low", 2, condition("QuotaReserved", "False", "Pending", record), *evicted)
    objects = [*surroundings(), *queues, left, low, workload("w", 2, spec={"priority": 9})]
    found = found_for(objects)
    assert (found["law"], found["fidelity"]["exact"]) == ("kueue-next-cycle", exact)
    cycle = shown("kubectl-fairshare cycle -f state.json --complete -o json").stdout
    assert json.loads(cycle)["fidelity"]["exact"] == exact


def test_a_queue_whose_head_only_the_managers_memory_knows_leaves_the_heads_beside_it_open() -> None:
    message = "Previously: Preempted to accommodate a workload (UID: uid-low, JobUID: UNKNOWN) due to x"
    both = [queue(name, cohortName="all", preemption={"withinClusterQueue": "LowerPriority"}) for name in ("q", "p")]
    low = workload("low", 1, condition("QuotaReserved", "False", "Pending", "insufficient unused quota"), queue="p")
    others = [low, workload("high", 1, queue="p", spec={"priority": 9}), workload("w", 1)]
    for left, exact in ((message, False), ("Previously: something else", True)):
        was = running("left", 1, condition("Preempted", "False", "QuotaReserved", left))
        found = found_for([*surroundings(), *(each for pair in both for each in pair), was, *others])
        assert (found["law"], found["fidelity"]["exact"]) == ("kueue-next-cycle", exact)


def test_a_head_that_only_the_managers_memory_decides_leaves_the_turn_of_all_of_its_queue_open() -> None:
    sharing = {"usageHalfLifeTime": "168h", "usageSamplingInterval": "5m"}
    used = {"consumedResources": {GPU: "1"}, "lastUpdate": "2026-03-02T11:00:00Z"}
    status = {"fairSharing": {"weightedShare": 0, "admissionFairSharingStatus": used}}
    scope = {"admissionMode": "UsageBasedAdmissionFairSharing"}
    target, local = queue("q", admissionScope=scope)
    second = local | {"metadata": local["metadata"] | {"name": "p"}}
    queues = [target, local | {"status": status}, second | {"status": status}]
    both = [workload("w", 1, created=1), workload("other", 1, queue="p", created=2)]
    objects = [*surroundings(), *queues, configuration(admissionFairSharing=sharing), *both]
    for name in ("w", "other"):
        found = asked(objects, f"workload/{name} -n team --complete")
        assert (found["law"], found["fidelity"]["exact"]) == ("kueue-next-cycle", False)


def test_a_workload_of_a_queue_that_the_input_lacks_may_be_any_head() -> None:
    lost = workload("lost", 1, queue="elsewhere", created=1, spec={"priority": 9})
    objects = [*surroundings(), *queue("q"), workload("w", 1, created=2)]
    for each in (*objects, lost):
        del each["metadata"]["resourceVersion"]
    assert asked(objects, "workload/w -n team")["fidelity"]["exact"]
    assert not asked([*objects, lost], "workload/w -n team")["fidelity"]["exact"]
    assert asked([*objects, lost], "workload/w -n team --complete")["fidelity"]["exact"]
