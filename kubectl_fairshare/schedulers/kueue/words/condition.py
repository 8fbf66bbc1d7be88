"""The QuotaReserved condition that Kueue writes on a workload, word for word, so that a user can search for it.

``reason`` is the reason that Kueue writes with default feature gates. ``token`` is the finer reason that it writes
with the gate UnadmittedWorkloadsObservability. Source: conditions recorded from Kueue v0.19.2.
"""

from typing import Final

from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.words import messages as kueue_messages
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_message

_WAITS: Final = "Pending"
_OUT: Final = "Inadmissible"
_SUSPENDED: Final = "Suspended"
_MISCONFIGURED: Final = "Misconfigured"


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition QuotaReserved; all fields are empty if Kueue writes nothing."""

    status: str
    reason: str
    token: str
    message: str


NOTHING: Final = Condition("", "", "", "")


def condition(plan: Plan) -> Condition:
    """What QuotaReserved says right after the workload was considered."""
    if plan.nomination.refused is not None:
        return _refused(plan)
    nomination, message = plan.nomination, kueue_messages.nomination_message(plan.nomination)
    if not nomination.fits:
        return Condition("False", _WAITS, "WaitingForQuota", kueue_messages.NO_LONGER_FITS)
    if nomination.mode is Mode.FIT:
        text = f"Quota reserved in ClusterQueue {nomination.cluster_queue}"
        return Condition("True", "QuotaReserved", "QuotaReserved", text)
    if nomination.gated:
        return Condition("False", _WAITS, "AdmissionGated", kueue_messages.GATED)
    if plan.targets:
        text = f"{message}. Pending the preemption of {len(plan.targets)} workload(s)"
        return Condition("False", _WAITS, "WaitingForPreemptedWorkloads", text)
    token = "WaitingForQuota"
    if nomination.mode is Mode.NO_FIT and nomination.assignment is not None:
        token = str(nomination.assignment.token or "")
    return Condition("False", _WAITS, token, message)


def _refused(plan: Plan) -> Condition:
    nomination, workload = plan.nomination, plan.workload
    law = None if nomination.refused is None else nomination.refused.law
    if law is Law.NOT_GIVEN:
        return NOTHING
    queue = f"ClusterQueue {nomination.cluster_queue}"
    local = f"LocalQueue {workload.local_queue}"
    if law is Law.WORKLOAD_REFUSED:
        text = "" if workload.refusal is None else refusal_message(workload.refusal)
        return Condition("False", _WAITS, _MISCONFIGURED, text) if text else NOTHING
    if law is Law.LOCAL_QUEUE_MISSING:
        return Condition("False", _OUT, _MISCONFIGURED, f"{local} doesn't exist")
    if law is Law.QUEUE_MISSING:
        return Condition("False", _OUT, _MISCONFIGURED, f"{queue} doesn't exist")
    if law is Law.QUEUE_INACTIVE:
        in_cycle = (
            nomination.queue is None
        )  # the tree has no node for such a queue, and the scheduler itself reports it
        return Condition("False", _WAITS if in_cycle else _OUT, _SUSPENDED, f"{queue} is inactive")
    if law is Law.LOCAL_QUEUE_STOPPED:
        return Condition("False", _OUT, _SUSPENDED, f"{local} is inactive")
    if law is Law.WORKLOAD_INACTIVE:
        return Condition("False", _WAITS, "Deactivated", "The workload is deactivated")
    return Condition("False", _WAITS, _MISCONFIGURED, kueue_messages.nomination_message(nomination))
