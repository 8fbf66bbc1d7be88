"""A plan in clauses: the outcome, what keeps the pod out, what would help."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.phrases import one_of_others, some_of
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.figures import amount, count
from kubectl_fairshare.report.text.node_reasons import barred_clause, too_large_clause
from kubectl_fairshare.report.text.outcome import outcome_counts
from kubectl_fairshare.schedulers.elasticquota.explain.decision import ChangeKind, Plan, Remedy, RemedyChange
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Lack
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import CycleEnd
from kubectl_fairshare.schedulers.elasticquota.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.limits import exceeded_clause
from kubectl_fairshare.schedulers.kubescheduler.refusals import is_uncreated, refused_clause
from kubectl_fairshare.schedulers.pod_making import gated_clause

_LIMITS: Final = (ChangeKind.MIN, ChangeKind.MAX)
_SHOWN: Final = 3
_ROOM: Final = {Law.INSUFFICIENT, Law.TOO_MANY_PODS}


def verdict(plan: Plan) -> str:
    """The outcome in one clause."""
    if plan.outcome is Outcome.UNKNOWN and plan.fidelity.modelled:
        counts = outcome_counts(plan.ends)
        ways = counts or f"{clause(plan)}, or otherwise"
        return f"unknown: left to chance: {plan.origin.conditional(ways)}"
    if plan.outcome is Outcome.UNKNOWN:
        return f"unknown: not modelled: {'; '.join(plan.fidelity.doubts)}"
    gates = plan.pod.gates if plan.outcome is Outcome.WAITS else ()
    return plan.origin.conditional(gated_clause(clause(plan), gates))


def unknown_clause(plan: Plan) -> str:
    """What is not known of a plan with an unknown outcome, and what is, in one clause."""
    known = "" if plan.fidelity.modelled else f"; ignoring that: {plan.origin.conditional(clause(plan))}"
    return f"{verdict(plan).removeprefix('unknown: ')}{known}"


def clause(plan: Plan) -> str:
    """The outcome as far as it is modelled, in one clause."""
    if plan.computed is Outcome.ADMITTED:
        return "the quotas admit it" if plan.half else f"placed now on {any_of(plan.attempt.feasible)}"
    if plan.computed is Outcome.PREEMPTS and plan.attempt.choice is not None and plan.chosen is not None:
        nodes = any_of(plan.attempt.choice.nodes)
        opening = f"nominated to {nodes}" if plan.elsewhere else f"placed on {nodes}"
        return f"{opening} after preempting {count(len(plan.chosen.victims), 'pod')}"
    opening = "waits" if plan.computed is Outcome.WAITS else "can never be placed"
    return f"{opening}: {obstacle(plan)}"


def clause_if_created(plan: Plan) -> str:
    """What the scheduler would make of a pod that the API server does not create now; empty if that is never."""
    if plan.if_created is None or plan.computed is not Outcome.WAITS:
        return ""
    origin = replace(plan.origin, refusals=())
    return clause(replace(plan, computed=plan.if_created, if_created=None, origin=origin))


def any_of(nodes: Sequence[str]) -> str:
    """The nodes that the scheduler chooses from."""
    shown = some_of(nodes, _SHOWN)
    return f"any of {shown}" if len(nodes) > 1 else shown


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
        return too_large_clause(_beyond(plan))
    if plan.spread is not None and plan.spread.is_reason and not plan.half:
        return "all nodes together have room, but no single node does"
    if attempt.gate.excesses:
        return "; ".join(sentence(step) for step in plan.proof if step.law in (Law.OVER_MAX, Law.OVER_POOL))
    if attempt.course is CycleEnd.ERROR:
        return "the scheduler fails with an error on the nodes where preemption would help"
    lacks = {lack.law for result in attempt.filters.values() for lack in result.lacks}
    if attempt.trials or _ROOM & lacks:
        return "no node has room for it"
    return too_large_clause(_beyond(plan)) if Law.EXCEEDS_NODE in lacks else "no node is allowed for it"


def _beyond(plan: Plan) -> list[dict[str, tuple[int, int]]]:
    """For each node what the pod requests beyond all that the node has, and how much that is."""
    found: list[dict[str, tuple[int, int]]] = []
    for result in plan.attempt.filters.values():
        lacks = [lack for lack in result.lacks if lack.law is Law.EXCEEDS_NODE]
        found.append({lack.resource: _sizes(lack) for lack in lacks})
    return found


def _sizes(lack: Lack) -> tuple[int, int]:
    return lack.requested or 0, lack.allocatable or 0


def change_clause(remedy: Remedy) -> str:
    """The change in one clause."""
    text = ", ".join(_change(change) for change in remedy.changes)
    if remedy.alternatives:
        text += f" (or {one_of_others(remedy.alternatives)})"
    return text


def _change(change: RemedyChange) -> str:
    if change.kind in _LIMITS:
        before = "none" if change.before is None else amount(change.resource, change.before)
        after = amount(change.resource, change.after or 0)
        owner = change.place.object.namespace if change.place is not None else ""
        return f"{change.kind} of {owner}: {change.resource} {before} → {after}"
    if change.kind is ChangeKind.REQUEST:
        before, after = amount(change.resource, change.before or 0), amount(change.resource, change.after or 0)
        return f"{change.resource} of the pod {before} → {after}"
    if change.kind is ChangeKind.PRIORITY:
        return f"priority {change.before} → {change.after}"
    if change.kind is ChangeKind.UNCORDON and change.place is not None:
        return f"uncordon {change.place.object.name}"
    if change.kind is ChangeKind.DELETION and change.pod is not None:
        return f"delete {change.pod.name} on {change.pod.node}"
    return "preemptionPolicy PreemptLowerPriority"


def result(remedy: Remedy) -> str:
    """The outcome after the change."""
    named = f" (class {remedy.named})" if remedy.named is not None else ""
    if not remedy.nodes:
        return f"the quotas admit it{named}"
    nodes = (
        remedy.nodes[0] if len(remedy.nodes) == 1 else f"{remedy.nodes[0]} or {count(len(remedy.nodes) - 1, 'other')}"
    )
    if remedy.course is CycleEnd.SCHEDULABLE:
        return f"placed on {nodes}{named}"
    return f"placed after preempting {_victims_of(remedy)} on {nodes}{named}"


def _victims_of(remedy: Remedy) -> str:
    """The number of victims; the range that ties allow."""
    least = "" if remedy.fewest == remedy.victims else f"{remedy.fewest} to "
    return f"{least}{count(remedy.victims, 'pod')}"
