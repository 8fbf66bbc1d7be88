"""What the status of a pending Workload says that keeps it out of its queue.

Source: Kueue v0.19, its queue manager: a Workload that is on hold, waits for replacement pods, backs off or has the
condition Requeued False is in no queue.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.schedulers.kueue.model.workload import StatusBlock

ON_HOLD: Final = "OnHold"
DEACTIVATION: Final = "DeactivationTarget"
DELETION: Final = "WorkloadDeletion"
ORPHAN: Final = "FinishOrphanedWorkloads"
_REPLACEMENT: Final = "WaitingForReplacementPods"
_REQUEUED: Final = "Requeued"
BACKOFF_FINISHED: Final = "BackoffFinished"
_LIFTED: Final = frozenset(
    {"AdmissionCheck", "ClusterQueueStopped", "Deactivated", "LocalQueueStopped", "PodsReadyTimeout"}
)
"""Reasons for which Kueue itself sets Requeued to True again, once the backoff has ended and the queues run."""
_JOB: Final = "kueue.x-k8s.io/job-uid"


def status_blocks(status: Field, conditions: Sequence[Field]) -> tuple[StatusBlock, ...]:
    """What keeps a Workload out of its queue, as far as its status says so; the longest first."""
    return (*_by_condition(conditions), *_backoff(status.at("requeueState"), conditions))


def _by_condition(conditions: Sequence[Field]) -> Iterator[StatusBlock]:
    for each in conditions:
        kind, status, reason = (each.at(name).text() for name in ("type", "status", "reason"))
        held = (kind, status) == ("QuotaReserved", "False") and reason == ON_HOLD
        lost = (kind, status) == (_REPLACEMENT, "True")
        left = (kind, status) == (_REQUEUED, "False") and reason not in _LIFTED
        if held or lost or left:
            yield StatusBlock(each.place, ON_HOLD if held else kind, reason)


def _backoff(state: Field, conditions: Sequence[Field]) -> Iterator[StatusBlock]:
    until = state.at("requeueAt").moment()
    finished = [_REQUEUED, "True", BACKOFF_FINISHED]
    over = any([c.at(name).text() for name in ("type", "status", "reason")] == finished for c in conditions)
    if until is not None and not over:
        yield StatusBlock(state.at("requeueAt").place, "requeueAt", "", state.at("count").integer(0), until)


def leaving_features(metadata: Field, conditions: Sequence[Field]) -> Iterator[str]:
    """What makes a pending Workload leave for good, at a moment that no state shows: a race with the scheduler."""
    if any((c.at("type").text(), c.at("status").text()) == (DEACTIVATION, "True") for c in conditions):
        yield DEACTIVATION
    if metadata.at("deletionTimestamp").value is not None:
        yield DELETION
    if metadata.at("labels").texts().get(_JOB) and not metadata.at("ownerReferences").entries():
        yield ORPHAN
