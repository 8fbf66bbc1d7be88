"""Kueue's decisions over time: cycles on a state that jobs enter and leave, each with the laws of ``cycle``.

Only what changed is decided again: a cycle runs for a tree whose usage, quota or heads have changed.
Why not one cycle for all: quota is shared within a tree alone, unless nodes, or waiting for pods, join trees.
Source: ``schedule`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go; "simulation"
in ``docs/laws.md``.
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.jobs.context import NAMESPACE_NAME
from kubectl_fairshare.model.chance import Chance
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.cycle import run_nominated
from kubectl_fairshare.schedulers.kueue.cycle.lines import (
    PastUsage,
    QueuedWorkload,
    WaitingLine,
    queued_workload,
)
from kubectl_fairshare.schedulers.kueue.cycle.motion.assumptions import Assumption, Sayings
from kubectl_fairshare.schedulers.kueue.cycle.motion.blocking import (
    PODS,
    DecidedHead,
    StoppedCycle,
    carried_out,
    doubts,
)
from kubectl_fairshare.schedulers.kueue.cycle.motion.carrying import CarriedOut
from kubectl_fairshare.schedulers.kueue.cycle.motion.draining import is_drained
from kubectl_fairshare.schedulers.kueue.cycle.motion.figures import FollowedFigures, total_held
from kubectl_fairshare.schedulers.kueue.cycle.motion.past import PastInMotion, carried_on
from kubectl_fairshare.schedulers.kueue.cycle.motion.policy_changes import changed_gaps
from kubectl_fairshare.schedulers.kueue.cycle.motion.readiness import NOT_READIED, Readied, Readiness
from kubectl_fairshare.schedulers.kueue.cycle.motion.roster import Roster, Running
from kubectl_fairshare.schedulers.kueue.cycle.motion.shapes import Shapes
from kubectl_fairshare.schedulers.kueue.cycle.motion.standing import StandingWork, take_over
from kubectl_fairshare.schedulers.kueue.cycle.motion.trees import TreeGroup, renewed
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate, refusal
from kubectl_fairshare.schedulers.kueue.cycle.queues import past_usage
from kubectl_fairshare.schedulers.kueue.flavors.search import NOTHING_TRIED
from kubectl_fairshare.schedulers.kueue.gaps import cycle_gaps, drawn_gaps, fidelity_of, first_kept_gaps, motion_gaps
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.presuming import namespace_key, with_presumed_references
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from kubectl_fairshare.schedulers.replay import (
    HeldNow,
    Moves,
    ReplayTerms,
    SampledQueue,
    Stopped,
    Submitted,
    UserStanding,
    joint_moves,
)

_SECOND: Final = 10**9


class KueueReplay:
    """Kueue on a state in motion. A unit is a Workload, named ``namespace/name``."""

    def __init__(self, snapshot: Snapshot, terms: ReplayTerms, say: Sayings) -> None:
        self.draw_by(terms.seed)
        self._stopping = terms.stopping
        self._roster = Roster(state_of(with_presumed_references(snapshot)))
        self._say = say
        self._shapes = Shapes(snapshot)
        self._assumed: set[Assumption] = set()
        self._kept_first = False
        self._moves, self._hopeless, self._cut_short = 0, -1, False
        self._changed_gaps: tuple[Gap, ...] = ()
        self._repeats = self._stops = False
        self._presumes = not snapshot.namespaces or not snapshot.complete
        self._past = PastInMotion(self.state, terms.start)
        self._figures = FollowedFigures()
        self._stopped_by_policy: list[Stopped] = []
        self._adopted: dict[str, Pending] = {}
        self._asking: dict[str, Pending] = {}
        self._readiness = Readiness(terms.ready)
        self._waiting: StoppedCycle | None = None
        self._unsure: set[str] = set()
        self._backoffs: dict[str, tuple[QueuedWorkload, int | None]] = {}

    def draw_by(self, seed: int) -> None:
        """UIDs, and the choices that Kueue leaves to chance, are drawn by this seed from now on."""
        chance = Chance(seed)
        self._uids, self._breaks, self.drawn = chance.branch(), chance.branch(), False

    @property
    def state(self) -> State:
        """The state now."""
        return self._roster.state

    # --- what comes and goes

    def submit(self, job: TracedJob, now: int) -> Submitted:  # noqa: ARG002 -- a job says when it was created
        """A job arrives; one whose queue does not take it stays out until that changes."""
        self._moved()
        self.drawn = True
        workload, shape = self._shapes.workload(job, f"{self._uids.bits():016x}")
        self._presume_namespace(workload.key.namespace)
        waits = self._roster.wait(queued_workload(workload, shape))
        refused = refusal(self.state, workload)
        queue = self.state.cluster_queue_of(workload) if waits else ""
        why = "" if refused is None else self._say.refusal(refused, workload)
        return Submitted((workload.name,), queue, why, created=False)

    def adopt(self, work: StandingWork, now: int, readied: Mapping[str, Readied] = NOT_READIED) -> None:
        """Takes over the work of a snapshot, on the quotas of this replay; ``readied`` is what statuses say of pods."""
        self._moved()
        self._adopted = {each.holder.name: each.waiting.workload for each in (*work.running, *work.leaving)}
        self._asking = {workload.name: workload for workload in work.pending()}
        for namespace in sorted({each.key.namespace for each in self._asking.values()}):
            self._presume_namespace(namespace)
        self._roster.state = self.state.after((), work.holders)
        for holder in work.holders:
            self._past.arrived(holder)
        take_over(self._roster, work, now + self._stopping)
        self._readiness.note_earlier(readied)
        for each in work.running:
            known = readied.get(each.holder.name, Readied())
            if known.unready and self.state.configuration.pods_ready is not None:
                self._assumed.add(Assumption.UNREADY)
            self._readiness.adopt(each.holder.name, each.since, known, self.state.configuration)
        self._asking |= {each.holder.name: each.waiting.workload for each in work.leaving}

    def _presume_namespace(self, name: str) -> None:
        """Takes a namespace that the input lacks as existing, unless the input says otherwise."""
        snapshot = self.state.snapshot
        if not self._presumes or name in snapshot.namespaces or namespace_key(name) in snapshot.absent:
            return
        self._assumed.add(Assumption.NAMESPACES)
        namespaces = {**snapshot.namespaces, name: {NAMESPACE_NAME: name}}
        self._roster.state = self.state.of_snapshot(replace(snapshot, namespaces=namespaces))

    def finish(self, unit: str, now: int) -> None:
        """A Workload has ended and releases its quota."""
        self._readiness.stop(unit)
        self._give_back(self._roster.running.pop(unit).holder, now)

    def _give_back(self, holder: Holder, now: int) -> None:
        """The quota of a workload is free again."""
        self._moved()
        self._past.left(holder)
        self._roster.state = self.state.after((holder,), ())
        tree = self._roster.tree_of(holder.cluster_queue)
        if tree is not None:
            group = self._roster.due_group(tree)
            group.change(self.state, (holder,))
            group.scans.note_change(group.cycles, given_back=True)
            self._release(tree, now)

    def _release(self, tree: int, now: int) -> None:
        """Quota was released: what was set aside is woken a moment later, together with the rest of the batch."""
        self._roster.alarms.set(tree, now + self.state.configuration.requeue_seconds * _SECOND, now)

    def _release_all(self, holders: Iterable[Holder], now: int) -> None:
        """The quota of workloads was released."""
        trees = {self._roster.tree_of(holder.cluster_queue) for holder in holders}
        for tree in sorted(tree for tree in trees if tree is not None):
            self._release(tree, now)

    def change(self, snapshot: Snapshot, now: int) -> None:
        """Takes quotas and queues from another snapshot. Workloads that are set aside are woken a moment later.

        Running ones keep what they hold, unless a stop policy evicts them. The outcome of those that lose a node, or
        their ClusterQueue, is not decided.
        """
        self._moved()
        self._unsure |= set() if self._waiting is None else {PODS}
        self._waiting = None
        before = self.state
        known = replace(snapshot, namespaces={**before.snapshot.namespaces, **snapshot.namespaces})
        state = state_of(with_presumed_references(known))
        drained = self._drain(state, now)
        leaving = [running.holder for _, _, running in self._roster.leaving]
        held = [*(running.holder for running in self._roster.running.values()), *leaving]
        state = state.after((), held)
        if before.past is not None and state.past is not None:
            state = state.with_past(carried_on(before.past, state.past))
        self._changed_gaps += (*self._gaps(), *changed_gaps(before, state, held))
        self._shapes = self._shapes.read_again(snapshot)
        self._roster.reopen(state)
        woken = set(renewed(before, state))
        if not self._stopping:
            for was in drained:
                self._roster.wait(was.waiting)
                woken.add(was.holder.cluster_queue)
        for tree in sorted({tree for name in woken if (tree := self._roster.tree_of(name)) is not None}):
            self._release(tree, now)

    def _drain(self, state: State, now: int) -> list[Running]:
        """Evicts the workloads that run where a queue is set to ``HoldAndDrain``; returns them."""
        running = self._roster.running
        names = [name for name, each in sorted(running.items()) if is_drained(state, each.waiting.workload)]
        drained = [running.pop(name) for name in names]
        for name in names:
            self._readiness.stop(name)
        for was in drained:
            if self._stopping:
                self._past.arrived(self._roster.keep(was, now + self._stopping))
            else:
                self._past.left(was.holder)
        self._stopped_by_policy += [Stopped(name, "", self._say.drained) for name in names]
        return drained

    # --- cycles

    def wakes(self) -> int | None:
        """When the next workloads that were set aside are eligible again, or past usage may change an order."""
        moments = (
            self._roster.alarms.next(),
            self._roster.leaving[0][0] if self._roster.leaving else None,
            self._roster.backing_off[0][0] if self._roster.backing_off else None,
            self._readiness.next(),
            self._readiness.next_ready() if self._waiting is not None else None,
            self._past.next_sample(self.state) if self._may_reorder() else None,
        )
        return min((moment for moment in moments if moment is not None), default=None)

    def _may_reorder(self) -> bool:
        """Whether past usage orders a StrictFIFO queue in which workloads wait: its head may change by itself.

        It matters as long as something runs, or one of them would get in if it were first.
        """
        past, roster = self.state.past, self._roster
        if past is None:
            return False
        lines = [line for line in roster.lines.values() if line.strict and line.count and line.name in past.scoped]
        if lines and not roster.running and not roster.leaving and self._hopeless != self._moves:
            waiting = (nominate(self.state, workload) for line in lines for workload in line.firsts())
            if not any(each.admits or each.stopped_early for each in waiting):
                self._hopeless = self._moves
        self._cut_short |= bool(lines) and self._past.is_cut_short
        return bool(lines) and self._hopeless != self._moves

    def _moved(self) -> None:
        """Something other than a sample happens."""
        self._moves += 1
        self._past.move()

    def run(self, now: int) -> Moves:
        """One cycle for each tree in which something has changed."""
        self.advance(now)
        if self._stopped_by_policy:
            done, self._stopped_by_policy = Moves((), self._stopped_by_policy, settled=False), []
            return done
        if self._waiting is not None:
            return self._resume(self._waiting, now)
        done = Moves()
        for number in sorted(self._roster.due):
            group = self._roster.groups[number]
            heads = self._heads(group)
            moves = None if heads is None else self._cycle(group, heads, now)
            if moves is None or moves.settled:
                self._roster.due.discard(number)
            if moves is not None:
                done = joint_moves(done, moves)
        return done._replace(settled=not self._roster.due)

    def advance(self, now: int) -> None:
        """Does what time alone does up to ``now``: pods end, workloads are requeued, past usage is sampled."""
        self._let_go(now)
        self._time_out(now)
        self._wake(now)
        self._sample(now)

    def eligible(self) -> Snapshot:
        """The snapshot of this moment: who holds quota, and who can be a head in the next cycle."""
        roster = self._roster
        holders = [each.holder for each in roster.running.values()] + [each.holder for _, _, each in roster.leaving]
        pending = [workload for line in roster.lines.values() for workload in line.eligible()]
        kueue = replace(
            self.state.kueue,
            holders=tuple(sorted(holders, key=lambda holder: holder.key)),
            pending=tuple(sorted(pending, key=lambda workload: workload.key)),
        )
        return self.state.snapshot.with_part(kueue)

    def _let_go(self, now: int) -> None:
        """Evicted workloads whose pods are gone by now queue again, and so do those whose backoff is over."""
        while self._roster.leaving and self._roster.leaving[0][0] <= now:
            _, _, gone = heappop(self._roster.leaving)
            self._give_back(gone.holder, now)
            self._queue_again(gone, now)
        while self._roster.backing_off and self._roster.backing_off[0][0] <= now:
            _, _, waiting = heappop(self._roster.backing_off)
            self._roster.wait(waiting)

    def _time_out(self, now: int) -> None:
        """Evicts the Workloads whose pods have not become ready in time."""
        for unit in self._readiness.timed_out(now):
            was = self._roster.running.pop(unit)
            self._backoffs[unit] = self._readiness.again(was.waiting, now, self.state.configuration)
            self._stopped_by_policy.append(Stopped(unit, "", self._say.timed_out))
            if self._stopping:
                self._roster.state = self.state.after((was.holder,), (self._roster.keep(was, now + self._stopping),))
                self._past.arrived(was.holder)
                self._moved()
            else:
                self._give_back(was.holder, now)
                self._queue_again(was, now)

    def _queue_again(self, gone: Running, now: int) -> None:
        """A Workload whose pods are gone waits, once its backoff is over; never, if it was deactivated."""
        waiting, at = self._backoffs.pop(gone.holder.name, (gone.waiting, now))
        if at is None:
            self._roster.wait(waiting._replace(workload=replace(waiting.workload, active=False)))
        elif at > now:
            heappush(self._roster.backing_off, (at, gone.holder.name, waiting))
        else:
            self._roster.wait(waiting)

    def _wake(self, now: int) -> None:
        for number in self._roster.alarms.due(now):
            group = self._roster.due_group(number)
            if self._roster.trees[number].wake():
                group.last = None

    def _sample(self, now: int) -> None:
        past = self._past.sampled(self.state, now)
        if past is not None and past is not self.state.past:
            self._assumed.add(Assumption.SAMPLES)
            self._past.unmoved += 1
            reordered = {self._roster.tree_of(name) for name in self._past.reordered(self.state, past)}
            self._roster.state = self.state.with_past(past)
            for tree in sorted(tree for tree in reordered if tree is not None):
                self._roster.due_group(tree).change(self.state, ())

    def _usage(self, line: WaitingLine) -> PastUsage | None:
        """What orders the LocalQueues of a line; None where past usage does not."""
        state, name = self.state, line.name
        if state.past is None or name not in state.past.scoped:
            return None
        return lambda workload: past_usage(state, name, workload)

    def _heads(self, group: TreeGroup) -> list[tuple[WaitingLine, QueuedWorkload]] | None:
        """The heads of the next cycle; None if it would be the same as the last, which changed nothing."""
        waited_in = (line for line in group.lines if line.count)
        heads = [(line, head) for line in waited_in if (head := line.head(self._usage(line))) is not None]
        this = group.version, tuple(head.workload.uid for _, head in heads)
        if not heads or (this == group.last and not group.scans.going_on):
            return None
        group.last = this
        return heads

    def _cycle(self, group: TreeGroup, heads: Sequence[tuple[WaitingLine, QueuedWorkload]], now: int) -> Moves:
        """Runs one cycle and carries it out. It is settled if the next one must wait for another moment."""
        group.cycles += 1
        group.scans.going_on = False
        nominations, fresh = self._nominations(group, heads)
        run = run_nominated(self.state, nominations)
        self._stops |= any(each.crashes for each in nominations)
        if run.ties:
            seed, self.drawn = self._breaks.bits(), True
            run = run_nominated(self.state, nominations, lambda node: Chance(seed + node).bits())
        by_queue = {line.name: (line, head) for line, head in heads}
        decided = [DecidedHead(entry, *by_queue[entry.nomination.cluster_queue]) for entry in run.entries]
        done = self._process(group, decided, now)
        return done._replace(cycles=1, decisions=fresh, ties=len(run.ties) + done.ties)

    def _resume(self, waiting: StoppedCycle, now: int) -> Moves:
        """Goes on with a cycle that waits for pods, once they are ready."""
        if self._readiness.is_awaited(now):
            return Moves()
        left = waiting.still_there(self._roster)
        self._unsure |= {PODS} if len(left) < len(waiting.left) else set()
        return self._process(waiting.group, left, now)

    def _process(self, group: TreeGroup, decided: Sequence[DecidedHead], now: int) -> Moves:
        """Carries out what a cycle decided, up to a head that waits for pods. It is settled if the next must wait."""
        carrying, configuration = (
            CarriedOut(self._roster, group, self._say, now, self._stopping),
            self.state.configuration,
        )
        is_leaving = bool(self._roster.leaving)
        left = carried_out(carrying, decided, self._readiness, configuration, now)
        self._waiting = StoppedCycle(group, left) if left else None
        self._unsure |= doubts(self._roster, decided, left, configuration, is_leaving=is_leaving)
        if carrying.left or carrying.arrived:
            self._carry_out(carrying, group, now)
        self._asking |= {each.unit: self._adopted[each.unit] for each in carrying.stopped if each.unit in self._adopted}
        self._kept_first |= carrying.kept_first
        self._repeats |= group.scans.repeats
        return Moves(carrying.started, carrying.stopped, ties=carrying.ties, settled=carrying.endless)

    def _nominations(
        self, group: TreeGroup, heads: Sequence[tuple[WaitingLine, QueuedWorkload]]
    ) -> tuple[list[Nomination], int]:
        """The nominations of the heads, and how many of them were not known for this usage."""
        found, fresh = [], 0
        marks = self.state.configuration.preemptors_first
        for line, head in heads:
            workload = line.as_head(head) if marks else head.workload
            tried = group.scans.tried_before(workload, group.cycles)
            known = group.known.get(workload.uid) if tried is NOTHING_TRIED else None
            if known is None or known.workload.preempting is not workload.preempting:
                fresh += 1
                again = tried is not NOTHING_TRIED
                known = nominate(self.state, workload, tried) if again else group.nominated(workload, self.state)
            found.append(known)
            self._note_ties(known)
        return found, fresh

    def _note_ties(self, nomination: Nomination) -> None:
        if nomination.search is not None and nomination.search.tied:
            self._assumed.add(Assumption.COHORT_TIE)

    def _carry_out(self, carrying: CarriedOut, group: TreeGroup, now: int) -> None:
        """The state after the cycle."""
        self._moved()
        self._roster.state = self.state.after(carrying.left, carrying.arrived)
        for holder in carrying.left:
            self._past.left(holder)
        for holder in carrying.arrived:
            self._past.arrived(holder)
        for name, workload in carrying.admitted:
            past = self._past.settled(self.state, name, workload, now)
            if past is not None and past is not self.state.past:
                self._roster.state = self.state.with_past(past)
        group.change(self.state, (*carrying.left, *carrying.arrived))
        gave_back = bool(carrying.left) and not self._stopping
        group.scans.note_change(group.cycles, given_back=gave_back)
        if gave_back:
            self._release_all(carrying.left, now)
        if carrying.endless:
            self._assumed.add(Assumption.ENDLESS)

    # --- what is asked in between

    @property
    def fidelity(self) -> Fidelity:
        """What is not modelled of the input or of the jobs that came, before and after all changes."""
        endless = (Gap("EndlessSamples", (), touches=True),) if self._cut_short or self._past.is_rough else ()
        gaps = dict.fromkeys((*self._changed_gaps, *self._gaps(), *endless))
        return fidelity_of(self.state.configuration, tuple(gaps))

    def _gaps(self) -> tuple[Gap, ...]:
        """The same of the state now alone."""
        kueue = replace(self.state.kueue, pending=(*self._shapes.examples, *self._asking.values()))
        asked = self.state.of_snapshot(self.state.snapshot.with_part(kueue))
        placed = any(flavor.topology is not None for flavor in kueue.flavors.values())
        gaps = (*cycle_gaps(asked, placed=placed), *drawn_gaps(kueue.pending))
        kept = first_kept_gaps(self.state.configuration) if self._kept_first else ()
        endless = Assumption.ENDLESS in self._assumed
        unsure = dict.fromkeys(sorted(self._unsure), True)
        met = {**unsure, "ManagerStops": self._stops, "RepeatedScan": self._repeats, "MutualEvictions": endless}
        return (*gaps, *kept, *motion_gaps(self.state, (feature for feature, yes in met.items() if yes)))

    @property
    def notes(self) -> tuple[str, ...]:
        """What is assumed."""
        queues = self.state.kueue.cluster_queues.values()
        late = self.state.configuration.requeue_seconds > 1
        requeued = Assumption.REQUEUED_LATE if late else Assumption.REQUEUED
        assumed = {Assumption.PODS, Assumption.CYCLES, requeued, *self._assumed}
        assumed |= {Assumption.CHECKS} if any(queue.checks for queue in queues) else set()
        return tuple(self._say.assumption(each) for each in Assumption if each in assumed)

    def waiting_workload(self, unit: str) -> Pending | None:
        """A Workload that waits in a queue, by its unit."""
        every = (each.workload for line in self._roster.lines.values() for each in line.all())
        return next((workload for workload in every if workload.name == unit), None)

    def head_before(self, workload: Pending) -> str:
        """The head of a StrictFIFO queue that a Workload waits behind; empty without one."""
        line = self._roster.lines.get(self.state.cluster_queue_of(workload))
        head = line.head(self._usage(line)) if line is not None and line.strict and line.count else None
        return "" if head is None or head.workload.key == workload.key else head.workload.name

    def holding(self, unit: str) -> HeldNow:
        """What a Workload holds of its ClusterQueue."""
        holder = self._roster.running[unit].holder
        return HeldNow(holder.cluster_queue, {(f, r): amount for (f, r), amount in holder.usage.items()})

    def figures(self, now: int) -> Mapping[str, SampledQueue]:  # noqa: ARG002 -- shares do not depend on time
        """What the ClusterQueues hold that may have changed, what they are entitled to, and their weighted share."""
        return self._figures.changes(self._roster)

    def users(self, now: int) -> Mapping[str, UserStanding]:
        """The LocalQueues of ClusterQueues that order by past usage, with that usage."""
        self._sample(now)
        state, past = self.state, self.state.past
        if past is None:
            return {}
        held = self._past.held()
        queues = ((name, each.cluster_queue or "") for name, each in sorted(state.kueue.local_queues.items()))
        return {
            "/".join(name): UserStanding(total_held(held.get(name, ())), past.usage(queue, name))
            for name, queue in queues
            if queue in past.scoped
        }
