"""Kueue's webhook for the status of Workloads, in their Go view (v1beta2)."""

from collections.abc import Iterator

from kubectl_fairshare.api.causes import DUPLICATE, NOT_FOUND, REQUIRED, UNSUPPORTED, Cause, MapKey, cause, invalid
from kubectl_fairshare.api.golang import equal
from kubectl_fairshare.api.label_syntax import annotation_causes, key_causes, label_causes
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.quantity_text import parse
from kubectl_fairshare.schedulers.kueue.admission.kinds import API, STORED
from kubectl_fairshare.schedulers.kueue.admission.webhooks.resource_flavor import toleration_causes
from kubectl_fairshare.schedulers.kueue.admission.webhooks.workload_view import (
    is_elastic,
    pod_sets,
    replaces_a_slice,
    reserves_quota,
)
from kubectl_fairshare.schedulers.kueue.release.writes import NEWEST, WriteLaws


def status_causes(view: JsonObject, old: JsonObject | None, laws: WriteLaws = NEWEST) -> Iterator[Cause]:
    """What is wrong with the status itself."""
    status, names = view.get("status", {}), [pod_set.get("name", "") for pod_set in pod_sets(view)]
    if reserves_quota(view):
        yield from _admission_causes(status.get("admission"), names, old)
    yield from _condition_causes(status.get("conditions", []))
    yield from _reclaimable_causes(view, old, laws)
    for index, check in enumerate(status.get("admissionChecks", [])):
        yield from _update_causes(check, names, ("status", "admissionChecks", index, "podSetUpdates"))


def _admission_causes(admission: JsonObject | None, names: list[str], old: JsonObject | None) -> Iterator[Cause]:
    path: FieldPath = ("status", "admission")
    if admission is None:
        known = old is not None and reserves_quota(old) and "admission" not in old.get("status", {})
        if not known:
            yield cause(REQUIRED, path, "quota is reserved, so there must be an admission")
        return
    for index, assignment in enumerate(admission.get("podSetAssignments", [])):
        place = (*path, "podSetAssignments", index)
        if assignment.get("name", "") not in names:
            yield cause(NOT_FOUND, (*place, "name"), "no pod set of this name")
        count = assignment.get("count", 0)
        if count <= 0:
            continue
        for resource, amount in assignment.get("resourceUsage", {}).items():
            if _amount(resource, amount) % count:
                yield invalid((*place, "resourceUsage", MapKey(resource)), f"not a multiple of {count}")


def _amount(resource: str, text: str) -> int:
    """The amount in Kueue's own units, rounded away from zero."""
    nano = parse(text).nano
    rounded = min(-(-abs(nano) // (10**6 if resource == "cpu" else 10**9)), UNLIMITED)
    return -rounded if nano < 0 else rounded


def _condition_causes(conditions: Json) -> Iterator[Cause]:
    seen: set[str] = set()
    for index, condition in enumerate(conditions):
        kind, place = condition.get("type", ""), ("status", "conditions", index)
        if kind in seen:
            yield cause(DUPLICATE, (*place, "type"), f"condition `{kind}` occurs twice")
        seen.add(kind)
        yield from key_causes(kind, (*place, "type"))
        if condition.get("status", "") not in ("True", "False", "Unknown"):
            yield cause(UNSUPPORTED, (*place, "status"), "expected True, False or Unknown")
        for name in ("lastTransitionTime", "reason"):
            if name not in condition:
                yield cause(REQUIRED, (*place, name), "required")


def _reclaimable_causes(view: JsonObject, old: JsonObject | None, laws: WriteLaws) -> Iterator[Cause]:
    counts = {pod_set.get("name", ""): pod_set.get("count", 0) for pod_set in pod_sets(view)}
    before = _reclaimable(old) if old is not None and laws.elastic_counts and is_elastic(view) else {}
    for name, count in _reclaimable(view).items():
        place: FieldPath = ("status", "reclaimablePods", MapKey(name))
        if name not in counts:
            yield cause(UNSUPPORTED, (*place, "name"), "no pod set of this name")
        elif count > counts[name] and before.get(name) != count:
            yield invalid((*place, "count"), f"above the pod set's count {counts[name]}")


def _reclaimable(view: JsonObject) -> dict[str, int]:
    pods = view.get("status", {}).get("reclaimablePods", [])
    return {each.get("name", ""): each.get("count", 0) for each in pods}


def _update_causes(check: JsonObject, names: list[str], path: FieldPath) -> Iterator[Cause]:
    for index, update in enumerate(check.get("podSetUpdates", [])):
        place = (*path, index)
        if update.get("name", "") not in names:
            yield cause(UNSUPPORTED, (*place, "name"), "no pod set of this name")
        yield from toleration_causes(update.get("tolerations", []), (*place, "tolerations"))
        yield from annotation_causes(update.get("annotations", {}), (*place, "annotations"))
        yield from label_causes(update.get("nodeSelector", {}), (*place, "nodeSelector"))
        yield from label_causes(update.get("labels", {}), (*place, "labels"))


def status_update_causes(view: JsonObject, old: JsonObject, laws: WriteLaws = NEWEST) -> Iterator[Cause]:
    """What is wrong with the change of the status."""
    status, before = view.get("status", {}), old.get("status", {})
    if reserves_quota(view) and reserves_quota(old):
        yield from _reclaimed_causes(view, old, laws)
    if "admission" in status and "admission" in before:
        yield from _admission_change_causes(status["admission"], before["admission"])
    yield from _ready_causes(status.get("admissionChecks", []), before.get("admissionChecks", []))
    newly_chosen = "clusterName" in status and "clusterName" not in before and not replaces_a_slice(view)
    if newly_chosen and status["clusterName"] not in before.get("nominatedClusterNames", []):
        yield invalid(("status", "clusterName"), "not one of the clusters that were nominated")


def _reclaimed_causes(view: JsonObject, old: JsonObject, laws: WriteLaws) -> Iterator[Cause]:
    new, before = _reclaimable(view), _reclaimable(old)
    shrunk = _scaled_down(view) if laws.elastic_shrinks else set()
    for name, count in before.items():
        place: FieldPath = ("status", "reclaimablePods", MapKey(name))
        if name in shrunk:
            continue
        if name not in new:
            yield cause(REQUIRED, place, "cannot be taken back while quota is reserved")
        elif new[name] < count:
            yield invalid((*place, "count"), f"cannot shrink from {count}")


def _scaled_down(view: JsonObject) -> set[str]:
    admission = view.get("status", {}).get("admission")
    if admission is None or not is_elastic(view):
        return set()
    counts = {pod_set.get("name", ""): pod_set.get("count", 0) for pod_set in pod_sets(view)}
    assigned = admission.get("podSetAssignments", [])
    return {each.get("name", "") for each in assigned if each.get("count", 0) > counts.get(each.get("name", ""), 0)}


def _admission_change_causes(new: JsonObject, old: JsonObject) -> Iterator[Cause]:
    struct = API.library.struct(f"{STORED}/Workload", "Admission")
    if not equal(struct, _without_topology(new), _without_topology(old)):
        yield invalid(("status", "admission"), "immutable")


def _without_topology(admission: JsonObject) -> dict[str, Json]:
    """The admission without the parts that can be set later."""
    late = ("topologyAssignment", "delayedTopologyRequest")
    assigned = admission.get("podSetAssignments", [])
    kept = [{key: each for key, each in one.items() if key not in late} for one in assigned]
    return {**admission, "podSetAssignments": kept}


def _ready_causes(new: Json, old: Json) -> Iterator[Cause]:
    updates = API.library.struct(f"{STORED}/Workload", "AdmissionCheckState").fields["podSetUpdates"].shape
    after = {check.get("name", ""): check for check in new}
    for index, check in enumerate(old):
        now = after.get(check.get("name", ""))
        if now is None or check.get("state") != "Ready" or now.get("state") != "Ready":
            continue
        if not equal(updates, now.get("podSetUpdates"), check.get("podSetUpdates")):
            yield invalid(("status", "admissionChecks", index, "podSetUpdates"), "immutable once the check is ready")
