"""The feature gates in which each release differs from 0.19: those on, off, unknown, locked, and free to be changed.

Source: Kueue's own lists of feature gates at v0.16.9, v0.17.8, v0.18.4, v0.18.6 and on the way to v0.20.0.
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
    "SkipReassignmentForPodOwnedWorkloads": 4,
    "TASReplaceNodeDueToNotReadyOverFixedTime": 4,
    "VectorizedResourceRequests": 4,
    "FlavorFungibilityPreserveScanProgress": 5,
    "LWSImmutableGroupSize": 5,
    "MultiKueueRemoteSpecSync": 5,
    "RecomputeAssignmentUponPreemptionTargetsOverlap": 5,
    "SkipAncestorCheckForDeletedWorkloads": 5,
    "TASCacheTopologyTree": 5,
    "TASValidateWorkloadSliceSize": 5,
    "UnadmittedWorkloadsExplicitStatus": 5,
    "UnadmittedWorkloadsObservability": 5,
    "WorkloadValidateResourcesAreNonNegative": 5,
    "WorkloadValidationForPodSetMetadata": 5,
    "PodIntegrationValidateGroupOwner": 6,
    "PrioritizePreemptorWorkloads": 6,
    "ValidateRayAndSparkJobUpdates": 6,
}
"""The patch level of 0.18 that brought a gate of 0.19."""

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
        *_OLD_DEVICES,
    }
)
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
    if minor == 19:
        return GateChanges()
    if minor == 18:
        later = frozenset(gate for gate, since in _SINCE_18.items() if patch < since)
        on = _LAST_LOCKED | ({"TASReplaceNodeDueToNotReadyOverFixedTime"} - later)
        return GateChanges(on, _OFF_IN_18 - later, _NOT_IN_18 | later, _LAST_LOCKED | _OLD_DEVICES, _FREE)
    if minor == 17:
        on = _LAST_LOCKED | {"TASReplaceNodeDueToNotReadyOverFixedTime"}
        return GateChanges(on, _OFF_IN_17, _NOT_IN_17, _LAST_LOCKED, _FREE | _ONCE_FREE)
    return GateChanges(_LAST_LOCKED, _OFF_IN_16, _NOT_IN_16, frozenset(), _FREE | _ONCE_FREE | _FREE_IN_16)
