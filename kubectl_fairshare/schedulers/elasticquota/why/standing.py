"""The reason of a waiting pod, from the scheduler's next attempt."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import QuotaVerdict
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Reason
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd


def computed_reason(plan: Plan) -> Reason:
    """The reason as far as it is modelled."""
    attempt = plan.attempt
    if plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return Reason.NEXT_ATTEMPT if plan.computed is Outcome.ADMITTED else Reason.NEXT_PREEMPTION
    leaving = attempt.eligible is Law.VICTIMS_LEAVING
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
