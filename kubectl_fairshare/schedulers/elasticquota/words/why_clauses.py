"""Why a pod is where it is, in clauses: the reason with its numbers, what binds, the commands to run next."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.report.text.outcome import unknown_group
from kubectl_fairshare.report.text.turns import before_clause
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Reason, Why
from kubectl_fairshare.schedulers.elasticquota.words.plan_clauses import (
    any_of,
    obstacle,
    unknown_clause,
    verdict,
)
from kubectl_fairshare.schedulers.kubescheduler.refusals import bound_name, refusal_clause

_QUOTA: Final = (Reason.OVER_MAX, Reason.OVER_POOL)


def reason_clause(why: Why) -> str:
    """The reason, with its numbers, and how many pods get in first."""
    if why.verdict is Verdict.UNKNOWN and why.plan is not None and why.plan.outcome is Outcome.UNKNOWN:
        return unknown_clause(why.plan) + before_clause(why.before)
    found = _CLAUSES.get(why.reason)
    clause = found(why) if found is not None else "" if why.plan is None else obstacle(why.plan)
    return clause + before_clause(why.before) if why.queued else clause


def _next_attempt(why: Why) -> str:
    nodes = () if why.plan is None else why.plan.attempt.feasible
    return f"the scheduler's next attempt places it on {any_of(nodes)}"


def _next_preemption(why: Why) -> str:
    assert why.plan is not None
    choice, chosen = why.plan.attempt.choice, why.plan.chosen
    assert choice is not None
    assert chosen is not None
    victims = count(len(chosen.victims), "pod")
    return f"the scheduler's next attempt preempts {victims} on {any_of(choice.nodes)}"


def _not_created(why: Why) -> str:
    return f"{count(why.missing, 'pod')} not created: {refusal_clause(why.refusals[0])}"


def _of_pod(text: str) -> Callable[[Why], str]:
    """A clause with fields of the pod."""
    return lambda why: "" if why.pod is None else text.format(why.pod)


_CLAUSES: Final[Mapping[Reason, Callable[[Why], str]]] = {
    Reason.NEXT_ATTEMPT: _next_attempt,
    Reason.NEXT_PREEMPTION: _next_preemption,
    Reason.OTHER_SCHEDULER: _of_pod("its scheduler {0.scheduler} has no profile with CapacityScheduling"),
    Reason.NOT_MODELLED: lambda _: "a feature that is not modelled keeps it out",
    Reason.GATED: lambda why: f"its scheduling gates must be removed first: {', '.join(why.gates)}",
    Reason.REFUSED: _not_created,
    Reason.PLACED: _of_pod("placed on {0.node}"),
    Reason.LEAVING: lambda _: "it is being deleted",
    Reason.FINISHED: lambda why: f"it has ended: {why.facts[0].value}",
    Reason.SUSPENDED: lambda _: "it is suspended, so no pod is created",
    Reason.NO_PODS: lambda _: "it has no waiting or running pod",
}
"""The clauses of reasons that a plan does not give."""


def binding_clause(why: Why) -> str:
    """What binds, without the details of single pods; what is not known, if that decides."""
    if why.verdict is Verdict.UNKNOWN and why.plan is not None:
        return unknown_group(verdict(why.plan).removeprefix("unknown: "), why.plan.computed)
    if why.reason in _QUOTA and why.plan is not None and why.pod is not None:
        resources = ", ".join(excess.resource for excess in why.plan.attempt.gate.excesses)
        limit = f"max of {why.pod.namespace}" if why.reason is Reason.OVER_MAX else "sum of all min"
        return f"{limit}: {resources}"
    if why.reason is Reason.REFUSED:
        return bound_name(why.refusals[0])
    if why.reason is Reason.NEXT_ATTEMPT:
        return "the scheduler's next attempt places it"
    if why.reason is Reason.NEXT_PREEMPTION:
        return "the scheduler's next attempt preempts for it"
    return reason_clause(why)


def title(why: Why) -> str:
    """The object in question: ``research/train``."""
    key = why.job or why.key
    return "" if key is None else f"{key.namespace}/{key.name}"


def commands(why: Why) -> Iterator[str]:
    """The commands that a person would type next."""
    key, plan = why.key or why.job, why.plan
    excesses = () if plan is None else plan.attempt.gate.excesses
    for resource in sorted({excess.resource for excess in excesses}):
        yield f"kubectl fairshare shares --resource {resource}"
    if why.refusals:
        quota = why.refusals[0].place.object
        yield f"kubectl describe resourcequota {quota.name} -n {quota.namespace}"
    if key is not None:
        yield f"kubectl describe {key.kind.lower()} {key.name} -n {key.namespace}"
