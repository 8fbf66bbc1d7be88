"""What the status of a Workload says that keeps it out of its queue, in a cycle and in plans."""

from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.why.verdict import Inquiry
from tests.unit.cli.why_state import condition, queue, surroundings, workload

ENGINE = KueueEngine()
LATER = "2026-03-02T12:05:00Z"
BACKOFF = {"status": {"requeueState": {"count": 1, "requeueAt": LATER}}}
EVICTED = condition("Evicted", reason="PodsReadyTimeout")
BLOCKS: dict[str, tuple[Any, ...]] = {
    "on hold": (Law.ON_HOLD, condition("QuotaReserved", "False", "OnHold")),
    "replacement pods": (Law.NOT_REQUEUED, condition("WaitingForReplacementPods")),
    "not requeued": (Law.NOT_REQUEUED, condition("Requeued", "False", "Preempted")),
    "deactivated for a reason": (Law.NOT_REQUEUED, condition("Requeued", "False", "DeactivatedDueToAdmissionCheck")),
}
OPEN = {
    "nothing": (),
    "requeued": (condition("Requeued", "True", "Preempted"),),
    "backoff without a moment": (condition("Requeued", "False", "PodsReadyTimeout"),),
    "reactivated": (condition("Requeued", "False", "Deactivated"),),
    "a queue that runs again": (condition("Requeued", "False", "LocalQueueStopped"),),
}
LEAVING: dict[str, tuple[Any, ...]] = {
    "DeactivationTarget": ((condition("DeactivationTarget"),), {}),
    "WorkloadDeletion": ((), {"deletionTimestamp": LATER}),
    "FinishOrphanedWorkloads": ((), {"labels": {"kueue.x-k8s.io/job-uid": "gone"}}),
}


def snapshot(*conditions: Any, **more: Any) -> Any:
    """A first workload with these conditions, and one behind it."""
    objects = [*surroundings(), *queue("q"), workload("w", 3, *conditions, **more), workload("other", 2, created=9)]
    return case_snapshot({"name": "x", "config": {}, "objects": objects})


def heads(of: Any) -> list[str]:
    return [entry.nomination.workload.key.name for entry in ENGINE.cycle(of).round.entries]


@pytest.mark.parametrize(("law", "said"), BLOCKS.values(), ids=list(BLOCKS))
def test_a_condition_keeps_a_workload_out_of_its_queue(law: Law, said: Any) -> None:
    found = snapshot(said)
    assert heads(found) == ["other"]
    assert [(w.key.name, step.law) for w, step in ENGINE.cycle(found).left_out] == [("w", law)]
    first = found.part(KueueState).pending[1]
    planned = ENGINE.plan(found, first)
    assert (planned.outcome, planned.proof[-1].law) == (Outcome.WAITS, law)
    (why,) = ENGINE.why(found, [Inquiry(first, found.manifests[first.key])])
    assert why.because.law is law


@pytest.mark.parametrize(("law", "said"), BLOCKS.values(), ids=list(BLOCKS))
def test_what_quota_keeps_out_for_good_is_never_whatever_is_lifted(law: Law, said: Any) -> None:
    objects = [*surroundings(), *queue("q", 2), workload("w", 3, said)]
    found = case_snapshot({"name": "x", "config": {}, "objects": objects})
    assert [(w.key.name, step.law) for w, step in ENGINE.cycle(found).left_out] == [("w", law)]
    (first,) = found.part(KueueState).pending
    planned = ENGINE.plan(found, first)
    (why,) = ENGINE.why(found, [Inquiry(first, found.manifests[first.key])])
    assert (planned.outcome, why.verdict) == (Outcome.NEVER, Verdict.NEVER)
    assert law not in (planned.proof[-1].law, why.because.law)


@pytest.mark.parametrize("conditions", OPEN.values(), ids=list(OPEN))
def test_other_conditions_do_not(conditions: tuple[Any, ...]) -> None:
    assert heads(snapshot(*conditions)) == ["w"]


def test_a_backoff_keeps_a_workload_out_until_the_input_is_from_after_its_end() -> None:
    away = condition("Requeued", "False", "PodsReadyTimeout")
    assert heads(snapshot(away, **BACKOFF)) == ["other"]
    assert heads(snapshot(**BACKOFF)) == ["other"]
    late = condition("PodsReady", "False", at="2026-03-02T12:05:01Z")
    assert heads(snapshot(away, late, **BACKOFF)) == ["w"]


def test_a_backoff_that_kueue_recorded_as_over_is_over() -> None:
    assert heads(snapshot(condition("Requeued", "True", "BackoffFinished"), **BACKOFF)) == ["w"]


@pytest.mark.parametrize("feature", list(LEAVING))
def test_a_workload_that_leaves_for_good_has_no_exact_admission(feature: str) -> None:
    conditions, metadata = LEAVING[feature]
    found = snapshot(*conditions, metadata=metadata)
    planned = ENGINE.plan(found, found.part(KueueState).pending[1])
    assert (planned.outcome, planned.computed) == (Outcome.UNKNOWN, Outcome.ADMITTED)
    assert [gap.feature for gap in planned.fidelity.gaps if gap.touches] == [feature]
    assert not ENGINE.cycle(found).fidelity.exact


@pytest.mark.parametrize("feature", list(LEAVING))
def test_nor_is_it_certain_that_it_waits(feature: str) -> None:
    conditions, metadata = LEAVING[feature]
    running = workload("r", 2, condition("QuotaReserved"), condition("Admitted"))
    asking = workload("w", 3, *conditions, metadata=metadata)
    found = case_snapshot({"name": "x", "config": {}, "objects": [*surroundings(), *queue("q"), running, asking]})
    (planned,) = (ENGINE.plan(found, each) for each in found.part(KueueState).pending)
    assert (planned.outcome, planned.computed) == (Outcome.UNKNOWN, Outcome.WAITS)


def test_a_workload_with_an_owner_is_no_orphan() -> None:
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "u"}
    labels = {"kueue.x-k8s.io/job-uid": "u"}
    assert ENGINE.cycle(snapshot(metadata={"labels": labels, "ownerReferences": [owner]})).fidelity.exact


def test_a_local_queue_that_is_being_deleted_takes_exact_from_admissions() -> None:
    objects = [*surroundings(), *queue("q"), workload("w", 3)]
    objects[3]["metadata"]["deletionTimestamp"] = LATER
    found = case_snapshot({"name": "x", "config": {}, "objects": objects})
    (planned,) = (ENGINE.plan(found, each) for each in found.part(KueueState).pending)
    assert planned.outcome is Outcome.UNKNOWN
    assert not ENGINE.cycle(found).fidelity.exact
