"""What would place a pod, each change simulated."""

from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.text.figures import amount, count
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Change, ChangeKind, Plan, Remedy
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Course

_LIMITS: Final = (ChangeKind.MIN, ChangeKind.MAX)


def remedy_lines(plan: Plan, view: View) -> list[str]:
    """The changes that help, one after the other; that none does, where the pod might get in one day."""
    if not plan.remedies:
        tried = "a higher min, max or priority, the deletion of one pod"
        return paragraph(f"tried, and would not help: {tried}", view) if plan.computed is Outcome.WAITS else []
    lines = ["  what would help"]
    for remedy in plan.remedies:
        where = next((text for text in (view.cite(change.place) for change in remedy.changes) if text), "")
        lines += cited(f"{changed(remedy)}: {_then(remedy)}", where, view, "    ", "      ")
    return lines


def changed(remedy: Remedy) -> str:
    """What is to be changed, in a clause."""
    text = ", ".join(_change(change) for change in remedy.changes)
    if remedy.alternatives:
        text += f" (or one of {remedy.alternatives} others)"
    return text


def _change(change: Change) -> str:
    if change.kind in _LIMITS:
        before = "none" if change.before is None else amount(change.resource, change.before)
        after = amount(change.resource, change.after or 0)
        owner = change.place.object.namespace if change.place is not None else ""
        return f"{change.kind} of {owner}: {change.resource} {before} → {after}"
    if change.kind is ChangeKind.PRIORITY:
        return f"priority {change.before} → {change.after}"
    if change.kind is ChangeKind.DELETION and change.pod is not None:
        return f"delete {change.pod.name} on {change.pod.node}"
    return "preemptionPolicy PreemptLowerPriority"


def _then(remedy: Remedy) -> str:
    named = f" (class {remedy.named})" if remedy.named is not None else ""
    if not remedy.nodes:
        return f"the quotas admit it{named}"
    nodes = (
        remedy.nodes[0] if len(remedy.nodes) == 1 else f"{remedy.nodes[0]} or {count(len(remedy.nodes) - 1, 'other')}"
    )
    if remedy.course is Course.SCHEDULABLE:
        return f"placed on {nodes}{named}"
    return f"placed on {nodes} after preempting {count(remedy.victims, 'pod')}{named}"
