"""Reclaim: who may reclaim, the candidates, their order, and whether a set of them is fair.

It does not decide where pods can be placed, nor how long KAI's solver searches.
Why figures of queues before any victim: the reclaimer would be above its fair share with the job. No set of victims
changes that, so none is looked for.
Source: ``CanReclaimResources``, ``FilterVictim`` in
https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/plugins/proportion/reclaimable; ``reclaimableFn`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/plugins/proportion/proportion.go; "kai reclaim" in
``docs/laws.md``.
"""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_fairshare.schedulers.kai.map_orders import SLOTS, OverMapOrders, most_common, over_map_orders, walks
from kubectl_fairshare.schedulers.kai.model.objects import Charge, Requested, Resources
from kubectl_fairshare.schedulers.kai.reclaim.min_runtime import keeps_minimum, passes_filter
from kubectl_fairshare.schedulers.kai.reclaim.strategies import compared_queues, is_candidate, may_reclaim
from kubectl_fairshare.schedulers.kai.reclaim.validator import Asker, FairnessVerdict, Victims, items_of, judge
from kubectl_fairshare.schedulers.kai.session.gangs import GangPod
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session

Losses = Mapping[str, Sequence[GangPod]]


def asker_of(job: Job) -> Asker:
    """The job as the reclaimer."""
    # GPU memory counts as a part of the smallest GPU here, and of the largest at gates.
    return Asker(job.queue, job.request, job.preemptible)


def can_reclaim(session: Session, asker: Asker) -> bool:
    """Whether the reclaimer may reclaim at all."""
    leaf = session.standings[asker.queue]
    return may_reclaim(leaf, Requested(asker.request.total), preemptible=asker.preemptible)


def queue_passes(session: Session, asker: str, request: Resources, victim: str) -> bool:
    """Whether jobs of queue ``victim`` are considered for a reclaimer in queue ``asker``."""
    return is_candidate(compared_queues(session.chain(asker), session.chain(victim)), Requested(request))


def candidates(session: Session, asker: Asker) -> Iterator[Job]:
    """The jobs that pass all filters, by name."""
    passing: dict[str, bool] = {}
    request = asker.request.total
    for job in session.jobs.values():
        # Its own queue is a matter of preempt.
        if job.queue == asker.queue or not job.preemptible or not job.active:
            continue
        if job.queue not in passing:
            passing[job.queue] = queue_passes(session, asker.queue, request, job.queue)
        if passing[job.queue] and passes_filter(session, asker.queue, job):
            yield job


def fair_over_map_orders(session: Session, asker: Asker, losses: Losses) -> OverMapOrders[bool]:
    """Whether these victims are fair, in most walks of KAI's maps; exact for up to eight."""
    # Go walks a map of at most eight entries from one of its slots on: few enough orders to list them all.
    if len(losses) > SLOTS:
        return over_map_orders(
            lambda order: _fair(session, asker, {name: losses[name] for name in order}), list(losses)
        )
    judged: dict[tuple[tuple[str, tuple[Charge, ...]], ...], bool] = {}
    counts = {True: 0, False: 0}
    for often, victims in _walked(session, losses):
        key = tuple((queue, tuple(items)) for queue, items in victims.items())
        if key not in judged:
            judged[key] = judge(session, asker, victims).allowed
        counts[judged[key]] += often
    return most_common((often, allowed) for allowed, often in counts.items() if often)


def _fair(session: Session, asker: Asker, losses: Losses) -> bool:
    return judge(session, asker, _items(session, losses)).allowed


def _walked(session: Session, losses: Losses) -> Iterator[tuple[int, Victims]]:
    """The items by queue, in every order that a walk of KAI's maps of jobs and queues gives."""
    for often, names in walks(list(losses)):
        victims = _items(session, {name: losses[name] for name in names})
        for more, queues in walks(list(victims)):
            yield often * more, {queue: victims[queue] for queue in queues}


def takes(session: Session, asker: Asker, losses: Losses) -> tuple[bool, FairnessVerdict]:
    """Whether the reclaimer may take these pods of each job: by minimum runtime, and by fairness."""
    return keeps_minimum(session, asker.queue, losses), judge(session, asker, _items(session, losses))


def _items(session: Session, losses: Losses) -> Victims:
    """The items of the victims, by queue."""
    victims: dict[str, list[Charge]] = {}
    for name, tasks in losses.items():
        job = session.jobs[name]
        if items := items_of(job, tasks):
            victims.setdefault(job.queue, []).extend(items)
    return victims
