"""Who may take a running job's nodes: queues that may reclaim from its queue, and higher priorities of its own.

A queue is listed where the standing of both sides makes the job a candidate for some newcomer of it; whether one really
takes it is for ``plan`` to say. A newcomer asks for something, whatever the job holds, and its request counts when the
fair shares are divided: so those of each other queue may be smaller. Source: KAI-Scheduler v0.17; "kai reclaim" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kai/reclaim/test_exposures.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.review import Exposure, PossiblePreemptor
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, Resources
from kubectl_fairshare.schedulers.kai.review.newcomers import Newcomers
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.words.plan_answer import amount_of


def exposures(session: Session, numbers: PreemptorNumbers) -> Iterator[Exposure]:
    """Every job that holds nodes, by name."""
    active = [job for job in session.jobs.values() if job.active]
    newcomers = Newcomers(session, numbers)
    sets = {
        queue: numbers.set_of((_own(queue),)).union((newcomers.taking_from(queue),))
        for queue in sorted({job.queue for job in active if job.known and job.preemptible})
    }
    for job in active:
        holding = _holding(job)
        held = [r for r in range(len(RESOURCES)) if holding[r] > 0]
        holds = tuple(amount_of(r, holding[r]) for r in held)
        borrows = job.known and any(_over(session, job.queue, r) for r in held)
        safe = not (job.known and job.preemptible)
        known = numbers.having(0) if safe else sets[job.queue]
        below = tuple(_left_below(session, job.queue, holding)) if job.known else ()
        yield Exposure(job.group.key, job.queue, job.priority, holds, borrows, known, len(job.active), below)


def _holding(job: Job) -> Resources:
    totals = [task.accepted.total for task in job.active]
    return Resources(*(sum(total[r] for total in totals) for r in range(len(RESOURCES))))


def _over(session: Session, queue: str, r: int) -> bool:
    standing = session.standings[queue]
    return standing.queue.quota[r] != UNLIMITED and standing.allocated[r] > standing.queue.quota[r]


def _left_below(session: Session, queue: str, holding: Resources) -> Iterator[Amount]:
    """How far the queue is below its deserved quota once a job has left, where it holds more now."""
    standing = session.standings[queue]
    for r in range(len(RESOURCES)):
        quota, held = standing.queue.quota[r], standing.allocated[r]
        if quota != UNLIMITED and held > quota > held - holding[r]:
            yield amount_of(r, quota - held + holding[r])


def _own(queue: str) -> PossiblePreemptor:
    return PossiblePreemptor(queue, str(Law.IN_QUEUE_PRIORITY), "higher priority in the queue")
