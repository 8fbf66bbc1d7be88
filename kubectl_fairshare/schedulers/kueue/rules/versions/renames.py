"""Fields of Kueue's API that another version renames or lacks.

Source: Kueue v0.19 API, v1beta1 and v1beta2.
"""

from typing import Final

from kubectl_fairshare.api.structures.descent import fields_at
from kubectl_fairshare.lint.house import Renamed
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.schedulers.kueue.rules.versions.structures import known_structure

OLD: Final = "v1beta1"
NEW: Final = "v1beta2"
OLDEST: Final = "v1alpha1"

_TARGETS: Final[dict[tuple[str, str, FieldPath], FieldPath]] = {
    (NEW, "ClusterQueue", ("spec", "cohort")): ("spec", "cohortName"),
    (NEW, "ClusterQueue", ("spec", "admissionChecks")): ("spec", "admissionChecksStrategy", "admissionChecks"),
    (NEW, "Cohort", ("spec", "parent")): ("spec", "parentName"),
    (NEW, "LocalQueue", ("status", "flavorUsage")): ("status", "flavorsUsage"),
    (NEW, "MultiKueueCluster", ("spec", "clusterProfileRef")): ("spec", "clusterSource", "clusterProfileRef"),
    (NEW, "MultiKueueCluster", ("spec", "kubeConfig")): ("spec", "clusterSource", "kubeConfig"),
    (NEW, "Workload", ("spec", "priorityClassName")): ("spec", "priorityClassRef", "name"),
    (NEW, "Workload", ("spec", "priorityClassSource")): ("spec", "priorityClassRef", "group"),
    (NEW, "WorkloadPriorityClass", ("spec",)): ("value",),
    (OLD, "ClusterQueue", ("spec", "cohortName")): ("spec", "cohort"),
    (OLD, "Cohort", ("spec", "parent")): ("spec", "parentName"),
    (OLD, "LocalQueue", ("status", "flavorsUsage")): ("status", "flavorUsage"),
    (OLD, "MultiKueueCluster", ("spec", "clusterSource")): ("spec", "kubeConfig"),
    (OLD, "Workload", ("spec", "priorityClassRef")): ("spec", "priorityClassName"),
    (OLD, "WorkloadPriorityClass", ("spec",)): ("value",),
}
RENAMED_VALUES: Final = {("whenCanBorrow", "Borrow"): "MayStopSearch", ("whenCanPreempt", "Preempt"): "MayStopSearch"}
"""The v1beta2 names of values that only v1beta1 has, by field and value."""

_OLDEST: Final = frozenset({("Cohort", ("spec", "parent"))})


def new_name(version: str, kind: str, path: FieldPath) -> Renamed:
    """The name in ``version`` of a field that only another version knows, and that version."""
    return Renamed(_TARGETS.get((version, kind, path)), _other_version(version, kind, path))


def _other_version(version: str, kind: str, path: FieldPath) -> str:
    """The version that knows a field which ``version`` does not know; empty if there is none."""
    if (kind, path) in _OLDEST:
        return OLDEST
    other = OLD if version == NEW else NEW
    struct = known_structure(other, kind)
    return other if struct is not None and path[-1] in fields_at(struct, path[:-1]) else ""
