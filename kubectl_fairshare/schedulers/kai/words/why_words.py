"""The words of a job's dominant reason, and the commands to run next."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.ages import length_text
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome, unknown_group
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.schedulers.kai.explain.decision import Plan
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.why.standing import Reason, Why
from kubectl_fairshare.schedulers.kai.words.plan_answer import (
    computed_verdict,
    leaving_clause,
    outcome_clause,
    verdict,
)
from kubectl_fairshare.schedulers.kai.words.reasons import reason_clause
from kubectl_fairshare.schedulers.kai.words.sentences import sentence

_PLAIN: Final = {
    Reason.FINISHED: "its pods have ended",
    Reason.OTHER_SCHEDULER: "its pods name another scheduler, so KAI ignores them",
    Reason.NO_POD_GROUP: "the input has no PodGroup for it, and KAI needs one to place pods",
    Reason.SUSPENDED: "it is suspended, so it makes no pods, and KAI makes a PodGroup only for pods",
    Reason.SCALED_TO_ZERO: "it is scaled to zero, so it makes no pods, and KAI makes a PodGroup only for pods",
    Reason.EVICTED: "its pods are terminating",
}


def why_clause(why: Why) -> str:
    """The dominant reason in one clause."""
    if why.reason in _PLAIN:
        return _PLAIN[why.reason]
    if why.reason is Reason.SCHEDULED:
        return _running_clause(why)
    if why.reason is Reason.STALE:
        return _stale_clause(why)
    if why.plan is None:
        return "no reason is known"
    if why.plan.outcome is Outcome.UNKNOWN:
        return "; ".join(filter(None, (verdict(why.plan).removeprefix("unknown: "), computed_verdict(why.plan))))
    if why.plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return _coming_clause(why.plan)
    return reason_clause(why.plan)


def group_clause(why: Why) -> str:
    """The dominant reason without details of single jobs, if the outcome is unknown."""
    plan = why.plan
    if plan is None or why.verdict is not Verdict.UNKNOWN or plan.moments:
        return why_clause(why)
    return unknown_group(verdict(plan).removeprefix("unknown: "), plan.computed)


def first_clause(why: Why) -> str:
    """The dominant reason, after what is short where that does not say it: a screen's first line."""
    comes = why.plan is not None and why.plan.outcome is Outcome.PREEMPTS and why.reason is Reason.PIPELINED
    short = shortage(why.plan) if comes and why.plan is not None else ""
    return f"{short}; {why_clause(why)}" if short else why_clause(why)


def _coming_clause(plan: Plan) -> str:
    """What KAI does for a waiting job that gets in, once it tries the job."""
    if plan.computed is Outcome.PREEMPTS:
        return f"KAI admits it when it next tries it, after {leaving_clause(plan)}"
    return outcome_clause(plan)


def shortage(plan: Plan) -> str:
    """What the job needs and what is idle; empty if enough is idle, or if that is not known."""
    return next((sentence(step) for step in plan.proof if step.law is Law.IDLE and not step.holds), "")


def _running_clause(why: Why) -> str:
    job = why.job
    if job is None or not job.pending:
        return "all its pods are placed"
    waiting = len(job.tasks) - len(job.active)
    return f"{len(job.active)} of {count(len(job.tasks), 'pod')} run, its minimum; {waiting} more wait"


def _stale_clause(why: Why) -> str:
    short = "fewer of its pods run than its minimum"
    if why.until is not None:
        return f"stale: {short}; KAI evicts the rest at {moment_text(why.until)}"
    return f"stale: {short}; KAI evicts the rest {length_text(why.grace or 0)} after it first sees that"


def next_commands(why: Why) -> Iterator[str]:
    """The commands that a person would type next."""
    if why.queue and why.chain and why.plan is not None:
        yield f"kubectl fairshare shares --explain {why.queue}"
    if why.group is not None and why.reason is Reason.NOT_READY:
        yield f"kubectl get pods -n {why.group.namespace}"
    if why.reason is Reason.NO_QUEUE:
        yield "kubectl get queues.scheduling.run.ai"
    if why.group is not None:
        yield f"kubectl describe podgroup.scheduling.run.ai/{why.group.name} -n {why.group.namespace}"
