"""Names that only releases before 0.19 know: feature gates, frameworks, and versions of Kueue's API.

With each is the last minor release that knows it. Source: the tags of Kueue, v0.2.1 to v0.19.2.
Tested in ``tests/unit/schedulers/kueue/reading/test_running_release.py``.
"""

from typing import Final

from kubectl_fairshare.model.releases import Release

GATES: Final = {
    "AdmissionCheckValidationRules": Release(0, 11),
    "ConfigurableResourceTransformations": Release(0, 15),
    "DRAExtendedResources": Release(0, 18),
    "DynamicResourceAllocation": Release(0, 18),
    "ExposeFlavorsInLocalQueue": Release(0, 14),
    "FlavorFungibilityImplicitPreferenceDefault": Release(0, 16),
    "KeepQuotaForProvReqRetry": Release(0, 11),
    "LendingLimit": Release(0, 18),
    "LocalQueueDefaulting": Release(0, 18),
    "ManagedJobsNamespaceSelector": Release(0, 14),
    "MultiKueueBatchJobWithManagedBy": Release(0, 18),
    "MultiplePreemptions": Release(0, 12),
    "ProvisioningACC": Release(0, 14),
    "QueueVisibility": Release(0, 13),
    "SanitizePodSets": Release(0, 18),
    "TASProfileLeastFreeCapacity": Release(0, 16),
    "TASProfileMostFreeCapacity": Release(0, 12),
    "WorkloadResourceRequestsSummary": Release(0, 12),
}
FRAMEWORKS: Final = {"kubeflow.org/mxjob": Release(0, 10)}
KINDS: Final = {
    ("ClusterQueue", "v1alpha2"): Release(0, 2),
    ("Cohort", "v1alpha1"): Release(0, 12),
    ("LocalQueue", "v1alpha2"): Release(0, 2),
    ("MultiKueueCluster", "v1alpha1"): Release(0, 8),
    ("MultiKueueConfig", "v1alpha1"): Release(0, 8),
    ("ResourceFlavor", "v1alpha2"): Release(0, 2),
    ("Topology", "v1alpha1"): Release(0, 13),
    ("Workload", "v1alpha2"): Release(0, 2),
}
STORED_SINCE: Final = Release(0, 15)
"""The first release that serves v1beta2, of its API and of its Configuration."""
