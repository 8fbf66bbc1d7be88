"""Limits, the place in the queue, and what would help, in words."""

from collections.abc import Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Group, Items, Remark
from kubectl_fairshare.answers.number_text import amount, count, weight, weight_quantity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.schedulers.kueue.explain.decision import (
    Binding,
    Limit,
    NotAsked,
    Plan,
    QueuePosition,
    Remedy,
    RemedyKind,
)
from kubectl_fairshare.schedulers.kueue.explain.position import goes_first
from kubectl_fairshare.schedulers.kueue.jobs.names import shown_name
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.words.figures import pair_text

NO_JOBS: Final[Mapping[ObjectKey, ObjectKey]] = {}
_POLICIES: Final = (RemedyKind.WITHIN_QUEUE, RemedyKind.RECLAIM, RemedyKind.BORROW)
_PLACES: Final = (RemedyKind.LEVEL, RemedyKind.SLICE, RemedyKind.UNCORDON, RemedyKind.END)
_QUOTAS: Final = (RemedyKind.NOMINAL, RemedyKind.BORROWING_LIMIT, RemedyKind.LENDING_LIMIT)


def by_weight(plan: Plan) -> list[Binding]:
    """The limits, those that decide first: if the workload waits, these are the limits that waiting can lift."""
    never = plan.computed is Outcome.NEVER
    return sorted(plan.bindings, key=lambda b: (b.ever is not never, b.pair))


def by_holdings(queues: Sequence[NotAsked]) -> list[NotAsked]:
    """The queues without victims, largest holders of the missing flavor-resource first."""
    return sorted(queues, key=lambda q: (-q.holds[0][1], q.queue))


def part_clause(of: Binding) -> str:
    """The quota at the cited place, if that is only a part of the quota that binds."""
    if of.place is None or of.amount_there is None or of.kind is not Limit.NOMINAL or of.node_kind != "Cohort":
        return ""
    return f"part of it: nominalQuota {amount(of.pair.resource, of.amount_there)} of {of.place.object}"


def standing_blocks(plan: Plan, jobs: Mapping[ObjectKey, ObjectKey] = NO_JOBS) -> Group:
    """The real place in the queue and the workloads ahead; the plan itself takes the workload as the head.

    ``jobs`` maps Workloads to their jobs: the screen shows a Workload by the name of its job.
    """
    standing = plan.standing
    if standing is None:
        return []
    queue = plan.nomination.cluster_queue
    place = f"place {place_range(standing, ' to ')} of {standing.of}"
    lines: list[Block] = [Remark(f"{place} in {queue} ({standing.strategy})")]
    if standing.blocker is not None:
        text = f"blocked by {shown_name(standing.blocker.key, jobs)}: in a StrictFIFO queue the head goes first"
        lines.append(Remark(text, "wait", first="    ", more="      "))
    lines += _ahead(standing, plan.workload, jobs)
    others = [shown_name(w.key, jobs) for w in standing.unordered]
    return [*lines, Items("    ahead or behind (the input does not say): ", others, long=True)]


def place_range(of: QueuePosition, separator: str) -> str:
    """The place in the queue, or the first and the last that it may be."""
    return f"{of.position}{separator}{of.last}" if of.unordered else str(of.position)


def place_blocks(plan: Plan) -> Group:
    """What ``why`` answers, if that differs: it takes the workload where it is in its queue."""
    if plan.standing is None or not plan.standing.ahead or plan.computed is Outcome.NEVER:
        return []
    behind = f"waiting behind {count(len(plan.standing.ahead), 'workload')}"
    return [Remark(f"where it is now (`why`): {behind}")]


def _ahead(standing: QueuePosition, workload: Pending, jobs: Mapping[ObjectKey, ObjectKey]) -> Group:
    ahead = (f"{shown_name(w.key, jobs)} ({goes_first(w, workload)}{_priority(w, workload)})" for w in standing.ahead)
    return [Items("    ahead: ", list(ahead), long=True)]


def _priority(other: Pending, workload: Pending) -> str:
    return f" {other.priority}" if other.priority > workload.priority else ""


def change_clause(of: Remedy) -> str:
    """What to change, from what to what."""
    return " and ".join(_clause(each) for each in (of, *of.also))


def _clause(of: Remedy) -> str:
    if of.kind is RemedyKind.COUNT:
        in_set = f" of pod set {of.pod_set}" if of.pod_set else ""
        return f"count{in_set} {of.before} → {of.after}"
    if of.kind is RemedyKind.MINIMUM:
        return f"minimum of partial admission of pod set {of.pod_set} {of.before} → {of.after}"
    if of.kind is RemedyKind.PRIORITY:
        named = f" (class {of.named})" if of.named else ""
        return f"priority {of.before} → {of.after}{named}"
    if of.kind in _POLICIES:
        return f"{of.kind} of {of.object} {of.words[0]} → {of.words[1]}"
    if of.kind in (RemedyKind.TOLERATION, RemedyKind.SELECTOR):
        return _match_clause(of)
    if of.kind in _PLACES:
        return _place_clause(of)
    resource = of.pair.resource if of.pair is not None else ""
    if of.kind is RemedyKind.REQUEST:
        in_set = f" in pod set {of.pod_set}" if of.pod_set else ""
        return f"{resource} per pod{in_set} {amount(resource, int(of.before))} → {amount(resource, int(of.after))}"
    if of.kind in _QUOTAS and of.pair is not None:
        before, after = (amount(resource, int(v)) for v in (of.before, of.after))
        return f"{of.kind} of {of.object} for {pair_text(of.pair)} {before} → {after}"
    before, after, written = weight(float(of.before)), weight(float(of.after)), weight_quantity(of.after)
    return f"{of.kind} of {of.object} {before} → {after}{'' if written == after else f' (written {written})'}"


def _match_clause(of: Remedy) -> str:
    """What the pods would tolerate or select."""
    where = f"pod set {of.pod_set}" if of.pod_set else "all pod sets that lack it"
    flavor = "" if of.pair is None else of.pair.flavor
    if of.kind is RemedyKind.TOLERATION:
        return f"toleration of {of.words[1]} in {where}, for flavor {flavor}"
    return f"node selector in {where} {of.words[0]} → {of.words[1]}, for flavor {flavor}"


def _place_clause(of: Remedy) -> str:
    """What would give the pods a place."""
    if of.kind is RemedyKind.UNCORDON:
        return f"uncordon {of.object}"
    if of.kind is RemedyKind.END:
        return f"{of.object} ends"
    if of.kind is RemedyKind.LEVEL:
        return f"topology of pod set {of.pod_set} {of.words[0]} → {of.words[1]}"
    return f"slice size of pod set {of.pod_set} {of.before} → {of.after}"


_NAMED: Final = 3


def outcome_clause(
    outcome: Outcome, victims: int, leaving: Sequence[ObjectKey] = (), pods: tuple[int, int] | None = None
) -> str:
    """The outcome for a workload after a change, with the names of the first victims, and the pods that start."""
    if pods is not None and outcome is Outcome.ADMITTED:
        return f"admitted now with {pods[0]} of {count(pods[1], 'pod')}, without preemption"
    if outcome is Outcome.ADMITTED:
        return "admitted now, without preemption"
    if outcome is Outcome.PREEMPTS:
        names = some_of([f"{key.namespace}/{key.name}" for key in leaving], _NAMED)
        return f"admitted after preempting {count(victims, 'workload')}{names and f': {names}'}"
    return {Outcome.WAITS: "then waits for quota", Outcome.NEVER: "then can never fit"}.get(outcome, "unknown")
