"""Stale gangs: jobs that run fewer pods than their minimum. KAI evicts the rest of them at the end of a cycle.

Release 0.17.0 does not see pods that have succeeded; later ones spare a gang that has such a pod.
Source: KAI-Scheduler v0.17, action stalegangeviction; "kai solver" in ``docs/laws.md``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.durations import nanoseconds as span
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.kai.model.objects import Phase, PodGroup
from kubectl_fairshare.schedulers.kai.release import is_first
from kubectl_fairshare.schedulers.kai.session.gangs import USED as USED_PHASES
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.solver.gangs import Gang
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.statuses import USED, Status

_SINCE: Final = "kai.scheduler/stale-podgroup-timestamp"
"""The release whose scheduler does not watch pods that have succeeded."""


def stale_gangs(layer: Layer) -> Iterator[Gang]:
    """The gangs whose grace period is over in this state, or may be, as the input has no current moment."""
    for gang in layer.ground.gangs.values():
        if _is_stale(layer, gang) and _is_over(layer, gang):
            yield gang


def _is_stale(layer: Layer, gang: Gang) -> bool:
    statuses = {pod: layer.pod_states[pod].status for pod in gang.tasks}
    completes = Status.SUCCEEDED in statuses.values() and not is_first(layer.ground.session.state.release)
    if completes or not USED & set(statuses.values()):
        return False
    return any(sum(statuses[pod] in USED for pod in leaf.pods) < leaf.minimum for leaf in gang.root.leaves())


def falls_short(session: Session, job: Job) -> bool:
    """Whether a job runs fewer pods than its minimum, so that its grace period counts."""
    phases = {task.phase for task in job.tasks}
    completes = Phase.SUCCEEDED in phases and not is_first(session.state.release)
    if completes or not USED_PHASES & phases:
        return False
    return any(pod_set.count(USED_PHASES) < pod_set.minimum for pod_set in job.pod_sets.values())


def grace_of(session: Session, group: PodGroup) -> tuple[int, int | None]:
    """The grace period of a gang in nanoseconds, negative for none, and its end if KAI has recorded the begin."""
    written = (group.raw.get("spec") or {}).get("stalenessGracePeriod")
    grace = session.shard.staleness if written is None else span(str(written))
    since = ((group.raw.get("metadata") or {}).get("annotations") or {}).get(_SINCE)
    return grace, None if since is None or grace < 0 else nanoseconds(since) + grace


def _is_over(layer: Layer, gang: Gang) -> bool:
    """Whether the gang is below its minimum for its grace period; a negative one never ends."""
    session = layer.ground.session
    grace, end = grace_of(session, gang.group)
    if grace < 0:
        return False
    if end is None:
        return grace == 0
    return session.now is None or session.now >= end
