"""The blocks that only plans under ElasticQuotas show: the request, the quotas' test, whose pods it can preempt."""

from typing import Final

from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.table import wrapped_items
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.vector import Vector
from kubectl_fairshare.schedulers.elasticquota.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

_TESTS: Final = (Law.NO_QUOTA, Law.WITHIN_MAX, Law.OVER_MAX, Law.WITHIN_POOL, Law.OVER_POOL)
_SIDES: Final = (Law.WITHIN_MIN, Law.OVER_MIN)


def asked_lines(plan: Plan, view: View) -> list[str]:
    """The pod's priority, what it adds to its quota, and what it uses on a node if that differs."""
    charged, taken = amounts_text(plan.pod.charge), amounts_text(plan.pod.request)
    stations = [f"priority {plan.pod.priority}", f"requests {charged or 'nothing'}"]
    if charged != taken:
        stations.append(f"uses {taken or 'nothing'} on its node")
    return wrapped_items("  ", stations, view.width, " · ")


def amounts_text(of: Vector) -> str:
    """The amounts other than 0."""
    return ", ".join(f"{amount(r, of.of(r))} {r}" for r in of.listed() if of.of(r))


def quota_lines(plan: Plan, view: View) -> list[str]:
    """The quotas' verdict, the inequalities if all hold, and the nominated pods that count."""
    steps = [step for step in plan.proof if step.law in _TESTS]
    failing = [step for step in steps if not step.holds]
    lines = [f"  the quotas {f'reject it ({plan.attempt.gate.verdict})' if failing else 'admit it'}"]
    for step in () if failing else steps:
        lines += cited(sentence(step), _field(step, view), view, "    ", "      ")
    peers = dict.fromkeys(part for step in failing or steps for part in step.rests_on if isinstance(part, Step))
    for peer in peers:
        lines += paragraph(sentence(peer), view, "    ", "      ", "dim")
    return lines


def _field(step: Step, view: View) -> str:
    """The place of the bound; the sum of all minima has none."""
    if step.law is Law.WITHIN_POOL:
        return ""
    return next((view.cite(part.place) for part in step.rests_on if isinstance(part, Fact)), "")


def side_lines(plan: Plan, view: View) -> list[str]:
    """Whose pods it can preempt, if preemption is tried."""
    sides = [step for step in plan.proof if step.law in _SIDES]
    return [line for step in sides[:1] for line in paragraph(sentence(step), view)]
