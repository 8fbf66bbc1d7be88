"""Runs cycle after cycle and applies each: the state that follows if no more workloads are submitted.

An admitted workload holds quota at once. An evicted workload leaves at once and queues again with its old age.
A workload that gets nothing is set aside, except the head of a StrictFIFO queue, which blocks its queue. In other
queues, a workload whose victims were evicted is the head, whatever its priority, until it is admitted or another
workload preempts. After quota was released, the workloads of the tree that were set aside are eligible again one
second later, so only after all others were considered. A scan of flavors that stopped early without a result, or that
was skipped, continues at the same place in the next cycle.
Source: Kueue v0.19; "play" in ``docs/laws.md``.
"""

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import covered_resources
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus, ProcessedHead, run_nominated
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.cycle.queues import STRICT, keeps_queue, past_usage
from kubectl_fairshare.schedulers.kueue.cycle.scans import Scans
from kubectl_fairshare.schedulers.kueue.laws import queue_order
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.tree.state import State


class Evicted(Value, frozen=True):
    """A victim and its preemptor."""

    target: Target
    by: Pending


def holder_of(workload: Pending, entry: ProcessedHead, moment: int) -> Holder:
    """The workload of an admitted entry as it holds its quota from ``moment`` on (nanoseconds since the epoch)."""
    assignment, replaced = entry.nomination.assignment, entry.nomination.replaced
    usage = Counter({} if assignment is None else assignment.usage)
    usage.update({} if replaced is None else replaced.holder.usage)  # it paid only the difference
    return Holder(
        key=workload.key,
        uid=workload.uid,
        cluster_queue=entry.nomination.cluster_queue,
        local_queue=workload.local_queue,
        priority=workload.priority,
        created=workload.created,
        queued=workload.queued,
        reserved=moment,
        evicted=False,
        usage=dict(usage),
        placements=entry.nomination.placements,
    )


class Play:
    """One course of events. ``state`` is the state so far; ``evictions`` are all evictions, in order.

    ``waiting`` are the workloads that are eligible at the beginning, ``aside`` those that were set aside before,
    both by ClusterQueue. ``queue_again`` returns the pending form of a workload that held quota at the beginning,
    None if it does not queue again. ``moment`` is when quota is reserved: the clock does not move. ``watch`` is shown
    each cycle with the state before it.
    """

    def __init__(
        self,
        state: State,
        waiting: Mapping[str, Iterable[Pending]],
        moment: int,
        queue_again: Callable[[Holder], Pending | None],
        aside: Mapping[str, Iterable[Pending]] | None = None,
        watch: Callable[[State, CycleRun], None] | None = None,
    ) -> None:
        self.state = state
        self.evictions: list[Evicted] = []
        self.cycles = 0
        self.entries: tuple[ProcessedHead, ...] = ()
        names = (name for name in state.kueue.cluster_queues if keeps_queue(state, name))
        self._waiting = {name: sorted(waiting.get(name, ()), key=queue_order) for name in names}
        self._aside = {name: list(w) for name, w in (aside or {}).items() if name in self._waiting}
        everyone = [(name, w) for known in (self._waiting, self._aside) for name, queue in known.items() for w in queue]
        self._first = {name: w for name, w in everyone if w.preempting and not self._is_strict(name)}
        self._given_back: set[int] = set()
        self._admitted: dict[ObjectKey, ProcessedHead] = {}
        self._scans = Scans()
        self._moment = moment
        self._queue_again = queue_again
        self._watch = watch

    def settle(self, most: int) -> bool:
        """Runs at most ``most`` cycles, until nothing changes; returns whether the state became stable."""
        for _ in range(most):
            waiting = sum(map(len, self._waiting.values()))
            if self.cycle() or self._scans.going_on or waiting != sum(map(len, self._waiting.values())):
                continue
            if not self._given_back:
                return True
            for root in sorted(self._given_back):
                self._wake_tree(root)
            self._given_back.clear()
        return False

    @property
    def repeats(self) -> bool:
        """Whether a scan of flavors went round and round (see ``Scans``)."""
        return self._scans.repeats

    def heads(self) -> dict[str, str]:
        """The head of each ClusterQueue in the next cycle, by name."""
        return {name: self._head(name, queue).name for name, queue in sorted(self._waiting.items()) if queue}

    def entry_of(self, key: ObjectKey) -> ProcessedHead | None:
        """The entry of a workload that was admitted in this play and still holds its quota."""
        return self._admitted.get(key)

    def left(self) -> tuple[dict[str, tuple[Pending, ...]], dict[str, tuple[Pending, ...]]]:
        """The workloads that still wait, and those that are set aside, by ClusterQueue."""
        waiting = {name: tuple(queue) for name, queue in self._waiting.items() if queue}
        return waiting, {name: tuple(queue) for name, queue in self._aside.items() if queue}

    def wake_all(self) -> None:
        """Makes every workload that was set aside eligible again."""
        for name in list(self._aside):
            self._wake(name)

    def _wake(self, name: str) -> None:
        for workload in self._aside.pop(name, ()):
            insort(self._waiting[name], workload, key=queue_order)

    def _heads(self) -> list[Pending]:
        return [self._head(name, queue) for name, queue in sorted(self._waiting.items()) if queue]

    def _head(self, name: str, queue: list[Pending]) -> Pending:
        first = self._first.get(name)
        if self.state.past is not None and name in self.state.past.scoped:
            return min(queue, key=lambda w: (past_usage(self.state, name, w), w is not first, queue_order(w)))
        return first if first is not None and first in queue else queue[0]

    def cycle(self) -> bool:
        """Runs one cycle and applies it; returns whether a workload was admitted or evicted."""
        self.cycles += 1
        self._scans.going_on = False
        round_ = run_nominated(
            self.state, [nominate(self.state, w, self._scans.tried_before(w, self.cycles)) for w in self._heads()]
        )
        if self._watch is not None:
            self._watch(self.state, round_)
        left: list[Holder] = []
        arrived: list[Holder] = []
        for entry in round_.entries:
            if entry.status is HeadStatus.ASSUMED:
                arrived.append(self._admit(entry))
                left += [] if entry.nomination.replaced is None else [entry.nomination.replaced.holder]
            elif entry.deferred:
                self._put_first(entry)
            elif entry.preempts:
                left += self._evict(entry)
            elif entry.status is HeadStatus.SKIPPED:
                self._scans.go_on(entry.nomination, self.cycles)
            elif not (entry.nomination.goes_on and self._scans.go_on(entry.nomination, self.cycles)):
                self._set_aside(entry)
        self.entries = round_.entries
        self.state = self.state.after(left, arrived)
        self._charge([entry.nomination for entry in round_.entries if entry.status is HeadStatus.ASSUMED])
        if left or arrived:
            self._scans.note_change(self.cycles, given_back=bool(left))
        return bool(left or arrived)

    def _charge(self, admitted: Iterable[Nomination]) -> None:
        """Charges LocalQueues for what was admitted, where their ClusterQueues order by past usage."""
        past = self.state.past
        if past is None:
            return
        for nomination in admitted:
            covered = covered_resources(self.state.kueue, nomination.cluster_queue)
            past = past.with_admission(nomination.cluster_queue, nomination.workload, covered)
        if past is not self.state.past:
            self.state = self.state.with_past(past)

    def _admit(self, entry: ProcessedHead) -> Holder:
        workload, name = entry.nomination.workload, entry.nomination.cluster_queue
        self._waiting[name].remove(workload)
        if self._first.get(name) is workload:
            del self._first[name]
        self._admitted[workload.key] = entry
        return holder_of(workload, entry, self._moment)

    def _put_first(self, entry: ProcessedHead) -> None:
        """Makes a workload for which others leave the head of its queue, unless that is StrictFIFO."""
        if not self._is_strict(entry.nomination.cluster_queue):
            self._first[entry.nomination.cluster_queue] = entry.nomination.workload

    def _evict(self, entry: ProcessedHead) -> list[Holder]:
        workload = entry.nomination.workload
        self._put_first(entry)
        for target in entry.targets:
            self.evictions.append(Evicted(target, workload))
            self._queue(target.holder)
            self._given_back.add(self.state.forest.root(target.queue))
        return [t.holder for t in entry.targets]

    def _queue(self, holder: Holder) -> None:
        """Lets a workload that has just left queue again."""
        known = self._admitted.pop(holder.key, None)
        workload = self._queue_again(holder) if known is None else known.nomination.workload
        if workload is not None and holder.cluster_queue in self._waiting:
            insort(self._waiting[holder.cluster_queue], workload, key=queue_order)

    def _wake_tree(self, root: int) -> None:
        for queue in self.state.forest.queues_below(root):
            self._wake(self.state.forest.nodes[queue].name)

    def _set_aside(self, entry: ProcessedHead) -> None:
        workload, name = entry.nomination.workload, entry.nomination.cluster_queue
        if self._is_strict(name) and not entry.is_of_foreign_namespace:
            return
        self._waiting[name].remove(workload)
        self._aside.setdefault(name, []).append(workload)

    def _is_strict(self, name: str) -> bool:
        return self.state.kueue.cluster_queues[name].queueing_strategy == STRICT
