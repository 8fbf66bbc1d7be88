"""Why one workload waits, runs or is left alone: what the state decides, and what the cluster recorded.

Source: Kueue v0.19; "standing" in ``docs/laws.md``.
Tested in ``tests/unit/cli/test_why_reasons.py``.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.events import Note, events_of, notes_about
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.alone import scan
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.cycle.nominations import Nominations
from kubectl_fairshare.schedulers.kueue.cycle.queues import STRICT, waiting
from kubectl_fairshare.schedulers.kueue.explain.binding import bindings
from kubectl_fairshare.schedulers.kueue.explain.creating import unmade_gaps
from kubectl_fairshare.schedulers.kueue.explain.decision import QUOTA_REMEDIES, Binding, Plan, with_gaps
from kubectl_fairshare.schedulers.kueue.explain.past_usage import head_doubts
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.gaps import fidelity_of, release_gaps
from kubectl_fairshare.schedulers.kueue.jobs.features import PREBUILT
from kubectl_fairshare.schedulers.kueue.jobs.laws import is_left_alone
from kubectl_fairshare.schedulers.kueue.jobs.names import PREBUILT_KEY, naming_field
from kubectl_fairshare.schedulers.kueue.jobs.record import Record, is_workload, record_of
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending, SecondPass
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.tree.unknown import unknown_for_holder
from kubectl_fairshare.schedulers.kueue.why.courses import Courses
from kubectl_fairshare.schedulers.kueue.why.evicted import EVICTED, Uids, last_eviction, owners_of
from kubectl_fairshare.schedulers.kueue.why.grounds import facts_of
from kubectl_fairshare.schedulers.kueue.why.held import held_by, with_holding
from kubectl_fairshare.schedulers.kueue.why.lifting import lifts, without_head
from kubectl_fairshare.schedulers.kueue.why.lost_nodes import lost_node_step, own_doubts
from kubectl_fairshare.schedulers.kueue.why.moved import newer_than
from kubectl_fairshare.schedulers.kueue.why.ordering import order_doubts
from kubectl_fairshare.schedulers.kueue.why.stage import stage
from kubectl_fairshare.schedulers.kueue.why.turns import CycleTurn, Turns
from kubectl_fairshare.schedulers.kueue.why.verdict import HeldBy, Inquiry, Lift, Reason, Why
from kubectl_fairshare.schedulers.kueue.why.waits import (
    TAKEN,
    Circumstances,
    Wait,
    is_unmade,
    start_in_doubt,
    wait_of,
)
from kubectl_fairshare.trace import Fact, Step


def _at(state: State, now: int) -> State:
    """The state at a moment: workloads whose backoff has ended by then are back in their queues."""
    if not state.kueue.moment:
        return state
    return state.of_snapshot(state.snapshot.with_part(replace(state.kueue, moment=now)))


class Explainer:
    """Explains the workloads of one state. ``now`` is the moment of asking in nanoseconds, None if unknown."""

    def __init__(self, state: State, *, now: int | None = None) -> None:
        self.state = state if now is None else _at(state, now)
        self._now = now
        self._preemptors: dict[str, Pending | None] = {}

    @cached_property
    def _holders(self) -> dict[ObjectKey, Holder]:
        return {h.key: h for h in self.state.kueue.holders}

    @cached_property
    def _lost_nodes(self) -> dict[ObjectKey, SecondPass]:
        return {each.holder.key: each for each in self.state.kueue.second_pass if each.unhealthy}

    @cached_property
    def _queues(self) -> dict[str, list[Pending]]:
        return waiting(self.state)

    @cached_property
    def _turns(self) -> Turns:
        return Turns(self.state, self._queues)

    @cached_property
    def _courses(self) -> Courses:
        return Courses(self.state, self._queues, self._turns, self._nominations)

    @cached_property
    def _nominations(self) -> Nominations:
        return Nominations(self.state)

    @cached_property
    def _uids(self) -> Uids:
        return Uids(self.state.snapshot.manifests.values())

    @cached_property
    def _events(self) -> tuple[Manifest, ...]:
        return tuple(events_of(self.state.snapshot.manifests.values()))

    def why(self, asked: Inquiry, *, briefly: bool = False, grounded: bool = True) -> Why:
        """The answer for the workload; ``briefly`` leaves out remedies, events and history, not ``grounded`` facts."""
        record = Record() if asked.workload is None else record_of(asked.workload)
        found = self._standing(asked, record, briefly=briefly)
        found = replace(
            found,
            job=asked.job,
            workload=None if asked.workload is None else asked.workload.key,
            asking=asked.pending,
            record=record,
            facts=facts_of(self.state, found, asked) if grounded else (),
            jobs=owners_of(_named_workloads(asked, found), self.state.snapshot.manifests),
            now=self._now,
        )
        return found if briefly else self._with_history(asked, found)

    def _standing(self, asked: Inquiry, record: Record, *, briefly: bool) -> Why:
        key = asked.pending.key
        finished = record.condition("Finished")
        if finished is not None and finished.holds:
            operands = (("reason", finished.reason), ("message", finished.message))
            because = Step(Law.FINISHED, operands, True, (finished.reason_fact,))
            return self._plain(Verdict.FINISHED, Reason.FINISHED, because, since=finished.moment)
        if asked.ended is not None:
            because = Step(Law.FINISHED, (("reason", asked.ended.value),), True, (asked.ended,))
            return self._plain(Verdict.FINISHED, Reason.FINISHED, because)
        holder = self._holders.get(key) if asked.workload is not None else None
        if holder is not None:
            return self._of_holder(asked, holder, record, briefly=briefly)
        return self._of_waiting(asked, record, briefly=briefly)

    @property
    def _fidelity(self) -> Fidelity:
        return fidelity_of(self.state.configuration, release_gaps(self.state.configuration))

    def _plain(self, verdict: Verdict, reason: Reason, because: Step, since: int | None = None) -> Why:
        return Why(verdict, reason, because, (), self._fidelity, since=since)

    # --- workloads that hold quota

    def _of_holder(self, asked: Inquiry, holder: Holder, record: Record, *, briefly: bool) -> Why:
        found = replace(self._plain(*stage(self.state, holder, record)), cluster_queue=holder.cluster_queue)
        found = replace(found, fidelity=found.fidelity.with_gaps(unknown_for_holder(self.state, holder)))
        second = self._lost_nodes.get(holder.key) if found.because.law is Law.ADMITTED else None
        found = found if second is None else self._with_lost_node(found, second)
        if briefly:  # a list has no room for who may preempt it, which costs a look at every queue
            return found
        return with_holding(found, self.state, holder, sum(p.count for p in asked.pending.pod_sets), record)

    def _with_lost_node(self, found: Why, second: SecondPass) -> Why:
        queue = self.state.forest.queue_ids.get(second.holder.cluster_queue)
        turn = None if queue is None else self._turns.of(second.workload, queue)
        if turn is None or turn.entry is None:
            return found
        gaps = dict.fromkeys((*found.fidelity.gaps, *own_doubts(self.state, turn.entry), *turn.doubts))
        fidelity = replace(found.fidelity, gaps=tuple(gaps), outcomes=turn.ends, all_outcomes=turn.all_ends)
        return replace(found, because=lost_node_step(self.state, second, turn.entry), fidelity=fidelity)

    # --- workloads that wait

    def _of_waiting(self, asked: Inquiry, record: Record, *, briefly: bool) -> Why:
        known = self._nominations
        decided = plan(
            self.state, asked.pending, remedied=not briefly, listed=briefly, queues=self._queues, nominations=known
        )
        if asked.workload is None:
            decided = with_gaps(decided, unmade_gaps(self.state.snapshot, asked.pending))
        wait = self._missing_prebuilt(asked, decided) or wait_of(decided, record, self._around(decided))
        rest = None if briefly or wait.because.law not in TAKEN else self._rest(decided)
        then = None if rest is None else self._plan_at(rest, decided)
        unmade = is_unmade(decided) or wait.because.law is Law.PREBUILT_MISSING
        reserved = record.condition("QuotaReserved")
        state, binds = self.state if rest is None else rest, (then or decided).bindings
        queue = decided.nomination.queue
        head_binds = () if wait.head is None or queue is None else self._bindings_of(wait.head, queue)
        if wait.head is not None:
            decided = replace(decided, remedies=())  # no change takes it past the head
        fidelity = self._with_doubts(decided, wait)
        wait = start_in_doubt(wait, fidelity)
        if wait.turns > 1 or not wait.all_turns:
            fidelity = replace(fidelity, outcomes=wait.turns, all_outcomes=wait.all_turns)
        return Why(
            wait.verdict,
            wait.reason,
            wait.because,
            (),
            _without_prebuilt(fidelity) if wait.because.law is Law.PREBUILT_MISSING else fidelity,
            cluster_queue=decided.nomination.cluster_queue,
            plan=None if unmade else decided,
            then=then,
            head=wait.head,
            head_bindings=head_binds,
            held=() if queue is None or briefly else tuple(self._held_now(state, queue, binds or head_binds)),
            leaving=wait.leaving,
            lifts=() if briefly else self._lifts(decided, wait),
            since=_since(wait, reserved.moment if reserved is not None else None, asked),
            until=wait.until,
        )

    def _with_doubts(self, decided: Plan, wait: Wait) -> Fidelity:
        """The plan's fidelity, and what the input does not say of the heads."""
        doubts = [*order_doubts(self.state, decided, wait, self._queues, self._courses)]
        doubts += wait.doubts
        name, by_turn = decided.nomination.cluster_queue, wait.reason is Reason.PENDING_EVALUATION
        if by_turn and decided.standing is not None:
            doubts += self._courses.later_gaps(decided.workload, decided.nomination.queue)
        if by_turn and wait.head is None:
            doubts += (*self._turns.absent, *(gap for gap in self._turns.earlier if gap.subject == name))
        if decided.standing is not None and (decided.standing.strategy == STRICT or by_turn):
            queue = cluster_key("ClusterQueue", name)
            doubts += [gap for gap in head_doubts(self.state) if gap.places[0].object == queue]
        doubts = [gap for gap in dict.fromkeys(doubts) if gap not in decided.fidelity.gaps]
        return replace(decided.fidelity, gaps=(*decided.fidelity.gaps, *doubts)) if doubts else decided.fidelity

    def _lifts(self, decided: Plan, wait: Wait) -> tuple[Lift, ...]:
        tried = lifts if wait.head is None else without_head
        return tried(self.state, decided)

    def _missing_prebuilt(self, asked: Inquiry, decided: Plan) -> Wait | None:
        """The answer for a job that names a prebuilt Workload which does not exist."""
        manifest = self.state.snapshot.manifests.get(decided.workload.source or decided.workload.key)
        if asked.workload is not None or manifest is None or is_left_alone(decided.workload):
            return None
        name = naming_field(root_of(manifest).at("metadata"), PREBUILT_KEY)
        if not name.text():
            return None
        wanted = Fact(name.place, name.text())
        because = Step(Law.PREBUILT_MISSING, (("workload", name.text()),), holds=False, rests_on=(wanted,))
        return Wait(Verdict.NEVER, Reason.MISCONFIGURED, because)

    def _around(self, decided: Plan) -> Circumstances:
        return Circumstances(
            head=lambda: self._head(decided),
            unready=lambda: tuple(self._unready()),
            evicted=self._evictions,
            turn=lambda: self._turn(decided),
        )

    def _turn(self, decided: Plan) -> CycleTurn | None:
        """What the next cycles do with the workload, and the workloads that they admit before."""
        queue, assignment = decided.nomination.queue, decided.nomination.assignment
        if queue is None:
            return None
        if not self._courses.is_played:
            return self._turns.of(decided.workload, queue)
        return self._courses.of(decided.workload, queue, {} if assignment is None else assignment.usage)

    def _held_now(self, state: State, queue: int, binds: Sequence[Binding]) -> Iterator[HeldBy]:
        """Those that hold what is missing, without those that are yet to get it."""
        return (held for held in held_by(state, queue, binds) if held.holder.key in self._holders)

    def _rest(self, decided: Plan) -> State | None:
        """The state that those before the workload leave; None if it is not known."""
        turn, queue = self._turn(decided), decided.nomination.queue
        return None if turn is None or queue is None else self._courses.left_for(turn, queue)

    def _plan_at(self, rest: State, decided: Plan) -> Plan:
        """The decision on the state that those before the workload leave, with the changes that give it quota then."""
        found = plan(rest, decided.workload, queues=self._queues)
        gives = (r for r in found.remedies if r.kind in QUOTA_REMEDIES and r.outcome is Outcome.ADMITTED)
        return replace(found, remedies=tuple(r for r in gives if not r.victims))

    def _head(self, decided: Plan) -> Pending | None:
        """The workload that blocks this one: the head of a StrictFIFO queue, or a workload whose victims are leaving.

        A workload that is set aside blocks no other.
        """
        if decided.standing is None:
            return None
        if self._courses.is_played:
            turn = self._turn(decided)
            return None if turn is None else turn.blocker
        if decided.standing.strategy != "StrictFIFO":
            first = self._preemptor(decided.nomination.cluster_queue)
            return None if first is None or first.key == decided.workload.key else first
        return next((w for w in decided.standing.ahead if not self._is_set_aside(w)), None)

    def _preemptor(self, name: str) -> Pending | None:
        """The workload of a queue that waits for its victims to leave, by the record and by the state."""
        if name not in self._preemptors:
            waits = (w for w in self._queues.get(name, ()) if w.preempting)
            found = (w for w in waits if any(t.holder.evicted for t in _targets(nominate(self.state, w))))
            self._preemptors[name] = next(found, None)
        return self._preemptors[name]

    def _is_set_aside(self, workload: Pending) -> bool:
        refused = nominate(self.state, workload).refused
        return refused is not None and refused.law is Law.NAMESPACE_NOT_SELECTED

    def _unready(self) -> Iterator[Fact]:
        """The workloads with quota whose pods are not ready, if Kueue admits no other until they are."""
        for holder in self.state.unready:
            ready = record_of(self.state.snapshot.manifests[holder.key]).condition("PodsReady")
            path = ("status", "conditions") if ready is None else (*ready.place.path, "status")
            yield Fact(Place(holder.key, path), None if ready is None else ready.status)

    def _evictions(self, key: ObjectKey) -> Iterator[Fact]:
        manifest = self.state.snapshot.manifests.get(key)
        evicted = None if manifest is None else record_of(manifest).condition("Evicted")
        if evicted is not None:
            yield evicted.reason_fact

    def _bindings_of(self, head: Pending, queue: int) -> tuple[Binding, ...]:
        nomination = scan(self.state, head)[-1]
        if nomination.assignment is None or nomination.admits:
            return ()
        return bindings(self.state, queue, nomination.assignment)

    # --- history

    def _with_history(self, asked: Inquiry, found: Why) -> Why:
        record = found.record
        eviction = last_eviction(record, self._uids)
        keys = [k for k in (asked.job, found.workload) if k is not None]
        others = [*_named_workloads(asked, found)]
        others += [w.key for w in (found.plan.standing.ahead if found.plan and found.plan.standing else ())]
        others += [*(h.holder.key for h in found.held), *(h.key for h in found.leaving)]
        if eviction is not None and eviction.preemptor is not None and eviction.preemptor.workload is not None:
            others.append(eviction.preemptor.workload)
        key = asked.pending.key
        displaced = tuple(each for each in self._displaced.get(key, ()) if each != key)
        others += displaced
        reserved = record.condition("QuotaReserved")
        after = None if reserved is None or found.plan is None else reserved.moment
        return replace(
            found,
            eviction=eviction,
            displaced=displaced,
            notes=self._notes(keys),
            moved=None if after is None else newer_than(self.state, found.cluster_queue, asked.pending.key, after),
            jobs=owners_of(others, self.state.snapshot.manifests),
        )

    @cached_property
    def _displaced(self) -> dict[ObjectKey | None, list[ObjectKey]]:
        """The workloads that were last evicted for each one, by key."""
        manifests = self.state.snapshot.manifests
        found: dict[ObjectKey | None, list[ObjectKey]] = {}
        evicted = (key for key in manifests if is_workload(key) and manifests[key].may_mention(EVICTED))
        for other in sorted(evicted):
            eviction = last_eviction(record_of(manifests[other]), self._uids)
            if eviction is not None and eviction.preemptor is not None:
                found.setdefault(eviction.preemptor.workload, []).append(other)
        return found

    def _notes(self, keys: Sequence[ObjectKey]) -> tuple[Note, ...]:
        return notes_about(keys, self._events)


def _named_workloads(asked: Inquiry, found: Why) -> Iterator[ObjectKey]:
    """The workloads that the dominant reason names."""
    yield asked.pending.key
    if found.head is not None:
        yield found.head.key


def _targets(nomination: Nomination) -> tuple[Target, ...]:
    return () if nomination.search is None else nomination.search.targets


def _without_prebuilt(fidelity: Fidelity) -> Fidelity:
    """The same answer without the feature "prebuilt workload": it is clear that this Workload is missing."""
    return replace(fidelity, gaps=tuple(g for g in fidelity.gaps if g.feature != PREBUILT))


def _since(wait: Wait, changed: int | None, asked: Inquiry) -> int | None:
    """The moment since which the answer is true: the last change of the condition, otherwise the creation, if known."""
    if wait.verdict in (Verdict.UNMANAGED, Verdict.UNKNOWN) or asked.workload is None:
        return None
    if changed is None and asked.pending.undated:
        return None
    return changed if changed is not None else asked.pending.created or None
