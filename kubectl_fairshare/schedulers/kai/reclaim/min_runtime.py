"""The minimum runtime: how long after its start a job is protected from reclaim.

Why the setting is that of the queue just below the common ancestor, for reclaim: a department protects its jobs from
other departments as one; between its own queues each has its own.
Source: https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/plugins/minruntime,
"kai min-runtime" in ``docs/laws.md``.
"""

from collections.abc import Mapping, Sequence

from kubectl_fairshare.schedulers.kai.fairness import is_safe
from kubectl_fairshare.schedulers.kai.model.objects import DEFAULT_SUB_GROUP
from kubectl_fairshare.schedulers.kai.session.gangs import USED, GangPod
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session


def reclaim_min_runtime(session: Session, asker: str, victim: str) -> tuple[int, str]:
    """The duration that protects jobs of ``victim`` from ``asker``, and the queue that sets it ("": the shard)."""
    default = session.shard.reclaim_min_runtime
    theirs = session.chain(victim)
    if not theirs or not session.chain(asker):
        return default, ""
    # The shard chooses the method: the victim's own queue upwards, or from below the common ancestor.
    chain = theirs if session.shard.by_queue else _from_common(session.chain(asker), theirs)
    for standing in chain:
        span = standing.queue.reclaim_min_runtime
        if span is not None:
            return span, standing.queue.name
    return default, ""


def _from_common(ours: Sequence[QueueAttributes], theirs: Sequence[QueueAttributes]) -> Sequence[QueueAttributes]:
    """The victim's chain from below the lowest common ancestor up; in another tree, only its root queue."""
    if ours[-1].queue.name != theirs[-1].queue.name:
        # Two trees have no common ancestor, and KAI looks at the victim's root queue alone, not further down.
        return theirs[-1:]
    mine = {standing.queue.name for standing in ours}
    below = sum(standing.queue.name not in mine for standing in theirs)
    return theirs[max(below - 1, 0) :]


def protected(session: Session, asker: str, victim: Job) -> bool:
    """Whether the victim cannot be reclaimed yet; without a start or a current moment it can be."""
    if not session.shard.protects or session.now is None:
        return False
    span, _ = reclaim_min_runtime(session, asker, victim.queue)
    return is_safe(victim.group.last_start, span, session.now)


def preempt_protected(session: Session, victim: Job) -> bool:
    """Whether the victim cannot be preempted yet in its queue."""
    span = preempt_min_runtime(session, victim.queue)
    return session.shard.protects and is_safe(victim.group.last_start, span, session.now)


def preempt_min_runtime(session: Session, queue: str) -> int:
    """The duration that protects jobs of a queue from their own queue: the first from the leaf up."""
    spans = (standing.queue.preempt_min_runtime for standing in session.chain(queue))
    return next((span for span in spans if span is not None), session.shard.preempt_min_runtime)


def passes_filter(session: Session, asker: str, victim: Job) -> bool:
    """Whether a job is considered at all: an elastic one always is, and is judged by the pods that it would lose."""
    return victim.elastic or not protected(session, asker, victim)


def keeps_minimum(session: Session, asker: str, victims: Mapping[str, Sequence[GangPod]]) -> bool:
    """Whether every elastic victim that is protected keeps its minimum in each sub-group that loses pods."""
    for name, tasks in victims.items():
        job = session.jobs[name]
        # Jobs that are not elastic were filtered before.
        if job.elastic and protected(session, asker, job) and not _above_minimum(job, tasks):
            return False
    return True


def _above_minimum(job: Job, tasks: Sequence[GangPod]) -> bool:
    lost: dict[str, int] = {}
    for task in tasks:
        name = task.pod.sub_group or DEFAULT_SUB_GROUP
        lost[name] = lost.get(name, 0) + 1
    return all(job.pod_sets[name].count(USED) - count >= job.pod_sets[name].minimum for name, count in lost.items())
