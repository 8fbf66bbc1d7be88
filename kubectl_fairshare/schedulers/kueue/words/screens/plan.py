"""Kueue's own parts of the plan screen: the verdict in a clause, why a workload is not considered, the condition."""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Group, unfolded
from kubectl_fairshare.answers.fidelity import NOT_GIVEN
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome, outcome_counts
from kubectl_fairshare.answers.plan_blocks import fact_blocks
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.dead_ends import SKIPPED, failing_steps, no_domain_step
from kubectl_fairshare.schedulers.kueue.explain.decision import Limit, Plan
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode, PodSetAssignment
from kubectl_fairshare.schedulers.kueue.gaps import NO_NODES, NO_PODS
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.schedulers.kueue.words.figures import pair_text
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import (
    by_weight,
)
from kubectl_fairshare.schedulers.kueue.words.sentences import refusal_clause, sentence
from kubectl_fairshare.schedulers.kueue.words.topology_sentences import node_filters
from kubectl_fairshare.schedulers.question import one_of_several
from kubectl_fairshare.trace import Step, facts_of

FILTERS: Final = (Law.UNTOLERATED_TAINT, Law.AFFINITY_MISMATCH, *TopologyLaw)
"""Laws by which a flavor, or its nodes, refuse pods whatever quota is free."""
_ABSENT: Final = (NOT_GIVEN, NO_NODES, NO_PODS)


def verdict(plan: Plan) -> str:
    """The outcome in one clause."""
    if plan.outcome is Outcome.UNKNOWN and plan.fidelity.modelled:
        known = plan.possible or ((plan.computed, plan.nomination),)
        ways = [*dict.fromkeys(possible_clause(outcome, nomination) for outcome, nomination in known)]
        counts = outcome_counts(outcome for outcome, _ in known) if plan.fidelity.all_outcomes else ""
        ends = " or ".join(ways if plan.fidelity.all_outcomes else [*ways, "otherwise"])
        return f"unknown: left to chance: {counts or ends}"
    if plan.outcome is Outcome.UNKNOWN:
        absent = all(gap.feature in _ABSENT for gap in plan.fidelity.gaps if gap.touches)
        return f"unknown: {'' if absent else 'not modelled: '}{'; '.join(plan.fidelity.doubts)}"
    alone = "" if plan.outcome is Outcome.UNMANAGED else one_of_several(plan.workload.one_of)
    return f"{clause(plan, plan.outcome)}{alone}"


def possible_clause(outcome: Outcome, nomination: Nomination) -> str:
    """One of the outcomes that ties allow, in a clause."""
    victims = 0 if nomination.search is None else len(nomination.search.targets)
    words = {
        Outcome.ADMITTED: "admitted now",
        Outcome.PREEMPTS: f"admitted after preempting {count(victims, 'workload')}",
        Outcome.WAITS: "waits",
        Outcome.NEVER: "can never fit",
    }
    return words.get(outcome, outcome.value.lower())


def clause(plan: Plan, outcome: Outcome) -> str:
    """An outcome in one clause, as if every feature were modelled."""
    gets = "quota reserved" if plan.checks else "admitted"
    if outcome is Outcome.ADMITTED:
        return f"{gets} now{_partly(plan)}{_once_head(plan)}{_then_checks(plan)}"
    if outcome is Outcome.PREEMPTS:
        victims = count(len(plan.targets), "workload")
        return f"{gets} after preempting {victims}{_partly(plan)}{_once_head(plan)}{_then_checks(plan)}"
    why = _why(plan)
    if outcome is Outcome.UNMANAGED:
        return why
    if outcome is Outcome.WAITS:
        return f"waits: {why}"
    return f"{'can never fit' if plan.nomination.refused is None else 'never admitted'}: {why}"


def _then_checks(plan: Plan) -> str:
    """The checks that decide once the quota is reserved, with their controllers."""
    if not plan.checks:
        return ""
    named = (f"{name}{f' ({plan.controllers[name]})' if plan.controllers.get(name) else ''}" for name in plan.checks)
    return f"; then check{'s' if len(plan.checks) > 1 else ''} {', '.join(named)}"


def _partly(plan: Plan) -> str:
    """How many pods get in, if that is fewer than the workload asks for."""
    assignment = plan.nomination.assignment
    if assignment is None:
        return ""
    asked = sum(max(0, p.count - p.reclaimable) for p in plan.workload.pod_sets)
    given = sum(p.count for p in assignment.pod_sets)
    return f" with {given} of {count(asked, 'pod')}" if given < asked else ""


def _once_head(plan: Plan) -> str:
    """The condition that another workload is first, if one blocks the queue."""
    blocked = plan.standing is not None and plan.standing.blocker is not None
    return ", once it is the head of its StrictFIFO queue" if blocked else ""


def _why(plan: Plan) -> str:
    """What keeps the workload out, in a few words."""
    refused, workload = plan.nomination.refused, plan.workload
    if refused is not None:
        return refusal_clause(refused, workload)
    if plan.blocked is not None:
        return sentence(plan.blocked)
    if plan.unready:
        return f"the pods of {count(len(plan.unready), 'workload')} must be ready first"
    if plan.nomination.mode is Mode.FIT and plan.nomination.without_domain:
        return sentence(no_domain_step(plan.nomination, plan.nomination.without_domain[0]))
    lacking = [step for step in plan.proof if step.law in SKIPPED]
    lacking += [r for p in _pod_sets(plan) for r in p.reasons if r.law is Law.RESOURCE_UNAVAILABLE]
    if lacking:
        return sentence(lacking[0])
    if plan.bindings:
        first = by_weight(plan)[0]
        if first.kind is Limit.DOMAIN:
            refused = next((r for p in _pod_sets(plan) for r in p.reasons if node_filters(r)), None)
            return sentence(refused) if refused else f"not enough room for its pods in topology {first.node_kind}"
        return f"{_not_even(plan)}not enough {pair_text(first.pair)}{against_flavors(plan, FILTERS)}"
    errors = [*islice(failing_steps(plan), 1)] if plan.once_alone else []
    errors += [p.error for p in _pod_sets(plan) if p.error is not None]
    errors += [r for p in _pod_sets(plan) for r in p.reasons if r.law is TopologyLaw.EMPTY]
    if errors:
        return sentence(errors[0])
    return f"no flavor matches it{against_flavors(plan)}"


def against_flavors(plan: Plan, laws: Collection[object] = ()) -> str:
    """The reason of the first flavor that does not match, and how many more there are; only ``laws``, if given."""
    against = {
        str(reason.operand("flavor")): reason
        for pod_set in _pod_sets(plan)
        for reason in reversed(pod_set.reasons)
        if "flavor" in dict(reason.operands) and (not laws or reason.law in laws)
    }
    if not against:
        return ""
    name, reason = next(reversed(against.items()))
    more = f"; and {count(len(against) - 1, 'other')}" if len(against) > 1 else ""
    return f" ({name}: {sentence(reason)}{more})"


def _not_even(plan: Plan) -> str:
    """The fewest pods of partial admission, which do not fit either."""
    pod_sets = plan.workload.pod_sets
    if all(p.min_count is None for p in pod_sets):
        return ""
    fewest = sum(max(0, (p.count if p.min_count is None else p.min_count) - p.reclaimable) for p in pod_sets)
    asked = sum(max(0, p.count - p.reclaimable) for p in pod_sets)
    return f"not even {fewest} of {count(asked, 'pod')} fit: "


def _pod_sets(plan: Plan) -> tuple[PodSetAssignment, ...]:
    return () if plan.deciding.assignment is None else plan.deciding.assignment.pod_sets


def refusal_blocks(plan: Plan, kueue: KueueState) -> Group:
    """The fields that keep the workload from being considered."""
    refused, workload = plan.nomination.refused, plan.workload
    if refused is None:
        return []
    near = [unfolded(_near(workload, kueue))] if is_local_queue_missing(refused) else []
    return [*fact_blocks(facts_of((refused,))), *near]


def single_pod_blocks(plan: Plan) -> Group:
    """That the workload is one pod of the object asked about, if Kueue takes its pods one by one."""
    number = plan.workload.one_of
    if number < 2 or plan.outcome is Outcome.UNMANAGED:
        return []
    return [unfolded(f"one of its {number} pods: Kueue admits each by itself")]


def is_local_queue_missing(refused: Step) -> bool:
    """Whether the workload's LocalQueue is not there."""
    named = refused.law is Law.NOT_GIVEN and refused.operand("kind") == "LocalQueue"
    return named or refused.law is Law.LOCAL_QUEUE_MISSING


def _near(workload: Pending, kueue: KueueState) -> str:
    """The LocalQueues of the workload's namespace."""
    known = [name for namespace, name in sorted(kueue.local_queues) if namespace == workload.key.namespace]
    if not known:
        return f"namespace {workload.key.namespace} has no LocalQueue"
    return f"LocalQueues of namespace {workload.key.namespace}: {some_of(known, 5)}"


def condition_blocks(plan: Plan) -> Iterator[Block]:
    """Kueue's own words. The message is one line, however long, so that a user can search for it."""
    found = condition(plan)
    if plan.computed is Outcome.UNKNOWN:
        return
    if not found.status:
        yield unfolded("Kueue writes no condition")
        return
    reason = found.reason if found.token in ("", found.reason) else f"{found.reason} ({found.token})"
    yield unfolded(f"Kueue writes QuotaReserved={found.status} {reason}", "dim")
    if found.message:
        yield unfolded(found.message)
        for other in found.other_messages:
            yield unfolded("or, by chance")
            yield unfolded(other)
