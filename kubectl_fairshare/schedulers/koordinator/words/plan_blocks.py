"""The blocks that only Koordinator's plans show: the quota's test, nodes, what may happen later."""

from typing import Final

from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import cited, paragraph, unfolded
from kubectl_fairshare.report.text.table import wrapped_items
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.proof import lack_step, rejection_step
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.words.amounts import exact_listing
from kubectl_fairshare.schedulers.koordinator.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.node_reasons import NodeSentences, TriedNodes, lines_of_nodes
from kubectl_fairshare.trace import Fact, Step

_MEMBERS: Final = (Law.NAMED, Law.OF_NAMESPACE, Law.LISTED, Law.BY_DEFAULT, Law.UNKNOWN_NAME, Law.NO_QUOTA)
_TESTS: Final = (
    *(Law.UNLIMITED, Law.WITHIN_RUNTIME, Law.OVER_RUNTIME, Law.WITHIN_MIN, Law.OVER_MIN),
    *(Law.PARENT_WITHIN, Law.PARENT_OVER, Law.PARENT_UNKNOWN),
)


def asked_lines(plan: Plan, view: View) -> list[str]:
    """The pod's priority, and what it adds to its quota."""
    charged, request = exact_listing(plan.attempt.gate.request), exact_listing(plan.pod.request)
    stations = [f"priority {plan.pod.priority}", f"requests {request or 'nothing'}"]
    if charged != request:
        stations.append(f"its quota is charged {charged or 'nothing'}")
    if not plan.pod.preemptible:
        stations.append("not preemptible")
    return wrapped_items("  ", stations, view.width, " · ")


def quota_lines(plan: Plan, view: View) -> list[str]:
    """Which quota the pod belongs to, and the quotas' tests."""
    lines = []
    for step in plan.proof:
        if step.law in _MEMBERS:
            lines += cited(sentence(step), _field(step, view), view)
    steps = [step for step in plan.proof if step.law in _TESTS]
    failing = [step for step in steps if not step.holds]
    if plan.attempt.gate.quota:
        lines.append(f"  the quotas {'reject it' if failing else 'admit it'}")
    for step in () if failing else steps:
        lines += cited(sentence(step), _field(step, view), view, "    ", "      ")
    return lines


def _field(step: Step, view: View) -> str:
    return next((view.cite(part.place) for part in step.rests_on if isinstance(part, Fact)), "")


def node_lines(plan: Plan, view: View) -> list[str]:
    """The nodes that the pod does not get, each with its reason."""
    attempt = plan.attempt
    tried = TriedNodes(attempt.filters, attempt.trials, attempt.choice, attempt.feasible)
    return lines_of_nodes(tried, plan.proof, NodeSentences(sentence, lack_step, rejection_step), view)


def later_lines(plan: Plan, view: View) -> list[str]:
    """What may happen later: evictions in vain, and the over-use revoker."""
    lines = []
    if plan.in_vain:
        which = "the evictions" if plan.outcome is plan.computed else "these evictions"
        lines += paragraph(f"{which} do not help: the quota still rejects the pod afterwards", view)
    if plan.revoked:
        names = ", ".join(pod.name for pod in shown_items(plan.revoked, view))
        if plan.watched:
            start = "its quota uses more than its runtime: if that lasts longer than delayEvictTime"
            text = f"{start}, these are evicted: {names}"
        else:
            text = f"its quota uses more than its runtime; monitorAllQuotas is off, so these stay: {names}"
        lines += [*paragraph(text, view), *rest(plan.revoked, view)]
    return lines


def record_lines(plan: Plan, view: View) -> list[str]:
    """The scheduler's own message, on a line that can be searched for."""
    if not plan.message or plan.half:
        return []
    return [view.paint("dim", "  the scheduler's message"), unfolded(plan.message, "    ")]
