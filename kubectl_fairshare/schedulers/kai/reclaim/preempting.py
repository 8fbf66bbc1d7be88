"""KAI's preempt action: a job evicts jobs of lower priority in its own queue. Fair shares do not matter.

Example: a job of priority 100 evicts one of 50 in a queue that is far above its fair share; nothing moves to others.
Source: https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/actions/preempt,
"kai-in-queue-priority" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kai/explain/test_planning.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import Allocated
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction, evictions
from kubectl_fairshare.schedulers.kai.reclaim.min_runtime import preempt_protected
from kubectl_fairshare.schedulers.kai.reclaim.search import take
from kubectl_fairshare.schedulers.kai.session.gates import gate
from kubectl_fairshare.schedulers.kai.session.job_order import victims_in_order
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.room import IdleRoom, Space
from kubectl_fairshare.schedulers.kai.session.session import Session


def lower(session: Session, job: Job) -> Iterator[Job]:
    """The possible victims: same queue, preemptible, placed, strictly lower priority."""
    for other in session.jobs.values():
        # Strictly lower: between jobs of one priority nothing is preempted, however long one waits.
        if other.queue == job.queue and other.preemptible and other.priority < job.priority and other.active:
            yield other


def preemption_victims(session: Session, job: Job, room: IdleRoom) -> tuple[Eviction, ...]:
    """The first pods in victim order that make room and open the gates; empty if all of them are not enough."""
    if job.delayed(session.now):
        return ()
    chain, held = session.chain(job.queue), dict[str, Allocated]()
    space = Space(session, room, job.next, job.request.total)
    taken: list[Eviction] = []
    for eviction in _in_order(session, job):
        taken.append(eviction)
        take(session, eviction, held)
        space.free(eviction.tasks)
        now = [replace(known, allocated=held.get(known.queue.name, known.allocated)) for known in chain]
        # What the victims held counts no more, so that a queue at its limit can preempt within itself.
        if space.enough and gate(now, job.asked, preemptible=job.preemptible) is None:
            return tuple(taken)
    return ()


def _in_order(session: Session, job: Job) -> Iterator[Eviction]:
    """The possible evictions in order; a job that its minimum runtime protects loses only pods above its minimum."""
    found = [other for other in lower(session, job) if other.elastic or not preempt_protected(session, other)]
    for other in victims_in_order(session, found).value:
        safe = preempt_protected(session, other)
        yield from (eviction for eviction in evictions([other]) if eviction.surplus or not safe)
