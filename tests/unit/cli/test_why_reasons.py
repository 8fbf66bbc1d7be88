"""``why`` finds the one dominant reason."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown
from tests.unit.cli.why_state import (
    ADMITTED,
    GPU,
    NOON,
    RESERVED,
    asked,
    condition,
    configuration,
    evidence,
    job,
    kueue,
    owned,
    queue,
    running,
    screen,
    surroundings,
    workload,
)

BASE = [*surroundings(), *queue("q")]
FULL = [*BASE, running("full", 4)]
OUT = condition("QuotaReserved", "False", "Pending", "Evicted for it")
LATER = "2026-03-02T12:05:00Z"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)


def said(document: Any) -> tuple[str, str, str]:
    return document["verdict"], document["reason"], document["law"]


def test_quota_in_use_is_not_now_and_tells_who_holds_it() -> None:
    found = asked([*FULL, workload("w", 2)], "workload/w -n team")
    assert said(found) == ("NotNow", "WaitingForQuota", "kueue-exceeds-available")
    assert [h["workload"]["name"] for h in found["heldBy"]] == ["full"]
    assert found["bindings"][0]["short"]["value"] == 2
    assert "ClusterQueue q spec.resourceGroups[0].flavors[0].resources[0].nominalQuota" in evidence(found)


def test_more_than_all_quota_is_never() -> None:
    found = asked([*BASE, workload("w", 5)], "workload/w -n team")
    assert said(found) == ("Never", "ExceedsMaxQuota", "kueue-exceeds-potential")
    assert found["heldBy"] == []
    assert [r["change"] for r in found["remedies"]] == ["request", "nominalQuota"]


def test_a_flavor_with_a_foreign_taint_serves_nobody() -> None:
    tainted = kueue("ResourceFlavor", "any", {"nodeTaints": [{"key": "k", "value": "v", "effect": "NoSchedule"}]})
    found = asked([BASE[0], tainted, *queue("q"), workload("w")], "workload/w -n team")
    assert said(found) == ("Never", "NoMatchingFlavor", "kueue-no-flavor")
    assert "ResourceFlavor any spec.nodeTaints[0]" in evidence(found)


def test_a_backoff_lasts_while_nobody_knows_better() -> None:
    away = condition("Requeued", "False", "PodsReadyTimeout")
    state = {"requeueState": {"count": 2, "requeueAt": LATER}}
    waits = workload("w", 1, OUT, away, status=state)
    found = asked([*BASE, waits], "workload/w -n team")
    assert said(found) == ("Waiting", "Backoff", "kueue-backoff")
    assert found["until"] == LATER
    assert found["recorded"]["requeues"] == 2


@pytest.mark.parametrize("ends", ["option", "condition", "input"])
def test_a_backoff_is_over_by_the_clock_the_record_or_a_later_moment(ends: str) -> None:
    status, reason = ("True", "BackoffFinished") if ends == "condition" else ("False", "PodsReadyTimeout")
    requeued = condition("Requeued", status, reason)
    state = {"requeueState": {"count": 1, "requeueAt": LATER}}
    objects = [*BASE, workload("w", 1, OUT, requeued, status=state)]
    if ends == "input":
        objects.append(workload("other", 1, condition("Finished", at="2026-03-02T13:00:00Z")))
    now = " --now 2026-03-02T12:06:00Z" if ends == "option" else ""
    assert said(asked(objects, f"workload/w -n team{now}")) == ("Waiting", "PendingEvaluation", "kueue-next-cycle")


def test_the_head_of_a_strict_queue_keeps_others_back_even_where_they_fit() -> None:
    strict = [*surroundings(), *queue("q", queueingStrategy="StrictFIFO"), running("r", 2)]
    found = asked([*strict, workload("head", 3, created=1), workload("w", 1, created=2)], "workload/w -n team")
    assert said(found) == ("NotNow", "PendingEvaluation", "kueue-behind-head")
    assert found["head"]["name"] == "head"
    assert found["headBindings"][0]["short"]["value"] == 1
    assert found["comparison"]["agreement"] == "Unseen"


def test_a_head_that_backs_off_keeps_nobody_back() -> None:
    strict = [*surroundings(), *queue("q", queueingStrategy="StrictFIFO"), running("r", 2)]
    state = {"requeueState": {"count": 1, "requeueAt": LATER}}
    head = workload("head", 3, condition("Requeued", "False", "PodsReadyTimeout"), created=1, status=state)
    found = asked([*strict, head, workload("w", 1, created=2)], "workload/w -n team")
    assert said(found) == ("Waiting", "PendingEvaluation", "kueue-next-cycle")


def test_a_preemption_that_was_issued_is_waited_for() -> None:
    preempting = queue("q", preemption={"withinClusterQueue": "LowerPriority"})
    leaving = running("low", 4, condition("Evicted", reason="Preempted", message="gone"))
    objects = [*surroundings(), *preempting, leaving, workload("w", 3, spec={"priority": 9})]
    found = asked(objects, "workload/w -n team")
    assert said(found) == ("Waiting", "WaitingForPreemptedWorkloads", "kueue-preemption-under-way")
    assert [x["workload"]["name"] for x in found["leaving"]] == ["low"]
    assert "Workload team/low status.conditions[2].reason" in evidence(found)
    victim = asked(objects, "workload/low -n team")
    assert said(victim) == ("Waiting", "Evicted", "kueue-being-evicted")
    assert victim["holding"]["usage"][0]["amount"]["value"] == 4


def test_a_preemption_that_nobody_issued_yet_waits_for_the_scheduler() -> None:
    preempting = queue("q", preemption={"withinClusterQueue": "LowerPriority"})
    objects = [*surroundings(), *preempting, running("low", 4), workload("w", 3, spec={"priority": 9})]
    found = asked(objects, "workload/w -n team")
    assert said(found) == ("Waiting", "PendingEvaluation", "kueue-next-cycle")
    gated = workload("w", 3, spec={"priority": 9, "preemptionGates": [{"name": "example.com/g"}]})
    found = asked([*objects[:-1], gated], "workload/w -n team")
    assert said(found) == ("Waiting", "PendingEvaluation", "kueue-next-cycle")
    gates = {"MultiKueueOrchestratedPreemption": True}
    found = asked([*objects[:-1], gated, configuration(featureGates=gates)], "workload/w -n team")
    assert said(found) == ("Waiting", "BlockedOnPreemptionGates", "kueue-preemption-gated")


def test_a_workload_that_another_head_leaves_no_room_for_is_not_now() -> None:
    both = [*queue("q", cohortName="org"), *queue("other", cohortName="org"), running("r", 6)]
    first = workload("first", 2, queue="other", created=1)
    found = asked([*surroundings(), *both, first, workload("w", 2, created=2)], "workload/w -n team")
    assert said(found) == ("NotNow", "WaitingForQuota", "kueue-no-longer-fits")
    assert "Workload team/first" in evidence(found)


def test_an_open_admission_check_is_waited_for_and_a_rejected_one_is_the_end() -> None:
    checked = queue("q", admissionChecksStrategy={"admissionChecks": [{"name": "budget"}]})
    active = {"conditions": [condition("Active")]}
    check = kueue("AdmissionCheck", "budget", {"controllerName": "example.com/b"}, status=active)
    for state, verdict, law in (
        ("Pending", "Waiting", "kueue-checks-pending"),
        ("Retry", "Waiting", "kueue-checks-pending"),
        ("Rejected", "Never", "kueue-check-rejected"),
    ):
        checks = {"admissionChecks": [{"name": "budget", "state": state, "lastTransitionTime": NOON}]}
        waits = workload("w", 1, RESERVED, status=checks)
        found = asked([*surroundings(), *checked, check, waits], "workload/w -n team")
        assert said(found) == (verdict, "UnsatisfiedAdmissionChecks", law)
        assert "AdmissionCheck budget spec.controllerName" in evidence(found)


def test_a_pending_workload_with_a_failed_check_is_not_looked_at() -> None:
    for state, law in (("Pending", "kueue-next-cycle"), ("Retry", "kueue-checks-failed")):
        checks = {"admissionChecks": [{"name": "budget", "state": state, "lastTransitionTime": NOON}]}
        found = asked([*BASE, workload("w", 1, status=checks)], "workload/w -n team")
        assert (found["verdict"], said(found)[2]) == ("Waiting", law)


def test_a_check_that_nobody_noted_yet_is_taken_from_the_queue() -> None:
    checked = queue("q", admissionChecksStrategy={"admissionChecks": [{"name": "budget"}]})
    check = kueue("AdmissionCheck", "budget", {"controllerName": "example.com/b"})
    found = asked([*surroundings(), *checked, check, workload("w", 1, RESERVED)], "workload/w -n team")
    assert said(found) == ("Waiting", "UnsatisfiedAdmissionChecks", "kueue-checks-pending")


def test_blocked_admission_waits_for_the_pods_of_others() -> None:
    block = configuration(waitForPodsReady={"timeout": "5m", "blockAdmission": True})
    slow = running("slow", 1, condition("PodsReady", "False", "WaitForStart"))
    found = asked([*BASE, block, slow, workload("w", 1)], "workload/w -n team")
    assert said(found) == ("Waiting", "WaitingForPodsReady", "kueue-pods-ready-first")
    assert "Workload team/slow status.conditions[2].status" in evidence(found)
    gone = {"admission": {"clusterQueue": "gone", "podSetAssignments": []}}
    lost = running("lost", 1, condition("PodsReady", "False", "WaitForStart"), status=gone)
    found = asked([*BASE, block, lost, workload("w", 1)], "workload/w -n team --complete")
    assert said(found) == ("Waiting", "PendingEvaluation", "kueue-next-cycle")
    found = asked([*BASE, block, lost, workload("w", 1)], "workload/w -n team")
    assert said(found) == ("Waiting", "WaitingForPodsReady", "kueue-pods-ready-first")
    ready = running("slow", 1, condition("PodsReady"))
    found = asked([*BASE, block, ready, workload("w", 1)], "workload/w -n team")
    assert said(found) == ("Waiting", "PendingEvaluation", "kueue-next-cycle")


@pytest.mark.parametrize("policy", ["Hold", "HoldAndDrain"])
def test_a_stopped_queue_is_waited_for_and_resuming_it_is_tried(policy: str) -> None:
    found = asked([*surroundings(), *queue("q", stopPolicy=policy), workload("w")], "workload/w -n team")
    assert said(found) == ("Waiting", "Suspended", "kueue-queue-inactive")
    assert found["lifts"][0] | {"place": None} == {
        "place": None,
        "before": policy,
        "after": "None",
        "outcome": "Admitted",
        "victims": 0,
    }


def test_a_missing_local_queue_is_never_and_others_are_tried() -> None:
    found = asked([*FULL, workload("w", queue="typo")], "workload/w -n team --complete")
    assert said(found) == ("Never", "Misconfigured", "kueue-local-queue-missing")
    assert [(x["after"], x["outcome"]) for x in found["lifts"]] == [("q", "Waits")]


def test_a_dump_that_lists_local_queues_has_all_of_its_namespaces() -> None:
    found = asked([*FULL, workload("w", queue="typo")], "workload/w -n team")
    assert said(found) == ("Never", "Misconfigured", "kueue-local-queue-missing")
    assert not found["fidelity"]["exact"]  # the dump may be filtered by label


def test_what_a_dump_lacks_is_exact_where_the_cluster_recorded_it() -> None:
    recorded = condition("QuotaReserved", "False", "Inadmissible", "LocalQueue typo doesn't exist")
    found = asked([*FULL, workload("w", 1, recorded, queue="typo")], "workload/w -n team")
    assert said(found) == ("Never", "Misconfigured", "kueue-local-queue-missing")
    assert found["fidelity"]["exact"]


def test_a_local_queue_that_is_not_in_the_input_is_unknown_and_others_are_tried() -> None:
    written = [each | {"metadata": each["metadata"] | {"resourceVersion": ""}} for each in FULL]
    found = asked([*written, workload("w", queue="typo")], "workload/w -n team", code=5)
    assert said(found) == ("Unknown", "NotInInput", "kueue-not-given")
    assert [(x["after"], x["outcome"]) for x in found["lifts"]] == [("q", "Waits")]


def test_a_workload_in_no_queue_is_moved_at_its_job_as_kueue_writes_the_jobs_queue_into_it() -> None:
    astray = job("j", labels={"kueue.x-k8s.io/queue-name": "typo"})
    mine = workload("w", queue="typo", metadata=owned("Job", "j"))
    found = asked([*BASE, astray, mine], "workload/w -n team --complete")
    (lift,) = found["lifts"]
    assert (lift["place"]["object"], lift["place"]["field"]) == (
        "Job team/j",
        "metadata.labels[kueue.x-k8s.io/queue-name]",
    )
    found = asked([*BASE, workload("w", queue="typo")], "workload/w -n team --complete")
    assert found["lifts"][0]["place"]["field"] == "spec.queueName"


def test_a_deactivated_workload_is_never_and_activating_it_is_tried() -> None:
    found = asked([*BASE, workload("w", 1, spec={"active": False})], "workload/w -n team")
    assert said(found) == ("Never", "Deactivated", "kueue-workload-inactive")
    assert found["lifts"][0]["outcome"] == "Admitted"


def test_a_gate_or_a_hold_keeps_a_workload_out_of_its_queue() -> None:
    gated = workload("w", metadata={"annotations": {"kueue.x-k8s.io/admission-gated-by": "example.com/copy"}})
    assert said(asked([*BASE, gated], "workload/w -n team"))[:2] == ("Waiting", "AdmissionGated")
    held = workload("w", 1, condition("QuotaReserved", "False", "OnHold", "job is on hold"))
    assert said(asked([*BASE, held], "workload/w -n team"))[:2] == ("Waiting", "OnHold")


def test_topology_is_left_to_the_record_and_without_one_unknown() -> None:
    placed = kueue("ResourceFlavor", "any", {"nodeLabels": {"a": "b"}, "topologyName": "t"})
    topology = kueue("Topology", "t", {"levels": [{"nodeLabel": "kubernetes.io/hostname"}]})
    message = "couldn't assign flavors to pod set main: topology \"t\" doesn't allow to fit any of 1 pod(s)"
    objects = [BASE[0], placed, topology, *queue("q")]
    told = workload("w", 1, condition("QuotaReserved", "False", "Pending", message))
    found = asked([*objects, told], "workload/w -n team")
    assert said(found) == ("NotNow", "TopologyPlacementFailed", "kueue-not-modelled")
    found = asked([*objects, workload("w")], "workload/w -n team", code=5)
    assert said(found) == ("Unknown", "NotModelled", "kueue-not-modelled")
    assert not found["fidelity"]["exact"]


def test_a_running_workload_tells_what_it_holds_and_who_could_take_it_back() -> None:
    lender = queue("lender", cohortName="org", preemption={"reclaimWithinCohort": "Any"})
    borrower = queue("q", cohortName="org", preemption={"withinClusterQueue": "LowerPriority"})
    found = asked([*surroundings(), *lender, *borrower, running("r", 6)], "workload/r -n team")
    assert said(found) == ("Running", "Admitted", "kueue-admitted")
    assert found["holding"]["queueBorrows"][0]["amount"]["value"] == 2
    takers = [(t["clusterQueue"], t["policy"], t["within"]) for t in found["holding"]["couldTakeBack"]]
    assert takers == [("q", "LowerPriority", True), ("lender", "Any", False)]


def test_a_finished_workload_says_so_whatever_else_is_true() -> None:
    ended = workload("w", 1, RESERVED, ADMITTED, condition("Finished", reason="Succeeded"))
    assert said(asked([*BASE, ended], "workload/w -n team")) == ("Finished", "Finished", "kueue-finished")


def test_a_job_whose_own_status_tells_its_end_needs_no_workload() -> None:
    status = {"conditions": [{"type": "Complete", "status": "True"}]}
    found = asked([*BASE, job("j", status=status)], "job/j -n team")
    assert said(found) == ("Finished", "Finished", "kueue-finished")
    assert evidence(found)[0] == "Job team/j status.conditions[0].type"


def test_a_job_without_a_queue_is_unmanaged_and_queues_are_tried() -> None:
    found = asked([*BASE, job("j", labels={})], "job/j -n team")
    assert said(found) == ("Unmanaged", "Unmanaged", "kueue-workload-refused")
    assert [x["outcome"] for x in found["lifts"]] == ["Admitted"]


def test_a_missing_class_is_named_among_the_evidence() -> None:
    labels = {"kueue.x-k8s.io/queue-name": "q", "kueue.x-k8s.io/priority-class": "nope"}
    found = asked([*BASE, job("j", labels=labels)], "job/j -n team --complete")
    assert said(found) == ("Never", "Misconfigured", "kueue-workload-refused")
    assert "nope" in [e["value"] for e in found["evidence"]]


MESSAGE = (
    "Preempted to accommodate a workload (UID: {uid}, JobUID: {job}) due to reclamation within the cohort; "
    "preemptor path: /org/lender; preemptee path: /org/q"
)


@pytest.mark.parametrize(("uid", "known"), [("uid-taker", True), ("gone", False), ("UNKNOWN", False)])
def test_the_preemptor_is_found_by_its_uid(uid: str, known: bool) -> None:
    message = MESSAGE.format(uid=uid, job="job-j" if known else "UNKNOWN")
    evicted = condition("Evicted", reason="Preempted", message=message)
    preempted = condition("Preempted", reason="InCohortReclamation", message=message)
    waiting = condition("QuotaReserved", "False", "Pending", message)
    taker = running("taker", 4, metadata=owned("Job", "j", uid="job-j"))
    found = asked([*BASE, taker, workload("w", 1, waiting, evicted, preempted)], "workload/w -n team")
    assert found["eviction"]["rule"] == "InCohortReclamation"
    preemptor = found["eviction"]["preemptor"]
    assert preemptor["path"] == "/org/lender"
    assert preemptor["workload"] == ("Workload team/taker" if known else None)
    assert preemptor["job"] == ("Job team/j" if known else None)
    assert found["comparison"]["agreement"] == "NotSinceEviction"


def test_a_record_that_is_older_than_the_last_change_says_so() -> None:
    old = condition("QuotaReserved", "False", "Pending", "couldn't assign flavors to pod set main: else")
    taken = running("late", 4)
    taken["status"]["conditions"][0] = RESERVED | {"lastTransitionTime": LATER}
    found = asked([*BASE, taken, workload("w", 1, old)], "workload/w -n team")
    assert found["comparison"]["agreement"] == "RecordIsOlder"
    assert LATER in found["comparison"]["sentence"]


def test_a_record_that_differs_without_a_change_is_told_so() -> None:
    other = condition("QuotaReserved", "False", "Pending", "something else", at=LATER)
    found = asked([*FULL, workload("w", 1, other)], "workload/w -n team")
    assert found["comparison"]["agreement"] == "Differs"


def test_ages_count_to_the_moment_of_asking_or_of_the_newest_object() -> None:
    objects = [*FULL, workload("w", 1, OUT)]
    assert "ages as of 2026-03-02T12:00:00Z, the newest object" in screen(objects, "w -n team").stdout
    asked_later = screen(objects, "w -n team --now 2026-03-02T12:04:00Z").stdout
    assert ", 4m ago" in asked_later
    assert "ages as of" not in asked_later


def test_events_about_the_workload_and_its_job_are_told() -> None:
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "e", "namespace": "team"},
        "involvedObject": {"apiVersion": "batch/v1", "kind": "Job", "namespace": "team", "name": "j"},
        "reason": "Suspended",
        "message": "Kueue stopped it",
        "lastTimestamp": NOON,
        "type": "Normal",
        "count": 3,
    }
    made = workload("job-j-aaaaa", 1, metadata=owned("Job", "j", uid="job-j"))
    found = asked([*FULL, job("j"), made, event], "job/j -n team")
    assert [(e["reason"], e["count"], e["at"]) for e in found["recorded"]["events"]] == [("Suspended", 3, NOON)]
    wide = screen([*FULL, job("j"), made, event], "job/j -n team", "wide")
    assert "Suspended ×3: Kueue stopped it" in wide.stdout


@pytest.mark.parametrize(
    ("resources", "exact"),
    [
        ({"transformations": [{"input": GPU, "strategy": "Retain", "outputs": {"example.com/credits": 2}}]}, False),
        ({"excludeResourcePrefixes": ["example.com/"]}, False),
        ({"transformations": [{"input": "memory", "strategy": "Replace", "outputs": {"example.com/x": 2}}]}, True),
    ],
)
def test_who_could_preempt_is_not_exact_where_what_newcomers_ask_for_is_charged_otherwise(
    resources: dict[str, Any], exact: bool
) -> None:
    own = queue("q", 2, preemption={"withinClusterQueue": "LowerPriority"})
    objects = [*surroundings(), *own, configuration(resources=resources), running("low", 2)]
    document = asked(objects, "workload/low -n team --complete", code=0)
    assert [each["clusterQueue"] for each in document["holding"]["couldTakeBack"]] == ["q"]
    assert document["fidelity"]["exact"] is exact


@pytest.mark.parametrize(("release", "verdict"), [("0.19.99", "Unknown"), ("0.19", "Never")])
def test_a_refusal_is_as_sure_as_the_release_that_decides_it(release: str, verdict: str) -> None:
    selecting = queue("q", namespaceSelector={"matchLabels": {"gpu": "yes"}})
    objects = [*surroundings(), *selecting, workload("w", 1)]
    state = Path("state.json")
    screen(objects, f"workload/w -n team --release {release} --complete")
    asked_of = f"-f {state} --release {release} --complete -o json"
    (entry,) = json.loads(shown(f"kubectl-fairshare cycle {asked_of}").stdout)["entries"]
    why = json.loads(shown(f"kubectl-fairshare why workload/w -n team {asked_of}").stdout)
    assert (why["verdict"], entry["outcome"]) == (verdict, verdict)


def test_all_that_does_not_run_is_listed_and_what_is_admitted_is_not() -> None:
    """Quota that is reserved is not yet an admission while a check is open; an eviction ends one."""
    checked = queue("q", admissionChecksStrategy={"admissionChecks": [{"name": "budget"}]})
    base = [*surroundings(), *checked, kueue("AdmissionCheck", "budget", {"controllerName": "example.com/b"})]
    out = condition("Evicted", "True", "Preempted", "")
    held = [workload("reserved", 1, RESERVED), running("runs"), running("leaves", 1, out), workload("waits", 1)]
    shown_lines = screen([*base, *held], "-A", "csv").stdout.splitlines()[1:]
    assert sorted(line.split(",")[1] for line in shown_lines) == ["leaves", "reserved", "waits"]
