"""The plan screen: what becomes of a workload, why, and what would help; the verdict is the first line."""

from collections.abc import Iterable, Sequence

from kubectl_fairshare.report.text.figures import count, pair
from kubectl_fairshare.report.text.heading import feature, gap_lines, heading
from kubectl_fairshare.report.text.outcome import outcome_lines
from kubectl_fairshare.report.text.paragraph import cited, fact_text, paragraph, unfolded
from kubectl_fairshare.report.text.table import wrapped
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.flavors.assignment import PodSetAssignment
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.schedulers.kueue.words.screens.plan_flavors import flavor_lines, passed_over_lines
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import (
    binding_lines,
    by_weight,
    remedy_lines,
    standing_lines,
)
from kubectl_fairshare.schedulers.kueue.words.screens.plan_victims import spared_lines, victim_lines
from kubectl_fairshare.schedulers.kueue.words.sentences import refusal_clause, sentence
from kubectl_fairshare.schedulers.outcome import Outcome
from kubectl_fairshare.trace import Fact


def plan_screens(plans: Sequence[Plan], kueue: KueueState, view: View) -> str:
    """The screens of several plans, a blank line between them."""
    return "\n".join(plan_screen(plan, kueue, view) for plan in plans)


def plan_screen(plan: Plan, kueue: KueueState, view: View) -> str:
    """The screen of one plan."""
    blocks = [
        [
            *outcome_lines(plan.outcome, verdict(plan), f"by quota alone: {_clause(plan, plan.computed)}", view),
            *_route(plan, view),
        ],
        refusal_lines(plan, kueue, view),
        flavor_lines(plan, view),
        binding_lines(plan, view),
        victim_lines(plan, view),
        spared_lines(plan, view),
        passed_over_lines(plan, kueue, view),
        standing_lines(plan, view) if plan.nomination.refused is None else [],
        remedy_lines(plan, view),
        _check_lines(plan, view),
        _tie_lines(plan, view),
        _kueue_lines(plan, view),
        _fidelity_lines(plan, kueue, view),
    ]
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks if block)


def verdict(plan: Plan) -> str:
    """The outcome in one clause."""
    if plan.outcome is Outcome.UNKNOWN:
        touching = list(dict.fromkeys(feature(gap) for gap in plan.fidelity.gaps if gap.touches))
        return f"unknown: not modelled here: {'; '.join(touching)}"
    return _clause(plan, plan.outcome)


def _clause(plan: Plan, outcome: Outcome) -> str:
    if outcome is Outcome.ADMITTED:
        return f"admitted now{_partly(plan)}{_once_head(plan)}"
    if outcome is Outcome.PREEMPTS:
        return f"admitted after preempting {count(len(plan.targets), 'workload')}{_partly(plan)}{_once_head(plan)}"
    why = _why(plan)
    if outcome is Outcome.WAITS:
        return f"waits: {why}"
    return f"{'can never fit' if plan.nomination.refused is None else 'never admitted'}: {why}"


def _partly(plan: Plan) -> str:
    """Tells where fewer pods than asked for get in."""
    assignment = plan.nomination.assignment
    if assignment is None:
        return ""
    asked = sum(max(0, p.count - p.reclaimable) for p in plan.workload.pod_sets)
    given = sum(p.count for p in assignment.pod_sets)
    return f" with {given} of {count(asked, 'pod')}" if given < asked else ""


def _once_head(plan: Plan) -> str:
    """Tells where another workload keeps it from its turn."""
    blocked = plan.standing is not None and plan.standing.blocker is not None
    return ", once it is the head of its StrictFIFO queue" if blocked else ""


def _why(plan: Plan) -> str:
    """What keeps the workload out, in a few words."""
    refused, workload = plan.nomination.refused, plan.workload
    if refused is not None:
        return refusal_clause(refused, workload)
    lacking = [r for p in _pod_sets(plan) for r in p.reasons if r.law is Law.RESOURCE_UNAVAILABLE]
    if lacking:
        return sentence(lacking[0])
    if plan.bindings:
        return f"not enough {pair(by_weight(plan)[0].pair)}"
    return "no flavor serves it"


def _pod_sets(plan: Plan) -> tuple[PodSetAssignment, ...]:
    return () if plan.nomination.assignment is None else plan.nomination.assignment.pod_sets


def _route(plan: Plan, view: View) -> list[str]:
    """The workload's way: LocalQueue, ClusterQueue, flavors."""
    workload, source = plan.workload, plan.workload.source
    stations = [workload.name if source in (None, workload.key) else str(source)]
    if plan.workload.local_queue:
        stations.append(f"LocalQueue {plan.workload.local_queue}")
    if plan.nomination.cluster_queue:
        stations.append(f"ClusterQueue {plan.nomination.cluster_queue}")
    assignment = plan.nomination.assignment
    flavors = sorted({f for p in assignment.pod_sets for f, _ in p.flavors.values()}) if assignment is not None else []
    if flavors:
        stations.append(f"{'flavor' if len(flavors) == 1 else 'flavors'} {', '.join(flavors)}")
    return wrapped("  ", stations, view.width, " → ")


def refusal_lines(plan: Plan, kueue: KueueState, view: View) -> list[str]:
    """Why the workload would not be considered, and the fields behind it."""
    refused, workload = plan.nomination.refused, plan.workload
    if refused is None:
        return []
    facts = [part for part in refused.rests_on if isinstance(part, Fact)]
    fields = [line for fact in facts for line in cited(fact_text(fact), view.cite(fact.place), view)]
    near = _near(workload, kueue) if refused.law == "kueue-local-queue-missing" else []
    return [*fields, *near]


def _near(workload: Pending, kueue: KueueState) -> list[str]:
    """The LocalQueues that there are in the workload's namespace."""
    known = [name for namespace, name in sorted(kueue.local_queues) if namespace == workload.key.namespace]
    if not known:
        return [unfolded(f"namespace {workload.key.namespace} has no LocalQueue")]
    shown = ", ".join(known[:5]) + (f" and {len(known) - 5} more" if len(known) > 5 else "")
    return [unfolded(f"LocalQueues of namespace {workload.key.namespace}: {shown}")]


def _check_lines(plan: Plan, view: View) -> list[str]:
    if not plan.checks:
        return []
    return wrapped("  then must pass: ", [f"AdmissionCheck {name}" for name in plan.checks], view.width)


def _tie_lines(plan: Plan, view: View) -> list[str]:
    text = "tie: {} and {} have equal shares, and Kueue's choice between them is not defined"
    return [line for tie in dict.fromkeys(plan.ties) for line in paragraph(text.format(*tie), view)]


def _kueue_lines(plan: Plan, view: View) -> list[str]:
    """Kueue's own words. The message keeps a line of its own, however long, so that it can be searched for."""
    found = condition(plan)
    if not found.status:
        return ["  Kueue writes no condition"]
    reason = found.reason if found.reason == found.token else f"{found.reason} ({found.token})"
    lines = [view.paint("dim", f"  Kueue writes QuotaReserved={found.status} {reason}")]
    return [*lines, unfolded(found.message)] if found.message else lines


def _fidelity_lines(plan: Plan, kueue: KueueState, view: View) -> list[str]:
    strategies: Iterable[str] | None = kueue.configuration.strategies
    mode = "classical preemption" if strategies is None else "fair sharing"
    return [
        heading((mode, "as if at the head of its queue"), plan.fidelity, view),
        *gap_lines(plan.fidelity, view),
    ]
