"""Kueue's webhook for ClusterQueues, in their Go view (v1beta2)."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.api.causes import UNSUPPORTED, Cause, cause, invalid, of_law
from kubectl_fairshare.api.label_syntax import selector_causes
from kubectl_fairshare.api.sameness import ABSENT, same
from kubectl_fairshare.model.alike import once_for_equal
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.schedulers.kueue.admission.webhooks.quota import QuotaRules, group_causes, weight_causes
from kubectl_fairshare.schedulers.kueue.release.writes import NEWEST, WriteLaws

_MOST_FLAVORS: Final = 256
_MOST_RESOURCES: Final = 256
_MOST_PAIRS: Final = 512
_GROUPS: Final = ("spec", "resourceGroups")


def causes(view: JsonObject, old: JsonObject | None, laws: WriteLaws = NEWEST) -> Iterator[Cause]:
    """What is wrong with the object; ``old`` is the object that it replaces."""
    spec = view.get("spec", {})
    groups = spec.get("resourceGroups", [])
    yield from group_causes(groups, QuotaRules("cohort", bool(spec.get("cohortName")), True), _GROUPS)
    if "namespaceSelector" in spec:
        yield from of_law("CQ13", selector_causes(spec["namespaceSelector"], ("spec", "namespaceSelector")))
    yield from _preemption_causes(spec.get("preemption", {}))
    yield from _fungibility_causes(spec.get("flavorFungibility", {}))
    yield from weight_causes(spec.get("fairSharing"), ("spec", "fairSharing"))
    yield from of_law("CQ09", _total_causes(groups))
    tolerating = old is not None and not laws.on_flavors_known
    yield from _on_flavors_causes(spec, (old or {}).get("spec", {}) if tolerating else None)
    if old is not None:
        yield from _immutable_causes(spec, old.get("spec", {}))


def _preemption_causes(preemption: JsonObject) -> Iterator[Cause]:
    borrowing = preemption.get("borrowWithinCohort")
    if (
        preemption.get("reclaimWithinCohort") == "Never"
        and borrowing is not None
        and borrowing.get("policy") != "Never"
    ):
        yield invalid(("spec", "preemption"), "borrowWithinCohort needs a reclaimWithinCohort other than Never", "CQ12")


def _fungibility_causes(fungibility: JsonObject) -> Iterator[Cause]:
    searches = (fungibility.get("whenCanBorrow"), fungibility.get("whenCanPreempt"))
    if "preference" in fungibility and searches != ("TryNextFlavor", "TryNextFlavor"):
        yield invalid(("spec", "flavorFungibility", "preference"), "needs TryNextFlavor in both searches", "CQ11")


@once_for_equal
def _total_causes(groups: Json) -> Sequence[Cause]:
    flavors, resources, pairs_of = 0, 0, []
    for group in groups:
        in_group = group.get("flavors", ())
        flavors += len(in_group)
        resources += len(group.get("coveredResources", ()))
        pairs_of.append(sum([len(flavor.get("resources", ())) for flavor in in_group]))
    found: list[Cause] = []
    if flavors > _MOST_FLAVORS:
        found.append(invalid(_GROUPS, f"{flavors} flavors, at most {_MOST_FLAVORS}"))
    if resources > _MOST_RESOURCES:
        found.append(invalid(_GROUPS, f"{resources} covered resources, at most {_MOST_RESOURCES}"))
    for index, pairs in enumerate(pairs_of):
        if pairs > _MOST_PAIRS:
            message = f"{pairs} pairs of flavor and resource, at most {_MOST_PAIRS}"
            found.append(invalid((*_GROUPS, index), message))
    return found


def _flavors(spec: JsonObject) -> set[str]:
    groups = spec.get("resourceGroups", [])
    return {flavor.get("name", "") for group in groups for flavor in group.get("flavors", [])}


def _checks(spec: JsonObject) -> Json:
    return spec.get("admissionChecksStrategy", {}).get("admissionChecks", [])


def _on_flavors_causes(spec: JsonObject, old: JsonObject | None) -> Iterator[Cause]:
    checks = _checks(spec)
    if not checks:
        return
    flavors = _flavors(spec)
    tolerated: dict[str, set[str]] = {}
    if old is not None and _flavors(old) == flavors:
        tolerated = {check.get("name", ""): set(check.get("onFlavors", [])) for check in _checks(old)}
    for i, check in enumerate(checks):
        on_flavors = check.get("onFlavors", [])
        if tolerated.get(check.get("name", "")) == set(on_flavors):
            continue
        for j, flavor in enumerate(on_flavors):
            if flavor not in flavors:
                place: FieldPath = ("spec", "admissionChecksStrategy", "admissionChecks", i, "onFlavors", j)
                yield cause(UNSUPPORTED, place, f"the queue has no flavor `{flavor}`", "CQ14")


def _immutable_causes(spec: JsonObject, old: JsonObject) -> Iterator[Cause]:
    name = "concurrentAdmissionPolicy"
    if not same(spec.get(name, ABSENT), old.get(name, ABSENT)):
        yield invalid(("spec", name), "immutable", "CQ16")
