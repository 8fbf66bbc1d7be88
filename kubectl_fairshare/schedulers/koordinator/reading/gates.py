"""The feature gates of Koordinator's scheduler and manager, and the release, from their Deployments.

Source: koordinator v1.8.0, ``pkg/features``; its chart passes ``--feature-gates`` to both programs.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.input.cluster.installed import release_of
from kubectl_fairshare.input.text.feature_gates import DEPLOYMENT, gates_set, unmodelled_gates
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import mapping
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates

SCHEDULER: Final = "koord-scheduler"
MANAGER: Final = "koord-manager"
OF_SCHEDULER: Final = {
    "MultiQuotaTree": "multi_tree",
    "ElasticQuotaGuaranteeUsage": "guarantees_use",
    "ElasticQuotaIgnorePodOverhead": "ignores_overhead",
    "ElasticQuotaIgnoreTerminatingPod": "ignores_ended",
    "ElasticQuotaImmediateIgnoreTerminatingPod": "ignores_leaving",
    "DisableDefaultQuota": "no_default",
}
OF_WEBHOOK: Final = {
    "SupportParentQuotaSubmitPod": "parents_take_pods",
    "ElasticQuotaEnableUpdateResourceKey": "keys_may_differ",
    "EnableQuotaAdmission": "admits_by_quota",
    "PodValidatingWebhook": "validates_pods",
    "ValidatePodDeviceResource": "validates_devices",
    "EnablePodEnhancedValidator": "validates_labels",
}
KNOWN: Final = OF_SCHEDULER | OF_WEBHOOK
IDLE: Final = frozenset(
    {
        *("CleanExpiredReservationAllocated", "CompatibleCSIStorageCapacity", "CompatiblePodDisruptionBudget"),
        *("CSIStorageCapacity", "DevicePluginAdaption", "DisableCSIStorageCapacityInformer"),
        *("DisableDynamicResourceAllocationInformer", "GenericEphemeralVolume", "LazyReservationRestore"),
        *("OmitNodeLabelsForReservation", "SkipReservationFitsNode", "SyncBarrier", *OF_WEBHOOK),
    }
)
"""The scheduler's gates that decide nothing, or only about objects and pods that are gaps by themselves."""
_NAMED: Final = IDLE | frozenset(OF_SCHEDULER)
_DEFAULTS: Final = {
    "DisablePodDisruptionBudgetInformer": False,
    "DynamicSchedulerCheck": True,
    "PodDisruptionBudget": True,
    "PreemptionPolicyTransformer": False,
    "PriorityTransformer": False,
    "ResizePod": False,
}
"""Koordinator's own gates that can decide and are not modelled, with their defaults."""


def gates_of(values: Mapping[str, bool], gates: Gates | None = None) -> Gates:
    """The gates with these values; names that decide nothing here are left out."""
    return replace(gates or Gates(), **{KNOWN[name]: value for name, value in values.items() if name in KNOWN})


def configures(manifest: Manifest) -> bool:
    """Whether a manifest is the Deployment of one of the two programs."""
    return (manifest.key.group, manifest.key.kind) == DEPLOYMENT and manifest.key.name in (SCHEDULER, MANAGER)


def gates_in(manifests: Iterable[Manifest]) -> Gates:
    """The gates that the Deployments of the two programs set."""
    found: dict[str, bool] = {}
    for manifest in manifests:
        if configures(manifest):
            mine = OF_SCHEDULER if manifest.key.name == SCHEDULER else KNOWN
            values = [(name, value) for name, value in gates_set(manifest) if name in mine]
            found |= {name: value for name, value in values if value or name not in found}
    return gates_of(found)


def odd_gates(manifests: Iterable[Manifest]) -> dict[str, Place]:
    """The gates of the scheduler's Deployment that are neither modelled nor idle, with its place, by name and value."""
    return unmodelled_gates(manifests, SCHEDULER, _NAMED, _DEFAULTS)


def wished_gates(texts: Iterable[str], gates: Gates) -> Gates:
    """The gates with those of an option. Raises ``UsageError`` for an unknown name, or a value other than a flag."""
    values: dict[str, bool] = {}
    for text in texts:
        for part in text.split(","):
            name, equals, value = part.strip().partition("=")
            if name not in KNOWN or (equals and value.lower() not in ("true", "false")):
                known = ", ".join(sorted(KNOWN))
                raise UsageError(Problem(f"`{part}` sets no gate", "--koordinator-gate", f"gates that decide: {known}"))
            values[name] = value.lower() != "false"
    return gates_of(values, gates)


def release_in(manifests: Iterable[Manifest]) -> str:
    """The release that the scheduler's Deployment runs; empty without one."""
    for manifest in manifests:
        if (manifest.key.group, manifest.key.kind) == DEPLOYMENT and manifest.key.name == SCHEDULER:
            return release_of(mapping(manifest.data), "koord-scheduler")
    return ""
