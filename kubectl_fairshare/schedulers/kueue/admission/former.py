"""What the API of Kueue looks like in other releases than 0.19: limits, fields, and rules that compare old and new.

Source: the CustomResourceDefinitions of v0.17.1 and v0.18.4, the notes of v0.20.0.
Tested in ``tests/unit/schedulers/kueue/admission/test_writes_by_release.py``.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.api.structures.library import Changes
from kubectl_fairshare.api.structures.structure import CelRule
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers.kueue.admission.cel import (
    LATER_FLAVOR,
    LATER_LEVELS,
    RULES,
    former_kept,
    former_source,
)
from kubectl_fairshare.schedulers.kueue.release.writes import NEWEST, WriteLaws

_OF_POD_SETS: Final = (
    ("WorkloadSpec", "podSets"),
    ("WorkloadStatus", "reclaimablePods"),
    ("WorkloadStatus", "resourceRequests"),
    ("AdmissionCheckState", "podSetUpdates"),
    ("Admission", "podSetAssignments"),
)
"""Lists of a Workload with an entry for each pod set."""


def changes(laws: WriteLaws) -> Changes:
    """What a release has otherwise than 0.19, by file, structure and field."""
    found: dict[str, dict[str, dict[str, Json]]] = {}
    for file, structure, field, entry in _changed(laws):
        found.setdefault(file, {}).setdefault(structure, {})[field] = entry
    return found


def _changed(laws: WriteLaws) -> Iterator[tuple[str, str, str, Json]]:
    most = {"most": laws.most_pod_sets}
    if laws.most_pod_sets != NEWEST.most_pod_sets:
        for version in ("v1beta1", "v1beta2"):
            for structure, field in _OF_POD_SETS:
                yield f"{version}/Workload", structure, field, most
    if laws.most_flavors_used != NEWEST.most_flavors_used:
        used = {"most": laws.most_flavors_used}
        for version, fields in (
            ("v1beta1", ("flavorsReservation", "flavorUsage", "flavors")),
            ("v1beta2", ("flavorsReservation", "flavorsUsage")),
        ):
            for field in fields:
                yield f"{version}/LocalQueue", "LocalQueueStatus", field, used
            yield f"{version}/LocalQueue", "LocalQueueFlavorUsage", "resources", used
        yield "v1beta1/LocalQueue", "LocalQueueFlavorStatus", "resources", used
    if laws.least_min_count != NEWEST.least_min_count:
        for version in ("v1beta1", "v1beta2"):
            yield f"{version}/Workload", "PodSet", "minCount", {"least": laws.least_min_count}
    if not laws.clusters_ordered:
        yield "v1beta2/MultiKueueConfig", "MultiKueueConfigSpec", "clusters", {"rules": None, "unique": True}
    if not laws.policies_known:
        yield "v1beta2/MultiKueueConfig", "MultiKueueConfigSpec", "quotaManagement", None
        yield "v1beta2/ClusterQueue", "ClusterQueueSpec", "concurrentAdmissionPolicy", None
    if not laws.knows_scheduling_group:
        yield "api/core", "PodSpec", "schedulingGroup", None
        yield "api/core", "PodSpec", "workloadRef", "WorkloadReference *"
        yield "api/core", "WorkloadReference", "name", "String !k"
        yield "api/core", "WorkloadReference", "podGroup", "String !k"
        yield "api/core", "WorkloadReference", "podGroupReplicaKey", "String"


def rules(laws: WriteLaws) -> Mapping[str, tuple[CelRule, ...]]:
    """The rules of a release, by the name under which structures ask for them."""
    found = dict(RULES)
    if not laws.queue_stays_named:
        for name in ("workload", "workload-v1beta1"):
            found[name] = former_kept(found[name])
    if not laws.source_optional:
        found["workload-v1beta1"] = former_source(found["workload-v1beta1"])
    if not laws.flavors_fixed:
        found["resource-flavor-spec"] = LATER_FLAVOR
    if not laws.levels_fixed:
        found["levels"] = LATER_LEVELS
    return found
