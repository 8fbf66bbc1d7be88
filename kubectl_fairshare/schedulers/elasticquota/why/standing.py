"""The verdict and the reason of a waiting pod, from the scheduler's next attempt."""

from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import CycleEnd
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Reason

_VERDICTS: Final = {
    Outcome.ADMITTED: Verdict.WAITING,
    Outcome.PREEMPTS: Verdict.WAITING,
    Outcome.WAITS: Verdict.NOT_NOW,
    Outcome.NEVER: Verdict.NEVER,
}


def standing(plan: Plan, profiles: tuple[str, ...] | None, *, recorded: bool) -> tuple[Verdict, Reason]:
    """The verdict and its reason. ``recorded``: the scheduler has written why it did not place the pod.

    If a feature that is not modelled or a tie decides, such a record still proves that the pod cannot be placed now.
    """
    if profiles is not None and plan.pod.scheduler not in profiles:
        return Verdict.UNMANAGED, Reason.OTHER_SCHEDULER
    if plan.pod.terminating:
        return Verdict.WAITING, Reason.LEAVING
    if plan.pod.gated and plan.outcome is not Outcome.NEVER:
        return Verdict.WAITING, Reason.GATED
    reason, placed = computed_reason(plan), plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS)
    if plan.outcome is Outcome.UNKNOWN:
        kept = Reason.NOT_MODELLED if placed else reason
        return (Verdict.NOT_NOW, kept) if recorded else (Verdict.UNKNOWN, kept)
    if reason is Reason.VICTIMS_LEAVING:
        return Verdict.WAITING, reason
    return _VERDICTS[plan.computed], reason


def computed_reason(plan: Plan) -> Reason:
    """The reason as far as it is modelled."""
    attempt = plan.attempt
    if plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return Reason.NEXT_ATTEMPT if plan.computed is Outcome.ADMITTED else Reason.NEXT_PREEMPTION
    leaving = attempt.eligibility is not None and attempt.eligibility.law is Law.VICTIMS_LEAVING
    if leaving and plan.computed is not Outcome.NEVER:
        return Reason.VICTIMS_LEAVING
    if plan.barred is not None or plan.node_bound:
        return Reason.NO_NODE
    if attempt.course is CycleEnd.NOT_ELIGIBLE:
        return _refused(plan, Reason.NO_NODE if leaving else Reason.NEVER_PREEMPTS)
    if plan.spread is not None and plan.spread.is_reason and not plan.half:
        return Reason.SCATTERED
    if attempt.course is CycleEnd.ERROR:
        return _refused(plan, Reason.SCHEDULER_FAILS)
    return _refused(plan, Reason.NO_ROOM if attempt.trials else Reason.NO_NODE)


def _refused(plan: Plan, otherwise: Reason) -> Reason:
    """The quotas' failing test, or ``otherwise`` if none fails."""
    reasons = {QuotaVerdict.OVER_MAX: Reason.OVER_MAX, QuotaVerdict.OVER_POOL: Reason.OVER_POOL}
    return reasons.get(plan.attempt.gate.verdict, otherwise)
