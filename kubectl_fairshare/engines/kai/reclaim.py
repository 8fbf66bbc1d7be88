"""Reclaim: who may, which jobs are candidates, in which order they would go, and whether a set of them is fair.

Where pods can be placed is not decided here, nor how long KAI's solver searches.
Source: KAI-Scheduler v0.17, "kai reclaim" in ``docs/laws.md``.
"""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_fairshare.engines.kai.gangs import Task
from kubectl_fairshare.engines.kai.jobs import Job
from kubectl_fairshare.engines.kai.min_runtime import keeps_minimum, passes_filter
from kubectl_fairshare.engines.kai.session import Session
from kubectl_fairshare.engines.kai.settling import Settled, settle
from kubectl_fairshare.engines.kai.strategies import is_candidate, leveled, may_reclaim
from kubectl_fairshare.engines.kai.validator import Asker, Verdict, items_of, judge
from kubectl_fairshare.model.kai import Charge, Resources

Losses = Mapping[str, Sequence[Task]]


def asker_of(job: Job) -> Asker:
    """The job as the side that wants to reclaim."""
    return Asker(job.queue, job.request, job.preemptible)


def can_reclaim(session: Session, asker: Asker) -> bool:
    """Whether the asker may reclaim at all."""
    leaf = session.standings[asker.queue]
    return may_reclaim(leaf, asker.request.total, preemptible=asker.preemptible)


def queue_passes(session: Session, asker: str, request: Resources, victim: str) -> bool:
    """Whether jobs of a queue are looked at for one of another queue."""
    return is_candidate(leveled(session.chain(asker), session.chain(victim)), request)


def candidates(session: Session, asker: Asker) -> Iterator[Job]:
    """The jobs that pass all filters, by name."""
    passing: dict[str, bool] = {}
    request = asker.request.total
    for job in session.jobs.values():
        if job.queue == asker.queue or not job.preemptible or not job.active:
            continue
        if job.queue not in passing:
            passing[job.queue] = queue_passes(session, asker.queue, request, job.queue)
        if passing[job.queue] and passes_filter(session, asker.queue, job):
            yield job


def verdicts(session: Session, asker: Asker, losses: Losses) -> Settled[bool]:
    """Whether the asker may have these pods, as most orders of the victims in KAI's map lead to."""

    def decide(order: list[str]) -> bool:
        minimum, verdict = takes(session, asker, {name: losses[name] for name in order})
        return minimum and verdict.allowed

    return settle(decide, list(losses))


def takes(session: Session, asker: Asker, losses: Losses) -> tuple[bool, Verdict]:
    """Whether the asker may have these pods of each job: by min-runtime, and by fairness."""
    victims: dict[str, list[Charge]] = {}
    for name, tasks in losses.items():
        job = session.jobs[name]
        items = items_of(job, tasks)
        if items:
            victims.setdefault(job.queue, []).extend(items)
    return keeps_minimum(session, asker.queue, losses), judge(session, asker, victims)
