"""The plan screen of a pod under ElasticQuotas: what becomes of it, why, and what would help; the verdict is first."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.text.figures import amount, count
from kubectl_fairshare.report.text.heading import feature, gap_lines, heading
from kubectl_fairshare.report.text.outcome import outcome_lines
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.table import wrapped
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.vector import Vector
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Course
from kubectl_fairshare.schedulers.elasticquota.words.screens.nodes import node_lines, spread_lines
from kubectl_fairshare.schedulers.elasticquota.words.screens.remedies import remedy_lines
from kubectl_fairshare.schedulers.elasticquota.words.screens.victims import victim_lines
from kubectl_fairshare.schedulers.elasticquota.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

_QUOTA_LAWS: Final = (Law.NO_QUOTA, Law.WITHIN_MAX, Law.OVER_MAX, Law.WITHIN_POOL, Law.OVER_POOL)
_SHOWN: Final = 3


def plan_screens(plans: Sequence[Plan], view: View) -> str:
    """The screens of several plans, a blank line between them."""
    return "\n".join(plan_screen(plan, view) for plan in plans)


def plan_screen(plan: Plan, view: View) -> str:
    """The screen of one plan."""
    blocks = [
        [
            *outcome_lines(plan.outcome, verdict(plan), f"by what is modelled: {_clause(plan)}", view),
            *_route(plan, view),
        ],
        _quota_lines(plan, view),
        _refusal_lines(plan, view),
        victim_lines(plan, view),
        node_lines(plan, view),
        spread_lines(plan, view),
        remedy_lines(plan, view),
        _tie_lines(plan, view),
        [heading(("as if considered now",), plan.fidelity, view), *gap_lines(plan.fidelity, view)],
    ]
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks if block)


def verdict(plan: Plan) -> str:
    """The outcome in one clause."""
    if plan.outcome is Outcome.UNKNOWN:
        touching = list(dict.fromkeys(feature(gap) for gap in plan.fidelity.gaps if gap.touches))
        return f"unknown: not modelled here: {'; '.join(touching)}"
    return _clause(plan)


def _clause(plan: Plan) -> str:
    if plan.computed is Outcome.ADMITTED:
        return "the quotas admit it" if plan.half else f"placed now on {_any_of(plan.attempt.feasible)}"
    if plan.computed is Outcome.PREEMPTS and plan.attempt.choice is not None and plan.chosen is not None:
        nodes = _any_of(plan.attempt.choice.nodes)
        return f"placed on {nodes} after preempting {count(len(plan.chosen.victims), 'pod')}"
    opening = "waits" if plan.computed is Outcome.WAITS else "can never be placed"
    return f"{opening}: {_why(plan)}"


def _any_of(nodes: Sequence[str]) -> str:
    shown = ", ".join(nodes[:_SHOWN])
    if len(nodes) > _SHOWN:
        return f"any of {shown} and {len(nodes) - _SHOWN} more"
    return f"any of {shown}" if len(nodes) > 1 else shown


def _why(plan: Plan) -> str:
    """What keeps the pod out, in a few words."""
    attempt = plan.attempt
    if attempt.course is Course.NOT_ELIGIBLE:
        return next(sentence(step) for step in plan.proof if step.law in (Law.NEVER_PREEMPTS, Law.VICTIMS_LEAVING))
    if plan.spread is not None and plan.spread.is_reason and not plan.half:
        return "no single node can give what all nodes together could"
    if attempt.gate.excesses:
        return "; ".join(sentence(s) for s in plan.proof if s.law in (Law.OVER_MAX, Law.OVER_POOL))
    if attempt.course is Course.ERROR:
        return "the scheduler fails on the nodes where preemption would help"
    return "no node has room for it" if attempt.trials else "no node takes it"


def _route(plan: Plan, view: View) -> list[str]:
    """The pod, its quota, and what it costs there and takes of a node where the two differ."""
    pod = plan.pod
    stations = [_named(plan), f"priority {pod.priority}"]
    charged, taken = (_amounts(vector) for vector in (pod.charge, pod.request))
    stations.append(f"asks for {charged or 'nothing'}")
    if charged != taken:
        stations.append(f"takes {taken or 'nothing'} of a node")
    return wrapped("  ", stations, view.width, " · ")


def _named(plan: Plan) -> str:
    """The pod as the user knows it: by the object that it is written in, and where it is already."""
    source = str(plan.origin.place.object)
    if plan.origin.place.path:
        return f"one more pod of {source}"
    return f"{source}, as if not yet on {plan.origin.node}" if plan.origin.node else source


def _amounts(of: Vector) -> str:
    return ", ".join(f"{amount(r, of.of(r))} {r}" for r in of.listed() if of.of(r))


def _quota_lines(plan: Plan, view: View) -> list[str]:
    """The inequalities of the quotas, those that fail before all others."""
    steps = [step for step in plan.proof if step.law in _QUOTA_LAWS]
    failing = [step for step in steps if not step.holds]
    word = f"refuse it ({plan.attempt.gate.verdict})" if failing else "admit it"
    lines = [f"  the quotas {word}"]
    for step in failing or steps:
        lines += cited(sentence(step), _field(step, view), view, "    ", "      ")
    peers = dict.fromkeys(part for step in steps for part in step.rests_on if isinstance(part, Step))
    for peer in peers:
        lines += [view.paint("dim", line) for line in paragraph(sentence(peer), view, "    ", "      ")]
    return lines


def _field(step: Step, view: View) -> str:
    """Where the bound stands; the sum of all minima stands nowhere."""
    if step.law in (Law.WITHIN_POOL, Law.OVER_POOL):
        return ""
    return next((view.cite(part.place) for part in step.rests_on if isinstance(part, Fact)), "")


def _refusal_lines(plan: Plan, view: View) -> list[str]:
    """The ResourceQuotas that keep the pod from coming into being."""
    lines = ["  but the API server does not create such a pod"] if plan.refusals else []
    for refusal in plan.refusals:
        of = refusal.excess
        wanted, used, bound = (amount(of.resource, value) for value in (of.wanted, of.used, of.bound))
        whole = amount(of.resource, of.wanted + of.used)
        quota = refusal.place.object.name
        text = f"{refusal.name}: wanted {wanted} + used {used} = {whole} > {bound} hard of ResourceQuota {quota}"
        lines += cited(text, view.cite(refusal.place), view, "    ", "      ")
    return lines


def _tie_lines(plan: Plan, view: View) -> list[str]:
    ties = [step for step in plan.proof if step.law in (Law.CHOICE_TIE, Law.ORDER_TIE)]
    return [line for step in ties for line in paragraph(f"tie: {sentence(step)}", view)]
