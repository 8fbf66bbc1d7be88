"""One scheduling cycle over the heads of all queues.

Every head is nominated on the same state; then they are taken one after another, each seeing what
the earlier ones took. Source: kueue-decisions "one scheduling cycle"; "cycle" in ``docs/laws.md``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from kubectl_fairshare.engines.kueue.assignment import Assignment, Mode
from kubectl_fairshare.engines.kueue.laws import Law
from kubectl_fairshare.engines.kueue.ledger import Ledger
from kubectl_fairshare.engines.kueue.nominate import Nomination, nominate
from kubectl_fairshare.engines.kueue.order import ClassicalOrder, FairOrder
from kubectl_fairshare.engines.kueue.queues import heads
from kubectl_fairshare.engines.kueue.reach import fits
from kubectl_fairshare.engines.kueue.state import State
from kubectl_fairshare.engines.kueue.targets import Target
from kubectl_fairshare.model.amounts import add, subtract
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.workload import FlavorResource


class Status(StrEnum):
    """What became of a head, in Kueue's words; REQUEUED is Kueue's empty status."""

    ASSUMED = "assumed"
    SKIPPED = "skipped"
    INADMISSIBLE = "inadmissible"
    REQUEUED = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One head and what the cycle did with it. ``law`` tells why it was skipped."""

    nomination: Nomination
    status: Status
    reason: str
    law: Law | None = None

    @property
    def targets(self) -> tuple[Target, ...]:
        """The workloads that would give way for it; evicted only when it ``preempts``."""
        search = self.nomination.search
        return () if search is None else search.targets

    @property
    def preempts(self) -> bool:
        """Whether it waits for workloads that the cycle evicted."""
        return self.reason == "WaitingForPreemptedWorkloads"


@dataclass(frozen=True, slots=True)
class Round:
    """A whole cycle: its entries in the order of processing, and ties that Kueue leaves to chance."""

    entries: tuple[Entry, ...]
    ties: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Progress:
    """What earlier heads of one tree took: their usage, and the workloads that leave for them."""

    ledger: Ledger
    leaving: dict[ObjectKey, Target] = field(default_factory=dict)


def run_cycle(state: State) -> Round:
    """What one cycle does; a queue that is not in service only yields its refusal."""
    return run_nominated(state, [nominate(state, workload) for workload in heads(state).values()])


def run_nominated(state: State, nominations: Sequence[Nomination]) -> Round:
    """What one cycle does with these heads, at most one of each queue, all nominated on ``state``."""
    refused = [_refused(n) for n in nominations if n.refused is not None]
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
    return Round(tuple(entries), tuple(ties))


def _refused(nomination: Nomination) -> Entry:
    law = nomination.refused.law if nomination.refused is not None else None
    reason = "Suspended" if law is Law.QUEUE_INACTIVE else "Misconfigured"
    return Entry(nomination, Status.INADMISSIBLE, reason)


def _run_tree(state: State, nominations: list[Nomination]) -> Round:
    """The heads of one tree; trees do not influence each other."""
    progress = _Progress(state.ledger)
    order = FairOrder(state.ledger, nominations) if state.fair else ClassicalOrder(nominations)
    entries = []
    while (following := order.next(progress.ledger)) is not None:
        nomination, progress.ledger = following
        entries.append(_process(state, progress, nomination))
    return Round(tuple(entries), tuple(order.ties))


def _process(state: State, progress: _Progress, nomination: Nomination) -> Entry:
    assignment, search, queue = nomination.assignment, nomination.search, nomination.queue
    if assignment is None or search is None or queue is None:
        return _refused(nomination)
    if assignment.mode is Mode.NO_FIT:
        return Entry(nomination, Status.REQUEUED, assignment.token or "")
    if assignment.mode is Mode.PREEMPT and not search.targets:
        progress.ledger = _reserved(state, progress.ledger, queue, assignment)
        return Entry(nomination, Status.REQUEUED, "WaitingForQuota")
    if any(t.holder.key in progress.leaving for t in search.targets):
        return Entry(nomination, Status.SKIPPED, "WaitingForQuota", Law.OVERLAP)
    leaving = {**progress.leaving, **{t.holder.key: t for t in search.targets}}
    if not fits(_without(progress.ledger, leaving), queue, assignment.usage, borrowing=True):
        return Entry(nomination, Status.SKIPPED, "WaitingForQuota", Law.NO_LONGER_FITS)
    progress.leaving = leaving
    progress.ledger = progress.ledger.added(queue, assignment.usage)
    if assignment.mode is Mode.FIT:
        return Entry(nomination, Status.ASSUMED, "")
    return Entry(nomination, Status.REQUEUED, "WaitingForPreemptedWorkloads")


def _without(ledger: Ledger, leaving: dict[ObjectKey, Target]) -> Ledger:
    for target in leaving.values():
        ledger = ledger.removed(target.queue, target.holder.usage)
    return ledger


def _reserved(state: State, ledger: Ledger, queue: int, assignment: Assignment) -> Ledger:
    """The ledger in which the queue keeps room for a head that found nobody to give way.

    Not where the queue may reclaim anything at any time. In an over-used queue with a borrowingLimit
    the amount may be negative: then the queue's own usage falls, its parents' does not.
    """
    spec = state.forest.nodes[queue].queue
    if spec.preemption.reclaim_within_cohort == "Any":
        return ledger
    room: dict[FlavorResource, int] = {}
    for pair, amount in assignment.usage.items():
        quota, used = state.forest.quota(queue, pair), ledger.usage(queue, pair)
        if assignment.borrowing == 0:
            room[pair] = min(amount, max(0, subtract(quota.nominal, used)))
        elif quota.borrowing_limit is None:
            room[pair] = amount
        else:
            room[pair] = min(amount, subtract(add(quota.nominal, quota.borrowing_limit), used))
    return ledger.added(queue, room)
