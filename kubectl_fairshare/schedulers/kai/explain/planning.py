"""What becomes of a job: gates, idle capacity, reclaim; and what would help, simulated.

Source: KAI-Scheduler v0.17, "kai gates" and "kai reclaim" in ``docs/laws.md``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kai.explain.attempt import attempt
from kubectl_fairshare.schedulers.kai.explain.decision import Plan, Reclaim
from kubectl_fairshare.schedulers.kai.explain.derivation import fact
from kubectl_fairshare.schedulers.kai.explain.remedies import remedies
from kubectl_fairshare.schedulers.kai.gaps import fidelity_of
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.amounts import within
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, RESOURCES, UNLIMITED, Allocated
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction
from kubectl_fairshare.schedulers.kai.reclaim.preempting import lower, preemption_victims
from kubectl_fairshare.schedulers.kai.session.gates import Exceeded, Refusal, gate
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.room import IdleRoom, Space, misfits, room_of, wanted_on
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session
from kubectl_fairshare.trace import Fact, Operand, Step

_NO_HOLDING: Final = Allocated(NOTHING)


def plan(session: Session, name: str, *, advise: bool = True, over: bool = False) -> Plan:
    """The decision for a job of the session. Raises ``KeyError`` for a job that the session does not have.

    ``over``: KAI has tried the job, and tries it once only.
    """
    job = session.jobs[name]
    chain = tuple(session.chain(job.queue))
    room, too_large = room_of(session), misfits(session, job.next)
    gates = (Step(Law.TRIED_ONCE, (), False),) if over else tuple(_gates(session, job, chain, room))
    reclaim = None
    displaced: tuple[Eviction, ...] = ()
    if not over and _ever(session, job, chain, too_large):
        computed, reclaim = _decided(session, job, gates, room)
        if computed is Outcome.WAITS and reclaim is not None:
            displaced = preemption_victims(session, job, room)
            computed = Outcome.PREEMPTS if displaced else computed
    else:
        computed = Outcome.NEVER
    below = tuple(lower(session, job))
    turns = (reclaim is not None and reclaim.in_turns) or (len(below) > 1 and any(e.surplus for e in displaced))
    known = fidelity_of(session)
    sure = known.exact and (reclaim is None or reclaim.defined)
    found = Plan(
        shard=session.shard,
        job=job,
        chain=chain,
        outcome=computed if sure else Outcome.UNKNOWN,
        computed=computed,
        gates=gates,
        room=room,
        reclaim=reclaim,
        lower=below,
        displaced=displaced,
        misfits=too_large,
        remedies=(),
        # Which pods go may be others; that some go was held against the other extreme, pods of all jobs in turns.
        fidelity=replace(known, gaps=(*known.gaps, Gap("ElasticVictimOrder", (), touches=True))) if turns else known,
    )
    if over or not advise or computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return found
    return replace(found, remedies=tuple(remedies(session, found, lambda other: plan(other, name, advise=False))))


def _decided(session: Session, job: Job, gates: Sequence[Step], room: IdleRoom) -> tuple[Outcome, Reclaim | None]:
    idle = gates[-1].law is Law.IDLE and gates[-1].holds
    if idle:
        return Outcome.ADMITTED, None
    if not session.is_leaf(job.queue) or not job.ready:
        return Outcome.WAITS, None
    reclaim = attempt(session, job, room)
    return (Outcome.PREEMPTS if reclaim.taken else Outcome.WAITS), reclaim


def _ever(session: Session, job: Job, chain: Sequence[QueueAttributes], too_large: Sequence[str]) -> bool:
    """Whether the job may get in with nobody else there."""
    if not chain or not session.is_leaf(job.queue) or too_large:
        return False
    empty = [replace(standing, allocated=_NO_HOLDING, non_preemptible=_NO_HOLDING) for standing in chain]
    if gate(empty, job.asked, preemptible=job.preemptible) is not None:
        return False
    return within(job.request.total, session.totals.total)


def _gates(session: Session, job: Job, chain: Sequence[QueueAttributes], room: IdleRoom) -> Iterator[Step]:
    """The tests before allocation, up to the first that fails; at last whether enough is idle."""
    if not chain:
        yield Step(Law.QUEUE_UNKNOWN, (("queue", job.queue),), False)
        return
    if not session.is_leaf(job.queue):
        yield Step(Law.QUEUE_NOT_LEAF, (("queue", job.queue), ("children", len(session.children[job.queue]))), False)
        return
    if not job.ready:
        pods = (("pods", len(job.tasks)), ("minimum", sum(s.minimum for s in job.pod_sets.values())))
        yield Step(Law.GANG_NOT_READY, pods, False)
        return
    exceeded = gate(chain, job.asked, preemptible=job.preemptible)
    yield from _bounds(job, chain, exceeded)
    if exceeded is None:
        idle = idle_step(job, room)
        yield idle
        if idle.holds:
            yield from _no_node(session, job, room)


def _bounds(job: Job, chain: Sequence[QueueAttributes], exceeded: Exceeded | None) -> Iterator[Step]:
    """A step for each bound that was looked at: limits up the chain, then quotas."""
    laws = [(Law.LIMIT, Refusal.OVER_LIMIT)]
    if not job.preemptible:
        laws.append((Law.NON_PREEMPTIBLE_QUOTA, Refusal.OVER_QUOTA))
    for law, refusal in laws:
        for standing in chain:
            for r in range(len(RESOURCES)):
                step = _bound(law, standing, r, job.asked[r])
                if step is None:
                    continue
                yield step
                if not step.holds:
                    return
        if exceeded is not None and exceeded.reason is refusal:
            return


def _bound(law: Law, standing: QueueAttributes, r: int, asked: float) -> Step | None:
    """One bound against what is held and asked; None where there is no bound, or nothing is asked."""
    limit = law is Law.LIMIT
    bound = (standing.queue.limit if limit else standing.queue.quota)[r]
    held = (standing.allocated if limit else standing.non_preemptible)[r]
    if bound == UNLIMITED or asked == 0:
        return None
    operands: tuple[tuple[str, Operand], ...] = (
        ("resource", RESOURCES[r]),
        ("queue", standing.queue.name),
        ("bound", bound),
        ("held", held),
        ("asked", asked),
    )
    facts: tuple[Fact, ...] = fact(standing, RESOURCES[r], "limit" if limit else "quota", bound)
    return Step(law, operands, bound >= held + asked, facts)


def idle_step(job: Job, room: IdleRoom) -> Step:
    """Whether what is idle in all is enough."""
    wanted = job.request.total
    short = [RESOURCES[r] for r in range(3) if wanted[r] > room.idle[r]]
    resource = short[0] if short else next((RESOURCES[r] for r in (2, 0, 1) if wanted[r] > 0), RESOURCES[2])
    r = RESOURCES.index(resource)
    operands: tuple[tuple[str, Operand], ...] = (("resource", resource), ("idle", room.idle[r]), ("asked", wanted[r]))
    return Step(Law.IDLE, operands, not short)


def _no_node(session: Session, job: Job, room: IdleRoom) -> Iterator[Step]:
    """A step for a pod that no node has room for, though there is enough in all."""
    space = Space(session, room, job.next, job.request.total)
    if space.enough:
        return
    task = space.homeless[0]
    known = [(wanted_on(task.pod, session.nodes[name]), idle) for name, idle in room.by_node]
    short = [r for r in (2, 0, 1) if all(wanted[r] > idle[r] for wanted, idle in known)]
    r = short[0] if short else 2
    most = max((idle[r] for _, idle in known), default=0.0)
    operands: tuple[tuple[str, Operand], ...] = (
        ("resource", RESOURCES[r]),
        ("pod", task.name),
        ("asked", min((wanted[r] for wanted, _ in known), default=0.0)),
        ("most", most if short else None),
    )
    yield Step(Law.IDLE_NODE, operands, False)
