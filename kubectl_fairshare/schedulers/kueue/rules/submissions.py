"""The workloads that wait, or would: jobs of the input, and Workloads whose job is not in it."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import mapping, rows
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kueue.jobs import Context, pending_of
from kubectl_fairshare.schedulers.kueue.jobs.kinds.templates import JOB_KINDS
from kubectl_fairshare.schedulers.kueue.jobs.lineage import RelatedFields
from kubectl_fairshare.schedulers.kueue.jobs.names import PREBUILT_KEY
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending

_KINDS: Final = {(kind.group, kind.kind): kind for kind in JOB_KINDS}
_ENDED: Final = ("Complete", "Completed", "Failed")


def submissions(snapshot: Snapshot, context: Context) -> tuple[Pending, ...]:
    """Every workload that waits for quota, or will once its job is created, by source.

    Jobs are left out if they have finished, hold quota, are controlled by another job, have a prebuilt Workload, or
    cannot be read. ``source`` is never None.
    """
    waiting = {pending.key: pending for pending in snapshot.part(KueueState).pending}
    owned = dict(_owned(snapshot))
    found: dict[ObjectKey, Pending] = {}
    for key, manifest in snapshot.manifests.items():
        if (key.group, key.kind) not in _KINDS or _idle(manifest):
            continue
        workload = owned.get((key.group, key.kind, key.namespace, key.name))
        if workload is not None and workload not in waiting:
            continue
        pending = _pending(manifest, context)
        if pending is not None:
            found[pending.source or key] = pending
            if workload is not None:
                del waiting[workload]
    found |= {key: pending for key, pending in waiting.items() if pending.active}
    return tuple(found[key] for key in sorted(found))


def unreadable_jobs(snapshot: Snapshot, context: Context) -> Iterator[Problem]:
    """The problems of the jobs that cannot be read."""
    for key, manifest in snapshot.manifests.items():
        if (key.group, key.kind) in _KINDS and not _idle(manifest):
            try:
                pending_of(manifest, context)
            except FairshareError as error:
                yield from error.problems


def queue_place(pending: Pending) -> Place:
    """The place where a workload names its LocalQueue."""
    source = pending.source or pending.key
    if (source.group, source.kind) == (GROUP, "Workload"):
        return Place(source, ("spec", "queueName"))
    return Place(source, (*_KINDS[source.group, source.kind].carrier, "metadata", "labels", f"{GROUP}/queue-name"))


def _pending(manifest: Manifest, context: Context) -> Pending | None:
    try:
        return pending_of(manifest, context)
    except FairshareError:  # a job that the API server or Kueue's webhook rejects does not wait
        return None


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
