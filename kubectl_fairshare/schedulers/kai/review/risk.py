"""Who may take a running job's nodes: queues that may reclaim from its queue, and higher priorities of its own.

A queue is listed where the standing of both sides makes the job a candidate for a pod of one unit; whether a job
really takes it is for ``plan`` to say. Source: KAI-Scheduler v0.17; "kai reclaim" in ``docs/laws.md``.
"""

from collections.abc import Iterator

from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import Exposure, PossiblePreemptor
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, Requested, Resources
from kubectl_fairshare.schedulers.kai.reclaim.strategies import compared_queues, is_candidate, is_starving
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.words.plan_answer import amount_of


def exposures(session: Session, numbers: PreemptorNumbers) -> Iterator[Exposure]:
    """Every job that holds nodes, by name."""
    known: dict[tuple[str, int], Preemptors] = {}
    for job in session.jobs.values():
        if not job.active:
            continue
        held = [r for r in range(len(RESOURCES)) if _holding(job)[r] > 0]
        takers = numbers.having(0)
        if job.known and job.preemptible:
            own = PossiblePreemptor(job.queue, str(Law.IN_QUEUE_PRIORITY), "higher priority in the queue")
            for r in held:
                if (job.queue, r) not in known:
                    known[job.queue, r] = numbers.set_of(_takers(session, job.queue, r))
            takers = numbers.set_of((own,)).union(known[job.queue, r] for r in held)
        holds = tuple(amount_of(r, _holding(job)[r]) for r in held)
        borrows = job.known and any(_over(session, job.queue, r) for r in held)
        yield Exposure(job.group.key, job.queue, job.priority, holds, borrows, takers, len(job.active))


def _holding(job: Job) -> Resources:
    totals = [task.accepted.total for task in job.active]
    return Resources(*(sum(total[r] for total in totals) for r in range(len(RESOURCES))))


def _over(session: Session, queue: str, r: int) -> bool:
    standing = session.standings[queue]
    return standing.queue.quota[r] != UNLIMITED and standing.allocated[r] > standing.queue.quota[r]


def _takers(session: Session, queue: str, r: int) -> Iterator[PossiblePreemptor]:
    """The other leaf queues that a request of one unit lets reclaim from the queue."""
    request = Requested(Resources(*(float(i == r) for i in range(len(RESOURCES)))))
    for name in sorted(session.standings):
        if name == queue or not session.is_leaf(name):
            continue
        pair = compared_queues(session.chain(name), session.chain(queue))
        if pair is not None and is_candidate(pair, request):
            starving = is_starving(pair[0], request)
            law = Law.OVER_QUOTA if starving else Law.OVER_SHARE
            yield PossiblePreemptor(
                name, str(law), "reclaim, within its quota" if starving else "reclaim, over the fair share"
            )
