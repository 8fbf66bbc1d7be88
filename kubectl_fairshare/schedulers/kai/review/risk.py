"""Who may take a running job's nodes: queues that may reclaim from its queue, and higher priorities of its own.

A queue is listed where the standing of both sides makes the job a candidate for some newcomer of it; whether one really
takes it is for ``plan`` to say. A newcomer asks for something, whatever the job holds, and its request counts when the
fair shares are divided: so those of each other queue may be smaller. Source: KAI-Scheduler v0.17; "kai reclaim" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kai/reclaim/test_exposures.py``.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.review import Exposure, PossiblePreemptor
from kubectl_fairshare.schedulers.kai import fairness
from kubectl_fairshare.schedulers.kai.explain.what_if import with_requests
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, Requested, Resources
from kubectl_fairshare.schedulers.kai.reclaim.strategies import compared_queues, is_candidate, is_starving
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session
from kubectl_fairshare.schedulers.kai.words.plan_answer import amount_of

_LEAST: Final = tuple(
    Requested(Resources(*(amount * (i == r) for i in range(len(RESOURCES))))) for r, amount in enumerate((1, 1, 0.01))
)
"""The smallest newcomers: a millicore, a byte, a hundredth of a GPU."""


def exposures(session: Session, numbers: PreemptorNumbers) -> Iterator[Exposure]:
    """Every job that holds nodes, by name."""
    active = [job for job in session.jobs.values() if job.active]
    takers = _takers(session, sorted({job.queue for job in active if job.known and job.preemptible}))
    sets = {queue: numbers.set_of(found) for queue, found in takers.items()}
    for job in active:
        holding = _holding(job)
        held = [r for r in range(len(RESOURCES)) if holding[r] > 0]
        holds = tuple(amount_of(r, holding[r]) for r in held)
        borrows = job.known and any(_over(session, job.queue, r) for r in held)
        safe = not (job.known and job.preemptible)
        known = numbers.having(0) if safe else sets[job.queue]
        yield Exposure(job.group.key, job.queue, job.priority, holds, borrows, known, len(job.active))


def _holding(job: Job) -> Resources:
    totals = [task.accepted.total for task in job.active]
    return Resources(*(sum(total[r] for total in totals) for r in range(len(RESOURCES))))


def _over(session: Session, queue: str, r: int) -> bool:
    standing = session.standings[queue]
    return standing.queue.quota[r] != UNLIMITED and standing.allocated[r] > standing.queue.quota[r]


def _takers(session: Session, queues: Iterable[str]) -> dict[str, list[PossiblePreemptor]]:
    """Who may take something from the jobs of each queue."""
    found = {
        name: [PossiblePreemptor(name, str(Law.IN_QUEUE_PRIORITY), "higher priority in the queue")] for name in queues
    }
    for name in sorted(session.standings) if found else ():
        if session.is_leaf(name):
            asked = with_requests(session, {name: dict.fromkeys(RESOURCES, math.inf)})
            for queue in found:
                found[queue] += _rules(asked, name, queue)
    return found


def _rules(session: Session, taker: str, queue: str) -> Iterator[PossiblePreemptor]:
    """The rules by which a newcomer of one leaf queue may reclaim from another; its queue asks without end."""
    pair = None if taker == queue else compared_queues(session.chain(taker), session.chain(queue))
    if pair is None:
        return
    ours, theirs = pair
    leaf = session.standings[taker]
    if not any(fairness.may_reclaim(leaf.allocated, least, leaf.fair_share) for least in _LEAST):
        return
    if any(is_starving(ours, least) and is_candidate(pair, least) for least in _LEAST):
        yield PossiblePreemptor(taker, str(Law.OVER_QUOTA), "reclaim, within its quota")
    if not is_starving(ours, _left(leaf)) and fairness.maintains_fair_share(theirs.allocated, theirs.allocatable):
        yield PossiblePreemptor(taker, str(Law.OVER_SHARE), "reclaim, over the fair share")


def _left(leaf: QueueAttributes) -> Requested:
    """The largest request with which a leaf queue may reclaim: what its fair share leaves."""
    pairs = zip(leaf.fair_share, leaf.allocated, strict=True)
    return Requested(Resources(*(math.inf if share == UNLIMITED else share - held for share, held in pairs)))
