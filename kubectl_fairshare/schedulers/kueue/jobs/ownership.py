"""The Workloads of a cluster that belong to the job of a question.

Source: Kueue v0.19, job framework: a Workload names its job in ``ownerReferences`` and in a label.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.kinds import UNKNOWN
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.jobs.grouping import group_name
from kubectl_fairshare.schedulers.kueue.jobs.names import workload_name
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

JOB_UID: Final = f"{GROUP}/job-uid"


def workloads_of(job: Manifest, manifests: Iterable[Manifest]) -> tuple[ObjectKey, ...]:
    """The Workloads among ``manifests`` that belong to ``job``, sorted.

    The owner's UID decides if both sides have one, else kind and name. A Workload without an owner belongs to the job
    that its own name is made from; the Workload of a pod group has the group's name. A job without a name has no
    Workloads.
    """
    group = group_name(root_of(job)) if job.key.kind == "Pod" else ""
    if group:
        whole = ObjectKey(GROUP, "Workload", job.key.namespace, group)
        return (whole,) if any(manifest.key == whole for manifest in manifests) else ()
    metadata = root_of(job).at("metadata")
    if not metadata.at("name").text():
        return ()
    uid = metadata.at("uid").text()
    named = workload_name(job.key, uid)
    kept = GROUP, "Workload", job.key.namespace
    return tuple(
        sorted(
            manifest.key
            for manifest in manifests
            if manifest.key[:3] == kept and _belongs(_passing_root(manifest), job.key, uid, named)
        )
    )


def _passing_root(manifest: Manifest) -> Field:
    """An object that is looked at once: of thousands, none stays decoded."""
    return Field(manifest.key, (), manifest.passing_data)


def _belongs(workload: Field, job: ObjectKey, uid: str, named: str) -> bool:
    metadata = workload.at("metadata")
    owners = [owner for owner in metadata.at("ownerReferences").entries() if _is_kind(owner, job)]
    if owners:
        return any(_is(owner, job, uid) for owner in owners)
    label = metadata.at("labels").at(JOB_UID).text()
    if label and uid:
        return label == uid
    name = workload.owner.name
    prefix = named.removesuffix(UNKNOWN)
    return name == named or (not uid and name.startswith(prefix) and len(name) == len(named))


def _is_kind(owner: Field, job: ObjectKey) -> bool:
    group, _, _ = owner.at("apiVersion").text().rpartition("/")
    return (group, owner.at("kind").text()) == (job.group, job.kind)


def _is(owner: Field, job: ObjectKey, uid: str) -> bool:
    if uid and owner.at("uid").text():
        return owner.at("uid").text() == uid
    return owner.at("name").text() == job.name
