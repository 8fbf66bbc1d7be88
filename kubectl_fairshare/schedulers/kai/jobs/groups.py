"""A Job or a Pod as the PodGroup and pods that KAI's pod grouper creates for it.

Source: KAI-Scheduler v0.17, documentation of the pod grouper; "kai gangs" in ``docs/laws.md``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from kubectl_fairshare.jobs.fields import Field, root_of, wrong
from kubectl_fairshare.jobs.pod_check import check_pod
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.jobs.pods import pod_of
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, KindDefault, Pod, PodGroup

_QUEUE: Final = "kai.scheduler/queue"
_PROJECT: Final = "project"
_DEFAULT_QUEUE: Final = "default-queue"
_CLASS: Final = "priorityClassName"
_PREEMPTIBILITY: Final = "kai.scheduler/preemptibility"
_MIN_MEMBER: Final = "kai.scheduler/batch-min-member"
_GROUP: Final = "pod-group-name"
_MOST_PODS: Final = 150_000
"""The largest number of pods in a cluster that Kubernetes supports."""
_DEFAULT_CLASSES: Final = {"Deployment": "inference"}
_TEMPLATES: Final = {
    ("batch", "Job"): ("spec", "template"),
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
    ("apps", "Deployment"): ("spec", "template"),
    ("apps", "ReplicaSet"): ("spec", "template"),
    ("apps", "StatefulSet"): ("spec", "template"),
    ("", "PodTemplate"): ("template",),
}
"""The path of the pod template in each kind."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A job to plan: its PodGroup, and its present or future pods."""

    group: PodGroup
    pods: tuple[Pod, ...]


@dataclass(frozen=True, slots=True)
class _JobLabels:
    """The labels and annotations that decide about a job: its owner's, then its pods'."""

    labels: Mapping[str, str]
    pod_labels: Mapping[str, str]
    annotations: Mapping[str, str]

    def label(self, name: str) -> str | None:
        """The owner's label, else the pods'."""
        return self.labels.get(name, self.pod_labels.get(name))


def submission_of(manifest: Manifest, state: KaiState) -> Submission:
    """The job that a Pod, or an object with a pod template, becomes. Raises ``FairshareError`` for other kinds."""
    root = root_of(manifest)
    kind = (manifest.key.group, manifest.key.kind)
    if kind == ("", "Pod"):
        return _of_pod(manifest, root, state)
    path = _TEMPLATES.get(kind)
    if path is None:
        message = f"the PodGroups that KAI creates for a {manifest.key.kind} are not modelled"
        raise FairshareError(Problem(message, Place(manifest.key), "plan its PodGroup, with its Pods"))
    template = root.at(*path)
    if template.value is None:
        raise wrong(template.place, "an object", None)
    check_pod(template)
    above = root.at("spec", "jobTemplate") if kind == ("batch", "CronJob") else root
    annotations = dict(_annotations(above))
    if above is not root:  # the jobs of a CronJob are grouped without it
        annotations.pop(_MIN_MEMBER, None)
    owner = _JobLabels(_labels(above), _labels(template), annotations)
    key = manifest.key if above is root else manifest.key._replace(kind="Job")
    group = _group(key, template.at("spec"), owner, state)
    count = _parallel(above.at("spec")) if kind[0] == "batch" else 1
    return Submission(group, tuple(_pods(key, template.value, group, count)))


def _parallel(spec: Field) -> int:
    """How many pods of a Job run at once."""
    parallelism = spec.at("parallelism").natural(1)
    return min(parallelism, spec.at("completions").natural(parallelism))


def _of_pod(manifest: Manifest, root: Field, state: KaiState) -> Submission:
    check_pod(root)
    pod = pod_of(manifest.key, manifest.data, {}, complete=not manifest.stored)
    known = next((group for group in state.pod_groups if group.name == pod.group), None) if pod.group else None
    if known is not None:
        others = (other for other in state.pods if other.group == pod.group and other.key != pod.key)
        return Submission(known, (*others, pod))
    owner = _JobLabels(_labels(root), {}, _annotations(root))
    group = _group(manifest.key, root.at("spec"), owner, state)
    pod.group = group.name
    return Submission(group, (pod,))


def _labels(field: Field) -> Mapping[str, str]:
    return field.at("metadata", "labels").texts()


def _annotations(field: Field) -> Mapping[str, str]:
    return field.at("metadata", "annotations").texts()


def _group(key: ObjectKey, spec: Field, owner: _JobLabels, state: KaiState) -> PodGroup:
    name = ObjectKey(QUEUE_GROUP, "PodGroup", key.namespace, f"pg-{key.name}")
    minimum = owner.annotations.get(_MIN_MEMBER) if key.kind == "Job" else None
    if minimum is not None and not minimum.isdecimal():
        path = ("metadata", "annotations", _MIN_MEMBER)
        raise wrong(Place(key, path), "a whole number", minimum)
    return PodGroup(
        key=name,
        queue=_queue(owner, state.pool_label),
        created=_now(state),
        min_member=1 if minimum is None else int(minimum),
        priority_class=_priority_class(key, spec, owner, state),
        preemptible=_preemptible(key, owner, state),
        pool=owner.label(state.pool_label),
    )


def _now(state: KaiState) -> int:
    """The creation time of a new object: now, else just after everything else."""
    latest = max((group.created for group in state.pod_groups), default=0) + 10**9
    return latest if state.now is None else state.now


def _queue(owner: _JobLabels, pool_label: str) -> str:
    """The queue in the labels: the label for queues comes before the one for projects."""
    queue = owner.label(_QUEUE)
    if queue is not None:
        return queue
    project, pool = owner.label(_PROJECT), owner.pod_labels.get(pool_label)
    if not project:
        return _DEFAULT_QUEUE
    return f"{project}-{pool}" if pool is not None else project


def _priority_class(key: ObjectKey, spec: Field, owner: _JobLabels, state: KaiState) -> str:
    """The named PriorityClass, else the existing default of the kind, else KAI's own."""
    named = owner.label(_CLASS) or spec.at("priorityClassName").text()
    default = _default(key, state)
    for name in (named, default.priority_class if default else ""):
        if name in state.priorities.values:
            return name
    return _DEFAULT_CLASSES.get(key.kind, "train")


def _preemptible(key: ObjectKey, owner: _JobLabels, state: KaiState) -> bool | None:
    """The value of the label, else the default of the kind; None leaves it to the priority."""
    stated = {"preemptible": True, "non-preemptible": False}.get(owner.label(_PREEMPTIBILITY) or "")
    default = _default(key, state)
    return default.preemptible if stated is None and default else stated


def _default(key: ObjectKey, state: KaiState) -> KindDefault | None:
    """The defaults of a kind, by its name with group, else without."""
    full = f"{key.kind}.{key.group}" if key.group else key.kind
    return state.defaults.get(full) or state.defaults.get(key.kind)


def _pods(key: ObjectKey, template: Json, group: PodGroup, count: int) -> Iterator[Pod]:
    if count > _MOST_PODS:
        message = f"{key} has {count:,} pods; a cluster can have {_MOST_PODS:,}"
        raise FairshareError(Problem(message, Place(key), "write fewer pods"))
    metadata = template.get("metadata") or {}
    annotations = {**(metadata.get("annotations") or {}), _GROUP: group.name}
    for number in range(count):
        name = ObjectKey("", "Pod", key.namespace, f"{key.name}-{number}")
        data = {"metadata": {**metadata, "annotations": annotations}, "spec": template.get("spec")}
        yield pod_of(name, data, {}, complete=True)


def with_submission(state: KaiState, job: Submission) -> KaiState:
    """The state with the job, instead of one of the same name; all its new pods wait."""
    groups = [group for group in state.pod_groups if group.name != job.group.name]
    names = {pod.key for pod in job.pods}
    pods = [pod for pod in state.pods if pod.key not in names]
    return replace(
        state,
        pod_groups=tuple(sorted([*groups, job.group], key=lambda group: group.key)),
        pods=tuple(sorted([*pods, *job.pods], key=lambda pod: pod.key)),
    )
