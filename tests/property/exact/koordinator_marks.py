"""Labels, annotations, gates and arguments of Koordinator: those that are gaps, and those of no account.

Source: koordinator v1.8.0, ``apis/extension``, ``pkg/features`` and ``ElasticQuotaArgs``.
"""

PLUGINS = "scheduling.koordinator.sh"
QUOTAS = "quota.scheduling.koordinator.sh"
POD_MARKS = {
    **{f"{PLUGINS}/{name}": "x" for name in ("bind-gang-group-id", "network-topology-selector", "scheduling-hint")},
    **{f"internal.{PLUGINS}/{name}": "x" for name in ("bind-gang-group-id", "scheduling-hint")},
    **{f"{PLUGINS}/{name}": "{}" for name in ("exact-match-reservation", "numa-topology-spec", "reservation-affinity")},
    f"{PLUGINS}/resource-spec": "{}",
    f"{PLUGINS}/device-allocated": "x",
    "gang.scheduling.koordinator.sh/name": "g",
    "pod.koordinator.sh/replace-resources": "cpu:example.com/cpu",
}
"""Annotations of pods on which plugins decide that are not modelled."""
POD_LABELS = {
    "koordinator.sh/qosClass": "LSR",
    "pod-group.scheduling.sigs.k8s.io": "g",
    "pod-group.scheduling.sigs.k8s.io/name": "g",
    f"{PLUGINS}/pre-allocation-required": "true",
    f"{PLUGINS}/reservation-ignored": "true",
    f"{PLUGINS}/scheduler-name": "another",
}
IDLE_MARKS = {
    **{f"{PLUGINS}/{name}": "x" for name in ("eviction-cost", "resource-status", "soft-eviction")},
    **{f"{PLUGINS}/{name}": "x" for name in ("device-allocate-hint", "gpu-partition-spec", "reservation-allocated")},
    **{f"{PLUGINS}/{name}": "x" for name in ("disable-preemptible", "operating-mode", "preemption-policy")},
    **{f"koordinator.sh/{name}": "x" for name in ("eviction-enabled", "networkQOS", "priority", "priority-class")},
    "koordinator.sh/qosClass": "LS",
    "gang.scheduling.koordinator.sh/mode": "Strict",
}
"""Labels and annotations of pods that decide nothing where there are no Devices, Reservations or gangs."""
NODE_MARKS = {
    "labels": {
        "node.koordinator.sh/numa-topology-policy": "SingleNUMANode",
        "node.koordinator.sh/cpu-bind-policy": "x",
    },
    "annotations": {"node.koordinator.sh/resource-amplification-ratio": '{"cpu": 1.5}'},
}
IDLE_NODE_MARKS = {
    "labels": {"node.koordinator.sh/gpu-model": "a", "node.koordinator.sh/numa-allocate-strategy": "MostAllocated"},
    "annotations": {
        **{f"node.koordinator.sh/{name}": "x" for name in ("cpu-normalization-ratio", "cpu-shared-pools", "resctrl")},
        **{f"node.koordinator.sh/{name}": "x" for name in ("network-bandwidth", "raw-allocatable", "cpu-topology")},
        f"{PLUGINS}/usage-thresholds": "{}",
    },
}
QUOTA_MARKS = {
    **dict.fromkeys(("allocated", "child-request", "guaranteed", "non-preemptible-request", "runtime"), "{}"),
    **dict.fromkeys(("non-preemptible-used", "request", "unschedulable-resource", "admission"), "{}"),
    **dict.fromkeys(("max-strict-check-resource-keys", "resource-keys"), "[]"),
}
"""Annotations of quotas that the scheduler writes, or that only webhooks read."""
GAP_GATES = (
    *("DisablePodDisruptionBudgetInformer", "DynamicSchedulerCheck", "PodDisruptionBudget"),
    *("PreemptionPolicyTransformer", "PriorityTransformer", "ResizePod"),
)
SCHEDULER_GATES = {
    *("CSIStorageCapacity", "CleanExpiredReservationAllocated", "CompatibleCSIStorageCapacity"),
    *("CompatiblePodDisruptionBudget", "DevicePluginAdaption", "DisableCSIStorageCapacityInformer"),
    *("DisableDefaultQuota", "DisableDynamicResourceAllocationInformer", "DisablePodDisruptionBudgetInformer"),
    *("DynamicSchedulerCheck", "ElasticQuotaGuaranteeUsage", "ElasticQuotaIgnorePodOverhead"),
    *("ElasticQuotaIgnoreTerminatingPod", "ElasticQuotaImmediateIgnoreTerminatingPod", "GenericEphemeralVolume"),
    *("LazyReservationRestore", "MultiQuotaTree", "OmitNodeLabelsForReservation", "PodDisruptionBudget"),
    *("PreemptionPolicyTransformer", "PriorityTransformer", "ResizePod", "SkipReservationFitsNode"),
    *("SupportParentQuotaSubmitPod", "SyncBarrier"),
}
"""The gates of Koordinator's scheduler, v1.8.0, ``pkg/features``."""
ARGUMENTS = {
    *("defaultQuotaGroupMax", "systemQuotaGroupMax", "quotaGroupNamespace", "monitorAllQuotas"),
    *("enableCheckParentQuota", "enableRuntimeQuota", "enableMinQuotaScale", "disableDefaultQuotaPreemption"),
    "hookPlugins",
}
IDLE_ARGUMENTS = {
    "delayEvictTime": "9s",
    "revokePodInterval": "9s",
    "enableQueueHint": True,
    "quotaSnapshotUpdateInterval": "9s",
}
