"""Features that a workload asks for and that no engine here reproduces.

Each is named as Kueue or Kubernetes names it, or its gate. What cannot touch a decision is not named:
an index label for topology, a maximum execution time, gates that are open.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate
from kubectl_fairshare.schedulers.kueue.jobs.kinds.templates import ALL_KINDS
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

TOPOLOGY: Final = "TopologyAwareScheduling"
ELASTIC: Final = "ElasticJobsViaWorkloadSlices"
DYNAMIC_RESOURCES: Final = "DynamicResourceAllocation"
ADMISSION_GATES: Final = "AdmissionGatedBy"
PREEMPTION_GATES: Final = "PreemptionGates"
PREBUILT: Final = "PrebuiltWorkload"
POD_GROUP: Final = "PodGroup"
NESTED: Final = "NestedJob"

_TOPOLOGY_FIELDS: Final = (
    "required",
    "preferred",
    "unconstrained",
    "podSetSliceRequiredTopology",
    "podSetSliceSize",
    "podsetSliceRequiredTopologyConstraints",
)
_TOPOLOGY_ANNOTATIONS: Final = tuple(
    f"{GROUP}/podset-{name}"
    for name in (
        "required-topology",
        "preferred-topology",
        "unconstrained-topology",
        "slice-required-topology-constraints",
    )
)
_SLICE_ANNOTATIONS: Final = (f"{GROUP}/podset-slice-required-topology", f"{GROUP}/podset-slice-size")
_NO_OWNERS: Final = frozenset({"CronJob", "Deployment", "StatefulSet"})
_MANAGED_OWNERS: Final = frozenset((kind.group, kind.kind) for kind in ALL_KINDS if kind.kind not in _NO_OWNERS)


def unmodelled_in_workload(root: Field, templates: tuple[PodTemplate, ...]) -> tuple[str, ...]:
    """The features that a Workload asks for, sorted."""
    found = set(_of_templates(templates)) | set(_of_annotations(root.at("metadata", "annotations").texts()))
    if _has_closed_gate(root):
        found.add(PREEMPTION_GATES)
    return tuple(sorted(found))


def unmodelled_in_job(metadata: Field, templates: tuple[PodTemplate, ...]) -> tuple[str, ...]:
    """The features that a job asks for, sorted; ``metadata`` is the job's."""
    labels, annotations = metadata.at("labels").texts(), metadata.at("annotations").texts()
    found = set(_of_templates(templates)) | set(_of_annotations(annotations))
    if labels.get(f"{GROUP}/prebuilt-workload-name"):
        found.add(PREBUILT)
    if any(map(_is_managed_owner, metadata.at("ownerReferences").entries())):
        found.add(NESTED)
    return tuple(sorted(found))


def _of_annotations(annotations: Mapping[str, str]) -> Iterator[str]:
    if annotations.get(f"{GROUP}/elastic-job") == "true" or f"{GROUP}/workload-slice-replacement-for" in annotations:
        yield ELASTIC
    if annotations.get(f"{GROUP}/admission-gated-by"):
        yield ADMISSION_GATES


def _of_templates(templates: tuple[PodTemplate, ...]) -> Iterator[str]:
    for template in templates:
        if _asks_topology(template):
            yield TOPOLOGY
        if template.spec.at("resourceClaims").entries():
            yield DYNAMIC_RESOURCES


def _asks_topology(template: PodTemplate) -> bool:
    return (
        any(template.topology.get(name) not in (None, []) for name in _TOPOLOGY_FIELDS)
        or any(name in template.annotations for name in _TOPOLOGY_ANNOTATIONS)
        or all(name in template.annotations for name in _SLICE_ANNOTATIONS)
    )


def _has_closed_gate(root: Field) -> bool:
    positions = {s.at("name").text(): s.at("position").text() for s in root.at("status", "preemptionGates").entries()}
    gates = root.at("spec", "preemptionGates").entries()
    return any(positions.get(gate.at("name").text(), "Closed") == "Closed" for gate in gates)


def _is_managed_owner(owner: Field) -> bool:
    group, _, _ = owner.at("apiVersion").text().rpartition("/")
    return owner.at("controller").flag() and (group, owner.at("kind").text()) in _MANAGED_OWNERS
