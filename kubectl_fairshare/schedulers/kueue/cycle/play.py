"""Runs cycle after cycle and applies each: the state that follows if no more workloads are submitted.

An admitted workload holds quota at once. An evicted workload leaves at once and queues again with its old age; or, if
asked so, it holds its quota until no cycle changes anything any more.
A workload that gets nothing is set aside, with all that look the same to the scheduler, except the head of a
StrictFIFO queue, which blocks its queue. In other
queues, a workload whose victims were evicted is the head, whatever its priority, until it is admitted or another
workload preempts. After quota was released, the workloads of the tree that were set aside are eligible again one
second later, so only after all others were considered. A scan of flavors that stopped early without a result, or that
was skipped, continues at the same place in the next cycle.
A head of which the manager dies stops the play, unless something changed since the manager last started: then all that
waits is tried from the start.
Why a workload is not simply tried until it gets in: two heads of one tree each fit alone. The first cycle admits one,
sets the other aside, and only a release of quota wakes it again.
Source: ``schedule``, ``requeueAndUpdate`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go;
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/queue/cluster_queue.go; "play" in ``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import TypeAlias

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import covered_resources
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus, ProcessedHead, run_nominated
from kubectl_fairshare.schedulers.kueue.cycle.equivalence import Equivalence
from kubectl_fairshare.schedulers.kueue.cycle.lines import PastUsage, QueuedWorkload, WaitingLine, queued_workload
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.cycle.nominations import Nominations, only_leaving, while_leaving
from kubectl_fairshare.schedulers.kueue.cycle.queues import STRICT, keeps_queue, past_usage
from kubectl_fairshare.schedulers.kueue.cycle.scans import Scans
from kubectl_fairshare.schedulers.kueue.flavors.search import NOTHING_TRIED
from kubectl_fairshare.schedulers.kueue.laws import queue_order
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Step

Watch: TypeAlias = Callable[["Play", State, CycleRun], None]
"""Is shown a play after each of its cycles, with the state before it. It keeps no play: that would keep its watch."""


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
        placements=entry.nomination.lasting,
    )


class Play:
    """One course of events. ``state`` is the state so far; ``evictions`` are all evictions, in order.

    ``stops`` is why the manager dies in the last cycle, None if it lives.

    ``waiting`` are the workloads that are eligible at the beginning, ``aside`` those that were set aside before,
    both by ClusterQueue. ``queue_again`` returns the pending form of a workload that held quota at the beginning,
    None if it does not queue again. ``moment`` is when quota is reserved: the clock does not move, or by ``ticking``
    after each cycle. ``watch`` is shown each cycle with the state before it. ``lingering``: what is evicted leaves once
    nothing else happens. ``nominations`` may be given, of the first state.
    """

    def __init__(
        self,
        state: State,
        waiting: Mapping[str, Iterable[Pending]],
        moment: int,
        queue_again: Callable[[Holder], Pending | None],
        aside: Mapping[str, Iterable[Pending]] | None = None,
        watch: Watch | None = None,
        *,
        lingering: bool = False,
    ) -> None:
        self.ticking = 0
        self.state = state
        self.evictions: list[Evicted] = []
        self.cycles = 0
        self.entries: tuple[ProcessedHead, ...] = ()
        self.stops: Step | None = None
        self._started_on: State | None = None
        self._lines: dict[str, WaitingLine] = {}
        self._equivalence = Equivalence(state)
        self._arrivals = count()
        self._given_back: set[int] = set()
        self._admitted: dict[ObjectKey, ProcessedHead] = {}
        self._known: dict[ObjectKey, Nomination] = {}
        self.nominations: Nominations | None = None
        self._scans = Scans(keeps=state.configuration.release.keeps_scan)
        self._moment = moment
        self._queue_again = queue_again
        self._watch = watch
        self._lingering = lingering
        self._leaving: dict[ObjectKey, Holder] = {}
        self._refused = False
        self._preemptors: dict[str, list[QueuedWorkload]] = {}
        for name in sorted({*waiting, *(aside or {})}):
            line = self._line(name)
            if line is not None:
                self._open(line, waiting.get(name, ()), (aside or {}).get(name, ()))

    def _open(self, line: WaitingLine, waiting: Iterable[Pending], aside: Iterable[Pending]) -> None:
        eligible = [self._queued(workload) for workload in sorted(waiting, key=queue_order)]
        others = [self._queued(workload) for workload in aside]
        line.start(eligible, others)
        for each in eligible:
            if each.workload.preempting:
                line.put_first(each)
        self._preemptors[line.name] = [each for each in others if each.workload.preempting]

    def _line(self, name: str) -> WaitingLine | None:
        """The queue of a ClusterQueue; None if it keeps none."""
        if name not in self._lines:
            if name not in self.state.kueue.cluster_queues or not keeps_queue(self.state, name):
                return None
            strict = self.state.kueue.cluster_queues[name].queueing_strategy == STRICT
            self._lines[name] = WaitingLine(name, strict=strict)
        return self._lines[name]

    def _queued(self, workload: Pending) -> QueuedWorkload:
        return queued_workload(workload, self._equivalence.number(workload), next(self._arrivals))

    def rest(self, most: int) -> bool:
        """Runs at most ``most`` cycles, until one more changes nothing; returns whether it came to that.

        Nothing that is set aside is tried again, and nothing that lingers leaves.
        """
        return any(not self.goes_on() for _ in range(most))

    def settle(self, most: int) -> bool:
        """Runs at most ``most`` cycles, until nothing changes; returns whether the state became stable."""
        return any(not self.goes_on() and not self._give_back() for _ in range(most))

    def goes_on(self) -> bool:
        """Runs a cycle; returns whether the next one may be another."""
        self._refused = False
        return self.cycle() or self._scans.going_on or self._refused

    def _give_back(self) -> bool:
        """Lets go what lingers, and wakes the trees in which quota was released; returns whether there is one."""
        self._let_go([*self._leaving.values()])
        return self.wake_released()

    def let_go_one(self) -> Holder | None:
        """Lets go the one that lingers longest, and returns it; None if none lingers."""
        first = next(iter(self._leaving.values()), None)
        if first is not None:
            self._let_go([first])
        return first

    def _let_go(self, leaving: Sequence[Holder]) -> None:
        for holder in leaving:
            del self._leaving[holder.key]
        if leaving:
            self._change(leaving, ())
            self._scans.note_change(self.cycles, given_back=True)
        for holder in leaving:
            self._queue(holder)
            self._given_back.add(self.state.forest.root(self.state.forest.queue_ids[holder.cluster_queue]))

    def wake_released(self) -> bool:
        """Wakes the trees in which quota was released; returns whether there is one."""
        woken = bool(self._given_back)
        for root in sorted(self._given_back):
            self._wake_tree(root)
        self._given_back.clear()
        return woken

    def picture(self) -> Hashable | None:
        """What decides the next cycles: equal pictures have the same future. None where more decides than is compared.

        Moments count by their order alone; those of reservations are all later than any age.
        """
        if self.state.past is not None or self._scans.under_way:
            return None
        index = self.state.holders
        holders = [holder for queue in index.queues for holder in index.in_no_order(queue)]
        # By rank and not by time: two plays that reach the same order of reservations have the same future.
        moments = sorted({holder.reserved for holder in holders})
        held = sorted(
            (h.key, h.evicted, tuple(sorted(h.usage.items())), moments.index(h.reserved), str(h.placements))
            for h in holders
        )
        lines = tuple(line.picture() for _, line in sorted(self._lines.items()))
        woken = frozenset(self._given_back), tuple(sorted(self._preemptors))
        return tuple(held), lines, tuple(self._leaving), woken

    @property
    def repeats(self) -> bool:
        """Whether a scan of flavors went round and round (see ``Scans``)."""
        return self._scans.repeats

    def heads(self) -> dict[str, str]:
        """The head of each ClusterQueue in the next cycle, by name."""
        return {name: head.name for name, head in self.waiting_heads().items()}

    def waiting_heads(self) -> dict[str, Pending]:
        """The workload at the head of each ClusterQueue in the next cycle."""
        return {line.name: head.workload for line, head in self._heads()}

    def candidates(self) -> Iterator[tuple[str, list[Pending]]]:
        """By ClusterQueue, its head and those that could be the head if past usage were another."""
        yield from ((line.name, [head.workload, *line.firsts()]) for line, head in self._heads())

    def entry_of(self, key: ObjectKey) -> ProcessedHead | None:
        """The entry of a workload that was admitted in this play and still holds its quota."""
        return self._admitted.get(key)

    def left(self) -> tuple[dict[str, tuple[Pending, ...]], dict[str, tuple[Pending, ...]]]:
        """The workloads that still wait, and those that are set aside, by ClusterQueue."""
        apart = {name: line.set_apart() for name, line in sorted(self._lines.items())}
        waiting, aside = ({name: each[part] for name, each in apart.items() if each[part]} for part in (0, 1))
        return waiting, aside

    def wake_all(self) -> None:
        """Makes every workload that was set aside eligible again."""
        for line in self._lines.values():
            self._wake(line)

    def _wake_tree(self, root: int) -> None:
        for queue in self.state.forest.queues_below(root):
            line = self._lines.get(self.state.forest.nodes[queue].name)
            if line is not None:
                self._wake(line)

    def _wake(self, line: WaitingLine) -> None:
        line.wake()
        for each in self._preemptors.pop(line.name, ()):
            line.put_first(each)

    def _heads(self) -> list[tuple[WaitingLine, QueuedWorkload]]:
        lines = (line for _, line in sorted(self._lines.items()))
        return [(line, head) for line in lines if (head := line.head(self._usage(line))) is not None]

    def _usage(self, line: WaitingLine) -> PastUsage | None:
        """What orders the LocalQueues of a line; None where past usage does not."""
        state, name = self.state, line.name
        if state.past is None or name not in state.past.scoped:
            return None
        return lambda workload: past_usage(state, name, workload)

    def cycle(self) -> bool:
        """Runs one cycle and applies it; returns whether a workload was admitted or evicted."""
        self.cycles += 1
        self._scans.going_on = False
        heads = {line.name: (line, head) for line, head in self._heads()}
        run = run_nominated(self.state, [self._nomination(*each) for each in heads.values()])
        if self._watch is not None:
            self._watch(self, self.state, run)
        self.stops = next((e.nomination.refused for e in run.entries if e.nomination.crashes), None)
        if self.stops is not None:
            self.entries = run.entries
            return self._restart()
        left: list[Holder] = []
        arrived: list[Holder] = []
        evictions = len(self.evictions)
        for entry in run.entries:
            self._apply(entry, *heads[entry.nomination.cluster_queue], left, arrived)
        self.entries = run.entries
        if left or arrived:
            self._change(left, arrived)
        self._charge([entry.nomination for entry in run.entries if entry.status is HeadStatus.ASSUMED])
        self._moment += self.ticking
        if left or arrived:
            self._scans.note_change(self.cycles, given_back=bool(left) and not self._lingering)
        return bool(left or arrived) or len(self.evictions) > evictions

    def _restart(self) -> bool:
        """The manager starts again with nothing set aside and no scan to go on with; whether that can help."""
        again, self._started_on = self._started_on is not self.state, self.state
        if again:
            self._scans = Scans(keeps=self.state.configuration.release.keeps_scan)
            self.wake_all()
        return again

    def _nomination(self, line: WaitingLine, head: QueuedWorkload) -> Nomination:
        """The nomination of a head, made once for a state unless its scan goes on."""
        workload = line.as_head(head) if self.state.configuration.preemptors_first else head.workload
        tried = self._scans.tried_before(workload, self.cycles)
        if tried is not NOTHING_TRIED:
            return nominate(self.state, workload, tried)
        known = self._known.get(workload.key)
        if known is None or known.workload.preempting is not workload.preempting:
            known = self._known[workload.key] = self._first_of(workload) or nominate(self.state, workload)
        return known

    def _first_of(self, workload: Pending) -> Nomination | None:
        """The nomination on the state at the beginning, if it is known and the state is still that one."""
        return None if self.nominations is None else self.nominations.untied(workload)

    def _change(self, left: Sequence[Holder], arrived: Sequence[Holder]) -> None:
        before, self.state, self.nominations = self.state, self.state.after(left, arrived), None
        leaving = {holder.key: holder for holder in arrived if self._leaving.get(holder.key) is holder}
        same = self._kept(before, leaving) if len(leaving) == len(left) == len(arrived) else None
        if same is None:
            # Each nomination read the ledger that has just changed.
            self._known.clear()
            return
        self.state = same
        kept = ((key, while_leaving(same, known, leaving)) for key, known in self._known.items())
        self._known = {key: nomination for key, nomination in kept if nomination is not None}

    def _kept(self, before: State, leaving: Mapping[ObjectKey, Holder]) -> State | None:
        """The state in which nominations may be kept that were made before these began to leave; None if none may."""
        return only_leaving(before, self.state, leaving)

    def _apply(
        self,
        entry: ProcessedHead,
        line: WaitingLine,
        head: QueuedWorkload,
        left: list[Holder],
        arrived: list[Holder],
    ) -> None:
        """Does what the cycle decided for one head."""
        if entry.status is HeadStatus.ASSUMED:
            line.take(head)
            self._admitted[head.workload.key] = entry
            arrived.append(holder_of(head.workload, entry, self._moment))
            left += [] if entry.nomination.replaced is None else [entry.nomination.replaced.holder]
        elif entry.deferred:
            line.put_first(head)
        elif entry.preempts:
            line.put_first(head)
            self._evict(entry, left, arrived)
        # It keeps its place: only its turn was lost.
        elif entry.status is HeadStatus.SKIPPED:
            self._scans.skip(entry.nomination, self.cycles)
        elif not (entry.nomination.goes_on and self._scans.go_on(entry.nomination, self.cycles)):
            self._refused |= line.reject(head, entry)

    def _charge(self, admitted: Iterable[Nomination]) -> None:
        """Charges LocalQueues for what was admitted, where their ClusterQueues order by past usage."""
        past = self.state.past
        if past is None:
            return
        for nomination in admitted:
            covered = covered_resources(self.state.kueue, nomination.cluster_queue)
            past = past.with_admission(nomination.cluster_queue, nomination.workload, covered)
        if past is not self.state.past:
            self.state, self.nominations = self.state.with_past(past), None
            self._known.clear()

    def _evict(self, entry: ProcessedHead, left: list[Holder], arrived: list[Holder]) -> None:
        for target in (each for each in entry.targets if each.holder.key not in self._leaving):
            self.evictions.append(Evicted(target, entry.nomination.workload))
            holder = target.holder
            if self._lingering:
                self._leaving[holder.key] = going = replace(holder, evicted=True)
                left += [] if holder.evicted else [holder]
                arrived += [] if holder.evicted else [going]
                continue
            left.append(holder)
            self._queue(holder)
            self._given_back.add(self.state.forest.root(target.queue))

    def _queue(self, holder: Holder) -> None:
        """Lets a workload that has just left queue again."""
        known = self._admitted.pop(holder.key, None)
        workload = self._queue_again(holder) if known is None else known.nomination.workload
        line = None if workload is None else self._line(self.state.cluster_queue_of(workload))
        if workload is not None and line is not None:
            line.add(self._queued(workload))
