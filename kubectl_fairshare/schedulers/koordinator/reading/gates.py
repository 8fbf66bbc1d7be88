"""The feature gates of Koordinator's scheduler and manager, and the release, from their Deployments.

Source: koordinator v1.8.0, ``pkg/features``; its chart passes ``--feature-gates`` to both programs.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final

from kubectl_fairshare.input.cluster.installed import release_of
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import listed, mapping, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates

DEPLOYMENT: Final = ("apps", "Deployment")
SCHEDULER: Final = "koord-scheduler"
MANAGER: Final = "koord-manager"
_OPTION: Final = "--feature-gates"
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
IDLE_OF_KUBERNETES: Final = frozenset(
    {
        # when a pod is tried again, and what runs beside a cycle
        *("SchedulerAsyncAPICalls", "SchedulerAsyncPreemption", "SchedulerPopFromBackoffQ", "SchedulerQueueingHints"),
        # pods with resourceClaims, which are a gap
        *("DRAAdminAccess", "DRAConsumableCapacity", "DRADeviceBindingConditions", "DRADeviceTaints"),
        *("DRAPartitionableDevices", "DRAPrioritizedList", "DRAResourceClaimDeviceStatus"),
        *("DRASchedulerFilterTimeout", "DynamicResourceAllocation"),
        # pods with volumes, which are a gap; and scores, for the same
        *("CSIMigrationPortworx", "StorageCapacityScoring", "VolumeAttributesClass", "VolumeCapacityPriority"),
        # pods with topologySpreadConstraints or affinity to pods, which are gaps
        *("MatchLabelKeysInPodAffinity", "MatchLabelKeysInPodTopologySpread", "MinDomainsInPodTopologySpread"),
        "NodeInclusionPolicyInPodTopologySpread",
        # logs, metrics, elections, and how objects travel
        *("APIResponseCompression", "ClientsAllowCBOR", "ClientsPreferCBOR", "ComponentFlagz", "ComponentSLIs"),
        *("ComponentStatusz", "ContextualLogging", "CoordinatedLeaderElection", "InformerResourceVersion"),
        *("LoggingAlphaOptions", "LoggingBetaOptions", "WatchList", "WatchListClient"),
        # conditions of victims, and other programs
        *("PodDisruptionConditions", "RotateKubeletServerCertificate"),
    }
)
"""Gates of Kubernetes that change no decision on a pod, or only on pods that are gaps by themselves.

Source: Kubernetes 1.35, the gates that plugins of the scheduler read, ``pkg/scheduler/framework/plugins/feature``.
"""
_NAMED: Final = IDLE | IDLE_OF_KUBERNETES | frozenset(OF_SCHEDULER)
_DEFAULTS: Final = {
    "DisablePodDisruptionBudgetInformer": False,
    "DynamicSchedulerCheck": True,
    "InPlacePodVerticalScaling": True,
    "PodLevelResources": True,
    "PodDisruptionBudget": True,
    "PreemptionPolicyTransformer": False,
    "PriorityTransformer": False,
    "ResizePod": False,
    "SidecarContainers": True,
}
"""The gates that can decide and are not modelled, with their defaults; those of Kubernetes in 1.35."""


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
            found |= {name: value for name, value in _values(manifest) if name in mine and (name not in found or value)}
    return gates_of(found)


def odd_gates(manifests: Iterable[Manifest]) -> dict[str, Place]:
    """The gates of the scheduler's Deployment that are neither modelled nor idle, with its place, by name and value.

    A gate that is not listed here counts, whatever its value: its default is not known.
    """
    return {
        f"{name}={str(value).lower()}": Place(manifest.key, ("spec", "template"))
        for manifest in manifests
        if (manifest.key.group, manifest.key.kind) == DEPLOYMENT and manifest.key.name == SCHEDULER
        for name, value in sorted(_values(manifest))
        if name not in _NAMED and value is not _DEFAULTS.get(name)
    }


def _values(manifest: Manifest) -> Iterator[tuple[str, bool]]:
    for container in rows(manifest.data, "spec", "template", "spec", "containers"):
        words = [w for name in ("command", "args") for w in listed(container, name) if isinstance(w, str)]
        for word, after in pairwise((*words, "")):
            option, equals, value = word.partition("=")
            if option == _OPTION:
                yield from _pairs(value if equals else after)


def _pairs(text: str) -> Iterator[tuple[str, bool]]:
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if equals and value.lower() in ("true", "false"):
            yield name, value.lower() == "true"


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
