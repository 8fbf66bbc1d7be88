"""What became of the PodGroups of a snapshot.

KAI keeps the last start and the last eviction of a PodGroup in annotations; Events that are left have earlier
evictions.
Source: KAI-Scheduler v0.17: annotations of a PodGroup, events of its status updater; core/v1, ``status`` of a Pod.
Tested in ``tests/unit/cli/commands/test_trace.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.jobs.events import Note, events_of, note_of
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.history import (
    Happening,
    JobEvent,
    PastWork,
    dated,
    lacking_notes,
    lost_jobs,
    with_events,
)
from kubectl_fairshare.jobs.nodes import tolerations
from kubectl_fairshare.jobs.pod_times import gang_events, pod_times
from kubectl_fairshare.jobs.traced_pods import untraced
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import GpuKind, KaiState, Pod, PodGroup
from kubectl_fairshare.schedulers.kai.session.jobs import NON_PREEMPTIBLE_FROM
from kubectl_fairshare.schedulers.kai.solver.ground import is_constrained

_GPU: Final = "nvidia.com/gpu"
_SHOWN: Final = 3


def history(snapshot: Snapshot) -> PastWork:
    """The PodGroups with pods, by creation."""
    state = snapshot.part(KaiState)
    about: dict[ObjectKey, list[Note]] = {}
    for note in (note_of(root_of(event)) for event in events_of(snapshot.manifests.values())):
        if note.about[:2] == (QUEUE_GROUP, "PodGroup"):
            about.setdefault(note.about, []).append(note)
    members: dict[tuple[str, str], list[Pod]] = {}
    for pod in state.pods:
        members.setdefault((pod.key.namespace, pod.group), []).append(pod)
    groups = [(group, members.get((group.key.namespace, group.name), [])) for group in state.pod_groups]
    jobs = dated(_job(snapshot, group, pods, about.get(group.key, ())) for group, pods in groups if pods)
    lost = lost_jobs(((note.about, note.moment) for each in about.values() for note in each), snapshot.manifests)
    moments = [at for job in jobs for at in (job.created, job.admitted, job.finished) if at is not None]
    return PastWork("kai", "cluster", jobs, max(moments, default=None), lost, (*_notes(groups), *lacking_notes(jobs)))


def _job(snapshot: Snapshot, group: PodGroup, pods: Sequence[Pod], notes: Sequence[Note]) -> TracedJob:
    times = [pod_times(snapshot.manifests[pod.key]) for pod in pods]
    priorities = snapshot.part(KaiState).priorities
    priority = priorities.values.get(group.priority_class, priorities.default)
    job = TracedJob(
        group.name,
        group.key.namespace,
        group.queue,
        group.created or min((each.created for each in times if each.created is not None), default=0),
        tuple(_pod_sets(snapshot, group, pods)),
        priority,
        group.priority_class,
        lacks=tuple(_lacks(snapshot, group, pods, priority)),
    )
    return with_events(job, [*gang_events(times), *_recorded(group, notes)])


def _lacks(snapshot: Snapshot, group: PodGroup, pods: Sequence[Pod], priority: int) -> Iterator[str]:
    """What decides about the job and is not in a line of a trace."""
    yield from untraced(root_of(snapshot.manifests[pod.key]).at("spec") for pod in pods)
    found = {
        "parts of GPUs": any(pod.gpu.kind is not GpuKind.WHOLE for pod in pods),
        "sub-groups": bool(group.sub_groups) or group.min_sub_group is not None,
        "preemptibility": group.preemptible not in (None, priority < NON_PREEMPTIBLE_FROM),
        "a preemption delay": bool(group.preemption_delay),
        "topology constraints": is_constrained(group),
    }
    yield from (name for name, there in found.items() if there)


def _recorded(group: PodGroup, notes: Sequence[Note]) -> Iterator[JobEvent]:
    if group.last_start is not None:
        yield JobEvent(group.last_start, Happening.ADMITTED)
    if group.last_eviction is not None:
        yield JobEvent(group.last_eviction, Happening.EVICTED, "Evict", last=True)
    for note in notes:
        if note.reason == "Evict" and note.moment is not None:
            yield JobEvent(note.moment, Happening.EVICTED, "Evict")


def _pod_sets(snapshot: Snapshot, group: PodGroup, pods: Sequence[Pod]) -> Iterator[TracedPods]:
    """Equal pods of one sub-group, in the order of their first."""
    alike: dict[tuple[str, tuple[tuple[str, int], ...]], list[Pod]] = {}
    for pod in pods:
        alike.setdefault((pod.sub_group, tuple(requests_of(pod))), []).append(pod)
    for place, ((sub_group, requests), same) in enumerate(alike.items()):
        spec = root_of(snapshot.manifests[same[0].key]).at("spec")
        name = sub_group or ("main" if len(alike) == 1 else f"pods-{place + 1}")
        least = group.min_member if len(alike) == 1 else None
        least = None if least is None or least >= len(same) else least
        selector = spec.at("nodeSelector").texts()
        yield TracedPods(name, len(same), dict(requests), least, selector, tolerations(spec))


def requests_of(pod: Pod) -> Iterator[tuple[str, int]]:
    """What a trace has of the requests of a pod, in whole units."""
    for name, amount in (("cpu", pod.request.cpu), ("memory", pod.request.memory)):
        if amount:
            yield name, int(amount)
    if pod.gpu.kind is GpuKind.WHOLE and pod.gpu.devices:
        yield _GPU, pod.gpu.devices


def _notes(groups: Sequence[tuple[PodGroup, Sequence[Pod]]]) -> Iterator[str]:
    empty = [f"{group.key.namespace}/{group.name}" for group, pods in groups if not pods]
    if empty:
        yield f"left out, because they have no Pods any more: {len(empty)} PodGroups, {some_of(empty, _SHOWN)}"
    if groups:
        yield "KAI keeps only the last eviction of a PodGroup: earlier ones are known from Events alone"
