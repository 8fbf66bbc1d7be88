"""The part of the why screen about the cluster's own records: its last eviction, conditions, checks, events."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.ages import when
from kubectl_fairshare.answers.blocks import Block, Group, Remark, unfolded
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.jobs.events import Condition
from kubectl_fairshare.schedulers.kueue.why.verdict import RecordedEviction, RecordedPreemptor, Why
from kubectl_fairshare.schedulers.kueue.words.agreement import RecordAgreement, comparison
from kubectl_fairshare.schedulers.shared_words import event_blocks

_SHOWN_CONDITIONS: Final = (
    *("QuotaReserved", "Admitted", "Evicted", "Requeued", "PodsReady", "Finished", "DeactivationTarget"),
)
_RULES: Final = {
    "InClusterQueue": "priority within the ClusterQueue (withinClusterQueue)",
    "InCohortReclamation": "reclamation of lent quota (reclaimWithinCohort)",
    "InCohortFairSharing": "fair sharing: S2-a or S2-b; the record has neither the rule nor the shares",
    "InCohortReclaimWhileBorrowing": "reclaim while borrowing (borrowWithinCohort)",
}


def eviction_blocks(why: Why, now: int | None) -> Iterator[Block]:
    """The last eviction: reason, time, preemptor and rule; then the count of each kind of eviction."""
    of = why.eviction
    if of is None:
        return
    over = "" if why.record.holds("Evicted") else ", then got quota again"
    yield Remark(f"evicted ({of.reason}) {when(of.moment, now)}{over}", place=of.place)
    if of.preemptor is not None:
        yield from _preemptor_blocks(of, of.preemptor)
    else:
        yield Remark(of.message, first="    ")
    counts = [f"{e.count} × {e.reason}{f' ({e.cause})' if e.cause else ''}" for e in why.record.evictions]
    if sum(e.count for e in why.record.evictions) > 1:
        yield Remark(f"evictions so far: {', '.join(counts)}", first="    ")


def _preemptor_blocks(of: RecordedEviction, by: RecordedPreemptor) -> Iterator[Block]:
    known = by.job or by.workload
    name = (
        f"{known.kind} {known.namespace}/{known.name}" if known is not None else f"a workload with UID {by.uid or '?'}"
    )
    unknown = "" if known is not None else ", which is not in the input"
    yield Remark(f"for {name}{unknown}", first="    ", more="      ")
    rule = _RULES.get(of.rule, of.rule) or by.rule
    yield Remark(f"by {rule}", first="    ", more="      ")
    if by.path or by.own_path:
        yield Remark(f"preemptor in {by.path or '?'}, victim in {by.own_path or '?'}", first="    ", more="      ")


def record_blocks(why: Why, now: int | None) -> Group:
    """What the cluster recorded, and whether it matches the computed answer."""
    if why.workload is None:
        return []
    said = {condition.message for condition in why.record.conditions}  # `-o json` has the Events that repeat one, too
    notes = [note for note in why.notes if note.message not in said]
    return [unfolded("the cluster recorded"), *_recorded(why, now), *event_blocks(notes, now)]


def _recorded(why: Why, now: int | None) -> Iterator[Block]:
    for kind in _SHOWN_CONDITIONS:
        condition = why.record.condition(kind)
        if condition is not None and _matters(condition, why):
            yield Remark(f"{_condition(condition)}, {when(condition.moment, now)}", first="    ", more="      ")
        if kind == "QuotaReserved":
            if condition is not None and not condition.holds and condition.message:
                yield unfolded(condition.message, indent="      ")
            yield from _comparison_blocks(why)
    for check in why.record.checks:
        text = f"AdmissionCheck {check.name}: {check.state}{f': {check.message}' if check.message else ''}"
        yield Remark(f"{text}, {when(check.moment, now)}", first="    ", more="      ")
    parts = [f"requeued {count(why.record.requeues, 'time')}"] if why.record.requeues else []
    if why.record.requeue_at is not None:
        parts.append(f"backoff ends {when(why.record.requeue_at, now)}")
    if parts:
        yield Remark(", ".join(parts), first="    ", more="      ")


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


def _comparison_blocks(why: Why) -> Iterator[Block]:
    found = comparison(why)
    if found is None:
        return
    if found.agreement is RecordAgreement.SAME:
        yield unfolded(found.clause, "dim", "      ")
    elif found.agreement is RecordAgreement.UNSEEN:
        yield Remark(found.clause, first="    ")
    else:
        yield Remark(found.clause, first="      ", more="      ")
        if found.computed.message:
            yield unfolded(f"computed: {found.computed.message}", indent="      ")
