"""What keeps the jobs of a question, their pods, or the Workloads that Kueue makes of them from being created.

Tested in ``tests/unit/schedulers/kueue/explain/test_creating.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import CHANCE_DEFAULTS, INVALID_OBJECT, REJECTED, UNREAD, Gap
from kubectl_fairshare.api.causes import REQUIRED, Cause
from kubectl_fairshare.input.unknown_fields import unknown_for_new_pod, unknown_gaps
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.creation import (
    NewPods,
    creation_gaps,
    ending_namespace_gaps,
    has_been_created,
    invalid_pod_gaps,
    is_created,
)
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.jobs.pod_templates import KUBERNETES_SCHEDULER
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, inside
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kueue.admission.judge import judge
from kubectl_fairshare.schedulers.kueue.admission.kinds import STORED
from kubectl_fairshare.schedulers.kueue.admission.webhooks.topology_annotations import (
    annotation_mistakes,
    unchecked_mistakes,
)
from kubectl_fairshare.schedulers.kueue.explain.rejected_pods import is_rejected
from kubectl_fairshare.schedulers.kueue.gaps import MALFORMED_TOPOLOGY
from kubectl_fairshare.schedulers.kueue.jobs import NO_WORKLOAD, Context
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import MAIN, PodTemplate
from kubectl_fairshare.schedulers.kueue.jobs.kinds.of_manifest import annotated, job_kind, pod_templates
from kubectl_fairshare.schedulers.kueue.jobs.laws import UNCHECKED, JobLaw, is_left_alone, starts
from kubectl_fairshare.schedulers.kueue.jobs.management import QUEUE_LABEL
from kubectl_fairshare.schedulers.kueue.jobs.pod_groups import group_members
from kubectl_fairshare.schedulers.kueue.jobs.single_pods import value_at
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet
from kubectl_fairshare.schedulers.kueue.reading.unknown import KNOWN
from kubectl_fairshare.schedulers.new_objects import new_object_gaps, object_count_gaps
from kubectl_fairshare.schedulers.other_schedulers import (
    other_scheduler_gap,
    unjudged_gaps,
)

_POD_SETS: Final = ("spec", "podSets")
_MOST_PODS: Final = 1_000
"""The pods of one pod set that ResourceQuotas are asked about: more of them are rejected no later."""


def creating_gaps(
    snapshot: Snapshot,
    context: Context,
    workload: Pending,
    manifests: Sequence[Manifest],
    bounds: NewPods | None = None,
) -> tuple[Gap, ...]:
    """What an API server rejects in ``manifests``, new pods among them, the pods of templates, the Workload.

    Requests above limits are left out where Kueue itself refuses the workload for them.
    """
    objects = [m for m in manifests if m.key.group != GROUP]
    known = {m.key: snapshot.manifests.get(m.key, m) for m in objects if m.key[:2] == ("", "Pod")}
    pods = [m for m in objects if m.key in known and not any(map(has_been_created, (m, known[m.key])))]
    if not objects:
        return (*storing_gaps(snapshot, workload, manifests),)
    around = surroundings(snapshot.manifests.values(), context)
    unread = snapshot.part(KueueState).unread
    refused = workload.refusal is not None and workload.refusal.law == JobLaw.REQUESTS_ABOVE_LIMITS
    jobs = [] if refused else [m for m in objects if m.key[:2] != ("", "Pod") and not m.stored]
    templates = [(m.key, spec) for m in jobs for spec in _pod_specs(m, workload)]
    specs = [(m.key, m.data.get("spec") or {}) for m in pods]
    waiting = [(m.key, m.data.get("spec") or {}) for m in objects if m.key[:2] == ("", "Pod")]
    made = _pods_of_jobs(jobs, workload) if starts(workload) or workload.one_of else []
    created = creation_gaps(snapshot.manifests, [*specs, *made], around, unread, bounds=bounds)
    # A feature of its workload says the one; its refusal, or what else holds it, the other.
    answered = {CHANCE_DEFAULTS, *([REJECTED] if is_rejected(workload) or workload.one_of else [])}
    looked_at = objects if _is_checked(workload) and context.configuration.topology else []
    return (
        *new_object_gaps(objects, snapshot.manifests),
        *(_other_scheduler_gaps([*waiting, *templates], snapshot) if is_left_alone(workload) else ()),
        *(gap for m in looked_at for gap in _annotation_gaps(m, context)),
        *(gap for gap in created if gap.feature not in answered),
        *invalid_pod_gaps(templates, around),
        *_workload_gaps(workload, objects, context),
        *storing_gaps(snapshot, workload, manifests),
        *(gap for _, spec in (*specs, *templates) for gap in _unknown_classes(snapshot, workload, spec)),
    )


def _unknown_classes(snapshot: Snapshot, workload: Pending, spec: JsonObject) -> Iterator[Gap]:
    """What is unknown of the objects by which an API server completes, or rejects, a new pod."""
    return unknown_gaps(unknown_for_new_pod(snapshot.manifests, workload.key.namespace, spec, KNOWN))


def _pods_of_jobs(jobs: Sequence[Manifest], workload: Pending) -> list[tuple[ObjectKey, JsonObject]]:
    """The pods that new jobs make before Kueue decides, which ResourceQuotas may reject; at most some thousand.

    Those are all pods outside of quota, and the first where each pod is a workload.
    """
    counts = {pod_set.path: pod_set.count for pod_set in workload.pod_sets}
    found: list[tuple[ObjectKey, JsonObject]] = []
    for manifest in jobs:
        for path, count in counts.items():
            spec = value_at(manifest.data, path)
            if path and isinstance(spec, dict):
                found += [(manifest.key, spec)] * min(count, _MOST_PODS)
    return found


def _other_scheduler_gaps(pods: Sequence[tuple[ObjectKey, JsonObject]], snapshot: Snapshot) -> Iterator[Gap]:
    """A gap for each scheduler of pods that Kueue leaves alone: it decides when they start."""
    for key, spec in pods:
        name = spec.get("schedulerName") or KUBERNETES_SCHEDULER
        if name != KUBERNETES_SCHEDULER:
            yield other_scheduler_gap(str(name), (Place(key),), snapshot, touches=True)


def unmanaged_gaps(snapshot: Snapshot) -> tuple[Gap, ...]:
    """A gap for each scheduler of waiting pods that Kueue leaves alone; none where it manages all jobs."""
    if snapshot.part(KueueState).configuration.manage_unlabelled:
        return ()
    objects = (m for m in snapshot.manifests.values() if not _names_queue(m))
    return unjudged_gaps(objects, lambda _: False, snapshot)


def _names_queue(manifest: Manifest) -> bool:
    """Whether an object, or the template of pods in it, names a queue of Kueue."""
    if not manifest.may_mention(QUEUE_LABEL):
        return False
    labels = [inside(manifest.data, *path, "metadata", "labels") for path in ((), ("spec", "template"))]
    return any(isinstance(each, dict) and QUEUE_LABEL in each for each in labels)


def unmade_gaps(snapshot: Snapshot, workload: Pending) -> tuple[Gap, ...]:
    """The same for the job of the input behind a workload that has not been made."""
    manifest = snapshot.manifests.get(workload.source) if workload.source is not None else None
    if manifest is None:
        return ()
    context = snapshot.part(Context)
    pods = group_members(manifest, snapshot.manifests, context)
    unknown = unknown_gaps(place for each in pods for place in KNOWN.places(each))
    return (*creating_gaps(snapshot, context, workload, pods), *unknown)


def _is_checked(workload: Pending) -> bool:
    """Whether Kueue's webhook looks at the job."""
    return workload.refusal is None or workload.refusal.law not in UNCHECKED


def storing_gaps(snapshot: Snapshot, workload: Pending, manifests: Sequence[Manifest] = ()) -> Iterator[Gap]:
    """Gaps if an API server rejects the Workload that Kueue makes, or one that is itself new.

    That is where ResourceQuotas count it, or may not be read, and where its namespace is being deleted.
    """
    known = workload.key in snapshot.manifests or any(m.key.group == GROUP and is_created(m.data) for m in manifests)
    if not known and (workload.refusal is None or workload.refusal.law not in NO_WORKLOAD):
        yield from ending_namespace_gaps(snapshot.manifests, [workload.key.namespace])
        yield from object_count_gaps([workload.key], snapshot.manifests)
        if RESOURCE_QUOTA[1] in snapshot.part(KueueState).unread:
            yield Gap(UNREAD, (), touches=True, subject=RESOURCE_QUOTA[1])


def _annotation_gaps(manifest: Manifest, context: Context) -> Iterator[Gap]:
    """A gap for each annotation for which Kueue's webhook rejects a new job, or which it may not read later."""
    framework = job_kind(manifest).framework
    templates = [*map(annotated, pod_templates(manifest, context.runtimes))]
    for place, why, _ in unchecked_mistakes(framework, templates, context.configuration):
        yield Gap(MALFORMED_TOPOLOGY, (place,), touches=True, subject=why)
    rejected = () if manifest.stored else annotation_mistakes(framework, templates, context.configuration)
    for _, why, _ in rejected:
        what = "its pods" if manifest.key.kind == "Deployment" else "it"
        yield Gap(INVALID_OBJECT, (), touches=True, subject=f"{manifest.key}: Kueue's webhook rejects {what}: {why}")


def _pod_specs(manifest: Manifest, workload: Pending) -> Iterator[JsonObject]:
    """The pods of the workload, as the templates of the manifest describe them."""
    for path in dict.fromkeys(pod_set.path for pod_set in workload.pod_sets):
        spec = value_at(manifest.data, path)
        if path and isinstance(spec, dict):
            yield spec


def _workload_gaps(workload: Pending, objects: Sequence[Manifest], context: Context) -> Iterator[Gap]:
    """A gap for each mistake in the pod sets of the Workload: Kueue makes none then, and tries again without end."""
    if workload.refusal is not None and workload.refusal.law in NO_WORKLOAD:
        return
    for manifest in objects:
        for _, cause in workload_causes(workload, manifest, context):
            subject = f"the Workload that Kueue makes of {manifest.key}: {cause.field}: {cause.message}"
            yield Gap(INVALID_OBJECT, (), touches=True, subject=subject)


def workload_causes(workload: Pending, manifest: Manifest, context: Context) -> Iterator[tuple[FieldPath, Cause]]:
    """What an API server rejects in the Workload that Kueue makes of a job or pod, each with its place there.

    Raises ``FairshareError`` for a field of another type.
    """
    templates = pod_templates(manifest, context.runtimes)
    if manifest.key[:2] == ("", "Pod"):
        pod_sets = [(each.spec.path, _pod_set(each)) for each in templates]
    else:
        pod_sets = [*_pod_sets(workload, templates)]
    spec: dict[str, Json] = {"podSets": [each for _, each in pod_sets]}
    metadata = {"name": _name(workload, manifest), "namespace": workload.key.namespace}
    made = {"apiVersion": f"{GROUP}/{STORED}", "kind": "Workload", "metadata": metadata, "spec": spec}
    for cause in judge(made, laws=context.configuration.writes).all_causes:
        if cause.type != REQUIRED:  # Kueue writes fields that are missing, but empty
            yield _written_at(cause.path, [path for path, _ in pod_sets]), cause


def _name(workload: Pending, manifest: Manifest) -> str:
    """The name of the Workload; the key of a job with a generated name may have a number in place of what is added."""
    written = manifest.data["metadata"]
    generated = "" if written.get("name") else str(written.get("generateName", ""))
    return workload.key.name.replace(manifest.key.name, generated) if generated else workload.key.name


def _written_at(path: FieldPath, paths: Sequence[FieldPath]) -> FieldPath:
    """The place in the job of what is at ``path`` in its Workload; ``paths`` are those of the pods, by pod set."""
    number = path[len(_POD_SETS)] if path[: len(_POD_SETS)] == _POD_SETS and len(path) > len(_POD_SETS) else None
    if not isinstance(number, int):
        return ()
    inside = path[len(_POD_SETS) + 1 :]
    return (*paths[number], *inside[2:]) if inside[:2] == ("template", "spec") else paths[number]


def _pod_sets(workload: Pending, templates: Sequence[PodTemplate]) -> Iterator[tuple[FieldPath, Json]]:
    """The pod sets of the Workload with their templates, each with the place of its pods in the job."""
    by_path = {template.spec.path: template for template in templates}
    for each in workload.pod_sets:
        if each.path in by_path:
            yield each.path, _pod_set(by_path[each.path], each)


def _pod_set(template: PodTemplate, pod_set: PodSet | None = None) -> dict[str, Json]:
    """A pod set as Kueue writes it; None: that of a pod."""
    spec = {**template.spec.mapping()}
    for kind in ("containers", "initContainers"):
        entries = template.spec.at(kind).entries()
        if entries:
            spec[kind] = [_with_last_variables(entry.mapping()) for entry in entries]
    whole = {"metadata": {"labels": template.labels, "annotations": template.annotations}, "spec": spec}
    counted: dict[str, Json] = {"name": MAIN, "count": 1}
    if pod_set is not None:
        named = {"name": pod_set.name} if pod_set.name else {}
        least = {} if pod_set.min_count is None else {"minCount": pod_set.min_count}
        counted = {**named, "count": pod_set.count, **least}
    return {**counted, "template": _as_stored(whole)}


def _with_last_variables(container: JsonObject) -> JsonObject:
    """A container in which each variable of its environment is there once: Kueue keeps the last of each name."""
    variables = container.get("env")
    if not isinstance(variables, list):
        return container
    last = {each.get("name"): each for each in variables if isinstance(each, dict)}
    return {**container, "env": [*last.values()]}


def _as_stored(value: Json) -> Json:
    """A value as an API server stores it in Kubernetes' own types: without nulls, fractions as texts."""
    if isinstance(value, dict):
        return {name: _as_stored(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_as_stored(each) for each in value]
    return str(value) if isinstance(value, float) else value
