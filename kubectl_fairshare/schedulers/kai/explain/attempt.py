"""The attempt to reclaim for one job: its own tests, its candidates in order, and the first set that makes room.

Tested in ``tests/unit/schedulers/kai/explain/test_planning.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.schedulers.kai.explain.decision import Candidate, PassedOver, Reclaim
from kubectl_fairshare.schedulers.kai.explain.derivation import fact
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.amounts import plus, within
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, RESOURCES, Requested, Resources
from kubectl_fairshare.schedulers.kai.reclaim.min_runtime import protected, reclaim_min_runtime
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import asker_of, candidates, fair_over_map_orders
from kubectl_fairshare.schedulers.kai.reclaim.search import VictimSearch
from kubectl_fairshare.schedulers.kai.reclaim.strategies import compared_queues, is_candidate, is_starving
from kubectl_fairshare.schedulers.kai.reclaim.validator import Asker
from kubectl_fairshare.schedulers.kai.session.job_order import victims_in_order
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.room import IdleRoom
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session
from kubectl_fairshare.trace import Operand, Step


def attempt(session: Session, job: Job, room: IdleRoom) -> Reclaim:
    """Whether the job may reclaim, from which jobs, and which pods it would evict to add to the idle resources."""
    asker = asker_of(job)
    steps = tuple(_tests(session, job))
    if not steps[-1].holds:
        return Reclaim(steps, defined=_same_for_all_shares(session, job, steps[-1]))
    found = list(candidates(session, asker))
    order = victims_in_order(session, found)
    judged = tuple(_candidate(session, asker, victim) for victim in order.value)
    passed = tuple(_passed_over(session, asker, {victim.name for victim in found}))
    tried = VictimSearch(session, job, room).through(order.value)
    firm = not tried.enough and not tried.left_out
    others = [VictimSearch(session, job, room).through(other) for other in order.others]
    if len(order.value) > 1 and any(eviction.surplus for eviction in tried.taken):
        others.append(VictimSearch(session, job, room).through(order.value, in_turns=True))
    sure = _same_for_all_shares(session, job, steps[-1]) and all(bool(o.taken) == bool(tried.taken) for o in others)
    if tried.verdict is None:
        return Reclaim(steps, judged, passed, left_out=tried.left_out, firm=firm, defined=sure)
    same = fair_over_map_orders(session, asker, tried.losses).defined
    return Reclaim(
        steps,
        judged,
        passed,
        tried.taken,
        tried.verdict,
        enough=True,
        left_out=tried.left_out,
        firm=firm,
        ordered=order.defined,
        defined=sure and same,
    )


def _same_for_all_shares(session: Session, job: Job, last: Step) -> bool:
    """Whether every fair share that a run of KAI may compute gives the same result in this test."""
    undefined = session.undefined.get(job.queue)
    if undefined is None or last.law not in (Law.WITHIN_SHARE, Law.WITHIN_QUOTA):
        return True
    leaf = session.standings[job.queue]
    share = leaf.fair_share
    together = plus(leaf.allocated, job.request.total)
    verdicts_ = {
        within(together, share._replace(**{resource: value}))
        for resource, values in undefined.items()
        for value in values
    }
    return len(verdicts_) == 1


def _tests(session: Session, job: Job) -> Iterator[Step]:
    """The reclaimer's own tests, up to the first that fails."""
    if job.delayed(session.now):
        yield Step(Law.PREEMPTION_DELAY, (("delay", job.group.preemption_delay),), False)
        return
    leaf, request = session.standings[job.queue], job.request.total
    share = _comparison(Law.WITHIN_SHARE, leaf, leaf.allocated, request, leaf.fair_share)
    yield share
    if share.holds and not job.preemptible:
        yield _comparison(Law.WITHIN_QUOTA, leaf, leaf.non_preemptible, request, leaf.queue.quota)


def _comparison(law: Law, leaf: QueueAttributes, held: Resources, request: Resources, bounds: Resources) -> Step:
    """What the leaf queue would hold, next to its bounds: the resource that fails, or else the first requested one."""
    together = plus(held, request)
    failing = [r for r in range(3) if not within(_only(together, r), _only(bounds, r))]
    r = failing[0] if failing else next((i for i in (2, 0, 1) if request[i] > 0), 2)
    operands: tuple[tuple[str, Operand], ...] = (
        ("resource", RESOURCES[r]),
        ("queue", leaf.queue.name),
        ("held", held[r]),
        ("asked", request[r]),
        ("bound", bounds[r]),
    )
    facts = fact(leaf, RESOURCES[r], "quota", bounds[r]) if law is Law.WITHIN_QUOTA else ()
    return Step(law, operands, not failing, facts)


def _only(amounts: Resources, r: int) -> Resources:
    return Resources(*(amount if i == r else 0.0 for i, amount in enumerate(amounts)))


def _candidate(session: Session, asker: Asker, job: Job) -> Candidate:
    pair = compared_queues(session.chain(asker.queue), session.chain(job.queue))
    assert pair is not None
    ours, theirs = pair
    return Candidate(
        job,
        ours.queue.name,
        theirs.queue.name,
        theirs.allocated,
        theirs.allocatable,
        theirs.queue.quota,
        protected(session, asker.queue, job),
    )


def _passed_over(session: Session, asker: Asker, taken: set[str]) -> Iterator[PassedOver]:
    """The jobs that hold something and are not candidates, grouped by queue and reason."""
    groups: dict[tuple[str, str], list[Job]] = {}
    steps: dict[tuple[str, str], Step] = {}
    for job in session.jobs.values():
        if job.queue == asker.queue or job.name in taken or not job.active or not job.preemptible or not job.known:
            continue
        step = _refusal(session, asker, job)
        key = job.queue, str(step.law)
        groups.setdefault(key, []).append(job)
        steps.setdefault(key, step)
    for key, jobs in sorted(groups.items()):
        held = NOTHING
        for job in jobs:
            held = plus(held, job.holds)
        yield PassedOver(key[0], steps[key], len(jobs), held)


def _refusal(session: Session, asker: Asker, job: Job) -> Step:
    """The reason why a job is not a candidate: the figures of its side, or its minimum runtime."""
    pair = compared_queues(session.chain(asker.queue), session.chain(job.queue))
    assert pair is not None
    ours, theirs = pair
    request = Requested(asker.request.total)
    if is_candidate(pair, request):
        span, source = reclaim_min_runtime(session, asker.queue, job.queue)
        start = job.group.last_start
        operands: tuple[tuple[str, Operand], ...] = (("job", job.name), ("span", span), ("source", source))
        return Step(Law.MIN_RUNTIME, (*operands, ("start", start), ("now", session.now)), False)
    law, bounds = Law.OVER_SHARE, Resources(*theirs.allocatable)
    if is_starving(ours, request):
        law, bounds = Law.OVER_QUOTA, Resources(*theirs.queue.quota)
    r = next((i for i in (2, 0, 1) if request[i] > 0), 2)
    operands = (("resource", RESOURCES[r]), ("asker", ours.queue.name), ("victim", theirs.queue.name))
    return Step(law, (*operands, ("held", theirs.allocated[r]), ("bound", bounds[r])), False)
