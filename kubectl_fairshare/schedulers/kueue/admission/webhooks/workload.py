"""Kueue's webhook for Workloads, in their Go view (v1beta2).

Source: Kueue v0.19 with its default gates.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.causes import FORBIDDEN, REQUIRED, TOO_LONG, Cause, MapKey, cause, invalid, of_law
from kubectl_fairshare.api.golang import equal
from kubectl_fairshare.api.label_syntax import annotation_causes, label_causes
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.quantity_text import parse
from kubectl_fairshare.schedulers.kueue.admission.kinds import API, STORED
from kubectl_fairshare.schedulers.kueue.admission.webhooks.workload_status import status_causes, status_update_causes
from kubectl_fairshare.schedulers.kueue.admission.webhooks.workload_view import (
    annotations,
    is_elastic,
    pod_sets,
    reserves_quota,
)
from kubectl_fairshare.schedulers.kueue.model.gates import GATED_BY, gate_mistakes, gates_in
from kubectl_fairshare.schedulers.kueue.release.writes import NEWEST, WriteLaws

_PODS: Final = "pods"
_TEMPLATE: Final = "1.7-template-metadata"
_STATUS: Final = "1.7-status-updates"


def causes(view: JsonObject, old: JsonObject | None, laws: WriteLaws = NEWEST) -> Iterator[Cause]:
    """What is wrong with the object; ``old`` is the object that it replaces."""
    yield from _pod_sets_causes(view, laws)
    yield from of_law(_STATUS, status_causes(view, old, laws))
    if laws.gates_checked:
        yield from gate_causes(annotations(view), annotations(old) if old is not None else None)
    if old is not None:
        if reserves_quota(old):
            yield from _immutable_causes(pod_sets(view), pod_sets(old), laws)
        yield from of_law(_STATUS, status_update_causes(view, old, laws))


def panics(view: JsonObject, laws: WriteLaws) -> bool:
    """Whether the webhook ends with a panic, so that the write is refused without a cause."""
    return not laws.admission_required and reserves_quota(view) and view.get("status", {}).get("admission") is None


def warnings(view: JsonObject, laws: WriteLaws = NEWEST) -> Iterator[str]:
    """What the webhook accepts with a warning."""
    if not laws.subgroups_warned:
        return
    for index, pod_set in enumerate(pod_sets(view)):
        groups = pod_set.get("topologyRequest", {}).get("subGroupCount", 0)
        if groups < 0:
            yield (
                f"spec.podSets[{index}].topologyRequest.subGroupCount: "
                f"negative value {groups} is deprecated and will be rejected in a future release"
            )


def _pod_sets_causes(view: JsonObject, laws: WriteLaws) -> Iterator[Cause]:
    flexible = 0
    for index, pod_set in enumerate(pod_sets(view)):
        yield from _pod_set_causes(pod_set, ("spec", "podSets", index), laws)
        flexible += "minCount" in pod_set
    if flexible > 1:
        yield invalid(("spec", "podSets"), "only one pod set may have a minCount", "1.7-minCount-several")
    if flexible and laws.elastic_whole and is_elastic(view):
        yield invalid(("spec", "podSets"), "an elastic workload may not have a minCount", "1.7-minCount-elastic")


def _pod_set_causes(pod_set: JsonObject, path: FieldPath, laws: WriteLaws) -> Iterator[Cause]:
    template = pod_set.get("template", {})
    meta, spec = template.get("metadata", {}), template.get("spec", {})
    below = (*path, "template")
    if laws.template_metadata:
        yield from of_law(_TEMPLATE, label_causes(meta.get("labels", {}), (*below, "metadata", "labels")))
        annotated = meta.get("annotations", {})
        yield from of_law(_TEMPLATE, annotation_causes(annotated, (*below, "metadata", "annotations")))
    for name in ("initContainers", "containers"):
        for index, container in enumerate(spec.get(name, [])):
            place = (*below, "spec", name, index, "resources")
            yield from _resource_causes(container.get("resources", {}), place, laws)
    yield from _resource_causes(spec.get("resources", {}), (*below, "spec", "resources"), laws, whole=True)
    if laws.subgroups_refused and pod_set.get("topologyRequest", {}).get("subGroupCount", 0) < 0:
        yield invalid((*path, "topologyRequest", "subGroupCount"), "negative")
    if "topologyRequest" in pod_set:
        slices = _slice_causes(pod_set["topologyRequest"], (*path, "topologyRequest"), laws)
        yield from of_law("1.7-slice-topology", slices)


def _resource_causes(
    resources: JsonObject, path: FieldPath, laws: WriteLaws, *, whole: bool = False
) -> Iterator[Cause]:
    """What is wrong with requests and limits of a container, or of the pod as a ``whole``."""
    for name in ("requests", "limits"):
        for resource, amount in resources.get(name, {}).items():
            place = (*path, name, MapKey(resource))
            if resource == _PODS and (laws.pods_nowhere or (name == "requests" and not whole)):
                yield invalid(place, "Kueue keeps this resource for itself", "1.7-pods-requested")
            if laws.no_negative_amounts and parse(amount).nano < 0:
                yield invalid(place, "negative", "1.7-negative-request")


def _slice_causes(request: JsonObject, path: FieldPath, laws: WriteLaws) -> Iterator[Cause]:
    size, place = request.get("podSetSliceSize"), (*path, "podSetSliceSize")
    if not laws.slice_sizes:
        pass
    elif "podSetSliceRequiredTopology" in request:
        if size is None:
            yield cause(REQUIRED, place, "podSetSliceRequiredTopology needs a slice size")
        elif size <= 0:
            yield invalid(place, "not above 0")
    elif size is not None:
        yield cause(FORBIDDEN, place, "a slice size needs podSetSliceRequiredTopology")
    for index, each in enumerate(request.get("podsetSliceRequiredTopologyConstraints", [])):
        if each.get("size", 0) <= 0:
            yield invalid((*path, "podsetSliceRequiredTopologyConstraints", index, "size"), "not above 0")


def _immutable_causes(new: Json, old: Json, laws: WriteLaws) -> Iterator[Cause]:
    """Pod sets cannot change while quota is reserved; only their counts can shrink, where the laws let them."""
    struct = API.library.struct(f"{STORED}/Workload", "PodSet")
    if len(new) != len(old):
        yield invalid(("spec", "podSets"), "immutable while quota is reserved", "1.7-reserved-immutable")
        return
    for index, (after, before) in enumerate(zip(new, old, strict=True)):
        count = max(after.get("count", 0), before.get("count", 0))
        same_count = {**after, "count": count} if count and laws.counts_shrink else after
        if not equal(struct, same_count, before):
            # The API spells the index as a name here.
            yield Cause(
                f"spec.podSets.{index}",
                "FieldValueInvalid",
                "immutable while quota is reserved",
                ("spec", "podSets", index),
                "1.7-reserved-immutable",
            )


_PATH: Final[FieldPath] = ("metadata", "annotations", MapKey(GATED_BY))
_SHRINK: Final = "1.7-admission-gates-shrink"


def gate_causes(new: JsonObject, old: JsonObject | None) -> Iterator[Cause]:
    """What is wrong with the gates; after creation they can only be removed."""
    written = new.get(GATED_BY, "")
    if old is not None and written:
        before = old.get(GATED_BY, "")
        if not before:
            yield cause(FORBIDDEN, _PATH, "gates cannot be added after creation", _SHRINK)
        elif not set(gates_in(written)) <= set(gates_in(before)):
            yield cause(FORBIDDEN, _PATH, "gates can only be removed", _SHRINK)
    if written:
        yield from of_law("1.7-admission-gates", _syntax_causes(gates_in(written)))


def _syntax_causes(gates: list[str]) -> Iterator[Cause]:
    for why, too_long in gate_mistakes(gates):
        yield cause(TOO_LONG, _PATH, why) if too_long else invalid(_PATH, why)
