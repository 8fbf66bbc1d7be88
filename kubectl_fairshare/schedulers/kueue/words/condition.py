"""The QuotaReserved condition that Kueue writes on a workload, word for word, so that a user can search for it.

``reason`` is the reason that Kueue writes. ``token`` is the finer one, which it writes with the feature gate
UnadmittedWorkloadsObservability: on since 0.20, and unknown before 0.18.5. Source: conditions recorded from Kueue
v0.19.2.
"""

from typing import Final

from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.words import messages as kueue_messages
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_message

_WAITS: Final = "Pending"
_OUT: Final = "Inadmissible"
_SUSPENDED: Final = "Suspended"
_MISCONFIGURED: Final = "Misconfigured"
_EVALUATED: Final = "PendingEvaluation"


class QuotaReservedCondition(Value, frozen=True, rename="camel"):
    """The condition QuotaReserved; all fields are empty if Kueue writes nothing.

    ``other_messages`` are those that Kueue may write instead of ``message``, by chance.
    """

    status: str
    reason: str
    token: str
    message: str
    other_messages: tuple[str, ...] = ()


NOTHING: Final = QuotaReservedCondition("", "", "", "")


def condition(plan: Plan) -> QuotaReservedCondition:
    """What QuotaReserved says right after the workload was considered, as the release and its gate write it."""
    found = _condition(plan)
    if plan.finer_reasons is None:
        return replace(found, token="")
    return replace(found, reason=found.token) if plan.finer_reasons and found.token else found


def _condition(plan: Plan) -> QuotaReservedCondition:
    if plan.nomination.refused is not None:
        return _rejection_condition(plan)
    if plan.blocked is not None or plan.stops:
        return NOTHING
    nomination, message = plan.nomination, kueue_messages.nomination_message(plan.nomination)
    others = kueue_messages.other_messages(nomination, plan.drawn)
    if not nomination.fits:
        return QuotaReservedCondition("False", _WAITS, "WaitingForQuota", kueue_messages.NO_LONGER_FITS)
    if nomination.mode is Mode.FIT and nomination.without_domain:
        return NOTHING
    if plan.unready:
        return QuotaReservedCondition("False", "Waiting", "WaitingForPodsReady", kueue_messages.NOT_READY)
    if nomination.mode is Mode.FIT:
        text = f"Quota reserved in ClusterQueue {nomination.cluster_queue}"
        return QuotaReservedCondition("True", "QuotaReserved", "QuotaReserved", text)
    if nomination.gated:
        return QuotaReservedCondition("False", _WAITS, "AdmissionGated", kueue_messages.GATED)
    if plan.targets:
        text, *rest = (f"{m}. Pending the preemption of {len(plan.targets)} workload(s)" for m in (message, *others))
        return QuotaReservedCondition("False", _WAITS, "WaitingForPreemptedWorkloads", text, tuple(rest))
    token = "WaitingForQuota"
    if nomination.mode is Mode.NO_FIT and nomination.assignment is not None:
        token = str(nomination.assignment.token or "")
    return QuotaReservedCondition("False", _WAITS, token, message, others)


def _rejection_condition(plan: Plan) -> QuotaReservedCondition:
    nomination, workload = plan.nomination, plan.workload
    law = None if nomination.refused is None else nomination.refused.law
    if law in (Law.NOT_GIVEN, Law.SCHEDULER_CRASH):
        return NOTHING
    queue = f"ClusterQueue {nomination.cluster_queue}"
    local = f"LocalQueue {workload.local_queue}"
    if law is Law.WORKLOAD_REFUSED:
        text = "" if workload.refusal is None else refusal_message(workload.refusal)
        unqueued = workload.refusal is not None and workload.refusal.law == JobLaw.DEVICES
        reason = _OUT if unqueued else _WAITS
        return QuotaReservedCondition("False", reason, _MISCONFIGURED, text) if text else NOTHING
    if law is Law.LOCAL_QUEUE_MISSING:
        return QuotaReservedCondition("False", _OUT, _MISCONFIGURED, f"{local} doesn't exist")
    if law is Law.QUEUE_MISSING:
        return QuotaReservedCondition("False", _OUT, _MISCONFIGURED, f"{queue} doesn't exist")
    if law is Law.QUEUE_INACTIVE:
        in_cycle = (
            nomination.queue is None
        )  # the tree has no node for such a queue, and the scheduler itself reports it
        return QuotaReservedCondition("False", _WAITS if in_cycle else _OUT, _SUSPENDED, f"{queue} is inactive")
    if law is Law.LOCAL_QUEUE_STOPPED:
        return QuotaReservedCondition("False", _OUT, _SUSPENDED, f"{local} is inactive")
    if law is Law.CHECKS_FAILED:
        return QuotaReservedCondition("False", _WAITS, _EVALUATED, kueue_messages.nomination_message(nomination))
    if law is Law.WORKLOAD_INACTIVE:
        return QuotaReservedCondition("False", _WAITS, "Deactivated", "The workload is deactivated")
    return QuotaReservedCondition("False", _WAITS, _MISCONFIGURED, kueue_messages.nomination_message(nomination))
