"""The other PodGroups of a job that has several equal ones, such as a Deployment: they wait next to the first.

Controllers create them one after another, so how many KAI has seen when it decides on the first is not known. All that
wait count in what their queue requests, and fair shares depend on that.

Tested in ``tests/unit/schedulers/kai/explain/test_copies.py``.
"""

import math
from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Pod
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session

_MOST: Final = 100
"""How many copies are tried at most: each is a job of the session."""


def beside_copies(session: Session, job: Job) -> KaiState | None:
    """The state in which all copies of a job wait, or as many as can count; None if those are too many to try."""
    copies = min(job.group.copies - 1, _that_count(session, job))
    if copies > _MOST:
        return None
    state, numbers = session.state, range(1, copies + 1)
    groups = (replace(job.group, key=_renamed(job, number), created=job.group.created + 1) for number in numbers)
    pods = (pod for number in numbers for pod in _copied(job, number))
    return replace(state, pod_groups=(*state.pod_groups, *groups), pods=(*state.pods, *pods))


def _that_count(session: Session, job: Job) -> int:
    """How many copies request all that the shard has: fair shares are the same with more."""
    totals, wanted = session.totals.total, job.request.total
    parts = (math.ceil(total / each) for total, each in zip(totals, wanted, strict=True) if each > 0)
    return max(parts, default=0) + 1


def _renamed(job: Job, number: int) -> ObjectKey:
    return job.group.key._replace(name=f"{job.name}-copy-{number:03d}")


def _copied(job: Job, number: int) -> Iterator[Pod]:
    """The pods of a copy."""
    for task in job.tasks:
        key = task.pod.key._replace(name=f"{task.pod.key.name}-copy-{number:03d}")
        uid = f"{task.pod.uid}-copy-{number:03d}"
        rank = task.pod.rank._replace(uid=uid)
        yield replace(task.pod, key=key, uid=uid, group=_renamed(job, number).name, rank=rank)
