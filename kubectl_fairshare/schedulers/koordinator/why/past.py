"""What became of the pods with a quota of their own. The pods of one Job are one job of the trace.

A preempted pod is deleted, so most evictions are gone with their pods. A pod that is still there, or its Event, shows
them.
Tested in ``tests/unit/schedulers/koordinator/test_past.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.context import PodContext
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
from kubectl_fairshare.jobs.pod_times import PodTimes, gang_events, owner_of, pod_times
from kubectl_fairshare.jobs.traced_pods import traced_pods, untraced
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.koordinator.jobs.pods import PodReader, pod_reader
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState, Pod
from kubectl_fairshare.schedulers.koordinator.quotas.membership import PodQuota
from kubectl_fairshare.schedulers.koordinator.quotas.state import all_quotas, membership_of
from kubectl_fairshare.schedulers.koordinator.release import NAME

_OUTSIDE: Final = frozenset({Law.BY_DEFAULT, Law.NO_QUOTA})
_MARKED: Final = frozenset({"GangScheduling", "Reservation", "DeviceShare"})
_NOTES: Final = (
    "pods that no label, namespace or annotation gives to a quota are left out",
    "preempted pods are deleted, so evictions that left no pod and no Event are not counted",
)


class _PastPod(NamedTuple):
    """A pod as the scheduler saw it before its end, with its manifest, its moments and its quota."""

    pod: Pod
    manifest: Manifest
    times: PodTimes
    quota: str


def history(snapshot: Snapshot) -> PastWork:
    """The jobs whose pods have a quota, by creation."""
    source = snapshot.part(KoordinatorState)
    members = membership_of(source, all_quotas(source))
    reader = pod_reader(snapshot.manifests.values(), snapshot.part(PodContext))
    notes = [note_of(root_of(event)) for event in events_of(snapshot.manifests.values())]
    about = [note for note in notes if _is_pod(note.about)]
    preempted = {note.about: note for note in about if note.reason == "Preempted"}
    by_owner: dict[ObjectKey, list[_PastPod]] = {}
    for manifest in snapshot.manifests.values():
        if not _is_pod(manifest.key):
            continue
        pod = _read(manifest, reader)
        found: PodQuota = members.of(pod)
        if found.law not in _OUTSIDE:
            past = _PastPod(pod, manifest, pod_times(manifest), found.quota)
            by_owner.setdefault(owner_of(manifest, "Job") or manifest.key, []).append(past)
    jobs = dated(_job(owner, each, preempted) for owner, each in by_owner.items())
    namespaces = {job.namespace for job in jobs}
    gone = ((note.about, note.moment) for note in about if note.about.namespace in namespaces)
    lost = lost_jobs(gone, snapshot.manifests)
    moments = [at for job in jobs for at in (job.created, job.admitted, job.finished) if at is not None]
    said = (*_NOTES, *lacking_notes(jobs)) if jobs else ()
    return PastWork(NAME, "cluster", jobs, max(moments, default=None), lost, said)


def _is_pod(key: ObjectKey) -> bool:
    return (key.group, key.kind) == ("", "Pod")


def _read(manifest: Manifest, reader: PodReader) -> Pod:
    """The pod as it came: before it had a node."""
    spec = {**(manifest.data.get("spec") or {}), "nodeName": ""}
    found = reader.read(manifest.key, {**manifest.data, "spec": spec, "status": {}}, taken=manifest.stored)
    assert found is not None  # only a pod that ended reads as None, and this one has no status
    return found


def _job(owner: ObjectKey, pods: Sequence[_PastPod], preempted: Mapping[ObjectKey, Note]) -> TracedJob:
    kept = [each for each in pods if each.times.preempted is None] or pods
    events = [*gang_events([each.times for each in pods]), *_evictions(pods, preempted)]
    job = TracedJob(
        owner.name,
        owner.namespace,
        kept[0].quota,
        min((each.times.created for each in pods if each.times.created is not None), default=0),
        tuple(_pod_sets(kept)),
        max(each.pod.priority for each in kept),
        root_of(kept[0].manifest).at("spec", "priorityClassName").text(),
        lacks=tuple(_lacks(kept)),
    )
    return with_events(job, events)


def _lacks(pods: Sequence[_PastPod]) -> Iterator[str]:
    """What decides about the job and is not in a line of a trace."""
    yield from untraced(root_of(each.manifest).at("spec") for each in pods)
    found = {
        f"the label `{names.PREEMPTIBLE}`": any(not each.pod.preemptible for each in pods),
        "gangs, reservations or shared devices": any(_MARKED.intersection(each.pod.unmodelled) for each in pods),
        "pods of several quotas": len({each.quota for each in pods}) > 1,
    }
    yield from (name for name, there in found.items() if there)


def _evictions(pods: Iterable[_PastPod], preempted: Mapping[ObjectKey, Note]) -> Iterator[JobEvent]:
    for each in pods:
        note = preempted.get(each.manifest.key)
        if each.times.preempted is None and note is not None and note.moment is not None:
            yield JobEvent(note.moment, Happening.EVICTED, "Preempted")


def _pod_sets(pods: Sequence[_PastPod]) -> Iterator[TracedPods]:
    """Equal pods, in the order of their first."""
    return traced_pods((_requests(each.pod), root_of(each.manifest).at("spec")) for each in pods)


def _requests(pod: Pod) -> dict[str, int]:
    return {resource: whole(resource, amount) for resource, amount in sorted(pod.request.items())}
