"""The workloads that wait, or would: jobs of the input, and Workloads whose job is not in it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.finding import Related
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import inside, mapping, rows
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kueue.jobs import Context, pending_of
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import RejectedError
from kubectl_fairshare.schedulers.kueue.jobs.kinds.templates import JOB_KINDS
from kubectl_fairshare.schedulers.kueue.jobs.lineage import RelatedFields
from kubectl_fairshare.schedulers.kueue.jobs.management import DEFAULT_QUEUE
from kubectl_fairshare.schedulers.kueue.jobs.names import PREBUILT_KEY
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending

_KINDS: Final = {(kind.group, kind.kind): kind for kind in JOB_KINDS}
_ENDED: Final = ("Complete", "Completed", "Failed")


def read_jobs(snapshot: Snapshot, context: Context) -> Mapping[ObjectKey, Pending | FairshareError]:
    """The workload of every job that has not ended, by its key; the error of one that cannot be read.

    Jobs are left out if they have finished, are controlled by another job, or have a prebuilt Workload.
    """
    return {
        key: _read(manifest, context)
        for key, manifest in snapshot.manifests.items()
        if (key.group, key.kind) in _KINDS and not _idle(manifest)
    }


def _read(manifest: Manifest, context: Context) -> Pending | FairshareError:
    try:
        return pending_of(manifest, context)
    except FairshareError as error:
        return error.with_traceback(None)  # which would keep all that was being read


def submissions(snapshot: Snapshot, jobs: Mapping[ObjectKey, Pending | FairshareError]) -> tuple[Pending, ...]:
    """Every workload that waits for quota, or will once one of the ``jobs`` is created, by source.

    Jobs are left out if they hold quota, or cannot be read: one that Kueue's webhook rejects does not wait. ``source``
    is never None.
    """
    waiting = {pending.key: pending for pending in snapshot.part(KueueState).pending}
    owned = dict(_owned(snapshot))
    found: dict[ObjectKey, Pending] = {}
    for key, pending in jobs.items():
        workload = owned.get((key.group, key.kind, key.namespace, key.name))
        if isinstance(pending, FairshareError) or (workload is not None and workload not in waiting):
            continue
        found[pending.source or key] = pending
        if workload is not None:
            del waiting[workload]
    found |= {key: pending for key, pending in waiting.items() if pending.active}
    return tuple(found[key] for key in sorted(found))


def unreadable_jobs(jobs: Iterable[Pending | FairshareError]) -> Iterator[Problem]:
    """The problems of the jobs that cannot be read, without those that Kueue's webhook rejects: rules report these."""
    for each in jobs:
        if isinstance(each, FairshareError) and not isinstance(each, RejectedError):
            yield from each.problems


def queue_place(pending: Pending) -> Place:
    """The place where a workload names its LocalQueue."""
    source = pending.source or pending.key
    if (source.group, source.kind) == (GROUP, "Workload"):
        return Place(source, ("spec", "queueName"))
    return Place(source, (*_KINDS[source.group, source.kind].carrier, "metadata", "labels", f"{GROUP}/queue-name"))


def default_queue(snapshot: Snapshot, place: Place) -> tuple[Related, ...]:
    """LocalQueue ``default``, if the job whose queue's name has the ``place`` writes none and gets that one."""
    manifest = snapshot.manifests.get(place.object)
    if manifest is None or inside(manifest.data, *place.path):
        return ()
    queue = snapshot.part(KueueState).local_queues.get((place.object.namespace, DEFAULT_QUEUE))
    return () if queue is None else (Related(f"it gets LocalQueue `{DEFAULT_QUEUE}`", Place(queue.key)),)


def _idle(manifest: Manifest) -> bool:
    """Whether a job has finished, is controlled by another object, or has a prebuilt Workload."""
    data = manifest.passing_data
    metadata, status = mapping(data, "metadata"), mapping(data, "status")
    return (
        any(owner.get("controller") is True for owner in rows(metadata, "ownerReferences"))
        or any(c.get("type") in _ENDED and c.get("status") == "True" for c in rows(status, "conditions"))
        or status.get("phase") in ("Succeeded", "Failed")
        or any(PREBUILT_KEY in mapping(metadata, where) for where in ("labels", "annotations"))
    )


def _owned(snapshot: Snapshot) -> Iterator[tuple[tuple[str, str, str, str], ObjectKey]]:
    """Group, kind, namespace and name of every job with a Workload, and that Workload."""
    for key, manifest in snapshot.manifests.items():
        if (key.group, key.kind) == (GROUP, "Workload"):
            for owner in rows(manifest.passing_fields(RelatedFields), "metadata", "ownerReferences"):
                group, kind, name = owner.get("apiVersion"), owner.get("kind"), owner.get("name")
                if isinstance(group, str) and isinstance(kind, str) and isinstance(name, str):
                    yield (group.rpartition("/")[0], kind, key.namespace, name), key
