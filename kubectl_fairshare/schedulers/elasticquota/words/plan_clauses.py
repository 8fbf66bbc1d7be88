"""A plan in clauses: the outcome, what keeps the pod out, what would help."""

from typing import Final

from kubectl_fairshare.answers.outcome import Outcome, outcome_counts
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.clauses import PlanWords, nodes_clause
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.fit import beyond_nodes
from kubectl_fairshare.schedulers.kubescheduler.limits import exceeded_clause
from kubectl_fairshare.schedulers.kubescheduler.refusals import is_uncreated, refused_clause
from kubectl_fairshare.schedulers.shared_words import barred_clause, too_large_clause


def obstacle(plan: Plan) -> str:
    """What keeps the pod out, in a few words: the first filter that rejects it, then why it does not preempt."""
    if is_uncreated(plan.computed, plan.refusals):
        return refused_clause(plan.refusals)
    if plan.beyond:
        return exceeded_clause(plan.beyond)
    attempt = plan.attempt
    waits = [sentence(step) for step in plan.proof if step.law is Law.VICTIMS_LEAVING]
    if attempt.course is CycleEnd.NOT_ELIGIBLE and waits and plan.computed is not Outcome.NEVER:
        return waits[0]
    stays = [sentence(step) for step in plan.proof if step.law is Law.NEVER_PREEMPTS]
    return "; ".join((_rejection(plan), *(stays if attempt.course is CycleEnd.NOT_ELIGIBLE else ())))


def _rejection(plan: Plan) -> str:
    """Why no node takes the pod."""
    attempt = plan.attempt
    if plan.barred is not None:
        return barred_clause(plan.barred)
    if plan.node_bound:
        return too_large_clause(beyond_nodes(plan.alone))
    if plan.spread is not None and plan.spread.is_reason and not plan.half:
        return "all nodes together have room, but no single node does"
    if attempt.gate.excesses:
        return "; ".join(sentence(step) for step in plan.proof if step.law in (Law.OVER_MAX, Law.OVER_POOL))
    return nodes_clause(plan)


def _chances(plan: Plan) -> str:
    return plan.origin.conditional(outcome_counts(plan.ends) or f"{WORDS.clause(plan)}, or otherwise")


WORDS: Final[PlanWords[Plan]] = PlanWords(obstacle, _chances, lambda _: "")
"""How plans are said."""
