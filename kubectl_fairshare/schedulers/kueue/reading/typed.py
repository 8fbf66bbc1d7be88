"""Kueue's objects as typed values, from their v1beta2 form, with the API's defaults.

The functions read only what decides, and expect objects that the API server would store. For others they raise
``MisreadError``, and ``judge`` says what is wrong. Source: Kueue API ``kueue.x-k8s.io/v1beta2``.

Tested in ``tests/unit/schedulers/kueue/reading/test_exact_amounts.py``.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import inf
from sys import intern
from typing import Any, Final, TypeVar

from kubectl_fairshare.model.alike import once_for_equal
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.errors import misread
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.quantity import QuantityError, nano
from kubectl_fairshare.model.selectors import Taint, Toleration, label_selector
from kubectl_fairshare.schedulers.kueue.model.consumption import quantity_of
from kubectl_fairshare.schedulers.kueue.model.objects import (
    AdmissionCheck,
    AdmissionCheckUse,
    ClusterQueue,
    Cohort,
    Fungibility,
    LocalQueue,
    Preemption,
    Quota,
    ResourceFlavor,
    ResourceGroup,
)
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource

T = TypeVar("T")
_NANO: Final = 10**9
_MOST_CORES: Final = UNLIMITED // 1000
WRONG_SHAPE: Final = (AttributeError, KeyError, TypeError, IndexError, QuantityError)


class MisreadError(ValueError):
    """Raised if the fields of an object do not have the types that the API server enforces."""


def guarded(read: Callable[[JsonObject], T]) -> Callable[[JsonObject], T]:
    """The reader, with every error of a wrong type turned into ``MisreadError``."""

    def reader(data: JsonObject) -> T:
        try:
            return read(data)
        except WRONG_SHAPE as error:
            raise MisreadError(misread(error)) from error

    return reader


@lru_cache(maxsize=65536)
def quota_amount(resource: str, value: str | int | float) -> int:
    """A quota as Kueue counts it; an overflow of 64 bits is unlimited."""
    exact = nano(value)
    if resource != "cpu":
        return min(-(-exact // _NANO), UNLIMITED)
    return UNLIMITED if exact >= _MOST_CORES * _NANO else -(-exact // 1_000_000)


def _limit(resource: str, value: Json) -> int | None:
    return None if value is None else quota_amount(resource, value)


@lru_cache(maxsize=65536)
def _quota(resource: str, nominal: str | int, borrowing: str | int | None, lending: str | int | None) -> Quota:
    """One quota; cached, because thousands of queues write the same few."""
    return Quota(quota_amount(resource, nominal), _limit(resource, borrowing), _limit(resource, lending))


@lru_cache(maxsize=65536)
def _pair(flavor: str, resource: str) -> FlavorResource:
    return FlavorResource(flavor, resource)


@once_for_equal
def resource_groups(
    written: Json,
) -> tuple[tuple[ResourceGroup, ...], Mapping[FlavorResource, Quota], Mapping[FlavorResource, FieldPath]]:
    """Resource groups with their quotas, and the paths of these in the object."""
    groups: list[ResourceGroup] = []
    quotas: dict[FlavorResource, Quota] = {}
    paths: dict[FlavorResource, FieldPath] = {}
    for i, group in enumerate(written or ()):
        flavors = group.get("flavors") or ()
        groups.append(ResourceGroup(tuple(group.get("coveredResources") or ()), tuple(f["name"] for f in flavors)))
        for j, flavor in enumerate(flavors):
            for k, resource in enumerate(flavor.get("resources") or ()):
                name = resource["name"]
                pair = _pair(flavor["name"], name)
                limits = resource.get("borrowingLimit"), resource.get("lendingLimit")
                quotas[pair] = _quota(name, resource.get("nominalQuota", 0), *limits)
                paths[pair] = ("spec", "resourceGroups", i, "flavors", j, "resources", k)
    return tuple(groups), quotas, paths


def _weight(spec: JsonObject) -> float:
    weight = (spec.get("fairSharing") or {}).get("weight")
    try:
        return 1.0 if weight is None else nano(weight) / _NANO
    except OverflowError:  # Go converts a number that exceeds float64 to infinity
        return inf


def _policy(value: Json, known: tuple[str, ...]) -> str:
    """A preemption policy; one that is not known, which is a gap, preempts nothing."""
    return _word(value) if isinstance(value, str) and value in known else "Never"


def _word(value: Any) -> Any:
    """The same text for all of many objects that have it; anything else as it is."""
    return intern(value) if value.__class__ is str else value


@guarded
def cluster_queue(data: JsonObject) -> ClusterQueue:
    """A ClusterQueue."""
    spec: Mapping[str, Any] = data.get("spec") or {}
    groups, quotas, paths = resource_groups(spec.get("resourceGroups"))
    preemption = spec.get("preemption") or {}
    borrow = preemption.get("borrowWithinCohort") or {}
    fungibility = spec.get("flavorFungibility") or {}
    checks = (spec.get("admissionChecksStrategy") or {}).get("admissionChecks") or ()
    return ClusterQueue(
        name=_word(data["metadata"]["name"]),
        cohort=_word(spec.get("cohortName")) or None,
        groups=groups,
        quotas=quotas,
        weight=_weight(spec),
        preemption=Preemption(
            _policy(preemption.get("withinClusterQueue"), ("LowerPriority", "LowerOrNewerEqualPriority")),
            _policy(preemption.get("reclaimWithinCohort"), ("LowerPriority", "Any")),
            _policy(borrow.get("policy"), ("LowerPriority",)),
            borrow.get("maxPriorityThreshold"),
        ),
        fungibility=Fungibility(
            _word(fungibility.get("whenCanBorrow")) or "MayStopSearch",
            _word(fungibility.get("whenCanPreempt")) or "TryNextFlavor",
            _word(fungibility.get("preference")),
        ),
        queueing_strategy=_word(spec.get("queueingStrategy")) or "BestEffortFIFO",
        namespace_selector=label_selector(spec.get("namespaceSelector")),
        stop_policy=_word(spec.get("stopPolicy")) or "None",
        checks=tuple(AdmissionCheckUse(c["name"], tuple(c.get("onFlavors") or ())) for c in checks),
        admission_scope=(spec.get("admissionScope") or {}).get("admissionMode"),
        concurrent_admission=bool(spec.get("concurrentAdmissionPolicy")),
        paths=paths,
        terminating=bool(data["metadata"].get("deletionTimestamp")),
    )


@guarded
def cohort(data: JsonObject) -> Cohort:
    """A Cohort."""
    spec: Mapping[str, Any] = data.get("spec") or {}
    _, quotas, paths = resource_groups(spec.get("resourceGroups"))
    return Cohort(data["metadata"]["name"], spec.get("parentName") or None, quotas, _weight(spec), paths)


@guarded
def local_queue(data: JsonObject) -> LocalQueue:
    """A LocalQueue."""
    metadata, spec = data["metadata"], data.get("spec") or {}
    namespace = metadata.get("namespace") or "default"
    shared = ((data.get("status") or {}).get("fairSharing") or {}).get("admissionFairSharingStatus") or {}
    updated = shared.get("lastUpdate")
    return LocalQueue(
        _word(namespace),
        _word(metadata["name"]),
        _word(spec.get("clusterQueue")) or None,
        _word(spec.get("stopPolicy")) or "None",
        _local_weight((spec.get("fairSharing") or {}).get("weight")),
        {resource: quantity_of(value) for resource, value in sorted((shared.get("consumedResources") or {}).items())},
        None if updated is None else nanoseconds(updated),
        bool(metadata.get("resourceVersion")),
        bool(metadata.get("deletionTimestamp")),
    )


def _local_weight(weight: Json) -> float:
    """The weight of a LocalQueue: 1 where none is given, or where no program can read it (rule K039)."""
    try:
        return 1.0 if weight is None else quantity_of(weight).value
    except QuantityError:
        return 1.0


@guarded
def resource_flavor(data: JsonObject) -> ResourceFlavor:
    """A ResourceFlavor."""
    spec: Mapping[str, Any] = data.get("spec") or {}
    taints = (Taint(t["key"], t.get("value") or "", t["effect"]) for t in spec.get("nodeTaints") or ())
    return ResourceFlavor(
        data["metadata"]["name"],
        dict(spec.get("nodeLabels") or {}),
        tuple(taints),
        tuple(toleration(t) for t in spec.get("tolerations") or ()),
        spec.get("topologyName"),
    )


def toleration(data: JsonObject) -> Toleration:
    """A toleration of a pod or a flavor."""
    return Toleration(
        data.get("key") or "", data.get("operator") or "Equal", data.get("value") or "", data.get("effect") or ""
    )


@guarded
def admission_check(data: JsonObject) -> AdmissionCheck:
    """An AdmissionCheck with its Active condition, None if the object has no status."""
    spec = data.get("spec") or {}
    parameters = spec.get("parameters")
    conditions = (data.get("status") or {}).get("conditions") or ()
    active = next((c["status"] == "True" for c in conditions if c["type"] == "Active"), None)
    reference = None if parameters is None else (parameters["apiGroup"], parameters["kind"], parameters["name"])
    return AdmissionCheck(data["metadata"]["name"], spec["controllerName"], reference, active)
