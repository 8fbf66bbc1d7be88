"""What became of the pods of namespaces with quotas. The pods of one Job are one job of the trace.

A preempted pod is deleted, so most evictions are gone with their pods. A pod that is still there, or its Event, shows
them.
Source: core/v1, ``status`` of a Pod; CapacityScheduling deletes victims through the API.
Tested in ``tests/unit/cli/commands/test_trace.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

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
from kubectl_fairshare.jobs.pod_surroundings import Surroundings
from kubectl_fairshare.jobs.pod_times import PodTimes, gang_events, owner_of, pod_times
from kubectl_fairshare.jobs.traced_pods import traced_pods, untraced
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import read_pod
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, Vector

_PODS = "pods"


def history(snapshot: Snapshot) -> PastWork:
    """The jobs whose pods are in namespaces with a quota, by creation."""
    quotas = snapshot.part(ElasticQuotaState).quotas
    pods = [m for m in snapshot.manifests.values() if _is_pod(m.key) and m.key.namespace in quotas]
    notes = [note_of(root_of(event)) for event in events_of(snapshot.manifests.values())]
    about = [note for note in notes if _is_pod(note.about) and note.about.namespace in quotas]
    preempted = {note.about: note for note in about if note.reason == "Preempted"}
    by_owner: dict[ObjectKey, list[Manifest]] = {}
    for pod in pods:
        by_owner.setdefault(owner_of(pod, "Job") or pod.key, []).append(pod)
    jobs = dated(_job(owner, each, preempted) for owner, each in by_owner.items())
    lost = lost_jobs(((note.about, note.moment) for note in about), snapshot.manifests)
    moments = [at for job in jobs for at in (job.created, job.admitted, job.finished) if at is not None]
    said = (*_notes(jobs), *lacking_notes(jobs))
    return PastWork("elasticquota", "cluster", jobs, max(moments, default=None), lost, said)


def _is_pod(key: ObjectKey) -> bool:
    return (key.group, key.kind) == ("", "Pod")


def _job(owner: ObjectKey, pods: Sequence[Manifest], preempted: Mapping[ObjectKey, Note]) -> TracedJob:
    times = [pod_times(pod) for pod in pods]
    kept = [pod for pod, each in zip(pods, times, strict=True) if each.preempted is None] or pods
    read = [_read(pod) for pod in kept]
    events = [*gang_events(times), *_evictions(pods, times, preempted)]
    job = TracedJob(
        owner.name,
        owner.namespace,
        "",
        min((each.created for each in times if each.created is not None), default=0),
        tuple(_pod_sets(kept, read)),
        max(pod.priority for pod in read),
        root_of(kept[0]).at("spec", "priorityClassName").text(),
        lacks=untraced(root_of(pod).at("spec") for pod in kept),
    )
    return with_events(job, events)


def _read(pod: Manifest) -> Pod:
    """The pod as the scheduler would hold it before its end."""
    found = read_pod(pod.key, {**pod.data, "status": {}}, Surroundings(), taken=pod.stored)
    assert found is not None  # only a pod that ended reads as None, and this one has no status
    return found


def _evictions(
    pods: Iterable[Manifest], times: Iterable[PodTimes], preempted: Mapping[ObjectKey, Note]
) -> Iterator[JobEvent]:
    for pod, each in zip(pods, times, strict=True):
        note = preempted.get(pod.key)
        if each.preempted is None and note is not None and note.moment is not None:
            yield JobEvent(note.moment, Happening.EVICTED, "Preempted")


def _pod_sets(pods: Sequence[Manifest], read: Sequence[Pod]) -> Iterator[TracedPods]:
    """Equal pods, in the order of their first."""
    specs = [root_of(pod).at("spec") for pod in pods]
    return traced_pods((dict(_requests(pod.request)), spec) for pod, spec in zip(read, specs, strict=True))


def _requests(vector: Vector) -> Iterator[tuple[str, int]]:
    listed = (name for name in vector.listed() if name != _PODS)
    return ((name, vector.of(name)) for name in listed if vector.of(name) or name not in FIXED)


def _notes(jobs: Sequence[TracedJob]) -> Iterator[str]:
    if jobs:
        yield "preempted pods are deleted, so evictions that left no pod and no Event are not counted"
