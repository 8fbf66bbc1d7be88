"""The feature gates in which each release differs from 0.19: those on, off, unknown, locked, and free to be changed.

Source: Kueue's own lists of feature gates at each tag from v0.16.0 to v0.19.2, and on the way to v0.20.0.
Tested in ``tests/unit/schedulers/kueue/test_release.py``.
"""

from typing import Final

from kubectl_fairshare.model.values import Value


class GateChanges(Value, frozen=True):
    """What a release changes of the gates of 0.19: their default, whether it knows them, whether they are locked."""

    on: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    locked: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()

    def is_on(self, gate: str, *, usually: bool = True) -> bool:
        """Whether a gate that is ``usually`` on in 0.19, or is not, is on by default here."""
        return gate in self.on or (usually and gate not in self.off and gate not in self.gone)


_LAST_LOCKED: Final = frozenset(
    {"LendingLimit", "LocalQueueDefaulting", "MultiKueueBatchJobWithManagedBy", "SanitizePodSets"}
)
_ONCE_FREE: Final = frozenset(
    {
        "MultiKueueRedoAdmissionOnEvictionInWorker",
        "MultiKueueWaitForWorkloadAdmitted",
        "SkipFinalizersForPodsSuspendedByParent",
    }
)
_FREE: Final = frozenset({"ManagedJobsNamespaceSelectorAlwaysRespected", "MultiKueueAllowInsecureKubeconfigs"})
_OLD_DEVICES: Final = frozenset({"DynamicResourceAllocation", "DRAExtendedResources"})

_NOT_IN_18: Final = frozenset(
    {
        "DisableWaitForPodsReady",
        "KueueDRAIntegrationConsumableCapacity",
        "MultiKueueIncrementalDispatcherConfig",
        "MultiKueueIncrementalDispatcherRespectConfigOrder",
        "MultiKueueKubeConfigPathValidation",
        "SchedulerLibraryIntegration",
        "TASAssignmentsEncodingByHostnamePrefix",
    }
)
_OFF_IN_18: Final = frozenset(
    {
        "AdmissionGatedBy",
        "KueueDRAIntegrationExtendedResource",
        "KueueDRAIntegrationPartitionableDevices",
        "QuotaCheckStrategy",
        "SkipReassignmentForPodOwnedWorkloads",
        "TASMultiLayerTopology",
        *_OLD_DEVICES,
    }
)
_SINCE_18: Final = {
    "TASRecomputeAssignmentWithinSchedulingCycle": 2,
    "CleanupProvisioningRequestsOnEviction": 3,
    "DeferRayServiceFinalizationForRedisCleanup": 3,
    "SkipReassignmentForPodOwnedWorkloads": 4,
    "TASCacheNodeMatchResults": 4,
    "TASCachingRemainingResources": 4,
    "TASReplaceNodeDueToNotReadyOverFixedTime": 4,
    "VectorizedResourceRequests": 4,
    "FlavorFungibilityPreserveScanProgress": 5,
    "LWSImmutableGroupSize": 5,
    "MultiKueueRemoteSpecSync": 5,
    "RecomputeAssignmentUponPreemptionTargetsOverlap": 5,
    "SkipAncestorCheckForDeletedWorkloads": 5,
    "TASValidateWorkloadSliceSize": 5,
    "UnadmittedWorkloadsExplicitStatus": 5,
    "UnadmittedWorkloadsObservability": 5,
    "WorkloadValidateResourcesAreNonNegative": 5,
    "WorkloadValidationForPodSetMetadata": 5,
    "PodIntegrationValidateGroupOwner": 6,
    "PrioritizePreemptorWorkloads": 6,
    "TASCacheTopologyTree": 6,
    "ValidateRayAndSparkJobUpdates": 6,
}
_SINCE_19: Final = {
    "FlavorFungibilityPreserveScanProgress": 1,
    "LWSImmutableGroupSize": 1,
    "MultiKueueRemoteSpecSync": 1,
    "RecomputeAssignmentUponPreemptionTargetsOverlap": 1,
    "SkipAncestorCheckForDeletedWorkloads": 1,
    "TASValidateWorkloadSliceSize": 1,
    "WorkloadValidateResourcesAreNonNegative": 1,
    "WorkloadValidationForPodSetMetadata": 1,
    "PodIntegrationValidateGroupOwner": 2,
    "PrioritizePreemptorWorkloads": 2,
    "TASCacheTopologyTree": 2,
    "ValidateRayAndSparkJobUpdates": 2,
}
"""The patch level that brought a gate to 0.18, and to 0.19."""

_NOT_IN_17: Final = frozenset(
    {
        *_NOT_IN_18,
        "ConcurrentAdmission",
        "FlavorFungibilityPreserveScanProgress",
        "KueueDRAIntegration",
        "KueueDRAIntegrationExtendedResource",
        "KueueDRAIntegrationPartitionableDevices",
        "KueueDRARejectWorkloadsWhenDRADisabled",
        "LWSImmutableGroupSize",
        "MetricForWorkloadCreationLatency",
        "MetricsForCohorts",
        "MultiKueueManagerQuotaAutomation",
        "MultiKueueRemoteSpecSync",
        "PodIntegrationValidateGroupOwner",
        "PrioritizePreemptorWorkloads",
        "QuotaCheckStrategy",
        "RecomputeAssignmentUponPreemptionTargetsOverlap",
        "SkipAncestorCheckForDeletedWorkloads",
        "TASCacheTopologyTree",
        "TASRespectNodeAffinityPreferred",
        "TASValidateWorkloadSliceSize",
        "UnadmittedWorkloadsExplicitStatus",
        "UnadmittedWorkloadsObservability",
        "ValidateRayAndSparkJobUpdates",
        "WorkloadPriorityClassDefaulting",
        "WorkloadValidateResourcesAreNonNegative",
        "WorkloadValidationForPodSetMetadata",
    }
)
_OFF_IN_17: Final = frozenset(
    {
        "AdmissionGatedBy",
        "ElasticJobsViaWorkloadSlices",
        "FinishOrphanedWorkloads",
        "SchedulingEquivalenceHashing",
        "SkipReassignmentForPodOwnedWorkloads",
        "TASHandleOverlappingFlavors",
        "TASMultiLayerTopology",
        "WorkloadIdentifierAnnotations",
        *_OLD_DEVICES,
    }
)

_NOT_IN_16: Final = _NOT_IN_17 | {
    "AdmissionGatedBy",
    "AssignQueueLabelsForPods",
    "CleanupProvisioningRequestsOnEviction",
    "CustomMetricLabels",
    "DeferRayServiceFinalizationForRedisCleanup",
    "ElasticJobsViaWorkloadSlicesWithTAS",
    "FastQuotaReleaseInPodIntegration",
    "MultiKueueOrchestratedPreemption",
    "PriorityBoost",
    "SkipReassignmentForPodOwnedWorkloads",
    "SparkApplicationIntegration",
    "TASCacheNodeMatchResults",
    "TASCachingRemainingResources",
    "TASMultiLayerTopology",
    "TASRecomputeAssignmentWithinSchedulingCycle",
    "TASReplaceNodeDueToNotReadyOverFixedTime",
    "VectorizedResourceRequests",
    "WorkloadIdentifierAnnotations",
}
_OFF_IN_16: Final = frozenset(
    {
        "ElasticJobsViaWorkloadSlices",
        "FinishOrphanedWorkloads",
        "FlavorFungibilityImplicitPreferenceDefault",
        "LocalQueueMetrics",
        "SchedulingEquivalenceHashing",
        "TASHandleOverlappingFlavors",
        "TASProfileLeastFreeCapacity",
        "TASReplaceNodeOnNodeTaints",
        "DynamicResourceAllocation",
    }
)
_SINCE_17: Final = {
    "RejectUpdatesToCQWithInvalidOnFlavors": 1,
    "FinishOrphanedWorkloads": 1,
    "TASHandleOverlappingFlavors": 4,
    "WorkloadIdentifierAnnotations": 4,
    "TASRecomputeAssignmentWithinSchedulingCycle": 6,
    "CleanupProvisioningRequestsOnEviction": 7,
    "DeferRayServiceFinalizationForRedisCleanup": 7,
    "SkipReassignmentForPodOwnedWorkloads": 8,
    "TASCacheNodeMatchResults": 8,
    "TASCachingRemainingResources": 8,
    "TASReplaceNodeDueToNotReadyOverFixedTime": 8,
    "VectorizedResourceRequests": 8,
}
_SINCE_16: Final = {
    "RemoveFinalizersWithStrictPatch": 1,
    "FairSharingPrioritizeNonBorrowing": 2,
    "TASReplaceNodeOnNodeTaints": 2,
    "FairSharingPreemptWithinNominal": 3,
    "SchedulerLongRequeueInterval": 3,
    "SchedulerTimestampPreemptionBuffer": 3,
    "SchedulingEquivalenceHashing": 3,
    "FlavorFungibilityImplicitPreferenceDefault": 4,
    "ShortWorkloadNames": 5,
    "FinishOrphanedWorkloads": 6,
    "RejectUpdatesToCQWithInvalidOnFlavors": 6,
    "TASHandleOverlappingFlavors": 9,
}
"""The patch level of an older line that brought a gate."""
_ONCE_ON: Final = {
    "FinishOrphanedWorkloads": ((16, 6), (16, 7), (17, 1), (17, 2)),
    "SchedulingEquivalenceHashing": ((16, 3),),
}
"""Gates that are off in an older line, by the patch levels in which they were on."""
_FREE_IN_16: Final = frozenset({"HierarchicalCohorts", "ObjectRetentionPolicies", "PropagateBatchJobLabelsToWorkload"})

_GONE: Final = frozenset(
    {
        "HierarchicalCohorts",
        "MultiKueueAllowInsecureKubeconfigs",
        "MultiKueueRedoAdmissionOnEvictionInWorker",
        "MultiKueueWaitForWorkloadAdmitted",
        "ObjectRetentionPolicies",
        "PropagateBatchJobLabelsToWorkload",
        "SchedulerLongRequeueInterval",
        "SchedulerTimestampPreemptionBuffer",
        "SkipFinalizersForPodsSuspendedByParent",
    }
)
_NEW_ON: Final = frozenset(
    {
        "AdmissionFairSharingAnchorAtQuotaReservation",
        "PodGroupSchedulingShapeOrdering",
        "RejectUpdatesToCQWithInvalidOnFlavors",
        "SchedulingEquivalenceHashingIgnorePodSetName",
        "TASGroupedPodSetSlicing",
        "TASLeaderPodSetFeasibility",
        "TASNodeFeasibilityForAllLevels",
        "TASPartialSlices",
    }
)
_NOW_ON: Final = frozenset(
    {
        "MultiKueueOrchestratedPreemption",
        "RecomputeAssignmentUponPreemptionTargetsOverlap",
        "UnadmittedWorkloadsObservability",
        "WorkloadPriorityClassDefaulting",
    }
)
NEW_OFF: Final = frozenset(
    {
        "ConfigurablePreemptions",
        "DynamicQuotaOrchestration",
        "FairSharingReevaluatePreemptionCandidates",
        "FairSharingRefill",
        "WaitForPodsReadyUnscheduledTimeout",
    }
)
"""Gates that release 0.20 adds and leaves off. What they do is not reproduced."""


def gate_changes(minor: int, patch: int) -> GateChanges:
    """The changes of release 0.``minor``.``patch``; one before 0.16 is taken as 0.16, one after 0.20 as 0.20."""
    if minor >= 20:
        return GateChanges(_NOW_ON | _NEW_ON, NEW_OFF, _GONE)
    since = {16: _SINCE_16, 17: _SINCE_17, 18: _SINCE_18, 19: _SINCE_19}.get(minor, {})
    later = frozenset(gate for gate, first in since.items() if patch < first)
    if minor == 19:
        return GateChanges(gone=later)
    once = frozenset(gate for gate, levels in _ONCE_ON.items() if (minor, patch) in levels)
    if minor == 18:
        on = _LAST_LOCKED | ({"TASReplaceNodeDueToNotReadyOverFixedTime"} - later)
        return GateChanges(on, _OFF_IN_18 - later, _NOT_IN_18 | later, _LAST_LOCKED | _OLD_DEVICES, _FREE)
    if minor == 17:
        on = _LAST_LOCKED | ({"TASReplaceNodeDueToNotReadyOverFixedTime"} - later) | once
        return GateChanges(on, _OFF_IN_17 - later - once, _NOT_IN_17 | later, _LAST_LOCKED, _FREE | _ONCE_FREE)
    free = _FREE | _ONCE_FREE | _FREE_IN_16
    return GateChanges(_LAST_LOCKED | once, _OFF_IN_16 - later - once, _NOT_IN_16 | later, frozenset(), free)
