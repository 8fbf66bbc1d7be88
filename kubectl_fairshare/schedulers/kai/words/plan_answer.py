"""KAI's plan as the answer that all schedulers share, with the fields that only KAI has."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from kubectl_fairshare.answers.answer import (
    Amount,
    Answer,
    BindingLimit,
    Maker,
    Need,
    PossibleOutcome,
    Spared,
    Station,
    Subject,
    Tie,
    TriedChange,
    Unasked,
    Victim,
)
from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import ProofSteps, WrittenAnswer
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.explain.decision import Candidate, Placement, Plan, Reclaim, Remedy, failing_step
from kubectl_fairshare.schedulers.kai.explain.placement import outcome_by
from kubectl_fairshare.schedulers.kai.explain.victims import laws_of_victims, tasks_by_job
from kubectl_fairshare.schedulers.kai.gaps import NO_NODES
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.amounts import within
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, KaiState, Shard, TimeAware
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction
from kubectl_fairshare.schedulers.kai.session.gangs import GangPod
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.words.chance import chance_text, orders_clause
from kubectl_fairshare.schedulers.kai.words.cycle_rows import CONSOLIDATE, GUARANTEE, MAINTAIN, PREEMPT
from kubectl_fairshare.schedulers.kai.words.open_moments import by_moment
from kubectl_fairshare.schedulers.kai.words.reasons import reason_clause
from kubectl_fairshare.schedulers.kai.words.remedy_clauses import change_clause, result_clause
from kubectl_fairshare.schedulers.kai.words.screens import figures
from kubectl_fairshare.schedulers.kai.words.screens.plan import (
    job_blocks,
    judged_blocks,
    open_blocks,
    placed_blocks,
    step_blocks,
)
from kubectl_fairshare.schedulers.kai.words.screens.usage import usage_remarks
from kubectl_fairshare.schedulers.kai.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

SCHEDULER: Final = "kai"
_LIMITS: Final = frozenset({Law.LIMIT, Law.NON_PREEMPTIBLE_QUOTA, Law.WITHIN_SHARE, Law.WITHIN_QUOTA, Law.IDLE})
_ENDS: Final = {
    Outcome.ADMITTED: "allocated now",
    Outcome.PREEMPTS: "allocated after evictions",
    Outcome.WAITS: "waits",
}


class KaiPlanDetail(Value, frozen=True):
    """What only KAI's plans have: gates, the tests of reclaim, the tests on all victims together."""

    plan: Plan
    state: KaiState

    def reasons(self) -> Iterable[Group]:
        """The job, the gates up to the first that fails, and the tests that precede reclaim."""
        yield job_blocks(self.plan)
        yield step_blocks("gates", self.plan.gates, self.plan.misfits.names)
        yield step_blocks("reclaim", self.plan.reclaim.steps if self.plan.reclaim else ())

    def findings(self) -> Iterable[Group]:
        """The tests on each victim and on the siblings, and the nodes that the pods get."""
        yield judged_blocks(self.plan.reclaim)
        yield placed_blocks(self.plan.placement)

    def records(self) -> Iterable[Group]:
        """What the answer leaves open, and the source of past usage."""
        yield open_blocks(self.plan)
        yield [*usage_remarks(self.state.past)]

    def document(self, answer: Answer[Any]) -> WrittenAnswer:
        """The fields that only KAI's plans have."""
        from kubectl_fairshare.schedulers.kai.documents.plan import PLAN, plan_fields

        return WrittenAnswer(PLAN, plan_fields(self.plan, self.state, answer))


def plan_answer(
    plan: Plan,
    state: KaiState,
    cited: Sequence[ObjectKey] = (),
    notes: Sequence[Problem] = (),
    source: ObjectKey | None = None,
) -> Answer[KaiPlanDetail]:
    """The answer for one job. ``cited`` are the objects that it rests on, ``source`` that which the job is made of."""
    job = plan.job
    return Answer(
        scheduler=SCHEDULER,
        outcome=plan.outcome,
        computed=plan.computed,
        verdict=verdict(plan),
        computed_verdict="" if plan.moments else computed_verdict(plan),
        subject=Subject(job.group.key, job.priority, source),
        route=_route(plan),
        context=_context(plan, state),
        assumed="as if considered now",
        proof=ProofSteps(plan.proof, sentence),
        fidelity=plan.fidelity,
        detail=KaiPlanDetail(plan, state),
        needs=tuple(_needs(plan)),
        victims=(*_victims(plan), *_moved_jobs(plan)),
        spared=tuple(_spared_jobs(plan)),
        unasked=tuple(_queues_without_victims(plan)),
        binding=tuple(binding_limits(plan)),
        remedies=tuple(_remedy(remedy) for remedy in plan.remedies),
        ties=() if plan.fidelity.defined else (Tie(chance_text(plan)),),
        possible=tuple(_possible_outcomes(plan)),
        rests_on=tuple(cited),
        notes=tuple(notes),
    )


def _possible_outcomes(plan: Plan) -> Iterator[PossibleOutcome]:
    """The outcomes of the orders of KAI's maps that were tried, or of the open moments, if these differ."""
    for when, at in by_moment(plan):
        evicted = dict.fromkeys(eviction.job.group.key for eviction in (*at.victims, *at.moved))
        yield PossibleOutcome(at.computed, f"{when}: {outcome_clause(at)}", tuple(evicted))
    where = plan.placement
    if where is None or not where.others or plan.moments:
        return
    found = list(map(_possible, (where, *where.others)))
    if any(each != found[0] for each in found):  # pods of the same jobs may change places
        yield from (each for number, each in enumerate(found) if each not in found[:number])


def _possible(where: Placement) -> PossibleOutcome:
    outcome = outcome_by(where)
    nodes = ", ".join(sorted({pod.node for pod in (*where.bound, *where.waiting)}))
    evicted = dict.fromkeys(eviction.job.group.key for eviction in (*where.lost, *where.moved))
    return PossibleOutcome(outcome, _ENDS[outcome], tuple(evicted), nodes)


def amount_of(r: int, value: float) -> Amount:
    """An amount of a resource: exact in KAI's unit, and as text."""
    resource = RESOURCES[r]
    text = figures.amount(resource, value)
    return Amount(resource, value, f"{text} GB" if resource == "memory" else text)


def _route(plan: Plan) -> tuple[Station, ...]:
    """The job's queue, then its ancestors."""
    job = plan.job
    stations = [Station("", f"{job.group.key.namespace}/{job.name}")]
    for standing in plan.chain:
        key = standing.queue.key
        stations.append(Station("Queue", standing.queue.name, None if key is None else Place(key)))
    return tuple(stations) if plan.chain else (*stations, Station("Queue", job.queue))


def _context(plan: Plan, state: KaiState) -> tuple[str, ...]:
    shard = plan.shard
    counts = state.past is not None or shard.time_aware is TimeAware.PROPOSAL
    formula = (figures.formula(shard.time_aware, shard.k),) if counts else ()
    return shard_text(shard), *formula


def shard_text(shard: Shard) -> str:
    """The shard that decides, or that none does."""
    return f"shard {shard.name}" if shard.name else "no shard"


def _needs(plan: Plan) -> Iterator[Need]:
    """What the job requests, and what is idle on all ready nodes together."""
    total = plan.job.request.total
    for r in range(len(RESOURCES)):
        if total[r]:
            yield Need(amount_of(r, total[r]), amount_of(r, plan.room.idle[r]))


def _amounts(plan: Plan, held: Sequence[float]) -> tuple[Amount, ...]:
    """The amounts of the requested resources, or of all resources if the job requests none."""
    wanted = [r for r in range(len(RESOURCES)) if plan.job.request.total[r] and held[r]]
    shown = wanted if not plan.job.request.total.gpu else [r for r in wanted if RESOURCES[r] == "gpu"]
    return tuple(amount_of(r, held[r]) for r in shown or wanted or range(len(RESOURCES)) if held[r])


def _held_by(plan: Plan, tasks: Iterable[GangPod]) -> tuple[Amount, ...]:
    held = [0.0] * len(RESOURCES)
    for task in tasks:
        for r, value in enumerate(task.accepted.total):
            held[r] += value
    return _amounts(plan, held)


def _victims(plan: Plan) -> Iterator[Victim]:
    """The jobs that lose pods, each with the strategy that allows it."""
    sides = {} if plan.reclaim is None else {one.job.name: one for one in plan.reclaim.candidates}
    laws, moved = laws_of_victims(plan), tasks_by_job(plan.moved)
    for name, (job, tasks) in tasks_by_job(plan.victims).items():
        frees = _held_by(plan, tasks)
        pods = _pods_of(tasks, job)
        pods += f", and {len(moved[name][1])} restarted on another node" if name in moved else ""
        if plan.displaced:
            clause = f"{pods}: same queue, priority below {plan.job.priority}"
            yield Victim(job.group.key, job.queue, job.priority, frees, Law.IN_QUEUE_PRIORITY, clause, PREEMPT)
            continue
        by_share = laws[name] is Law.OVER_SHARE
        rule = MAINTAIN if by_share else GUARANTEE
        side = f": {_side(plan, sides[name], by_share=by_share)}" if name in sides else ""
        clause = f"{pods}{side}"
        yield Victim(job.group.key, job.queue, job.priority, frees, laws[name], clause, rule)


def _pods_of(tasks: Sequence[GangPod], job: Job) -> str:
    """How many of the pods that run leave; a job that gets in first leaves in the cycle that lets it in."""
    running, placed = len(job.active), len(tasks) - len(job.active)
    if placed <= 0:
        return f"{len(tasks)} of {count(running, 'pod')}"
    which = f"{placed} of which KAI places" if running else "which KAI places"
    return f"{count(len(tasks), 'pod')}, {which} first, in the same cycle"


def _moved_jobs(plan: Plan) -> Iterator[Victim]:
    """Jobs that lose no pod; some of their pods restart on another node."""
    losing = tasks_by_job(plan.victims)
    for name, (job, tasks) in tasks_by_job(plan.moved).items():
        if name in losing:
            continue
        pods = _pods_of(tasks, job)
        clause = f"{pods}: evicted here, restarted on another node"
        yield Victim(job.group.key, job.queue, job.priority, (), Law.PLACEMENT, clause, CONSOLIDATE)


def _side(plan: Plan, one: Candidate, *, by_share: bool) -> str:
    """What the candidate's side holds, next to its fair share or its quota."""
    bounds = one.allocatable if by_share else one.quota
    over = [r for r in (2, 0, 1) if bounds[r] != UNLIMITED and one.held[r] > bounds[r]]
    r = next((r for r in over if plan.job.request.total[r]), over[0] if over else 2)
    resource = RESOURCES[r]
    held, bound = figures.amount(resource, one.held[r]), figures.bound_with_unit(resource, bounds[r])
    versus = one.victim if one.victim == one.job.queue else f"{one.victim}, above {one.job.queue},"
    if by_share:
        keeps = "may keep only" if over else "may keep"
        return f"{versus} holds {held} and {keeps} {bound} (compared with {one.asker})"
    relation = "more than" if over else "not more than"
    within_own = f"{one.asker} would stay within its own quota"
    return f"{versus} holds {held}, {relation} its quota of {bound}; {within_own}"


def _spared_jobs(plan: Plan) -> Iterator[Spared]:
    """Candidates whose pods all stay, and lower-priority jobs of the same queue whose eviction does not help."""
    reclaim, taken = plan.reclaim, {eviction.job.name for eviction in (*plan.victims, *plan.moved)}
    for one in reclaim.candidates if reclaim is not None else ():
        if one.job.name in taken:
            continue
        assert reclaim is not None
        law, clause = _why_spared(plan, reclaim, one)
        holds = _held_by(plan, one.job.active)
        yield Spared(one.job.group.key, one.job.queue, one.job.priority, holds, law, clause)
    for job in plan.lower if plan.displaced or plan.computed is Outcome.WAITS else ():
        if job.name not in taken:
            clause = (
                "not needed" if plan.displaced else "evicting every job of lower priority in this queue is not enough"
            )
            holds = _held_by(plan, job.active)
            yield Spared(job.group.key, job.queue, job.priority, holds, Law.IN_QUEUE_PRIORITY, clause, PREEMPT)


def _why_spared(plan: Plan, reclaim: Reclaim, one: Candidate) -> tuple[Law, str]:
    by_share = not within(one.held, one.allocatable)
    law = Law.OVER_SHARE if by_share else Law.OVER_QUOTA
    side = _side(plan, one, by_share=by_share)
    safe = "; elastic: minimum runtime protects its minimum of pods" if one.safe else ""
    if one.job.name in reclaim.left_out:
        return law, f"not allowed once the earlier victims are gone: {side}{safe}"
    if plan.victims:
        return law, f"not needed: {side}{safe}"
    return law, f"would not help: {side}{safe}"


def _queues_without_victims(plan: Plan) -> Iterator[Unasked]:
    for one in plan.reclaim.passed_over if plan.reclaim is not None else ():
        yield Unasked(one.queue, _amounts(plan, one.holds), one.jobs, str(one.step.law), sentence(one.step))


def binding_limits(plan: Plan) -> Iterator[BindingLimit]:
    """The failing tests as limits, the deciding one first; empty if the job gets in."""
    if plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return
    decisive = failing_step(plan)
    refused = decisive is not None and decisive.law is Law.REFUSED
    failing = [step for step in plan.proof if not step.holds and not refused and Law(step.law) in _LIMITS]
    for step in sorted(failing, key=lambda step: (step is not decisive, step.law is Law.IDLE)):
        if step.law is not Law.IDLE or plan.computed is Outcome.WAITS:
            yield _binding_limit(step)


def _binding_limit(step: Step) -> BindingLimit:
    r = RESOURCES.index(str(step.operand("resource")))
    asked = _number(step.operand("asked"))
    ever = False
    if step.law is Law.IDLE:
        reach = _number(step.operand("idle"))
    else:
        bound, held = _number(step.operand("bound")), _number(step.operand("held"))
        ever = step.law is not Law.WITHIN_SHARE and asked > bound
        reach = bound if ever else bound - held
    place = next((fact.place for fact in step.rests_on if isinstance(fact, Fact)), None)
    needed, reachable, short = (amount_of(r, value) for value in (asked, reach, asked - reach))
    return BindingLimit(_limit_clause(step), place, needed, reachable, short, ever)


def _limit_clause(step: Step) -> str:
    """The bound of a test, without the amount that is held."""
    if step.law is Law.IDLE:
        return f"idle {step.operand('resource')} on ready nodes"
    words = {Law.LIMIT: "limit", Law.WITHIN_SHARE: "fair share"}
    resource, bound = str(step.operand("resource")), _number(step.operand("bound"))
    text = f"{words.get(Law(step.law), 'quota')} of {step.operand('queue')}: {figures.bound_with_unit(resource, bound)}"
    return text if step.law in words else f"{text}, the bound for non-preemptible jobs"


def _number(operand: object) -> float:
    return float(operand) if isinstance(operand, (int, float)) else 0.0


def verdict(plan: Plan) -> str:
    """The outcome in one clause."""
    if plan.outcome is not Outcome.UNKNOWN:
        copies = plan.job.group.copies
        return f"{outcome_clause(plan)}{f' (the first of its {copies} PodGroups)' if copies > 1 else ''}"
    reasons = "; ".join(plan.fidelity.doubts) or "the answer varies between runs of KAI itself"
    return f"unknown: {orders_clause(plan)}{reasons}"


def computed_verdict(plan: Plan) -> str:
    """What is known of an unknown outcome, in a clause: that at each moment, or that without what is not modelled."""
    if plan.moments:
        return "; ".join(f"{when}: {outcome_clause(at)}" for when, at in by_moment(plan))
    return "" if plan.computed is Outcome.UNKNOWN else f"ignoring that: {outcome_clause(plan)}"


def outcome_clause(plan: Plan) -> str:
    """The outcome, as far as it is modelled, in one clause."""
    if plan.computed is Outcome.ADMITTED:
        if any(gap.feature == NO_NODES for gap in plan.fidelity.gaps):
            return "it passes every gate of its queues; how much is idle is not known"
        if plan.placement is not None and plan.placement.waiting and not plan.placement.bound:
            return "admitted: its pods get their nodes after the evictions under way"
        return "admitted now: enough resources are idle" if plan.job.next else "admitted: all its pods are placed"
    if plan.computed is Outcome.PREEMPTS:
        return f"admitted after {leaving_clause(plan)}"
    in_vain = f"; KAI evicts {_who(plan.in_vain)} for it in vain" if plan.in_vain else ""
    return f"{'waits' if plan.computed is Outcome.WAITS else 'can never run'}: {reason_clause(plan)}{in_vain}"


def leaving_clause(plan: Plan) -> str:
    """What must leave before the job gets in."""
    moved = f"moving {_who(plan.moved)}" if plan.moved else ""
    if not plan.victims:
        return moved or "the evictions under way"
    also = f", and {moved}" if moved else ""
    if plan.displaced:
        return f"preempting {_who(plan.displaced)} with lower priority in its queue{also}"
    return f"reclaiming {_who(plan.victims)}{also}"


def _who(leaving: Sequence[Eviction]) -> str:
    """The number of pods, and of the jobs that they belong to."""
    pods = sum(len(eviction.tasks) for eviction in leaving)
    return f"{count(pods, 'pod')} of {count(len(tasks_by_job(leaving)), 'job')}"


def _remedy(remedy: Remedy) -> TriedChange:
    maker = Maker.ADMIN if remedy.changes[0].bound else Maker.OWNER
    losing = remedy.victims + remedy.moved
    place = next((change.place for change in remedy.changes if change.place is not None), None)
    return TriedChange(change_clause(remedy), remedy.outcome, result_clause(remedy), losing, maker, place)
