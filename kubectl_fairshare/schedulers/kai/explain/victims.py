"""The jobs that lose pods for another one, and the law by which each may be taken.

Tested in ``tests/property/exact/test_kai_preemptors.py``.
"""

from collections.abc import Iterable, Mapping

from kubectl_fairshare.schedulers.kai.explain.decision import Plan
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction
from kubectl_fairshare.schedulers.kai.reclaim.validator import JudgedItem, items_of
from kubectl_fairshare.schedulers.kai.session.gangs import GangPod
from kubectl_fairshare.schedulers.kai.session.jobs import Job


def tasks_by_job(evictions: Iterable[Eviction]) -> dict[str, tuple[Job, list[GangPod]]]:
    """The pods that each job loses, by job name, in the order of eviction."""
    lost: dict[str, tuple[Job, list[GangPod]]] = {}
    for eviction in evictions:
        lost.setdefault(eviction.job.name, (eviction.job, []))[1].extend(eviction.tasks)
    return lost


def laws_of_victims(plan: Plan) -> Mapping[str, Law]:
    """The law by which each job loses pods, by job name."""
    if plan.displaced:
        return dict.fromkeys(tasks_by_job(plan.victims), Law.IN_QUEUE_PRIORITY)
    judged = _judged_by_job(plan)
    return {
        name: Law.OVER_SHARE if all(item.by_share for item in judged.get(name, ())) else Law.OVER_QUOTA
        for name in tasks_by_job(plan.victims)
    }


def _judged_by_job(plan: Plan) -> dict[str, list[JudgedItem]]:
    """The judged items, grouped by the job that loses them."""
    reclaim = plan.reclaim
    if reclaim is None or reclaim.verdict is None:
        return {}
    items = reclaim.verdict.judged
    left = {queue: [one for one in items if one.queue == queue] for queue in {one.queue for one in items}}
    by_job: dict[str, list[JudgedItem]] = {}
    for name, (job, tasks) in tasks_by_job(reclaim.taken).items():
        number = len(items_of(job, tasks))
        by_job[name], left[job.queue] = left[job.queue][:number], left[job.queue][number:]
    return by_job
