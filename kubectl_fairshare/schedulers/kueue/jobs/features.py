"""Features of a workload that are not modelled.

Each has the name that Kueue or Kubernetes gives it or its gate. A feature that cannot affect a decision is not listed:
an index label for topology, a maximum execution time, open gates.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from kubectl_fairshare.answers.fidelity import CHANCE_DEFAULTS
from kubectl_fairshare.api.label_syntax import is_label_value
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.limits import bounds_of, takes_chance_default
from kubectl_fairshare.jobs.nodes import required_affinity
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import Requirement, is_bound
from kubectl_fairshare.schedulers.kueue.jobs.blocks import DEACTIVATION, DELETION, ORPHAN
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.devices import claimed_devices, device_refusal
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate
from kubectl_fairshare.schedulers.kueue.jobs.kinds.runtime_patches import FLUX, is_of_kueue
from kubectl_fairshare.schedulers.kueue.jobs.names import NAMING_KEYS, PREBUILT_KEY, naming_field
from kubectl_fairshare.schedulers.kueue.model.gates import GATED_BY
from kubectl_fairshare.schedulers.kueue.model.objects import ELASTIC_JOB, GROUP, Configuration

ELASTIC: Final = "ElasticJobsViaWorkloadSlices"
DYNAMIC_RESOURCES: Final = "DynamicResourceAllocation"
EXTENDED_RESOURCES: Final = "KueueDRAIntegrationExtendedResource"
POD_GROUP: Final = "PodGroup"
PREBUILT: Final = "PrebuiltWorkload"
SINGLE_PODS: Final = "PodsOfAnUnmanagedJob"
POD_OVERRIDES: Final = "TrainJob.podTemplateOverrides"
"""A field of Trainer before v2.2, which Kueue v0.19 does not decode."""
TRAINER: Final = "TrainJob.trainer"
"""Trainer v2.1 does not know patches; v2.3 merges them, and resources per node, otherwise."""
UNMANAGED_POD: Final = "PodNotManaged"
"""Kueue's webhook labels each pod that it takes, and Kueue looks at no other pod."""
MALFORMED_AFFINITY: Final = "MalformedNodeAffinity"
"""Kueue cannot match a flavor with it, and looks at no other flavor then."""
ZERO_REPLICAS: Final = "JobSet.replicas=0"
"""Kueue leaves a zero out when it starts the JobSet, and the API server's default, one, takes its place."""
NAMING_LABELS: Final = "WorkloadIdentifierAnnotations=false"
"""An annotation names a Workload or a group of pods where only labels do: it is read as if it counted."""
RECHARGED: Final = frozenset(
    {
        CHANCE_DEFAULTS,
        ELASTIC,
        NAMING_LABELS,
        POD_GROUP,
        PREBUILT,
        EXTENDED_RESOURCES,
        SINGLE_PODS,
        POD_OVERRIDES,
        TRAINER,
    }
)
"""Features that can change the requests of a workload: no outcome is certain."""
NESTED: Final = "NestedJob"
UNQUEUED: Final = frozenset({DYNAMIC_RESOURCES, NESTED, DEACTIVATION, DELETION, ORPHAN, UNMANAGED_POD})
"""Features with which a workload may never be considered, also where quota alone makes it wait."""

_REPLACEMENT: Final = f"{GROUP}/workload-slice-replacement-for"
_NO_OWNERS: Final = frozenset({"CronJob", "Deployment", "StatefulSet"})


def unmodelled_in_workload(templates: tuple[PodTemplate, ...], context: Context) -> tuple[str, ...]:
    """The features of a Workload, sorted."""
    return tuple(sorted(set(_of_templates(templates, context))))


def unmodelled_in_job(job: Field, templates: tuple[PodTemplate, ...], context: Context) -> tuple[str, ...]:
    """The features that a job asks for, sorted."""
    metadata = job.at("metadata")
    found = set(_of_templates(templates, context))
    if is_elastic(metadata.at("annotations"), context.configuration):
        found.add(ELASTIC)
    if naming_field(metadata, PREBUILT_KEY).text():
        found.add(PREBUILT)
    if metadata.at("deletionTimestamp").value is not None:
        found.add(DELETION)
    stored = bool(job.at("metadata", "resourceVersion").text())
    if job.owner.kind == "Pod" and stored and metadata.at("labels").texts().get(f"{GROUP}/managed") != "true":
        found.add(UNMANAGED_POD)
    if not context.configuration.naming_annotations and any(metadata.at("annotations", k).text() for k in NAMING_KEYS):
        found.add(NAMING_LABELS)
    owners = metadata.at("ownerReferences").entries()
    if any(_is_managed_owner(owner, context.configuration) for owner in owners):
        found.add(NESTED)
    if job.owner.kind == "TrainJob":
        found.update(_of_train_job(job.at("spec"), templates, context.configuration.release.trainer, stored=stored))
    if job.owner.kind == "JobSet" and any(each.at("replicas").value == 0 for each in _replicated(job)):
        found.add(ZERO_REPLICAS)
    return tuple(sorted(found))


def _of_train_job(spec: Field, templates: tuple[PodTemplate, ...], trainer: str, *, stored: bool) -> Iterator[str]:
    """What of a TrainJob is rendered otherwise than by Trainer v2.2, which is modelled."""
    if spec.at("podTemplateOverrides").value:
        yield POD_OVERRIDES
    patched = any(not is_of_kueue(patch, stored=stored) for patch in spec.at("runtimePatches").entries())
    with_flux = any(each.at("name").text() == FLUX for t in templates for each in t.spec.at("initContainers").entries())
    if (trainer != "2.2" and patched) or (trainer == "2.3" and with_flux):
        yield TRAINER


def _replicated(job_set: Field) -> tuple[Field, ...]:
    return job_set.at("spec", "replicatedJobs").entries()


def is_elastic(annotations: Field, configuration: Configuration) -> bool:
    """Whether the annotations of a job make it elastic: its number of pods may change while it runs."""
    return configuration.elastic_slices and annotations.at(ELASTIC_JOB).text() == "true"


def admission_gates(metadata: Field, configuration: Configuration) -> str:
    """The annotation that keeps the workload, or that of the job, out of its queue; empty without one."""
    return metadata.at("annotations").texts().get(GATED_BY, "") if configuration.admission_gates else ""


def replaced_slice(metadata: Field, configuration: Configuration) -> ObjectKey | None:
    """The slice of an elastic job that a Workload takes the place of; only one of its own namespace is looked up."""
    namespace, _, name = metadata.at("annotations").texts().get(_REPLACEMENT, "").partition("/")
    if not configuration.elastic_slices or namespace != metadata.owner.namespace:
        return None
    return ObjectKey(GROUP, "Workload", namespace, name)


def _of_templates(templates: tuple[PodTemplate, ...], context: Context) -> Iterator[str]:
    refused = device_refusal(templates, context) is not None
    for template in templates:
        if context.extended_resources and not context.extended_resources.isdisjoint(_requested(template.spec, context)):
            yield EXTENDED_RESOURCES
        claims = template.spec.at("resourceClaims").entries()
        if claims and not refused and claimed_devices(template.spec, context) is None:
            yield DYNAMIC_RESOURCES
        if any(_is_malformed(each) for term in required_affinity(template.spec) or () for each in term.expressions):
            yield MALFORMED_AFFINITY
        chances = context.chance_defaults.get(template.spec.owner.namespace, {})
        if takes_chance_default(template.spec, chances, limits_first=context.configuration.release.limits_first):
            yield CHANCE_DEFAULTS


def _is_malformed(requirement: Requirement) -> bool:
    """Whether Kubernetes' own matching ends in an error, whatever the labels are."""
    operator, values = requirement.operator, requirement.values
    if operator in ("In", "NotIn"):
        return not values or not all(map(is_label_value, values))
    if operator in ("Gt", "Lt"):
        return len(values) != 1 or not is_bound(values[0])
    return operator not in ("Exists", "DoesNotExist") or bool(values)


def _requested(spec: Field, context: Context) -> Iterator[str]:
    """The resources that containers request or limit, by themselves or by default."""
    limits = context.limit_ranges.get(spec.owner.namespace, {})
    for name in ("default", "defaultRequest"):
        yield from bounds_of(limits, "Container", name)
    for kind in ("initContainers", "containers"):
        for container in spec.at(kind).entries():
            for amounts in ("requests", "limits"):
                yield from container.at("resources", amounts).mapping()


def has_closed_gate(root: Field) -> bool:
    """Whether a preemption gate of a Workload is closed."""
    gates = root.at("spec", "preemptionGates").entries()
    states = root.at("status", "preemptionGates").entries() if gates else ()
    positions = {s.at("name").text(): s.at("position").text() for s in states}
    return any(positions.get(gate.at("name").text(), "Closed") == "Closed" for gate in gates)


def _is_managed_owner(owner: Field, configuration: Configuration) -> bool:
    group, _, version = owner.at("apiVersion").text().rpartition("/")
    kind = owner.at("kind").text()
    framework = _managed_owners().get((group, kind))
    known = framework is not None and framework not in configuration.release.frameworks_gone
    external = f"{kind}.{version}.{group}" in configuration.external_frameworks
    return owner.at("controller").flag() and (known or external)


@cache
def _managed_owners() -> Mapping[tuple[str, str], str]:
    """The kinds of owners, with their frameworks."""
    from kubectl_fairshare.schedulers.kueue.jobs.kinds.every_kind import ALL_KINDS

    return {(kind.group, kind.kind): kind.framework for kind in ALL_KINDS if kind.kind not in _NO_OWNERS}
