"""A job as the PodGroup and pods that KAI's pod grouper and the job's own controller create for it.

Source: KAI-Scheduler v0.17, documentation of the pod grouper; "kai gangs" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.answers.holds import Hold, HoldKind
from kubectl_fairshare.answers.needs import RequestTerm
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.kinds import CARRIERS
from kubectl_fairshare.jobs.makers import makes_pods
from kubectl_fairshare.jobs.pod_check import check_pod
from kubectl_fairshare.jobs.pod_templates import pods_at_once
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.jobs.claims import with_claims
from kubectl_fairshare.schedulers.kai.jobs.kinds.every_kind import shape_of
from kubectl_fairshare.schedulers.kai.jobs.kinds.shape import GangShape, PodRole, UngroupedError, rejected, unmodelled
from kubectl_fairshare.schedulers.kai.jobs.kinds.starting import check_some
from kubectl_fairshare.schedulers.kai.jobs.labels import (
    JobLabels,
    default_labels,
    delay_of,
    named_class,
    preemptible_of,
    priority_class_of,
    queue_of,
)
from kubectl_fairshare.schedulers.kai.jobs.parts import role_parts
from kubectl_fairshare.schedulers.kai.jobs.pods import pod_of
from kubectl_fairshare.schedulers.kai.model.kinds import POD_GROUP, QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Pod, PodGroup
from kubectl_fairshare.schedulers.manifests.holds import gate_holds

_SUB_GROUP: Final = "kai.scheduler/subgroup-name"
_TOPOLOGY: Final = "kai.scheduler/topology"
_SKIP: Final = "kai.scheduler/skip-podgrouper"
_MOST_PODS: Final = 150_000
"""The largest number of pods in a cluster that Kubernetes supports."""
_SPARK_APP: Final = "spark-app-name"
_SPARK_SELECTOR: Final = "spark-app-selector"
_SELECTORS: Final = ("spec", "global")


class Submission(Value, frozen=True):
    """A job to plan: its PodGroup, and its present or future pods. ``source`` is the object that it is made of.

    ``parts`` are those of its requests, ``gates`` the scheduling gates of its pods; both are empty for a PodGroup whose
    pods are not of one object. ``wanted`` is how many pods the object makes in the end.
    """

    group: PodGroup
    pods: tuple[Pod, ...]
    source: ObjectKey | None = None
    parts: tuple[RequestTerm, ...] = ()
    gates: tuple[Hold, ...] = ()
    wanted: int = 0


class OwnGroup(NamedTuple):
    """Pods of an object, and the name of the PodGroup that they name themselves."""

    group: str
    pods: tuple[Pod, ...]


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
        if _skips(root, above, shape):
            return _of_member(manifest.key, member_of(key, above, shape, state), state)
        made = _submission(key, above, shape, state)
        later = pods_at_once(manifest) if manifest.key[:2] in CARRIERS else 0
        return replace(made, wanted=max(later, len(made.pods) * made.group.copies))
    except UngroupedError as error:
        name = ObjectKey(QUEUE_GROUP, "PodGroup", key.namespace, f"pg-{key.name}")
        owner = JobLabels(_labels(root), {}, {}, {})
        group = PodGroup(name, queue_of(owner, state), now_of(state), ungrouped=error.ungrouped)
        return Submission(replace(group, pool=owner.label(state.pool_label)), (), manifest.key)


def _submission(key: ObjectKey, above: Field, shape: GangShape, state: KaiState) -> Submission:
    """The PodGroup and pods of a gang. Raises ``UngroupedError`` where roles disagree about the PodGroup."""
    for role in shape.roles:
        check_pod(role.template)
    check_count(key, shape.roles)
    for role in shape.roles:
        _check_seen(role.template, {**_labels(role.template), **role.labels}, state)
    _check_group(key, above, shape)
    labels, annotations, default = _labels(above), _annotations(above), state.priorities.default_name
    if shape.owner is not None:
        labels = {**labels, **default_labels(key, state), **_labels(shape.owner)}
        annotations = {**annotations, **_annotations(shape.owner)}
    owners = [
        JobLabels(labels, _labels(role.template), annotations, _annotations(role.template), default)
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
    several = len(shape.roles) > 1
    parts = (part for role in shape.roles if role.count for part in role_parts(role, state, several=several))
    return Submission(made[0], tuple(pods), key, tuple(parts), _gates(r.template for r in shape.roles if r.count))


def _check_group(key: ObjectKey, job: Field, shape: GangShape) -> None:
    """Raises ``UngroupedError`` if an API server or KAI's webhook rejects the PodGroup of a job."""
    if not shape.sub_groups and (shape.min_member or 0) >= 0:
        return
    from kubectl_fairshare.schedulers.kai.admission.judge import judge

    metadata = {"namespace": key.namespace, "name": f"pg-{key.name}{shape.suffix}"}
    groups = [
        _known(name=each.name, parent=each.parent, minMember=each.min_member, minSubGroup=each.min_sub_group)
        for each in shape.sub_groups
    ]
    spec = _known(minMember=shape.min_member, minSubGroup=shape.min_sub_group, subGroups=groups)
    judgement = judge({"apiVersion": f"{QUEUE_GROUP}/v2alpha2", "kind": "PodGroup", "metadata": metadata, "spec": spec})
    if not judgement.accepted:
        first = judgement.all_causes[0]
        raise rejected(job.place, f"KAI cannot create its PodGroup: {first.field}: {first.message}")


def _known(**fields: Json) -> JsonObject:
    return {name: value for name, value in fields.items() if value is not None}


def membership(manifest: Manifest, state: KaiState) -> OwnGroup | None:
    """The PodGroup that the pods of an object name themselves; None if KAI's pod grouper makes one.

    That is so for a Pod with KAI's annotation, and for a job with the annotation that makes the grouper skip it. Raises
    ``FairshareError`` for fields of another type.
    """
    root = root_of(manifest)
    if (manifest.key.group, manifest.key.kind) == ("", "Pod"):
        name = _annotations(root).get(POD_GROUP)
        check_pod(root)
        pod = _completed(manifest.key, manifest.data, state, stored=manifest.stored)
        return OwnGroup(name, (pod,)) if name else None
    if not makes_pods(manifest):
        return None
    above = root.at("spec", "jobTemplate") if manifest.key.kind == "CronJob" else root
    try:
        shape = shape_of(manifest, above, state.runtimes)
        return member_of(manifest.key, above, shape, state) if _skips(root, above, shape) else None
    except UngroupedError:
        return None


def _skips(root: Field, above: Field, shape: GangShape) -> bool:
    """Whether an annotation of the job, or of its pods, keeps the pod grouper away.

    Raises ``UngroupedError`` if that is so for some of its pods only.
    """
    if any(_is_skipped(holder) for holder in (root, above, shape.owner) if holder is not None):
        return True
    roles = [role for role in shape.roles if role.count]
    skipping = [any(_is_skipped(holder) for holder in (role.template, role.job) if holder) for role in roles]
    if any(skipping) and not all(skipping):
        raise unmodelled(above.place, f"a job of which the annotation {_SKIP} keeps KAI from grouping some pods only")
    return any(skipping)


def _is_skipped(holder: Field) -> bool:
    return _annotations(holder).get(_SKIP) == "true"


def member_of(key: ObjectKey, above: Field, shape: GangShape, state: KaiState) -> OwnGroup:
    """The pods of a job that the grouper skips. Raises ``UngroupedError`` if they do not name one PodGroup."""
    for role in shape.roles:
        check_pod(role.template)
    check_count(key, shape.roles)
    if not shape.roles:
        raise unmodelled(above.place, "a job without pods")
    names = {_annotations(role.template).get(POD_GROUP, "") for role in shape.roles}
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
        raise _without_group(key, member.group, state)
    names = {pod.key for pod in member.pods}
    others = (pod for pod in state.pods if pod.group == member.group and pod.key not in names)
    return Submission(known, (*others, *member.pods), key)


def _without_group(key: ObjectKey, name: str, state: KaiState) -> UngroupedError:
    """Why pods that name a PodGroup themselves are in none: KAI then makes none for them."""
    if state.complete and "PodGroup" not in state.unread:
        return rejected(Place(key), f"its PodGroup `{name}` does not exist, and KAI makes none for pods that name one")
    return unmodelled(Place(key), f"its PodGroup `{name}`, which is not in the input")


def _of_pod(manifest: Manifest, root: Field, state: KaiState) -> Submission:
    check_pod(root)
    pod = _completed(manifest.key, manifest.data, state, stored=manifest.stored)
    named = pod.group
    pod.group = named or _spark_group(root)
    known = next((group for group in state.pod_groups if group.name == pod.group), None) if pod.group else None
    if known is not None:
        others = (other for other in state.pods if other.group == pod.group and other.key != pod.key)
        return Submission(known, (*others, pod))
    if named:
        raise _without_group(manifest.key, named, state)
    if _is_skipped(root):
        raise rejected(root.place, f"the annotation {_SKIP} keeps KAI from grouping it, and it names no PodGroup")
    if _labels(root).keys() >= {_SPARK_APP, _SPARK_SELECTOR} and not pod.group:
        raise rejected(root.place, f"KAI names its PodGroup by the label {_SPARK_SELECTOR}, which is empty")
    _check_seen(root, _labels(root), state)
    default = "" if manifest.stored else state.priorities.default_name
    owner = JobLabels(_labels(root), _labels(root), _annotations(root), {}, default)
    group = _group(manifest.key, root.at("spec"), owner, GangShape(()), state)
    if pod.group:
        group = replace(group, key=group.key._replace(name=pod.group))
    pod.group = group.name
    parts = role_parts(PodRole("", 1, root), state, stored=manifest.stored)
    return Submission(group, (pod,), parts=tuple(parts), gates=_gates([root]))


def _gates(pods: Iterable[Field]) -> tuple[Hold, ...]:
    """The scheduling gates of the pods, each once."""
    found = {hold.operands: hold for pod in pods for hold in gate_holds(pod.at("spec"), HoldKind.FIRST_GATE)}
    return tuple(found.values())


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
            place = admission.place(*_SELECTORS, "podLabelSelector")
            raise rejected(place, f"KAI's Config has it see only pods with the label {name}={wanted}")
    theirs = state.around.context.namespace_labels.get(namespace)
    for name, wanted in admission.namespaces.items():
        place = admission.place(*_SELECTORS, "namespaceLabelSelector")
        if theirs is None:
            raise unmodelled(
                place,
                f"pods of namespaces without the label {name}={wanted}: {namespace} is not in the input "
                f"(`kubectl get namespace {namespace} -o yaml`)",
            )
        if theirs.get(name) != wanted:
            raise rejected(place, f"KAI's Config has it see only namespaces with the label {name}={wanted}")


def _labels(field: Field) -> Mapping[str, str]:
    return field.at("metadata", "labels").texts()


def _annotations(field: Field) -> Mapping[str, str]:
    return field.at("metadata", "annotations").texts()


def _group(key: ObjectKey, spec: Field, owner: JobLabels, shape: GangShape, state: KaiState) -> PodGroup:
    named, own = named_class(spec, owner), shape.priority_class
    return PodGroup(
        key=_group_key(key, shape, state),
        queue=queue_of(owner, state),
        created=now_of(state),
        min_member=shape.min_member,
        min_sub_group=shape.min_sub_group,
        sub_groups=shape.sub_groups,
        priority_class=priority_class_of(key, named, state) if own is None else own,
        named_class="" if own is not None or named in state.priorities.values else named,
        preemptible=preemptible_of(key, owner, state),
        preemption_delay=delay_of(owner),
        new=True,
        pool=owner.label(state.pool_label),
        copies=shape.copies,
        raw=_raw(owner.annotations, shape),
    )


def _group_key(key: ObjectKey, shape: GangShape, state: KaiState) -> ObjectKey:
    """A key whose name no other namespace has: KAI makes one with the UID of the job, and knows it by name alone."""
    found = ObjectKey(QUEUE_GROUP, "PodGroup", key.namespace, f"pg-{key.name}{shape.suffix}")
    if all(group.name != found.name or group.key == found for group in state.pod_groups):
        return found
    return found._replace(name=f"{found.name}-{key.namespace}")


def _raw(annotations: Mapping[str, str], shape: GangShape) -> JsonObject:
    """The fields of the PodGroup that name a topology."""
    topology = annotations.get(_TOPOLOGY, "")
    if not topology and not shape.topology:
        return {}
    constraint: JsonObject = {"topologyConstraint": {"topology": topology or "stated"}}
    return {"spec": constraint}


def now_of(state: KaiState) -> int:
    """The creation time of a new object: now, otherwise just after everything else."""
    latest = max((group.created for group in state.pod_groups), default=0) + 10**9
    return latest if state.now is None else state.now


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
        "annotations": {**(metadata.get("annotations") or {}), POD_GROUP: group},
    }
    middle = f"-{role.name}" if role.name else ""
    name = ObjectKey("", "Pod", key.namespace, f"{key.name}{middle}-{number}")
    return _completed(name, {"metadata": named, "spec": data["spec"]}, state, stored=False)


def _completed(key: ObjectKey, data: JsonObject, state: KaiState, *, stored: bool) -> Pod:
    """The pod, with what an API server and KAI's webhook add to a new one, and the devices of claims that it names."""
    made = pod_of(key, data, {}, complete=None if stored else state.around, runtime=state.admission.runtime)
    (claiming,) = with_claims((made,), state.claims) if made.claims else (made,)
    return made if claiming.claims_unknown else claiming  # those of a template are not made yet


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
