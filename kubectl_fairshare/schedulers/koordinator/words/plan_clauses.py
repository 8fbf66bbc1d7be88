"""A plan in clauses: the outcome, what keeps the pod out, what would help."""

from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome, outcome_counts
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan, PossibleEnd
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.clauses import PlanWords, any_of, nodes_clause
from kubectl_fairshare.schedulers.kubescheduler.fit import beyond_nodes
from kubectl_fairshare.schedulers.kubescheduler.limits import exceeded_clause
from kubectl_fairshare.schedulers.kubescheduler.refusals import is_uncreated, refused_clause
from kubectl_fairshare.schedulers.shared_words import barred_clause, too_large_clause

REFUSING: Final = (Law.OVER_RUNTIME, Law.OVER_MIN, Law.PARENT_OVER, Law.PARENT_UNKNOWN)


def possible_clause(end: PossibleEnd) -> str:
    """One of the outcomes that ties allow, in a clause."""
    victims = count(len(end.victims), "pod")
    if end.outcome is Outcome.PREEMPTS:
        return f"placed after preempting {victims}"
    return f"evicts {victims} in vain"


def obstacle(plan: Plan) -> str:
    """What keeps the pod out, in a few words: the first filter that rejects it, then why it does not preempt."""
    if is_uncreated(plan.computed, plan.refusals):
        return refused_clause(plan.refusals)
    if plan.beyond:
        return exceeded_clause(plan.beyond)
    attempt = plan.attempt
    if plan.node_bound:
        return _rejection(plan)
    refusals = [sentence(step) for step in plan.proof if step.law in REFUSING]
    if plan.in_vain and attempt.choice is not None and attempt.chosen is not None:
        victims, nodes = count(len(attempt.chosen.victims), "pod"), any_of(attempt.choice.nodes)
        return f"it evicts {victims} on {nodes} in vain: {'; '.join(refusals) or 'the quota still rejects it'}"
    if refusals:
        return "; ".join(refusals)
    waits = [sentence(step) for step in plan.proof if step.law is Law.VICTIMS_LEAVING]
    if attempt.eligible is Law.VICTIMS_LEAVING and waits and plan.computed is not Outcome.NEVER:
        return waits[0]
    stays = [sentence(step) for step in plan.proof if step.law is Law.NEVER_PREEMPTS]
    return "; ".join((_rejection(plan), *(stays if attempt.eligible is Law.NEVER_PREEMPTS else ())))


def _rejection(plan: Plan) -> str:
    """Why no node takes the pod."""
    if plan.barred is not None:
        return barred_clause(plan.barred)
    if plan.node_bound:
        return too_large_clause(beyond_nodes(plan.alone))
    return nodes_clause(plan)


def _chances(plan: Plan) -> str:
    ways = dict.fromkeys(map(possible_clause, plan.possible)) or {WORDS.clause(plan): None}
    counts = outcome_counts(end.outcome for end in plan.possible) if plan.fidelity.all_outcomes else ""
    return counts or " or ".join(ways)


WORDS: Final[PlanWords[Plan]] = PlanWords(obstacle, _chances, lambda plan: outcome_counts(plan.moments, "moment"))
"""How plans are said."""
