"""Running jobs with what they hold and which queues may preempt them.

Tested in ``tests/unit/schedulers/kai/reclaim/test_exposures.py``.
"""

from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import Exposure, Exposures
from kubectl_fairshare.schedulers.kai.explain.preemptors.takers import held_by, left_below, takers
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.words.plan_answer import amount_of


def exposures(session: Session, numbers: PreemptorNumbers) -> Exposures:
    """Every job that holds nodes, by name."""
    active = [job for job in session.jobs.values() if job.active]
    known = takers(session, numbers, active)
    return Exposures([_exposure(session, job, known.of[job.name]) for job in active], known.doubt)


def _exposure(session: Session, job: Job, takers: Preemptors) -> Exposure:
    holding = held_by(job)
    held = [r for r in range(len(RESOURCES)) if holding[r] > 0]
    holds = tuple(amount_of(r, holding[r]) for r in held)
    borrows = job.known and any(_over(session, job.queue, r) for r in held)
    below = tuple(amount_of(r, less) for r, less in left_below(session, job))
    return Exposure(job.group.key, job.queue, job.priority, holds, borrows, takers, len(job.active), below)


def _over(session: Session, queue: str, r: int) -> bool:
    standing = session.standings[queue]
    return standing.queue.quota[r] != UNLIMITED and standing.allocated[r] > standing.queue.quota[r]
