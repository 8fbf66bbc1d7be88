"""The decision for a job: gates, placement on nodes, reclaim, and the simulated changes that would help.

Source: KAI-Scheduler v0.17, "kai gates" and "kai reclaim" in ``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.attempt import attempt
from kubectl_fairshare.schedulers.kai.explain.backlog import InCycle
from kubectl_fairshare.schedulers.kai.explain.copies import beside_copies
from kubectl_fairshare.schedulers.kai.explain.decision import Placement, Plan, Reclaim, with_gaps
from kubectl_fairshare.schedulers.kai.explain.ever import (
    job_gaps,
    may_get_in,
    never_fidelity,
    node_obstacles,
    too_large,
)
from kubectl_fairshare.schedulers.kai.explain.gate_steps import gate_steps, is_tried, lasting_bound
from kubectl_fairshare.schedulers.kai.explain.groundwork import Groundwork
from kubectl_fairshare.schedulers.kai.explain.moments import at_every_moment, losses
from kubectl_fairshare.schedulers.kai.explain.placement import outcome_by
from kubectl_fairshare.schedulers.kai.explain.pod_orders import in_other_orders, pod_kind
from kubectl_fairshare.schedulers.kai.explain.remedies import remedies
from kubectl_fairshare.schedulers.kai.gaps import (
    NO_NODES,
    OF_DEVICES,
    PAST_USAGE,
    SEARCH_BUDGET,
    class_gaps,
    config_map_gaps,
    default_gaps,
    delay_gaps,
    eviction_gaps,
    fidelity_of,
    placing_gaps,
    without,
)
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction
from kubectl_fairshare.schedulers.kai.reclaim.preempting import lower, preemption_victims
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import asker_of, takes
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.room import IdleRoom, Misfits
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session, open_session
from kubectl_fairshare.schedulers.kai.solver.attempts import Action
from kubectl_fairshare.schedulers.kai.solver.cycle import ENOUGH, MOST
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError
from kubectl_fairshare.trace import Fact, Operand, Step

_ROOM: Final = frozenset({Law.IDLE, Law.IDLE_NODE})
_BOUNDS: Final = frozenset({Law.LIMIT, Law.NON_PREEMPTIBLE_QUOTA})
_NAMED: Final = 2
"""Jobs ahead that a step names."""


def plan(
    session: Session,
    name: str,
    *,
    advise: bool = True,
    over: bool = False,
    doubts: int | None = None,
    groundwork: Groundwork | None = None,
    alone: bool = False,
) -> Plan:
    """The decision for a job of the session. Raises ``KeyError`` for a job that is not in the session.

    ``over``: KAI has made the one attempt that the job allows. ``doubts``: how many other runs of KAI are tried at
    most; without, as many as usual where remedies are tried (``advise``), otherwise none. ``alone``: as if no other job
    waited.
    """
    number = doubts if doubts is not None else MOST if advise else 0
    known = Groundwork(session) if groundwork is None else groundwork
    found = _decision(session, session.jobs[name], known, number, over=over, alone=alone)
    if number and not over:
        found = _beside_copies(session, _in_any_order(session, found))
    if number and session.now is None:

        def at(other: Session) -> Plan:
            return _decision(other, other.jobs[name], Groundwork(other), number, over=over)

        found = at_every_moment(session, found, at)
    fixed = over or not advise or found.job.group.ungrouped is not None
    if fixed or found.computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return found

    def decide(other: Session, doubting: bool) -> Plan:
        long = known.backlog.long
        runs = MOST if doubting and not long else 0
        # Next to others a job may need less than alone: room that is made for another one is enough for both.
        return plan(other, name, advise=False, doubts=runs, alone=long and not doubting)

    return replace(found, remedies=tuple(remedies(session, found, decide, long=known.backlog.long)))


def _in_any_order(session: Session, found: Plan) -> Plan:
    """The plan with a gap if its outcome differs where the new pods of the job come in another order.

    If only victims or nodes differ, the outcome is known, and the plan has the others.
    """
    states = in_other_orders(session.state, found.job, ENOUGH)
    others = (open_session(state, session.shard) for state in states)
    plans = [_decision(other, other.jobs[found.job.name], Groundwork(other), 0, over=False) for other in others]
    where, gap = found.placement, Gap("PodOrder", (Place(found.job.group.key),), touches=True)
    differing = [each for each in plans if losses(each) != losses(found)]
    if where is None:
        return with_gaps(found, (gap,)) if differing else found
    there = tuple(each.placement for each in differing if each.placement is not None)
    actions = (each.placement.action for each in (found, *plans) if each.placement is not None)
    shown = replace(where, others=(*where.others, *there), orders=tuple(actions) if there else where.orders)
    if any(each.computed is not found.computed for each in plans):
        return with_gaps(replace(found, placement=shown), (gap,))
    written = (each.placement.condition for each in plans if each.placement is not None)
    conditions = dict.fromkeys((*where.other_conditions, *written))
    conditions.pop(where.condition, None)
    shown = replace(shown, other_conditions=tuple(conditions))
    if not differing and all(_places(each) == _places(found) for each in plans):
        return replace(found, placement=shown)
    varied = replace(found.fidelity, outcomes=max(2, found.fidelity.outcomes), all_outcomes=False)
    return replace(found, placement=replace(shown, unordered=not where.varies), fidelity=varied)


def _beside_copies(session: Session, found: Plan) -> Plan:
    """The plan with a gap if it differs, or may, where the other PodGroups of the job wait as well."""
    copies = found.job.group.copies
    refused = any(not step.holds and step.law not in {*_ROOM, Law.PLACEMENT} for step in found.gates)
    if copies == 1 or refused or found.computed not in (Outcome.WAITS, Outcome.PREEMPTS):
        return found
    state = beside_copies(session, found.job)
    if state is not None:
        other = open_session(state, session.shard)
        each = _decision(other, other.jobs[found.job.name], Groundwork(other), 0, over=False)
        if (losses(each), _places(each)) == (losses(found), _places(found)):
            return found
    return with_gaps(found, (Gap("Copies", (Place(found.job.group.key),), touches=True, subject=f"{copies:,}"),))


def _places(found: Plan) -> Counter[tuple[str, str]]:
    """How many pods of each kind get to each node."""
    kinds = {task.name: pod_kind(task.pod) for task in found.job.tasks}
    placed = (*found.placement.bound, *found.placement.waiting) if found.placement else ()
    return Counter((kinds[one.pod], one.node) for one in placed if one.pod in kinds)


def _gates_before(
    session: Session, job: Job, chain: Sequence[QueueAttributes], room: IdleRoom, *, over: bool
) -> tuple[Step, ...]:
    """The step that keeps KAI from trying the job at all, otherwise its gates; empty if its PodGroup is not known."""
    ungrouped = job.group.ungrouped
    if ungrouped is not None and ungrouped.modelled:
        return (Step(Law.NOT_GROUPED, (("reason", ungrouped.reason),), False, (Fact(ungrouped.place, None),)),)
    if ungrouped is not None:
        return ()
    pool = job.group.pool
    if session.state.shard_of(pool) is None:
        label = Place(job.group.key, ("metadata", "labels", session.state.pool_label))
        shards = session.state.shards
        pools = some_of(sorted(shard.pool for shard in shards if shard.pool is not None), _NAMED)
        operands = (("pool", pool or ""), ("pools", pools), ("shards", len(shards)))
        return (Step(Law.NO_SHARD, operands, False, (Fact(label, pool),)),)
    return (Step(Law.TRIED_ONCE, (), False),) if over else tuple(gate_steps(session, job, chain, room))


def _decision(
    session: Session, job: Job, groundwork: Groundwork, doubts: int, *, over: bool, alone: bool = False
) -> Plan:
    """The decision without remedies: Never where nodes have no place for pods of a job that waits, whatever ends."""
    found = _attempted(session, job, groundwork, doubts, over=over, alone=alone)
    by_amounts = found.placement is None and found.computed in (Outcome.ADMITTED, Outcome.PREEMPTS)  # no node was asked
    if found.computed is not Outcome.WAITS and not by_amounts:
        return found
    obstacles = node_obstacles(session, job, groundwork.first)
    if not obstacles:
        return found
    known = never_fidelity(session, job)
    return replace(
        found,
        outcome=Outcome.NEVER if known.modelled else Outcome.UNKNOWN,
        computed=Outcome.NEVER,
        barred=obstacles.barred,
        crowd=obstacles.crowd,
        fidelity=known,
    )


def _attempted(session: Session, job: Job, groundwork: Groundwork, doubts: int, *, over: bool, alone: bool) -> Plan:
    """The decision for a job that each of its nodes may take in the end."""
    chain = tuple(session.chain(job.queue))
    nodeless = not session.state.nodes
    served = session.state.shard_of(job.group.pool) is not None
    room, misfitting = groundwork.room, too_large(session, job) if served else Misfits()
    gates = _gates_before(session, job, chain, room, over=over)
    known = fidelity_of(session, *placing_gaps(session), *job_gaps(session, job))
    reclaim, where, turn, turns = None, None, None, False
    displaced: tuple[Eviction, ...] = ()
    in_vain: tuple[Eviction, ...] = ()
    if job.group.ungrouped is not None:
        computed = Outcome.NEVER if job.group.ungrouped.modelled else Outcome.UNKNOWN
    elif over or not served or not may_get_in(session, job, chain, misfitting):
        computed = Outcome.NEVER
        in_vain = () if over or alone else _in_vain(session, job, chain, groundwork)
    elif nodeless:
        computed = Outcome.ADMITTED if all(step.holds for step in gates) else Outcome.WAITS
    else:
        turn, missing = _turn(session, job, groundwork, doubts, alone=alone)
        if turn is None:
            computed, reclaim, displaced = _by_amounts(session, job, gates, room)
            turns = _in_turns(session, job, reclaim, displaced)
        else:
            where, computed = turn.placement, outcome_by(turn.placement)
            gates = _with_places(gates, where) if turn.alone is None else (*gates, _behind(turn))
            reclaim = _reclaim(replace(session, standings=dict(turn.standings)), job, room, where)
            displaced = where.lost if where.action == Action.PREEMPT else ()
        known = replace(known, gaps=(*known.gaps, *missing))
    if computed is Outcome.NEVER and (lasting := lasting_bound(job, chain)) is not None and lasting not in gates:
        gates = (*gates, lasting)
    known = _resting_on(session, job, computed, known)
    if not _stays_out(session, job, computed, gates):
        known = known.with_gaps(groundwork.references)
    if computed is Outcome.PREEMPTS:
        known = replace(known, gaps=(*known.gaps, *eviction_gaps(session), *delay_gaps(session, (job,))))
    if _left_to_chance(where, reclaim):
        known = replace(known, outcomes=1 + (0 if where is None else len(where.others)), all_outcomes=False)
    return Plan(
        shard=session.shard,
        job=job,
        chain=chain,
        outcome=computed if known.modelled and (reclaim is None or reclaim.defined) else Outcome.UNKNOWN,
        computed=computed,
        gates=gates,
        room=room,
        reclaim=reclaim,
        lower=tuple(lower(session, job)),
        displaced=displaced,
        misfits=misfitting,
        remedies=(),
        # KAI may evict other pods than these; that it evicts some was checked against the other extreme, job by job.
        fidelity=replace(known, gaps=(*known.gaps, Gap("ElasticVictimOrder", (), touches=True))) if turns else known,
        placement=where,
        alone=None if turn is None or turn.alone is None else outcome_by(turn.alone),
        together=turn is not None and not alone and len(groundwork.backlog.waiting) > 1,
        in_vain=in_vain,
    )


def _in_vain(
    session: Session, job: Job, chain: Sequence[QueueAttributes], groundwork: Groundwork
) -> tuple[Eviction, ...]:
    """What the next cycle evicts for a job that a bound keeps out for ever; ``is_never`` says why it does.

    The search lists no pod twice but one of a job that has pods above its minimum.
    """
    lasting = lasting_bound(job, chain)
    if lasting is None:
        return ()
    bound = lasting.operand("queue")
    elastic = (one for one in session.jobs.values() if one.elastic and one.active and one.preemptible)
    if not any(bound == each.queue.name for one in elastic for each in session.chain(one.queue)):
        return ()
    turn, _ = _turn(session, job, groundwork, 0, alone=False)
    return () if turn is None else turn.placement.lost


def _resting_on(session: Session, job: Job, computed: Outcome, known: Fidelity) -> Fidelity:
    """What an outcome rests on, of all that is ``known`` to be open."""
    if computed is Outcome.NEVER:
        return never_fidelity(session, job)
    if computed is not Outcome.ADMITTED and not session.state.nodes:  # a gate decides, wherever its pods would go
        known = without(known, NO_NODES)
    if not is_tried(job):
        return without(known, PAST_USAGE, SEARCH_BUDGET, *OF_DEVICES)
    if computed is Outcome.ADMITTED:  # fair shares decide only about evictions
        return without(known, PAST_USAGE, SEARCH_BUDGET)
    others = (other for other in session.jobs.values() if other.active and other is not job)
    return known.with_gaps((*class_gaps(session, others), *default_gaps(session, job, ranked=True)))


def _left_to_chance(where: Placement | None, reclaim: Reclaim | None) -> bool:
    """Whether KAI itself may evict other pods, or place pods elsewhere, in another run, as other runs show."""
    unsure = where is not None and (where.varies or where.few)
    return unsure or (reclaim is not None and not (reclaim.ordered and reclaim.defined))


def _turn(
    session: Session, job: Job, groundwork: Groundwork, doubts: int, *, alone: bool
) -> tuple[InCycle | None, tuple[Gap, ...]]:
    """What the next cycle does with the job, and the gaps that keep this open; None for a job that KAI does not try."""
    if not session.nodes or not job.next or not job.ready:
        return None, ()
    try:
        turn = groundwork.backlog.turn(job.name, doubts, alone=alone)
    except UnmodelledError as error:
        return None, (Gap("Placement", (), touches=True, subject=str(error)),)
    gaps = [*_backlog_gaps(session, turn, groundwork.backlog.waiting)] if turn.contended else []
    if len({outcome_by(each) for each in (turn.placement, *turn.placement.others)}) > 1:
        gaps.append(Gap("MapOrder", (), touches=True))
    return turn, tuple(gaps)


def _backlog_gaps(session: Session, turn: InCycle, waiting: Collection[str]) -> Iterator[Gap]:
    """What keeps open which of the waiting jobs get in, where not all of them do."""
    jobs = [session.jobs[name] for name in waiting]
    yield from class_gaps(session, jobs)
    if turn.feature:
        yield Gap("Placement", (), touches=True, subject=turn.feature)
    if turn.alone is not None:
        yield from (gap for job in jobs for gap in config_map_gaps(session, job))
        if session.undefined:
            yield Gap("MapOrder", (), touches=True)


def _behind(turn: InCycle) -> Step:
    """That other jobs come first, and what the job would get without them."""
    alone = turn.alone.action if turn.alone is not None else ""
    jobs = some_of([f"{key.namespace}/{key.name}" for key in turn.ahead], _NAMED)
    operands = (("jobs", jobs), ("number", len(turn.ahead)), ("alone", str(alone)), ("depth", turn.depth))
    return Step(Law.BEHIND, operands, False)


def _stays_out(session: Session, job: Job, computed: Outcome, gates: Sequence[Step]) -> bool:
    """Whether the job waits whatever other queues hold: a limit or its own pods refuse it, or its delay lasts."""
    if computed is Outcome.UNKNOWN:
        return False
    if computed is Outcome.NEVER or not is_tried(job) or any(s.law in _BOUNDS and not s.holds for s in gates):
        return True
    return computed is Outcome.WAITS and job.delayed(session.now)


def _with_places(gates: Sequence[Step], where: Placement) -> tuple[Step, ...]:
    """The gates, with the test of the idle total replaced by the result of the placement."""
    if where.action == Action.ALLOCATE:
        kept = (step for step in gates if step.law not in _ROOM or step.holds)
        operands: tuple[tuple[str, Operand], ...] = (("bound", len(where.bound)), ("waiting", len(where.waiting)))
        return (*kept, Step(Law.PLACEMENT, operands, True))
    if where.refusals and all(step.holds or step.law in _ROOM for step in gates):
        nodes = "; ".join(f"{number} {reason}" for reason, number in where.refusals)
        return (*gates, Step(Law.REFUSED, (("nodes", nodes), ("short", where.short)), False))
    if all(step.holds for step in gates):
        return (*gates, Step(Law.PLACEMENT, (), False))
    return tuple(gates)


def _reclaim(session: Session, job: Job, room: IdleRoom, where: Placement) -> Reclaim | None:
    """The attempt to reclaim with the pods that KAI evicts; None if an earlier action places the job."""
    if where.action in (Action.ALLOCATE, Action.CONSOLIDATION):
        return None
    tried = attempt(session, job, room)
    if where.action != Action.RECLAIM:
        return replace(tried, taken=(), verdict=None if tried.taken else tried.verdict, firm=True)
    losses = {eviction.job.name: eviction.tasks for eviction in where.lost}
    _, verdict = takes(session, asker_of(job), losses)
    return replace(
        tried,
        taken=where.lost,
        verdict=verdict if verdict.allowed else None,
        enough=True,
        left_out=(),  # amounts alone chose other victims
        firm=True,
    )


def _by_amounts(
    session: Session, job: Job, gates: Sequence[Step], room: IdleRoom
) -> tuple[Outcome, Reclaim | None, tuple[Eviction, ...]]:
    """The outcome by quota, fairness and amounts alone, for jobs whose placement on nodes is not decided."""
    if gates[-1].law is Law.IDLE and gates[-1].holds:
        return Outcome.ADMITTED, None, ()
    if not is_tried(job):
        return Outcome.WAITS, None, ()
    reclaim = attempt(session, job, room)
    if reclaim.taken:
        return Outcome.PREEMPTS, reclaim, ()
    displaced = preemption_victims(session, job, room)
    return (Outcome.PREEMPTS if displaced else Outcome.WAITS), reclaim, displaced


def _in_turns(session: Session, job: Job, reclaim: Reclaim | None, displaced: Sequence[Eviction]) -> bool:
    """Whether KAI may evict other pods than those that the amounts select."""
    several = any(eviction.surplus for eviction in displaced) and len(list(lower(session, job))) > 1
    return several or (reclaim is not None and reclaim.in_turns)
