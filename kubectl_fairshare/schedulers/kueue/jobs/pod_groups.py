"""A group of pods as one workload: a pod set for each role, once all the pods of its count exist.

Source: Kueue v0.19 integration ``pod``. Where Kueue takes "the first" pod of a group, the order is random: an answer
that depends on it is not exact, and ``certain`` is False.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.grouping import TOTAL_COUNT, group_name, is_fast, is_runnable, total_count
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate, RejectedError, pod_template
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.management import QUEUE_LABEL
from kubectl_fairshare.schedulers.kueue.jobs.moments import created_at
from kubectl_fairshare.schedulers.kueue.jobs.priority import CLASS_LABEL
from kubectl_fairshare.schedulers.kueue.jobs.requests import pod_resources
from kubectl_fairshare.schedulers.kueue.jobs.role_hash import has_plain_shape, role_hash
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.workload import Refusal

_ANNOTATION: Final = ("metadata", "annotations", TOTAL_COUNT)
_INDEX: Final = f"{GROUP}/pod-group-pod-index"
_INDEX_LABEL: Final = f"{GROUP}/pod-group-pod-index-label"
_NOT_YET: Final = 1 << 63


class PodGroupWorkload(Value, frozen=True):
    """The pods of a group that count, at least one, and their pod sets."""

    name: str
    pods: tuple[Field, ...]
    pod_sets: tuple[PodTemplate, ...]
    refusal: Refusal | None
    certain: bool


def group_of_pod(pod: Field, context: Context) -> PodGroupWorkload | None:
    """The group that a pod belongs to; None for a pod without a group.

    Raises ``RejectedError`` for a pod without the total count of its group: Kueue's webhook rejects it.
    """
    name = group_name(pod)
    if not name:
        return None
    total = _total(pod)
    members = context.pod_groups.get((pod.owner.namespace, name), ())
    if not any(member.value is pod.value for member in members):
        members = (*members, pod)
    runnable = sorted(filter(is_runnable, members), key=lambda p: created_at(p, _NOT_YET))
    kept = runnable[:total] or [pod]
    roles = _roles(kept, context)
    if is_fast(pod):
        pod_sets = tuple(_pod_set(role, pods, total) for role, pods in list(roles.items())[:1])
    else:
        pod_sets = tuple(_pod_set(role, roles[role], len(roles[role])) for role in sorted(roles))
    indexed = all(_is_indexed(each, total, context) for each in members)
    certain = indexed and _is_certain(kept, roles, context) and _is_settled(runnable, total, context)
    pods = tuple(sorted(kept, key=lambda p: p.owner))
    return PodGroupWorkload(name, pods, pod_sets, _refusal(name, members, len(runnable), total), certain)


def group_members(manifest: Manifest, manifests: Mapping[ObjectKey, Manifest], context: Context) -> Sequence[Manifest]:
    """All pods of the group that an object belongs to, of those that are given; the object alone if it has none."""
    name = group_name(root_of(manifest))
    pods = context.pod_groups.get((manifest.key.namespace, name), ()) if name else ()
    return [manifests.get(pod.owner, manifest) for pod in pods] or [manifest]


def _is_indexed(pod: Field, total: int, context: Context) -> bool:
    """Whether the index of a pod in its group, if it has one, is a number below the pods of the group.

    Kueue makes no Workload where that of the pod that it takes is not. Its webhook copies the label that an annotation
    names.
    """
    labels = pod.at("metadata", "labels")
    named = pod.at("metadata", "annotations").at(_INDEX_LABEL)
    copied = named.value is not None and context.configuration.topology
    index = labels.at(named.text()).text() if copied else labels.at(_INDEX).text("0")
    return index.isascii() and index.isdigit() and int(index) < total


def _total(pod: Field) -> int:
    total = total_count(pod)
    if total is None:
        written = pod.at(*_ANNOTATION)
        what = "missing" if written.value is None else f"`{written.text()[:64]}`, which is not a number above 0"
        message = f"annotation `{TOTAL_COUNT}` of a pod in group `{group_name(pod)}` is {what}"
        remedy = "write how many pods the group has; Kueue rejects the pod as it is"
        raise RejectedError(Problem(message, written.place, remedy))
    return total


def _roles(pods: Sequence[Field], context: Context) -> dict[str, list[Field]]:
    roles: dict[str, list[Field]] = {}
    for pod in pods:
        roles.setdefault(role_hash(pod, context), []).append(pod)
    return roles


def _pod_set(role: str, pods: Sequence[Field], count: int) -> PodTemplate:
    return pod_template(role, count, pods[0])


def _refusal(name: str, members: Sequence[Field], runnable: int, total: int) -> Refusal | None:
    """Why Kueue makes no Workload for the group."""
    places = tuple(Place(pod.owner, _ANNOTATION) for pod in members)
    if runnable < total and not is_fast(members[0]):
        return Refusal(JobLaw.POD_GROUP_INCOMPLETE, (name, str(total), str(runnable)), places=places)
    alive = [pod for pod in members if pod.at("status", "phase").text() != "Failed"]
    queues = {pod.at("metadata", "labels").at(QUEUE_LABEL).text() for pod in alive}
    if len(queues) > 1:
        labels = tuple(pod.at("metadata", "labels").at(QUEUE_LABEL).place for pod in alive)
        return Refusal(JobLaw.POD_GROUP_DIFFERS, (name, QUEUE_LABEL), places=labels)
    if len({total_count(pod) for pod in alive}) > 1:
        return Refusal(JobLaw.POD_GROUP_DIFFERS, (name, TOTAL_COUNT), places=places)
    return None


def _is_certain(pods: Sequence[Field], roles: dict[str, list[Field]], context: Context) -> bool:
    """Whether it makes no difference which pod of the group, and which of a role, Kueue takes."""
    classes = {pod.at("metadata", "labels").at(CLASS_LABEL).text() for pod in pods}
    quick = {is_fast(pod) for pod in pods}
    if len(classes) > 1 or len(quick) > 1 or (True in quick and len(roles) > 1):
        return False
    return all(map(has_plain_shape, pods)) and all(_are_alike(alike, context) for alike in roles.values())


def _are_alike(pods: Sequence[Field], context: Context) -> bool:
    """Whether the pods request the same; the role does not include limits, PriorityClass and annotations."""
    first = _request_key(pods[0], context)
    return all(_request_key(pod, context) == first for pod in pods[1:])


def _request_key(pod: Field, context: Context) -> tuple[object, ...]:
    limits = context.limit_ranges.get(pod.owner.namespace, {})
    resources = pod_resources(
        pod.at("spec"), context.overheads, limits, native=True, is_pod=True, release=context.configuration.release
    )
    annotations = pod.at("metadata", "annotations").texts()
    topology = {key: text for key, text in annotations.items() if key.startswith(f"{GROUP}/podset-")}
    return resources, pod.at("spec", "priorityClassName").text(), topology


def _is_settled(runnable: Sequence[Field], total: int, context: Context) -> bool:
    """Whether the answer does not depend on which excess pods Kueue deletes: it keeps the oldest."""
    if len(runnable) <= total or len(_roles(runnable, context)) == 1:
        return True
    return created_at(runnable[total - 1], _NOT_YET) < created_at(runnable[total], _NOT_YET)
