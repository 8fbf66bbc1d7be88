"""The why screen: the state of a workload, its one reason, the holders of what it needs, and what would help."""

from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.report.plan_screen import binding_lines, remedy_lines, spared_blocks, victim_lines
from kubectl_fairshare.report.printable import Block
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.table import wrapped_items
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.jobs.names import shown_name
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.why.verdict import Why
from kubectl_fairshare.schedulers.kueue.why.waits import TAKEN
from kubectl_fairshare.schedulers.kueue.words.plan_answer import binding_limit, plan_answer
from kubectl_fairshare.schedulers.kueue.words.screens.plan import clause, refusal_lines
from kubectl_fairshare.schedulers.kueue.words.screens.plan_flavors import passed_over_lines, scan_lines
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import standing_lines
from kubectl_fairshare.schedulers.kueue.words.screens.why_held import (
    displaced_lines,
    held_lines,
    holding_lines,
    leaving_lines,
    lift_lines,
)
from kubectl_fairshare.schedulers.kueue.words.screens.why_record import eviction_lines, record_lines
from kubectl_fairshare.schedulers.kueue.words.why_words import (
    deciding,
    is_settled,
    subject,
)
from kubectl_fairshare.trace import Fact, Step, fact_text

_TOLD_BELOW: Final = (Law.ADMITTED, Law.FINISHED, Law.BEING_EVICTED)
"""Laws that rest on a condition alone, which the record shows."""
_LIMITS: Final = (Law.EXCEEDS_AVAILABLE, Law.EXCEEDS_POTENTIAL)


def why_blocks(why: Why, kueue: KueueState, view: View) -> list[Block]:
    """The blocks below the verdict."""
    return [
        _route(why, view),
        _ground_lines(why, kueue, view),
        _limit_lines(why, view),
        held_lines(why, view),
        leaving_lines(why, view),
        holding_lines(why, view),
        displaced_lines(why, view),
        *_plan_blocks(why, kueue, view),
        lift_lines(why, view),
        eviction_lines(why, view),
        record_lines(why, view),
    ]


def _route(why: Why, view: View) -> list[str]:
    """The route from the job to its ClusterQueue."""
    key = subject(why)
    stations = [f"{key.kind} {key.name}"]
    if why.workload is not None and why.workload != key:
        stations.append(f"Workload {why.workload.name}")
    elif why.workload is None:
        stations.append("no Workload in the input")
    elif key in why.jobs:
        stations.insert(0, f"{why.jobs[key].kind} {why.jobs[key].name}")
    if why.asking is not None and why.asking.local_queue:
        stations.append(f"LocalQueue {why.asking.local_queue}")
    if why.cluster_queue:
        stations.append(f"ClusterQueue {why.cluster_queue}")
    return wrapped_items("  ", stations, view.width, " → ")


def _ground_lines(why: Why, kueue: KueueState, view: View) -> list[str]:
    """The fields that the dominant reason rests on; a limit is shown with what binds."""
    if why.because.law in _LIMITS or (why.because.law in _TOLD_BELOW and why.workload is not None):
        return []
    if why.plan is not None and why.plan.nomination.refused is not None:
        return refusal_lines(why.plan, kueue, view)
    facts = [part for part in why.because.rests_on if isinstance(part, Fact)]
    label = "decided first: " if why.because.law in TAKEN else ""
    return [line for fact in facts for line in cited(f"{label}{fact_text(fact)}", view.cite(fact.place), view)]


def _limit_lines(why: Why, view: View) -> list[str]:
    lines = binding_lines([binding_limit(b) for b in deciding(why)], view)
    if why.head is None or not lines:
        return lines
    return [*paragraph(f"{shown_name(why.head.key, why.jobs)} waits for", view), *(f"  {line}" for line in lines)]


def _plan_blocks(why: Why, kueue: KueueState, view: View) -> list[Block]:
    """Flavors, place in the queue, and remedies for a workload that waits."""
    if why.plan is None or is_settled(why):
        return []
    considered = why.plan.nomination.refused is None
    answer = plan_answer(why.then or why.plan, kueue)
    remedied = why.verdict in (Verdict.NOT_NOW, Verdict.NEVER)
    now = why.verdict is Verdict.NOT_NOW and why.head is None and why.then is None
    spared = list(spared_blocks(answer, view)) if now else []
    leave = why.head is None and why.because.law is Law.NEXT_CYCLE
    return [
        victim_lines(answer, view) if leave else [],
        *spared,
        scan_lines(why.plan, view) if why.head is None else [],
        passed_over_lines(why.plan, kueue, view) if _on_flavors(why.because) else [],
        standing_lines(why.plan, view, why.jobs) if considered and why.verdict is not Verdict.NEVER else [],
        _as_head_lines(why, view) if considered else [],
        remedy_lines(answer.remedies, view) if remedied else [],
    ]


def _as_head_lines(why: Why, view: View) -> list[str]:
    """What ``plan`` answers, if that differs: it takes the workload as the head of its queue."""
    if why.plan is None or why.plan.computed not in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return []
    if why.verdict not in (Verdict.NOT_NOW, Verdict.WAITING) or why.because.law is Law.NEXT_CYCLE:
        return []
    return paragraph(f"if it were first (plan): {clause(why.plan, why.plan.computed)}", view)


def _on_flavors(because: Step) -> bool:
    """Whether the reason is about flavors."""
    return because.law in (*_LIMITS, Law.NO_FLAVOR)
