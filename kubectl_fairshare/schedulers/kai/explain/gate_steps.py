"""The tests of a job before KAI allocates it, in KAI's order, as steps of a proof.

Tested in ``tests/unit/schedulers/kai/explain/test_planning.py``. Source: "kai gates" in ``docs/laws.md``.
"""

from collections.abc import Iterator, Sequence

from kubectl_fairshare.schedulers.kai.explain.derivation import fact
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED
from kubectl_fairshare.schedulers.kai.session.gates import Exceeded, GateRefusal, gate
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.room import IdleRoom, Space, wanted_on
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session
from kubectl_fairshare.trace import Fact, Operand, Step


def is_tried(job: Job) -> bool:
    """Whether it has enough pods, and the sub-groups that KAI fills first have some without scheduling gates."""
    return job.ready and (bool(job.next) or not job.pending)


def gate_steps(session: Session, job: Job, chain: Sequence[QueueAttributes], room: IdleRoom) -> Iterator[Step]:
    """The tests before allocation up to the first that fails; the last is whether enough is idle."""
    if not chain:
        yield Step(Law.QUEUE_UNKNOWN, (("queue", job.queue), ("complete", session.state.complete)), False)
        return
    if not session.is_leaf(job.queue):
        yield Step(Law.QUEUE_NOT_LEAF, (("queue", job.queue), ("children", len(session.children[job.queue]))), False)
        return
    if not is_tried(job):
        pods = (("pods", len(job.tasks)), ("minimum", sum(s.minimum for s in job.pod_sets.values())))
        yield Step(Law.GANG_NOT_READY, pods, False)
        return
    exceeded = gate(chain, job.asked, preemptible=job.preemptible)
    yield from _bounds(job, chain, exceeded)
    if exceeded is None and session.state.nodes:
        idle = idle_step(job, room)
        yield idle
        if idle.holds:
            yield from _no_node(session, job, room)


def _bounds(job: Job, chain: Sequence[QueueAttributes], exceeded: Exceeded | None) -> Iterator[Step]:
    """A step for each bound in KAI's order: limits from the leaf up, then quotas."""
    laws = [(Law.LIMIT, GateRefusal.OVER_LIMIT)]
    if not job.preemptible:
        laws.append((Law.NON_PREEMPTIBLE_QUOTA, GateRefusal.OVER_QUOTA))
    for law, refusal in laws:
        for standing in chain:
            for r in range(len(RESOURCES)):
                step = _bound_step(law, standing, r, job.asked[r])
                if step is None:
                    continue
                yield step
                if not step.holds:
                    return
        if exceeded is not None and exceeded.reason is refusal:
            return


def lasting_bound(job: Job, chain: Sequence[QueueAttributes]) -> Step | None:
    """The first bound that is too low for the request of the job alone, whatever others hold; None without one."""
    laws = (Law.LIMIT,) if job.preemptible else (Law.LIMIT, Law.NON_PREEMPTIBLE_QUOTA)
    pairs = ((law, standing, r) for law in laws for standing in chain for r in range(len(RESOURCES)))
    steps = (_bound_step(law, standing, r, job.asked[r]) for law, standing, r in pairs)
    return next((step for step in steps if step is not None and is_lasting(step)), None)


def is_lasting(step: Step) -> bool:
    """Whether the step is about a bound that is lower than what the job requests."""
    if step.law not in (Law.LIMIT, Law.NON_PREEMPTIBLE_QUOTA):
        return False
    bound, asked = step.operand("bound"), step.operand("asked")
    return isinstance(bound, (int, float)) and isinstance(asked, (int, float)) and bound < asked


def _bound_step(law: Law, standing: QueueAttributes, r: int, asked: float) -> Step | None:
    """One bound, next to what is held and requested; None without a bound or a request."""
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
    """Whether the idle total is enough."""
    wanted = job.request.total
    short = [RESOURCES[r] for r in range(3) if wanted[r] > room.idle[r]]
    resource = short[0] if short else next((RESOURCES[r] for r in (2, 0, 1) if wanted[r] > 0), RESOURCES[2])
    r = RESOURCES.index(resource)
    operands: tuple[tuple[str, Operand], ...] = (("resource", resource), ("idle", room.idle[r]), ("asked", wanted[r]))
    return Step(Law.IDLE, operands, not short)


def _no_node(session: Session, job: Job, room: IdleRoom) -> Iterator[Step]:
    """A step for a pod that fits no node, although the idle total is enough."""
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
