"""One scheduling cycle over the heads of all queues.

Every head is nominated against the same state. Then the cycle takes them one after another, and each sees what the
earlier ones took. Source: Kueue v0.19; "cycle" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, Nominator, nominate
from kubectl_fairshare.schedulers.kueue.cycle.order import (
    ClassicalOrder,
    FairOrder,
    assignment_of,
    may_overflow,
    queue_of,
)
from kubectl_fairshare.schedulers.kueue.cycle.queues import heads
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment, Mode
from kubectl_fairshare.schedulers.kueue.flavors.search import NOTHING_TRIED
from kubectl_fairshare.schedulers.kueue.laws import Law, kept_room
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Usage
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.reach import fits
from kubectl_fairshare.schedulers.kueue.tree.state import State


class HeadStatus(StrEnum):
    """The status of a head, in Kueue's words; REQUEUED is Kueue's empty status."""

    ASSUMED = "assumed"
    GATED = "preemptionGated"
    SKIPPED = "skipped"
    INADMISSIBLE = "inadmissible"
    REQUEUED = ""


_PREEMPTED: Final = "WaitingForPreemptedWorkloads"


@dataclass(frozen=True, slots=True)
class ProcessedHead:
    """One head and what the cycle did with it. ``law`` is the reason if it was skipped."""

    nomination: Nomination
    status: HeadStatus
    reason: str
    law: Law | None = None

    @property
    def targets(self) -> tuple[Target, ...]:
        """The workloads that would be preempted for it; they are evicted only if it ``preempts``."""
        search = self.nomination.search
        return () if search is None else search.targets

    @property
    def preempts(self) -> bool:
        """Whether it waits for workloads that the cycle evicted."""
        return self.reason == _PREEMPTED and not self.deferred

    @property
    def deferred(self) -> bool:
        """Whether it needs no victims of its own: it fits once those of earlier heads have left."""
        return self.law is Law.DEFERRED_FIT

    @property
    def mode(self) -> str:
        """Kueue's mode."""
        return "DeferredFit" if self.deferred else str(self.nomination.mode)


@dataclass(frozen=True, slots=True)
class CycleRun:
    """A whole cycle: its entries in the order of processing, and ties that Kueue leaves to chance."""

    entries: tuple[ProcessedHead, ...]
    ties: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Progress:
    """What the earlier heads of one tree took: their usage, and the victims that leave for them.

    ``left`` is ``ledger`` without those victims. It is updated in place as long as the order of additions and
    removals does not matter (``plain``). The order matters once some usage may become unlimited, or is taken from a
    queue alone; then ``left`` is computed again for each head.
    """

    ledger: Ledger
    left: Ledger
    plain: bool
    leaving: dict[ObjectKey, Target] = field(default_factory=dict)

    def without_leaving(self) -> Ledger:
        """The ledger without the victims of earlier heads."""
        return self.left if self.plain else _without(self.ledger, self.leaving.values())

    def add(self, queue: int, usage: Usage) -> None:
        """Adds what a head takes, or quota that is reserved for it."""
        self.ledger = self.ledger.plus(queue, usage)
        self.plain = self.plain and all(amount >= 0 for amount in usage.values())
        if self.plain:
            self.left = self.left.plus(queue, usage)


def run_cycle(state: State) -> CycleRun:
    """What one cycle does; an inactive queue only gives its reason."""
    return run_nominated(state, [nominate(state, workload) for workload in heads(state).values()])


def run_nominated(state: State, nominations: Sequence[Nomination]) -> CycleRun:
    """What one cycle does with these heads, at most one for each queue, all nominated against ``state``."""
    refused = [_refusal_entry(n) for n in nominations if n.refused is not None]
    trees: dict[int, list[Nomination]] = {}
    for nomination in nominations:
        if nomination.refused is None and nomination.queue is not None:
            trees.setdefault(state.forest.root(nomination.queue), []).append(nomination)
    entries = list(refused)
    ties: list[tuple[str, str]] = []
    for root in sorted(trees):
        found = _run_tree(state, trees[root])
        entries += found.entries
        ties += found.ties
    return CycleRun(tuple(entries), tuple(ties))


def _refusal_entry(nomination: Nomination) -> ProcessedHead:
    law = nomination.refused.law if nomination.refused is not None else None
    reason = "Suspended" if law is Law.QUEUE_INACTIVE else "Misconfigured"
    return ProcessedHead(nomination, HeadStatus.INADMISSIBLE, reason)


def _run_tree(state: State, nominations: list[Nomination]) -> CycleRun:
    """The heads of one tree; trees do not affect each other."""
    plain = not may_overflow(state.ledger, nominations)
    progress = _Progress(state.ledger, state.ledger, plain)
    order = FairOrder(state.ledger, nominations) if state.fair else ClassicalOrder(nominations)
    entries = []
    while (following := order.next(progress.ledger)) is not None:
        nomination, progress.ledger = following
        entries.append(_process(state, progress, nomination))
    return CycleRun(tuple(entries), tuple(order.ties))


def _process(state: State, progress: _Progress, nomination: Nomination) -> ProcessedHead:
    overlaps = any(t.holder.key in progress.leaving for t in nomination.leaving)
    again = overlaps and state.configuration.recomputed_overlap
    if again:
        nomination = _nominated_again(state, progress, nomination)
    assignment, search, queue = nomination.assignment, nomination.search, nomination.queue
    if assignment is None or search is None or queue is None:
        return _refusal_entry(nomination)
    if again and assignment.mode is Mode.FIT:
        progress.add(queue, assignment.usage)
        return ProcessedHead(nomination, HeadStatus.REQUEUED, _PREEMPTED, Law.DEFERRED_FIT)
    if assignment.mode is Mode.NO_FIT:
        return ProcessedHead(nomination, HeadStatus.REQUEUED, assignment.token or "")
    if assignment.mode is Mode.PREEMPT and not search.targets:
        progress.add(queue, _room(state, progress.ledger, queue, assignment))
        return ProcessedHead(nomination, HeadStatus.REQUEUED, "WaitingForQuota")
    if nomination.gated:
        return ProcessedHead(nomination, HeadStatus.GATED, "AdmissionGated", Law.PREEMPTION_GATED)
    targets = nomination.leaving
    if any(t.holder.key in progress.leaving for t in targets):
        return ProcessedHead(nomination, HeadStatus.SKIPPED, "WaitingForQuota", Law.OVERLAP)
    left = _without(progress.without_leaving(), targets)
    if not fits(left, queue, assignment.usage, borrowing=True):
        return ProcessedHead(nomination, HeadStatus.SKIPPED, "WaitingForQuota", Law.NO_LONGER_FITS)
    progress.left = left
    progress.leaving.update({t.holder.key: t for t in targets})
    progress.add(queue, assignment.usage)
    if assignment.mode is Mode.FIT:
        return ProcessedHead(nomination, HeadStatus.ASSUMED, "")
    return ProcessedHead(nomination, HeadStatus.REQUEUED, _PREEMPTED)


def _nominated_again(state: State, progress: _Progress, nomination: Nomination) -> Nomination:
    """The head as it would do once the victims of earlier heads have left, in the flavors of its nomination."""
    assignment = assignment_of(nomination)
    leaving = [t.holder for t in progress.leaving.values()]
    projected = state.with_ledger(progress.ledger).after(leaving, ())
    flavors = {p.name: {r: flavor for r, (flavor, _) in p.flavors.items()} for p in assignment.pod_sets}
    return Nominator(projected, queue_of(nomination), nomination.workload, NOTHING_TRIED, flavors).nominate()


def _without(ledger: Ledger, leaving: Iterable[Target]) -> Ledger:
    for target in leaving:
        ledger = ledger.minus(target.queue, target.holder.usage)
    return ledger


def _room(state: State, ledger: Ledger, queue: int, assignment: Assignment) -> dict[FlavorResource, int]:
    """The quota that the cycle reserves for a head that needs preemption and found no targets.

    None if the queue may reclaim anything at any time. In a queue with a borrowingLimit that uses more than its limit
    the amount may be negative: then the queue's own usage falls, and that of its parents does not.
    """
    spec = state.forest.nodes[queue].queue
    room: dict[FlavorResource, int] = {}
    if spec.preemption.reclaim_within_cohort == "Any":
        return room
    for pair, amount in assignment.usage.items():
        quota, used = state.forest.quota(queue, pair), ledger.usage(queue, pair)
        room[pair] = kept_room(quota, used, amount, borrowing=assignment.borrowing > 0)
    return room
