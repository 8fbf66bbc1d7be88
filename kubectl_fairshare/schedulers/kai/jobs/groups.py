"""A job as the PodGroup and pods that KAI's pod grouper and the job's own controller create for it.

Source: KAI-Scheduler v0.17, documentation of the pod grouper; "kai gangs" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.api.durations import nanoseconds
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.makers import makes_pods
from kubectl_fairshare.jobs.pod_check import check_pod
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.jobs.kinds.every_kind import shape_of
from kubectl_fairshare.schedulers.kai.jobs.kinds.shape import GangShape, PodRole, UngroupedError, rejected, unmodelled
from kubectl_fairshare.schedulers.kai.jobs.kinds.starting import check_some
from kubectl_fairshare.schedulers.kai.jobs.pods import pod_of
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, KindDefault, Pod, PodGroup

_PROJECT: Final = "project"
_DEFAULT_QUEUE: Final = "default-queue"
_CLASS: Final = "priorityClassName"
_PREEMPTIBILITY: Final = "kai.scheduler/preemptibility"
_GROUP: Final = "pod-group-name"
_SUB_GROUP: Final = "kai.scheduler/subgroup-name"
_DELAY: Final = "kai.scheduler/preemption-delay"
_TOPOLOGY: Final = "kai.scheduler/topology"
_SKIP: Final = "kai.scheduler/skip-podgrouper"
_MOST_PODS: Final = 150_000
"""The largest number of pods in a cluster that Kubernetes supports."""
_SPARK_APP: Final = "spark-app-name"
_SPARK_SELECTOR: Final = "spark-app-selector"
_SELECTORS: Final = ("spec", "global")
_DEFAULT_CLASSES: Final = {"Deployment": "inference", "Notebook": "build"}


class Submission(Value, frozen=True):
    """A job to plan: its PodGroup, and its present or future pods.

    ``source`` is the object that it is made of; ``copies`` is the number of its PodGroups, of which this is the first.
    """

    group: PodGroup
    pods: tuple[Pod, ...]
    source: ObjectKey | None = None
    copies: int = 1


class OwnGroup(NamedTuple):
    """Pods of an object, and the name of the PodGroup that they name themselves."""

    group: str
    pods: tuple[Pod, ...]


class _JobLabels(Value, frozen=True):
    """The labels and annotations that decide about a job: its owner's, then its pods'.

    ``default_class`` is the PriorityClass that an API server gives to its pods if they name none.
    """

    labels: Mapping[str, str]
    pod_labels: Mapping[str, str]
    annotations: Mapping[str, str]
    pod_annotations: Mapping[str, str]
    default_class: str = ""

    def label(self, name: str) -> str | None:
        """The owner's label, else the pods'."""
        return self.labels.get(name, self.pod_labels.get(name))


def submission_of(manifest: Manifest, state: KaiState) -> Submission:
    """The job that an object becomes: a Pod, or an object that makes pods. Raises ``FairshareError`` for others."""
    root, is_pod = root_of(manifest), (manifest.key.group, manifest.key.kind) == ("", "Pod")
    if not is_pod and not makes_pods(manifest):
        message = f"a {manifest.key.kind} makes no pods, so KAI does not schedule it"
        raise FairshareError(Problem(message, Place(manifest.key), "name the object that makes the pods"))
    above = root.at("spec", "jobTemplate") if manifest.key.kind == "CronJob" else root
    key = manifest.key if above is root else manifest.key._replace(kind="Job")
    try:
        if is_pod:
            return _of_pod(manifest, root, state)
        shape = shape_of(manifest, above, state.runtimes)
        if _skips(above, shape):
            return _of_member(manifest.key, member_of(key, above, shape, state), state)
        return _submission(key, above, shape, state)
    except UngroupedError as error:
        name = ObjectKey(QUEUE_GROUP, "PodGroup", key.namespace, f"pg-{key.name}")
        owner = _JobLabels(_labels(root), {}, {}, {})
        group = PodGroup(name, _queue(owner, state), _now(state), ungrouped=error.ungrouped)
        return Submission(replace(group, pool=owner.label(state.pool_label)), (), manifest.key)


def _submission(key: ObjectKey, above: Field, shape: GangShape, state: KaiState) -> Submission:
    """The PodGroup and pods of a gang. Raises ``UngroupedError`` where roles disagree about the PodGroup."""
    for role in shape.roles:
        check_pod(role.template)
    check_count(key, shape.roles)
    for role in shape.roles:
        _check_seen(role.template, {**_labels(role.template), **role.labels}, state)
    above = above if shape.owner is None else shape.owner
    labels, annotations, default = _labels(above), _annotations(above), state.priorities.default_name
    owners = [
        _JobLabels(labels, _labels(role.template), annotations, _annotations(role.template), default)
        for role in shape.roles
    ]
    made = [_group(key, role.template.at("spec"), o, shape, state) for role, o in zip(shape.roles, owners, strict=True)]
    if not made:
        raise unmodelled(Place(key), "a job without pods")
    check_some(above, shape.roles)
    if any(group != made[0] for group in made):
        text = "pods that differ in queue, priority or node pool: KAI takes those of the pod that it sees first"
        raise unmodelled(Place(key), text)
    pods = (_pod(key, role, number, made[0].name, state) for role in shape.roles for number in range(role.count))
    return Submission(made[0], tuple(pods), key, shape.copies)


def membership(manifest: Manifest, state: KaiState) -> OwnGroup | None:
    """The PodGroup that the pods of an object name themselves; None if KAI's pod grouper makes one.

    That is so for a Pod with KAI's annotation, and for a job with the annotation that makes the grouper skip it. Raises
    ``FairshareError`` for fields of another type.
    """
    root = root_of(manifest)
    if (manifest.key.group, manifest.key.kind) == ("", "Pod"):
        name = _annotations(root).get(_GROUP)
        check_pod(root)
        pod = _completed(manifest.key, manifest.data, state, stored=manifest.stored)
        return OwnGroup(name, (pod,)) if name else None
    if not makes_pods(manifest):
        return None
    above = root.at("spec", "jobTemplate") if manifest.key.kind == "CronJob" else root
    try:
        shape = shape_of(manifest, above, state.runtimes)
        return member_of(manifest.key, above, shape, state) if _skips(above, shape) else None
    except UngroupedError:
        return None


def _skips(above: Field, shape: GangShape) -> bool:
    """Whether an annotation of the job, or of its pods, keeps the pod grouper away."""
    holders = (above, *(role.template for role in shape.roles))
    return any(_annotations(holder).get(_SKIP) == "true" for holder in holders)


def member_of(key: ObjectKey, above: Field, shape: GangShape, state: KaiState) -> OwnGroup:
    """The pods of a job that the grouper skips. Raises ``UngroupedError`` if they do not name one PodGroup."""
    for role in shape.roles:
        check_pod(role.template)
    check_count(key, shape.roles)
    names = {_annotations(role.template).get(_GROUP, "") for role in shape.roles}
    if names == {""}:
        raise rejected(above.place, f"the annotation {_SKIP} keeps KAI from grouping it, and its pods name no PodGroup")
    if len(names) > 1:
        raise unmodelled(above.place, "pods of one job that name several PodGroups")
    (name,) = names
    pods = (_pod(key, role, number, name, state) for role in shape.roles for number in range(role.count))
    return OwnGroup(name, tuple(pods))


def _of_member(key: ObjectKey, member: OwnGroup, state: KaiState) -> Submission:
    """The PodGroup that the pods of a job name, with all its pods."""
    known = next((group for group in state.pod_groups if group.name == member.group), None)
    if known is None:
        raise unmodelled(Place(key), f"its PodGroup `{member.group}`, which is not in the input")
    names = {pod.key for pod in member.pods}
    others = (pod for pod in state.pods if pod.group == member.group and pod.key not in names)
    return Submission(known, (*others, *member.pods), key)


def _of_pod(manifest: Manifest, root: Field, state: KaiState) -> Submission:
    check_pod(root)
    pod = _completed(manifest.key, manifest.data, state, stored=manifest.stored)
    pod.group = pod.group or _spark_group(root)
    known = next((group for group in state.pod_groups if group.name == pod.group), None) if pod.group else None
    if known is not None:
        others = (other for other in state.pods if other.group == pod.group and other.key != pod.key)
        return Submission(known, (*others, pod))
    _check_seen(root, _labels(root), state)
    default = "" if manifest.stored else state.priorities.default_name
    owner = _JobLabels(_labels(root), {}, _annotations(root), {}, default)
    group = _group(manifest.key, root.at("spec"), owner, GangShape(()), state)
    if name := _spark_group(root):
        group = replace(group, key=group.key._replace(name=name))
    pod.group = group.name
    return Submission(group, (pod,))


def _spark_group(pod: Field) -> str:
    """The name of the PodGroup of a pod of Spark; "" for another pod."""
    labels = _labels(pod)
    return labels.get(_SPARK_SELECTOR, "") if _SPARK_APP in labels else ""


def _check_seen(holder: Field, labels: Mapping[str, str], state: KaiState) -> None:
    """Raises ``UngroupedError`` for pods with these labels that KAI's pod grouper does not see."""
    admission, namespace = state.admission, holder.owner.namespace
    if admission.key is None:
        return
    for name, wanted in admission.pods.items():
        if labels.get(name) != wanted:
            place = Place(admission.key, (*_SELECTORS, "podLabelSelector"))
            raise rejected(place, f"KAI's Config has it see only pods with the label {name}={wanted}")
    theirs = state.around.context.namespace_labels.get(namespace)
    for name, wanted in admission.namespaces.items():
        place = Place(admission.key, (*_SELECTORS, "namespaceLabelSelector"))
        if theirs is None:
            raise unmodelled(
                place, f"pods of namespaces without the label {name}={wanted}: {namespace} is not in the input"
            )
        if theirs.get(name) != wanted:
            raise rejected(place, f"KAI's Config has it see only namespaces with the label {name}={wanted}")


def _labels(field: Field) -> Mapping[str, str]:
    return field.at("metadata", "labels").texts()


def _annotations(field: Field) -> Mapping[str, str]:
    return field.at("metadata", "annotations").texts()


def _group(key: ObjectKey, spec: Field, owner: _JobLabels, shape: GangShape, state: KaiState) -> PodGroup:
    named = _named_class(spec, owner)
    return PodGroup(
        key=_group_key(key, shape, state),
        queue=_queue(owner, state),
        created=_now(state),
        min_member=shape.min_member,
        min_sub_group=shape.min_sub_group,
        sub_groups=shape.sub_groups,
        priority_class=shape.priority_class or _priority_class(key, named, state),
        named_class="" if shape.priority_class or named in state.priorities.values else named,
        preemptible=_preemptible(key, owner, state),
        preemption_delay=_delay(owner),
        new=True,
        pool=owner.label(state.pool_label),
        raw=_raw(owner.annotations, shape),
    )


def _group_key(key: ObjectKey, shape: GangShape, state: KaiState) -> ObjectKey:
    """A key whose name no other namespace has: KAI makes one with the UID of the job, and knows it by name alone."""
    found = ObjectKey(QUEUE_GROUP, "PodGroup", key.namespace, f"pg-{key.name}{shape.suffix}")
    if all(group.name != found.name or group.key == found for group in state.pod_groups):
        return found
    return found._replace(name=f"{found.name}-{key.namespace}")


def _delay(owner: _JobLabels) -> int:
    """The delay in nanoseconds of the owner, else of the pods; one that is malformed or negative is ignored."""
    for annotations in (owner.annotations, owner.pod_annotations):
        try:
            span = nanoseconds(annotations.get(_DELAY, ""))
        except ValueError:
            continue
        if span >= 0:
            return span
    return 0


def _raw(annotations: Mapping[str, str], shape: GangShape) -> JsonObject:
    """The fields of the PodGroup that name a topology."""
    topology = annotations.get(_TOPOLOGY, "")
    if not topology and not shape.topology:
        return {}
    constraint: JsonObject = {"topologyConstraint": {"topology": topology or "stated"}}
    return {"spec": constraint}


def _now(state: KaiState) -> int:
    """The creation time of a new object: now, else just after everything else."""
    latest = max((group.created for group in state.pod_groups), default=0) + 10**9
    return latest if state.now is None else state.now


def _queue(owner: _JobLabels, state: KaiState) -> str:
    """The queue in the labels: the label for queues comes before the one for projects."""
    queue = owner.label(state.queue_label)
    if queue is not None:
        return queue
    project, pool = owner.label(_PROJECT), owner.pod_labels.get(state.pool_label)
    if not project:
        return _DEFAULT_QUEUE
    return f"{project}-{pool}" if pool is not None else project


def _named_class(spec: Field, owner: _JobLabels) -> str:
    """The PriorityClass in the labels, else that of the pods; an empty label counts as well."""
    label = owner.label(_CLASS)
    return (spec.at("priorityClassName").text() or owner.default_class) if label is None else label


def _priority_class(key: ObjectKey, named: str, state: KaiState) -> str:
    """The named PriorityClass, else the existing default of the kind, else KAI's own."""
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
    """The defaults of a kind, by its name with group, else without; a TrainJob also has those of its JobSet."""
    full = f"{key.kind}.{key.group}" if key.group else key.kind
    own = state.defaults.get(full) or state.defaults.get(key.kind)
    if own is not None or key.kind != "TrainJob":
        return own
    return _default(key._replace(group="jobset.x-k8s.io", kind="JobSet"), state)


def check_count(key: ObjectKey, roles: Iterable[PodRole]) -> None:
    """Raises ``FairshareError`` for more pods than a cluster can have."""
    count = sum(role.count for role in roles)
    if count > _MOST_PODS:
        message = f"{key} has {count:,} pods; a cluster can have {_MOST_PODS:,}"
        raise FairshareError(Problem(message, Place(key), "write fewer pods"))


def _pod(key: ObjectKey, role: PodRole, number: int, group: str, state: KaiState) -> Pod:
    data = role.pod
    metadata = data["metadata"]
    marks = {_SUB_GROUP: role.sub_group} if role.sub_group else {}
    named = {
        **metadata,
        "labels": {**(metadata.get("labels") or {}), **marks},
        "annotations": {**(metadata.get("annotations") or {}), _GROUP: group},
    }
    middle = f"-{role.name}" if role.name else ""
    name = ObjectKey("", "Pod", key.namespace, f"{key.name}{middle}-{number}")
    return _completed(name, {"metadata": named, "spec": data["spec"]}, state, stored=False)


def _completed(key: ObjectKey, data: JsonObject, state: KaiState, *, stored: bool) -> Pod:
    """The pod, with what an API server and KAI's webhook add to a new one."""
    return pod_of(key, data, {}, complete=None if stored else state.around, runtime=state.admission.runtime)


def with_submission(state: KaiState, job: Submission) -> KaiState:
    """The state with the job, instead of the same one; all its new pods wait."""
    groups = [group for group in state.pod_groups if group.key != job.group.key]
    names = {pod.key for pod in job.pods}
    pods = [pod for pod in state.pods if pod.key not in names]
    return replace(
        state,
        pod_groups=tuple(sorted([*groups, job.group], key=lambda group: group.key)),
        pods=tuple(sorted([*pods, *job.pods], key=lambda pod: pod.key)),
    )
