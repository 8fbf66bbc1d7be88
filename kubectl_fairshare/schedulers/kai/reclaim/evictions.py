"""The pods that victims lose, in order: first those above a minimum one by one, then the rest of the job at once.

KAI sorts a job in again after each surplus pod, so pods of other queues may come in between; here a job is finished
before the next one.
Why surplus pods first: a job of minimum 2 runs 4 pods. Two can be taken one by one, and the job goes on; the third
would end it, so the last two leave together.
Source: ``GetTasksToEvict`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/podgroup_info/eviction_info.go; "kai reclaim" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kai/explain/test_planning.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from kubectl_fairshare.schedulers.kai.session.gangs import ALLOCATED, GangPod
from kubectl_fairshare.schedulers.kai.session.jobs import Job


class Eviction(NamedTuple):
    """Pods of one job that are evicted together; ``surplus``: a pod above its minimum."""

    job: Job
    tasks: tuple[GangPod, ...]
    surplus: bool = False


def evictions(jobs: Iterable[Job]) -> Iterator[Eviction]:
    """All evictions of ``jobs``, in their order."""
    for job in jobs:
        left = {name: [t for t in s.tasks if t.phase in ALLOCATED] for name, s in job.pod_sets.items()}
        for name, pod_set in sorted(job.pod_sets.items()):
            # The last pod of a set leaves first.
            while len(left[name]) > max(pod_set.minimum, 0):
                yield Eviction(job, (left[name].pop(),), surplus=True)
        rest = tuple(task for tasks in left.values() for task in tasks)
        if rest:
            yield Eviction(job, rest)


def sequence(jobs: Sequence[Job], *, in_turns: bool) -> Iterator[Eviction]:
    """All evictions of ``jobs``: job by job, or ``in_turns`` one of each job after the other."""
    if not in_turns:
        return evictions(jobs)
    return (each for turn in zip_longest(*(evictions([job]) for job in jobs)) for each in turn if each is not None)
