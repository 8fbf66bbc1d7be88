"""The part of the why screen about the cluster's own records: its last eviction, conditions, checks, events."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.ages import when
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import cited, paragraph, unfolded
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.why.verdict import RecordedEviction, RecordedPreemptor, Why
from kubectl_fairshare.schedulers.kueue.words.agreement import RecordAgreement, comparison

_SHOWN_CONDITIONS: Final = (
    *("QuotaReserved", "Admitted", "Evicted", "Requeued", "PodsReady", "Finished", "DeactivationTarget"),
)
_RULES: Final = {
    "InClusterQueue": "priority within the ClusterQueue (withinClusterQueue)",
    "InCohortReclamation": "reclamation of lent quota (reclaimWithinCohort)",
    "InCohortFairSharing": "fair sharing: S2-a or S2-b; the record has neither the rule nor the shares",
    "InCohortReclaimWhileBorrowing": "reclaim while borrowing (borrowWithinCohort)",
}


def eviction_lines(why: Why, view: View) -> list[str]:
    """The last eviction: reason, time, preemptor and rule; then the count of each kind of eviction."""
    of = why.eviction
    if of is None:
        return []
    over = "" if why.record.holds("Evicted") else ", then got quota again"
    lines = cited(f"evicted ({of.reason}) {when(of.moment, view.now)}{over}", view.cite(of.place), view)
    if of.preemptor is not None:
        lines += _preemptor_lines(of, of.preemptor, view)
    else:
        lines += paragraph(of.message, view, "    ", "    ")
    counts = [f"{e.count} × {e.reason}{f' ({e.cause})' if e.cause else ''}" for e in why.record.evictions]
    if sum(e.count for e in why.record.evictions) > 1:
        lines += paragraph(f"evictions so far: {', '.join(counts)}", view, "    ", "    ")
    return lines


def _preemptor_lines(of: RecordedEviction, by: RecordedPreemptor, view: View) -> Iterator[str]:
    known = by.job or by.workload
    name = (
        f"{known.kind} {known.namespace}/{known.name}" if known is not None else f"a workload with UID {by.uid or '?'}"
    )
    unknown = "" if known is not None else ", which is not in the input"
    yield from paragraph(f"for {name}{unknown}", view, "    ", "      ")
    rule = _RULES.get(of.rule, of.rule) or by.rule
    yield from paragraph(f"by {rule}", view, "    ", "      ")
    if by.path or by.own_path:
        yield from paragraph(f"preemptor in {by.path or '?'}, victim in {by.own_path or '?'}", view, "    ", "      ")


def record_lines(why: Why, view: View) -> list[str]:
    """What the cluster recorded, and whether it matches the computed answer."""
    if why.workload is None:
        return []
    lines = ["  the cluster recorded"]
    for kind in _SHOWN_CONDITIONS:
        condition = why.record.condition(kind)
        if condition is not None and _matters(condition, why):
            lines += paragraph(f"{_condition(condition)}, {when(condition.moment, view.now)}", view, "    ", "      ")
        if kind == "QuotaReserved":
            if condition is not None and not condition.holds and condition.message:
                lines.append(unfolded(condition.message, "      "))
            lines += _comparison_lines(why, view)
    for check in why.record.checks:
        text = f"AdmissionCheck {check.name}: {check.state}{f': {check.message}' if check.message else ''}"
        lines += paragraph(f"{text}, {when(check.moment, view.now)}", view, "    ", "      ")
    return [*lines, *_requeue(why, view), *_events(why, view)]


def _matters(condition: Condition, why: Why) -> bool:
    """Whether a condition adds to those before it."""
    if condition.type == "QuotaReserved":
        return True
    if condition.type in ("Evicted", "Requeued"):
        return why.eviction is not None and condition.type == "Requeued"
    if condition.type == "Admitted":
        return condition.holds or condition.reason == "PendingDelayedTopologyRequests"
    if condition.type == "PodsReady":
        return why.record.holds("Admitted")
    return True


def _condition(of: Condition) -> str:
    return f"{of.type}={of.status}{f' {of.reason}' if of.reason and of.reason != of.type else ''}"


def _requeue(why: Why, view: View) -> list[str]:
    parts = [f"requeued {count(why.record.requeues, 'time')}"] if why.record.requeues else []
    if why.record.requeue_at is not None:
        parts.append(f"backoff ends {when(why.record.requeue_at, view.now)}")
    return paragraph(", ".join(parts), view, "    ", "      ") if parts else []


def _comparison_lines(why: Why, view: View) -> list[str]:
    found = comparison(why)
    if found is None:
        return []
    if found.agreement is RecordAgreement.SAME:
        return [view.paint("dim", f"      {found.clause}")]
    if found.agreement is RecordAgreement.UNSEEN:
        return paragraph(found.clause, view, "    ", "    ")
    lines = paragraph(found.clause, view, "      ", "      ")
    if found.computed.message:
        lines.append(unfolded(f"computed: {found.computed.message}", "      "))
    return lines


def _events(why: Why, view: View) -> list[str]:
    """The latest Events, without those whose message a condition repeats; ``-o json`` has all."""
    said = {c.message for c in why.record.conditions}
    notes = [note for note in why.notes if note.message not in said][::-1]
    if not notes or not view.wide:
        return [] if not notes else [view.paint("dim", f"    {count(len(notes), 'event')} (-o wide shows them)")]
    return ["    events", *(line for n in shown_items(notes, view) for line in _note(n, view)), *rest(notes, view)]


def _note(of: Note, view: View) -> list[str]:
    times = f" ×{of.count}" if of.count > 1 else ""
    return paragraph(f"{when(of.moment, view.now)} {of.reason}{times}: {of.message}", view, "     ", "       ")
