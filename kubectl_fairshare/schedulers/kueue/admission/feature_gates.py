"""The feature gates of Kueue v0.19: which exist, which are on, which are locked, and which need another.

Source: Kueue v0.19, the manager's feature gates and their checks at start.
"""

from collections.abc import Iterator, Mapping
from typing import Final

# Alpha gates are off by default.
ALPHA: Final = frozenset(
    {
        "ConcurrentAdmission",
        "CustomMetricLabels",
        "DisableWaitForPodsReady",
        "ElasticJobsViaWorkloadSlicesWithTAS",
        "FailureRecoveryPolicy",
        "FastQuotaReleaseInPodIntegration",
        "KueueDRAIntegrationConsumableCapacity",
        "MultiKueueClusterProfile",
        "MultiKueueKubeConfigPathValidation",
        "MultiKueueManagerQuotaAutomation",
        "MultiKueueOrchestratedPreemption",
        "PrioritizePreemptorWorkloads",
        "PriorityBoost",
        "RecomputeAssignmentUponPreemptionTargetsOverlap",
        "RejectUpdatesToCQWithInvalidOnFlavors",
        "SchedulerLibraryIntegration",
        "SchedulerLongRequeueInterval",
        "SchedulerTimestampPreemptionBuffer",
        "ShortWorkloadNames",
        "SparkApplicationIntegration",
        "TASBalancedPlacement",
        "TASCacheTopologyTree",
        "TASRespectNodeAffinityPreferred",
        "WorkloadPriorityClassDefaulting",
        "WorkloadRequestUseMergePatch",
    }
)
BETA: Final = frozenset(
    {
        "AdmissionFairSharing",
        "AdmissionGatedBy",
        "AssignQueueLabelsForPods",
        "CleanupProvisioningRequestsOnEviction",
        "DeferRayServiceFinalizationForRedisCleanup",
        "ElasticJobsViaWorkloadSlices",
        "FairSharingPreemptWithinNominal",
        "FairSharingPrioritizeNonBorrowing",
        "FinishOrphanedWorkloads",
        "FlavorFungibility",
        "FlavorFungibilityPreserveScanProgress",
        "KueueDRAIntegration",
        "KueueDRAIntegrationExtendedResource",
        "KueueDRAIntegrationPartitionableDevices",
        "KueueDRARejectWorkloadsWhenDRADisabled",
        "LWSImmutableGroupSize",
        "LocalQueueMetrics",
        "MetricForWorkloadCreationLatency",
        "MetricsForCohorts",
        "MultiKueue",
        "MultiKueueAdaptersForCustomJobs",
        "MultiKueueIncrementalDispatcherConfig",
        "MultiKueueIncrementalDispatcherRespectConfigOrder",
        "MultiKueueRemoteSpecSync",
        "PartialAdmission",
        "PodIntegrationValidateGroupOwner",
        "PrioritySortingWithinCohort",
        "QuotaCheckStrategy",
        "ReclaimablePods",
        "RemoveFinalizersWithStrictPatch",
        "SchedulingEquivalenceHashing",
        "SkipAncestorCheckForDeletedWorkloads",
        "SkipReassignmentForPodOwnedWorkloads",
        "TASAssignmentsEncodingByHostnamePrefix",
        "TASCacheNodeMatchResults",
        "TASCachingRemainingResources",
        "TASFailedNodeReplacement",
        "TASFailedNodeReplacementFailFast",
        "TASHandleOverlappingFlavors",
        "TASMultiLayerTopology",
        "TASProfileMixed",
        "TASRecomputeAssignmentWithinSchedulingCycle",
        "TASReplaceNodeOnNodeTaints",
        "TASReplaceNodeOnPodTermination",
        "TASValidateWorkloadSliceSize",
        "TLSOptions",
        "TopologyAwareScheduling",
        "UnadmittedWorkloadsExplicitStatus",
        "UnadmittedWorkloadsObservability",
        "ValidateRayAndSparkJobUpdates",
        "VectorizedResourceRequests",
        "VisibilityOnDemand",
        "WorkloadIdentifierAnnotations",
        "WorkloadValidateResourcesAreNonNegative",
        "WorkloadValidationForPodSetMetadata",
    }
)
# Beta gates are on by default, but for these.
BETA_OFF: Final = frozenset(["UnadmittedWorkloadsExplicitStatus", "UnadmittedWorkloadsObservability"])
# Deprecated gates, off by default.
DEPRECATED: Final = frozenset(["TASReplaceNodeDueToNotReadyOverFixedTime"])
LOCKED_ON: Final = frozenset(
    {
        "HierarchicalCohorts",
        "ManagedJobsNamespaceSelectorAlwaysRespected",
        "MultiKueueRedoAdmissionOnEvictionInWorker",
        "MultiKueueWaitForWorkloadAdmitted",
        "ObjectRetentionPolicies",
        "PropagateBatchJobLabelsToWorkload",
        "SkipFinalizersForPodsSuspendedByParent",
    }
)
LOCKED_OFF: Final = frozenset({"MultiKueueAllowInsecureKubeconfigs"})
ON: Final = BETA - BETA_OFF
OFF: Final = ALPHA | BETA_OFF | DEPRECATED
GROUPS: Final = {"AllAlpha": ALPHA, "AllBeta": BETA}
KNOWN: Final = ON | OFF | LOCKED_ON | LOCKED_OFF | GROUPS.keys()

_TOPOLOGY: Final = "TopologyAwareScheduling"
_REPLACEMENT: Final = "TASFailedNodeReplacement"
_SLICES: Final = "ElasticJobsViaWorkloadSlices"
_DEVICES: Final = "KueueDRAIntegration"

# What a gate that is on needs to be on as well.
NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "TASProfileMixed": (_TOPOLOGY,),
    "TASHandleOverlappingFlavors": (_TOPOLOGY,),
    "TASFailedNodeReplacement": (_TOPOLOGY,),
    "TASFailedNodeReplacementFailFast": (_TOPOLOGY, _REPLACEMENT),
    "TASReplaceNodeOnPodTermination": (_TOPOLOGY, _REPLACEMENT),
    "TASReplaceNodeDueToNotReadyOverFixedTime": (_TOPOLOGY, _REPLACEMENT),
    "TASBalancedPlacement": (_TOPOLOGY,),
    "TASReplaceNodeOnNodeTaints": (_TOPOLOGY,),
    "TASMultiLayerTopology": (_TOPOLOGY,),
    "TASRespectNodeAffinityPreferred": (_TOPOLOGY,),
    "TASRecomputeAssignmentWithinSchedulingCycle": (_TOPOLOGY,),
    "UnadmittedWorkloadsExplicitStatus": ("UnadmittedWorkloadsObservability",),
    "ElasticJobsViaWorkloadSlicesWithTAS": (_SLICES, _TOPOLOGY),
    "KueueDRAIntegrationExtendedResource": (_DEVICES,),
    "KueueDRAIntegrationPartitionableDevices": (_DEVICES,),
    "KueueDRAIntegrationConsumableCapacity": (_DEVICES,),
}


def enabled(overrides: Mapping[str, bool]) -> frozenset[str]:
    """The gates that are on; a gate's own setting overrides that of its group."""
    state = dict.fromkeys(OFF | LOCKED_OFF, False) | dict.fromkeys(ON | LOCKED_ON, True)
    for group, members in GROUPS.items():
        if group in overrides:
            state.update(dict.fromkeys(members, overrides[group]))
    state.update({gate: on for gate, on in overrides.items() if gate in state})
    return frozenset(gate for gate, on in state.items() if on)


def complaints(overrides: Mapping[str, bool]) -> Iterator[tuple[str, str]]:
    """What prevents the manager from starting: the gate and the reason."""
    for gate, on in sorted(overrides.items()):
        if gate not in KNOWN:
            yield gate, f"Kueue v0.19 knows no feature gate `{gate}`"
        elif (gate in LOCKED_ON and not on) or (gate in LOCKED_OFF and on):
            yield gate, f"feature gate `{gate}` is locked and cannot be changed"
    running = enabled(overrides)
    for gate, needed in NEEDS.items():
        if gate in running:
            for other in needed:
                if other not in running:
                    yield (gate if gate in overrides else other), f"feature gate `{gate}` needs `{other}`"
