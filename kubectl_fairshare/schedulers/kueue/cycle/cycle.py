"""One scheduling cycle over the heads of all queues.

Every head is nominated against the same state. Then the cycle takes them one after another, and each sees what the
earlier ones took.
Why heads are not nominated one after another: 4 GPUs are free, two heads ask for 4 each. Both are nominated with Fit;
the second is skipped when its turn comes, although there is a flavor that would still be free.
Source: ``schedule``, ``processEntry``, ``quotaResourcesToReserve`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go; "cycle" in ``docs/laws.md``.
"""

from collections.abc import Hashable, Iterator, Sequence
from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.choices import Choices
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate, nominate_again
from kubectl_fairshare.schedulers.kueue.cycle.order import (
    Choose,
    ClassicalOrder,
    FairOrder,
    TieBreak,
    classical_key,
    may_overflow,
    queue_of,
    quota_usage,
)
from kubectl_fairshare.schedulers.kueue.cycle.queues import heads
from kubectl_fairshare.schedulers.kueue.cycle.second_look import Progress, SharedNodes, checked
from kubectl_fairshare.schedulers.kueue.cycle.ties import Rivalry, proposal, rivalry
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment, Mode
from kubectl_fairshare.schedulers.kueue.laws import Law, kept_room
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.topology.occupancy import TAKES
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.state import State


class HeadStatus(StrEnum):
    """The status of a head, in Kueue's words; REQUEUED is Kueue's empty status."""

    ASSUMED = "assumed"
    GATED = "preemptionGated"
    SKIPPED = "skipped"
    INADMISSIBLE = "inadmissible"
    EVICTED = "evicted"
    REQUEUED = ""


_PREEMPTED: Final = "WaitingForPreemptedWorkloads"
_NOT_READY: Final = "WaitingForPodsReady"


class ProcessedHead(Value, frozen=True):
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
    def is_of_foreign_namespace(self) -> bool:
        """Whether its queue does not select its namespace: no other refusal sets a StrictFIFO head aside."""
        refused = self.nomination.refused
        return refused is not None and refused.law is Law.NAMESPACE_NOT_SELECTED

    @property
    def mode(self) -> str:
        """Kueue's mode."""
        return "DeferredFit" if self.deferred else str(self.nomination.mode)


class CycleRun(Value, frozen=True):
    """A whole cycle: its entries in the order of processing, and ties that Kueue leaves to chance."""

    entries: tuple[ProcessedHead, ...]
    ties: tuple[tuple[str, str], ...] = ()


def run_cycle(state: State) -> CycleRun:
    """What one cycle does; an inactive queue only gives its reason."""
    # Second passes come before heads, as Kueue reads its two queues in this order.
    again = [nominate_again(state, second) for second in state.kueue.second_pass]
    run = run_nominated(state, [*again, *(nominate(state, workload) for workload in heads(state).values())])
    return _one_at_a_time(state, run) if state.configuration.block_admission else run


def _one_at_a_time(state: State, run: CycleRun) -> CycleRun:
    """With waitForPodsReady.blockAdmission: a head is admitted once the pods of all admitted workloads are ready.

    So only the first head of a cycle is, and none while pods are not ready. A second pass does not wait, except in
    releases in which it does: there it may wait for its own pods.
    """
    waits, every = bool(state.unready), state.configuration.release.second_passes_wait
    entries = []
    for entry in run.entries:
        first_pass = entry.status is HeadStatus.ASSUMED and (every or entry.nomination.second is None)
        kept = replace(entry, status=HeadStatus.REQUEUED, reason=_NOT_READY, law=Law.PODS_READY_FIRST)
        entries.append(kept if first_pass and waits else entry)
        waits = waits or first_pass
    return replace(run, entries=tuple(entries))


def run_nominated(state: State, nominations: Sequence[Nomination], breaks: TieBreak | None = None) -> CycleRun:
    """What one cycle does with these heads, at most one for each queue, all nominated against ``state``.

    Besides the head of a queue there may be workloads of it that ask for a place again. ``breaks`` decides what Kueue
    leaves to chance; without it, names do.
    """
    # All heads are nominated before one is processed, so a crash in a nomination leaves nothing for any of them.
    if any(n.crashes for n in nominations):
        return _stopped(nominations)
    refused = [_refusal_entry(n) for n in nominations if n.refused is not None]
    ties: list[tuple[str, str]] = []
    displaced = [*_displaced(nominations, state.chance, ties)] if state.fair else []
    left_out = {id(nomination) for nomination in displaced}
    trees: dict[int, list[Nomination]] = {}
    for nomination in nominations:
        if nomination.refused is None and nomination.queue is not None and id(nomination) not in left_out:
            trees.setdefault(state.forest.root(nomination.queue), []).append(nomination)
    nodes = SharedNodes(state.occupancy)
    runs = [_TreeHeads(state, trees[root], nodes, breaks) for root in sorted(trees)]
    entries = [*refused, *(ProcessedHead(n, HeadStatus.REQUEUED, "") for n in displaced)]
    if any(n.placements for n in nominations):
        entries += _in_one_order(runs, state.chance, ties)
    else:
        entries += [entry for run in runs for entry in run.all()]
    return CycleRun(tuple(entries), (*(tie for run in runs for tie in run.order.ties), *dict.fromkeys(ties)))


def _stopped(nominations: Sequence[Nomination]) -> CycleRun:
    """The cycle in which Kueue's manager dies of a head: nothing is done for any."""
    crash = next(n.refused for n in nominations if n.crashes)
    lost = (
        n if n.refused is not None else Nomination(n.workload, n.cluster_queue, n.queue, refused=crash)
        for n in nominations
    )
    return CycleRun(tuple(map(_refusal_entry, lost)))


def _displaced(nominations: Sequence[Nomination], chance: Choices, ties: list[tuple[str, str]]) -> Iterator[Nomination]:
    """With fair sharing one workload of a queue is processed: its head, or one that asks for a place if it has none.

    Among several of these chance decides.
    """
    by_queue: dict[int | None, list[Nomination]] = {}
    for each in (n for n in nominations if n.refused is None):
        by_queue.setdefault(each.queue, []).append(each)
    for rivals in by_queue.values():
        # Kueue keeps one entry for each queue in a map, and the last one written stays.
        again, kept = rivals[::-1], rivals[-1]
        if len(again) > 1 and kept.second is not None:
            ties.append((again[0].workload.name, again[1].workload.name))
            kept = again[chance.pick(len(again), lambda: None)]
        yield from (n for n in rivals if n is not kept)


def _in_one_order(
    runs: Sequence["_TreeHeads"], chance: Choices, ties: list[tuple[str, str]]
) -> Iterator[ProcessedHead]:
    """The heads of several trees in Kueue's one order: they share nodes. Under fair sharing any tree may be next."""
    waiting = [run for run in runs if run.draw()]
    while waiting:
        ranks = [run.rank for run in waiting]
        equal = [run for run, rank in zip(waiting, ranks, strict=True) if rank == min(ranks)]
        if not equal[0].state.fair:
            equal.sort(key=lambda run: run.queue)
        if len(equal) > 1:
            ties.append((equal[0].name, equal[1].name))
        first = equal[chance.pick(len(equal), lambda: None) if len(equal) > 1 else 0]
        yield first.process()
        if not first.draw():
            waiting.remove(first)


def _refusal_entry(nomination: Nomination) -> ProcessedHead:
    if nomination.crashes:  # Kueue writes nothing
        return ProcessedHead(nomination, HeadStatus.INADMISSIBLE, "", Law.SCHEDULER_CRASH)
    law = nomination.refused.law if nomination.refused is not None else None
    reasons = {Law.QUEUE_INACTIVE: "Suspended", Law.CHECKS_FAILED: "PendingEvaluation"}
    reason = reasons.get(Law(law), "Misconfigured") if law is not None else "Misconfigured"
    return ProcessedHead(nomination, HeadStatus.INADMISSIBLE, reason)


class _TreeHeads:
    """The heads of one tree; as far as quota goes, trees do not influence each other."""

    def __init__(
        self, state: State, nominations: list[Nomination], nodes: SharedNodes, breaks: TieBreak | None
    ) -> None:
        self.state = state
        plain = not may_overflow(state.ledger, nominations)
        self.progress = Progress(state.ledger, state.ledger, plain, nodes)
        self.order = FairOrder(state.ledger, nominations, breaks) if state.fair else ClassicalOrder(nominations, breaks)
        self.entries: list[ProcessedHead] = []
        self._drawn: Nomination | None = None
        self._order_free = False
        self._rivalry: Rivalry | None = None
        self._looked_after = 0
        self._proposals: dict[int, tuple[Nomination, Hashable]] = {}

    def all(self) -> Iterator[ProcessedHead]:
        """All heads of the tree in their order."""
        while self.draw():
            yield self.process()
        if not self.state.chance.fixed:  # that another tree met the same before says nothing of this one
            self.state.chance.note(self._done)

    def _done(self) -> Hashable:
        """What the cycle did with the heads so far."""
        return frozenset((self._proposal(e.nomination), e.status, e.reason) for e in self.entries)

    def draw(self) -> bool:
        """Takes the next head; whether there is one."""
        following = self.order.next(self.progress.ledger, self._chooser())
        self._drawn = None
        if following is not None:
            self._drawn, self.progress.ledger = following
        return following is not None

    @property
    def rank(self) -> tuple[bool | int, ...]:
        """How the head that was taken ranks among those of all trees."""
        assert self._drawn is not None
        return () if self.state.fair else classical_key(self._drawn)

    @property
    def name(self) -> str:
        """The name of the head that was taken."""
        assert self._drawn is not None
        return self._drawn.workload.name

    @property
    def queue(self) -> str:
        """The ClusterQueue of the head that was taken."""
        assert self._drawn is not None
        return self._drawn.cluster_queue

    def process(self) -> ProcessedHead:
        """The outcome of the head that was taken."""
        assert self._drawn is not None
        self.entries.append(_process(self.state, self.progress, self._drawn))
        return self.entries[-1]

    def _chooser(self) -> Choose:
        """The choice among heads that rank the same; the first where all orders lead to the same."""
        chance = self.state.chance
        if chance.fixed or self._is_order_free():
            return lambda _: 0
        made: list[int] = []

        def choose(alternatives: int) -> int:
            made.append(chance.pick(alternatives, lambda: self._situation(tuple(made))))
            return made[-1]

        return choose

    def _is_order_free(self) -> bool:
        """Whether the order of the heads that are left does not matter; once it does not, it does not to the end."""
        if self._order_free or not self.progress.plain:
            return self._order_free
        ledger = self.progress.without_leaving()
        if not self._rivals_on(ledger):
            self._rivalry = rivalry(ledger, self.order.left)
            self._order_free = self._rivalry is None
        self._looked_after = len(self.entries)
        return self._order_free

    def _rivals_on(self, ledger: Ledger) -> bool:
        """Whether the rivals that were found before the last head are certain to be rivals still."""
        if self._rivalry is None or len(self.entries) != self._looked_after + 1:
            return False
        last = self.entries[-1]
        return last.status is HeadStatus.ASSUMED and self._rivalry.is_certain(ledger, last.nomination)

    def _situation(self, made: tuple[int, ...]) -> Hashable | None:
        """What the rest of the cycle depends on, after choices ``made`` for the next head."""
        left = self.order.left
        if not self.progress.plain or any(n.placements for n in left):
            return None
        return self.state.forest.root(queue_of(left[0])), self._done(), tuple(map(self._proposal, left)), made

    def _proposal(self, nomination: Nomination) -> Hashable:
        """What a head asks for, made once: each step of the cycle looks at all heads."""
        key = id(nomination)  # of no other one, as this one is kept
        if key not in self._proposals:
            self._proposals[key] = nomination, proposal(nomination)
        return self._proposals[key][1]


def _process(state: State, progress: Progress, nomination: Nomination) -> ProcessedHead:
    nomination, fitting, left, deferred = checked(state, progress, nomination)
    assignment, search, queue = nomination.assignment, nomination.search, nomination.queue
    if assignment is None or search is None or queue is None:
        return _refusal_entry(nomination)
    # Before NoFit and Preempt: without a place for the pods of a lost node the workload gives up its quota.
    if nomination.second is not None and nomination.second.unhealthy and assignment.mode is not Mode.FIT:
        return ProcessedHead(nomination, HeadStatus.EVICTED, "")
    hopeless = assignment.mode is Mode.PREEMPT and not search.targets
    # Before the head returns to its queue: later heads of the cycle must not take what it waits for.
    if hopeless:
        _reserve(state, progress, nomination)
    if hopeless or assignment.mode is Mode.NO_FIT:
        return ProcessedHead(nomination, HeadStatus.REQUEUED, "WaitingForQuota" if hopeless else assignment.token or "")
    # After the reservation and before its victims: a closed gate keeps it from preempting, not from being found
    # hopeless.
    if nomination.gated:
        return ProcessedHead(nomination, HeadStatus.GATED, "AdmissionGated", Law.PREEMPTION_GATED)
    if deferred:
        _take(progress, queue, nomination)
        return ProcessedHead(nomination, HeadStatus.REQUEUED, _PREEMPTED, Law.DEFERRED_FIT)
    targets = nomination.leaving
    # A victim can leave for one head only, even if it would free enough for both.
    if any(t.holder.key in progress.leaving for t in targets):
        return ProcessedHead(nomination, HeadStatus.SKIPPED, "WaitingForQuota", Law.OVERLAP)
    if not fitting:
        return ProcessedHead(nomination, HeadStatus.SKIPPED, "WaitingForQuota", Law.NO_LONGER_FITS)
    progress.left = left
    progress.leaving.update({t.holder.key: t for t in targets})
    progress.nodes.leaving += targets
    _take(progress, queue, nomination)
    if assignment.mode is Mode.FIT:
        return ProcessedHead(nomination, HeadStatus.ASSUMED, "")
    return ProcessedHead(nomination, HeadStatus.REQUEUED, _PREEMPTED)


def _take(progress: Progress, queue: int, nomination: Nomination) -> None:
    progress.add(queue, quota_usage(nomination))
    progress.nodes.occupancy = progress.nodes.occupancy.changed(nomination.placements, TAKES)


def _reserve(state: State, progress: Progress, nomination: Nomination) -> None:
    """Keeps room for a head that needs preemption and found no targets, unless its queue may reclaim at any time.

    One that others leave for keeps it always, where such heads go first.
    """
    assignment, queue = nomination.assignment, nomination.queue
    assert assignment is not None
    assert queue is not None
    # A queue that may always reclaim its quota needs none kept.
    if state.forest.nodes[queue].queue.preemption.reclaim_within_cohort == "Any" and not nomination.goes_first:
        return
    # What holds its quota already is in the ledger.
    if nomination.second is None:
        progress.add(queue, _room(state, progress.ledger, queue, assignment))
    progress.nodes.occupancy = progress.nodes.occupancy.changed(nomination.placements, TAKES)


def _room(state: State, ledger: Ledger, queue: int, assignment: Assignment) -> dict[FlavorResource, int]:
    """The quota that the cycle reserves for a head that needs preemption and found no targets.

    In a queue with a borrowingLimit that uses more than its limit the amount may be negative: then the queue's own
    usage falls, and that of its parents does not.
    """
    room: dict[FlavorResource, int] = {}
    for pair, amount in assignment.usage.items():
        quota, used = state.forest.quota(queue, pair), ledger.usage(queue, pair)
        room[pair] = kept_room(quota, used, amount, borrowing=assignment.borrowing > 0)
    return room
