"""A manifest as the workload that the scheduler sees."""

from collections.abc import Iterable
from sys import intern
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.kinds import UNKNOWN
from kubectl_fairshare.jobs.nodes import node_selector, required_affinity, tolerations
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.blocks import leaving_features, status_blocks
from kubectl_fairshare.schedulers.kueue.jobs.checks import least_requests, resource_refusal
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.devices import device_refusal, with_devices
from kubectl_fairshare.schedulers.kueue.jobs.features import (
    POD_GROUP,
    SINGLE_PODS,
    admission_gates,
    has_closed_gate,
    is_elastic,
    replaced_slice,
    unmodelled_in_job,
    unmodelled_in_workload,
)
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import (
    ExistingClusterError,
    JobKind,
    Known,
    PodTemplate,
    RejectedError,
    RuntimeMissingError,
)
from kubectl_fairshare.schedulers.kueue.jobs.kinds.workload import of_workload
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.management import QUEUE_LABEL, local_queue, look_alikes, naming_outer_label
from kubectl_fairshare.schedulers.kueue.jobs.moments import created_at, has_failed_checks, is_preempting, queued_at
from kubectl_fairshare.schedulers.kueue.jobs.names import workload_name
from kubectl_fairshare.schedulers.kueue.jobs.priority import job_priority, workload_priority
from kubectl_fairshare.schedulers.kueue.jobs.requests import (
    PodResources,
    Resources,
    amounts,
    charges,
    pod_resources,
    total,
    unknown_overheads,
    wrapping_sums,
)
from kubectl_fairshare.schedulers.kueue.jobs.topology import topology_request
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet, Refusal, UnknownClass

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.jobs.pod_groups import PodGroupWorkload

_MOST_ALIKE: Final = 1000


class _PodsRead(NamedTuple):
    """What the pod sets of a Workload come to. Without a refusal and an unknown class, it names no object."""

    pod_sets: tuple[PodSet, ...]
    unmodelled: tuple[str, ...]
    refusal: Refusal | None
    unknown_overheads: tuple[UnknownClass, ...]


class AlikePods:
    """Reads the pod sets of many Workloads in one context: those with the same text in one namespace once.

    Thousands of jobs often come from one template. It knows no more than ``_MOST_ALIKE`` texts at a time.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[tuple[str, bytes], _PodsRead] = {}

    def read(self, workload: Field) -> _PodsRead:
        """The pod sets of a Workload. Raises ``FairshareError`` for a field with a value of the wrong type."""
        text = _text(workload)
        if text is None:
            return _read_pods(workload, self._context)
        key = (workload.owner.namespace, text)
        found = self._known.get(key)
        if found is None:
            found = _read_pods(workload, self._context)
            if found.refusal is None and not found.unknown_overheads:
                if len(self._known) == _MOST_ALIKE:
                    self._known.clear()
                self._known[key] = found
        return found


def pending_of(manifest: Manifest, context: Context, alike: AlikePods | None = None) -> Pending:
    """The workload that ``manifest`` is, or that Kueue would make for it.

    Supported are Workload (in its v1beta2 form) and the kinds of ``templates``. A CronJob gives one run, a Deployment
    one pod, a LeaderWorkerSet its first group of pods, and a Pod in a group the whole group. A job that Kueue does not
    manage gives one of its pods if Kueue manages those. A job is read as if it
    were submitted now, whether it runs or is suspended. If Kueue does not consider it, ``refusal`` says why. Who reads
    many Workloads gives ``alike``, of the same context.
    Raises ``FairshareError`` for other kinds, and for fields with a value of the wrong type.
    """
    if (manifest.key.group, manifest.key.kind) == (GROUP, "Workload"):
        root = Field(manifest.key, (), manifest.passing_data)
        return _of_workload(root, context, _read_pods(root, context) if alike is None else alike.read(root))
    from kubectl_fairshare.schedulers.kueue.jobs.kinds.of_manifest import job_kind

    kind = job_kind(manifest)
    if manifest.key.kind == "Pod":
        from kubectl_fairshare.schedulers.kueue.jobs.pod_groups import group_of_pod

        group = group_of_pod(root_of(manifest), context)
        if group is not None:
            return _of_group(group, kind, context, stored=manifest.stored)
    return _of_job(manifest, kind, context)


def _text(workload: Field) -> bytes | None:
    """The pod sets of a Workload as text; None where something else decides about them, or no text is theirs alone."""
    from orjson import JSONEncodeError, dumps

    if workload.at("status", "reclaimablePods").value is not None:
        return None
    try:
        text = dumps(workload.at("spec", "podSets").value)
    except JSONEncodeError:
        return None
    return None if b"null" in text else text  # NaN becomes null as well


def _read_pods(workload: Field, context: Context) -> _PodsRead:
    templates, namespace = of_workload(workload), workload.owner.namespace
    resources = _resources(templates, namespace, context, native=False, is_pod=False)
    return _PodsRead(
        _pod_sets(templates, resources, context),
        unmodelled_in_workload(templates, context),
        _refusal(namespace, templates, resources, context),
        unknown_overheads(templates, context),
    )


def _of_workload(root: Field, context: Context, pods: _PodsRead) -> Pending:
    key = root.owner
    priority = workload_priority(root, context)
    metadata, status, active = root.at("metadata"), root.at("status"), root.at("spec", "active")
    conditions, checks = status.at("conditions").entries(), status.at("admissionChecks").entries()
    created, queued = created_at(root, context.default_created), queued_at(conditions, context.configuration, 0)
    return Pending(
        key=key,
        uid=metadata.at("uid").text(),
        local_queue=intern(root.at("spec", "queueName").text()),
        priority=priority.value,
        created=created,
        queued=queued or created,
        pod_sets=_with_updates(pods.pod_sets, checks),
        active=active.value is None or active.flag(),
        unmodelled=tuple(sorted({*pods.unmodelled, *leaving_features(metadata, conditions)})),
        refusal=priority.refusal or pods.refusal,
        source=key,
        preempting=is_preempting(conditions),
        failed_checks=has_failed_checks(checks),
        gated_by=admission_gates(metadata, context.configuration),
        preemption_gated=has_closed_gate(root),
        replaces=replaced_slice(metadata, context.configuration),
        unknown_class=priority.unknown,
        unknown_overheads=pods.unknown_overheads,
        blocks=status_blocks(status, conditions),
        undated=not queued and created == context.default_created and created_at(root, 0) == 0,
    )


def _with_updates(pod_sets: tuple[PodSet, ...], checks: Iterable[Field]) -> tuple[PodSet, ...]:
    """The pod sets with what the ready ones of the Workload's admission checks add to their pods."""
    ready = (check for check in checks if check.at("state").value == "Ready")
    updates = [update for check in ready for update in check.at("podSetUpdates").entries()]
    return tuple(_with_updates_of(p, updates) for p in pod_sets) if updates else pod_sets


def _with_updates_of(pod_set: PodSet, updates: Iterable[Field]) -> PodSet:
    own = [update for update in updates if update.at("name").text() == pod_set.name]
    selector = dict.fromkeys(each for update in own for each in node_selector(update))
    added = (each for update in own for each in tolerations(update))
    return replace(pod_set, updated_selector=tuple(selector), updated_tolerations=tuple(added))


def _of_job(manifest: Manifest, kind: JobKind, context: Context) -> Pending:
    root = root_of(manifest)
    return _of_carried(manifest, root.at(*kind.carrier), kind, context)


def _of_carried(manifest: Manifest, job: Field, kind: JobKind, context: Context, pods: int = 0) -> Pending:
    """The workload of the job that the manifest is or carries, or of one of the ``pods`` of an unmanaged job."""
    root = root_of(manifest)
    metadata = job.at("metadata")
    templates, lacking = _templates(job, kind, Known(manifest.stored, context.runtimes, context.configuration.release))
    resources = _resources(templates, manifest.key.namespace, context, native=kind.native, is_pod=kind.of_pods)
    queue, unmanaged = local_queue(job, kind, context, stored=manifest.stored)
    said = job.at("spec", "template") if kind.kind == "Deployment" else job  # whose annotations come to its Workloads
    unmodelled = unmodelled_in_job(said, templates, context)
    if unmanaged is not None:
        from kubectl_fairshare.schedulers.kueue.jobs import single_pods

        managed = single_pods.managed_pods(root, templates, unmanaged.law, context, stored=manifest.stored)
        if len(managed) == 1 and single_pods.are_certain(kind, managed[0]):
            return _of_carried(
                manifest, managed[0], single_pods.POD_KIND, context, single_pods.number_of(job, templates)
            )
        unmanaged = naming_outer_label(unmanaged, root) if kind.carrier else unmanaged
        if managed:
            queue, unmanaged = managed[0].at("metadata", "labels", QUEUE_LABEL).text(), None
            unmodelled = tuple(sorted({*unmodelled, SINGLE_PODS}))
    if not manifest.stored:
        _check_accepted(job, kind, context, unmanaged, lacking)
    priority = job_priority(
        metadata,
        templates,
        context,
        job.at(*kind.priority_class) if kind.priority_class else None,
        stored=manifest.stored,
    )
    created = context.default_created if job.path else created_at(root, context.default_created)
    return Pending(
        key=_pod_key(root) if pods else _workload_key(root, kind),
        uid="",
        local_queue=queue,
        priority=priority.value,
        created=created,
        queued=created,
        pod_sets=_pod_sets(templates, resources, context),
        unmodelled=unmodelled,
        refusal=_first(
            unmanaged, lacking or priority.refusal or _refusal(manifest.key.namespace, templates, resources, context)
        ),
        source=manifest.key,
        gated_by=admission_gates(said.at("metadata"), context.configuration),
        unknown_class=priority.unknown,
        unknown_overheads=() if kind.of_pods and manifest.stored else unknown_overheads(templates, context),
        look_alikes=() if queue or unmanaged else look_alikes(metadata),
        carrier=tuple(map(str, job.path)),
        one_of=job.at("spec", "replicas").natural(1) if kind.kind == "Deployment" else pods,
    )


def _resources(
    templates: tuple[PodTemplate, ...], namespace: str, context: Context, *, native: bool, is_pod: bool
) -> tuple[PodResources, ...]:
    """What the pods of each template ask for, with the defaults of their namespace."""
    limits, release = context.limit_ranges.get(namespace, {}), context.configuration.release
    return tuple(
        pod_resources(t.spec, context.overheads, limits, native=native, is_pod=is_pod, release=release)
        for t in templates
    )


def _check_accepted(
    job: Field, kind: JobKind, context: Context, unmanaged: Refusal | None, lacking: Refusal | None
) -> None:
    """Raises ``RejectedError`` for what Kueue's webhook rejects in a new job; it checks labels of unmanaged ones, too.

    It does not look at a job of an integration that is off, nor at the labels of one in a queue that uses an existing
    cluster.
    """
    from kubectl_fairshare.schedulers.kueue.jobs.kinds.templates import POD_KIND
    from kubectl_fairshare.schedulers.kueue.jobs.rejections import rejections

    problems: list[Problem] = []
    looked_at = not _uses_cluster(lacking) if unmanaged is None else unmanaged.law == JobLaw.NO_QUEUE_NAME
    if looked_at:
        problems += rejections(job, kind, context.configuration, managed=unmanaged is None)
        if kind.kind == "Deployment":  # its pods come one by one, to the webhook of Pods
            pods = job.at("spec", "template")
            problems += rejections(pods, POD_KIND, context.configuration, managed=unmanaged is None)
    if unmanaged is None:
        elastic = is_elastic(job.at("metadata", "annotations"), context.configuration)
        problems += kind.rejections(job, elastic, context.configuration.release)
    if problems:
        raise RejectedError(*problems)


def _uses_cluster(lacking: Refusal | None) -> bool:
    return lacking is not None and lacking.law == JobLaw.EXISTING_CLUSTER


def _templates(job: Field, kind: JobKind, known: Known) -> tuple[tuple[PodTemplate, ...], Refusal | None]:
    """The pod templates of the job; none if its runtime is missing or its cluster exists, with the refusal for that."""
    try:
        templates = kind.templates(job, known)
    except RuntimeMissingError as error:
        operands = (error.runtime.kind, error.runtime.name)
        return (), Refusal(JobLaw.RUNTIME_MISSING, operands, places=(error.named_at,))
    except ExistingClusterError as error:
        return (), Refusal(JobLaw.EXISTING_CLUSTER, (job.owner.kind,), places=(error.chosen_at,))
    if not templates:
        raise FairshareError(Problem("it has no pods, so Kueue can make no Workload", Place(job.owner)))
    return templates, None


def _of_group(group: "PodGroupWorkload", kind: JobKind, context: Context, *, stored: bool) -> Pending:
    metadata = group.pods[0].at("metadata")
    resources = _resources(group.pod_sets, metadata.owner.namespace, context, native=True, is_pod=True)
    queue, unmanaged = local_queue(group.pods[0], kind, context, stored=stored)
    for pod in group.pods:
        if not pod.at("metadata", "resourceVersion").text():
            _check_accepted(pod, kind, context, unmanaged, None)
    priority = job_priority(metadata, group.pod_sets, context, stored=stored)
    created = max(created_at(pod, context.default_created) for pod in group.pods)
    unmodelled = {each for pod in group.pods for each in unmodelled_in_job(pod, group.pod_sets, context)}
    gates = {admission_gates(pod.at("metadata"), context.configuration) for pod in group.pods}
    if not group.certain or len(gates) > 1:
        unmodelled.add(POD_GROUP)
    return Pending(
        key=ObjectKey(GROUP, "Workload", metadata.owner.namespace, group.name),
        uid="",
        local_queue=queue,
        priority=priority.value,
        created=created,
        queued=created,
        pod_sets=_pod_sets(group.pod_sets, resources, context),
        unmodelled=tuple(sorted(unmodelled)),
        refusal=_first(
            unmanaged,
            group.refusal or priority.refusal or _refusal(metadata.owner.namespace, group.pod_sets, resources, context),
        ),
        source=metadata.owner,
        gated_by=gates.pop() if len(gates) == 1 else "",
        unknown_class=priority.unknown,
        unknown_overheads=() if stored else unknown_overheads(group.pod_sets, context),
    )


def _first(unmanaged: Refusal | None, later: Refusal | None) -> Refusal | None:
    """The refusal that counts: without a queue, no other is reached before the job has one."""
    return later if unmanaged is None else replace(unmanaged, later=later)


def _workload_key(root: Field, kind: JobKind) -> ObjectKey:
    """The Workload's key. It ends in ``xxxxx`` if the API server has not named the job yet."""
    metadata = root.at("metadata")
    name = root.owner.name or metadata.at("generateName").text() + UNKNOWN
    job, uid = root.owner._replace(name=name), metadata.at("uid").text()
    if kind.named:
        job = job._replace(name=f"{name}{kind.named}")
    if kind.carrier:
        job, uid = job._replace(kind="Job", name=f"{name}-{UNKNOWN}"), ""
    if kind.kind == "Deployment":
        return _pod_key(root)
    return ObjectKey(GROUP, "Workload", job.namespace, workload_name(job, uid))


def _pod_key(root: Field) -> ObjectKey:
    """The key of the Workload of a pod that a controller creates, and names, later."""
    job = root.owner
    name = f"{job.name or root.at('metadata', 'generateName').text() + UNKNOWN}-{UNKNOWN}"
    if job.kind in ("Deployment", "CronJob"):  # a ReplicaSet or a Job comes between
        name += f"-{UNKNOWN}"
    return ObjectKey(GROUP, "Workload", job.namespace, workload_name(job._replace(group="", kind="Pod", name=name), ""))


def _pod_sets(
    templates: tuple[PodTemplate, ...], resources: tuple[PodResources, ...], context: Context
) -> tuple[PodSet, ...]:
    return tuple(_pod_set(template, pod, context) for template, pod in zip(templates, resources, strict=True))


def _pod_set(template: PodTemplate, pod: PodResources, context: Context) -> PodSet:
    """The pods of one template, each of which asks for so much."""
    spec, configuration, asked = template.spec, context.configuration, total(pod)
    (charged, instead, every), occupied = charges(asked, configuration), amounts(asked)
    known = configuration.release.slice_constraints
    return PodSet(
        name=intern(template.name),
        count=template.count,
        requests=_for_pods(charged, template, context),
        min_count=template.min_count if configuration.partial_admission else None,
        reclaimable=template.reclaimable if configuration.reclaimable_pods else 0,
        group=template.group,
        node_selector=node_selector(spec),
        affinity=required_affinity(spec),
        tolerations=tolerations(spec),
        path=spec.path,
        topology=topology_request(template, layered=configuration.slice_layers, known=known),
        # Mostly they are the same, and thousands of jobs are read: then one mapping is both.
        occupies=charged if [*charged.items()] == [*occupied.items()] else occupied,
        pod_level=bool(configuration.release.later_features) and spec.at("resources").value is not None,
        instead=tuple(_for_pods(each, template, context) for each in instead),
        every_charge=every,
        least=least_requests(pod, context.limit_ranges.get(spec.owner.namespace, {})),
    )


def _for_pods(charged: Resources, template: PodTemplate, context: Context) -> Resources:
    """What one pod is charged, with its devices, as the sums of all pods are computed."""
    return wrapping_sums(with_devices(charged, template.spec, context), template.count, context.configuration.release)


def _refusal(
    namespace: str, templates: tuple[PodTemplate, ...], resources: tuple[PodResources, ...], context: Context
) -> Refusal | None:
    most = context.configuration.release.most_pod_sets
    if len(templates) > most:
        return Refusal(JobLaw.TOO_MANY_POD_SETS, (str(len(templates)), str(most)), (), (templates[most].spec.place,))
    devices = device_refusal(templates, context)
    if devices is not None:
        return devices
    pods = zip((t.spec.place for t in templates), resources, strict=True)
    return resource_refusal(pods, context.limit_ranges.get(namespace, {}))
