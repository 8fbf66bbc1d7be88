"""What the API server and Kueue's webhooks take and refuse in each release, as a value that chooses.

Source: kube-apiserver 1.35.4 with v0.17.1, v0.18.4 and v0.19.2, asked the same 12,502 writes.
Tested in ``tests/unit/schedulers/kueue/admission/test_writes_by_release.py``.
"""

from collections.abc import Collection

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.release import KueueRelease


class WriteLaws(Value, frozen=True):
    """The laws of writes that releases and their feature gates changed.

    - ``most_pod_sets``: the largest number of pod sets of a Workload, and of what its status has for each
    - ``most_flavors_used``: the largest number of flavors in the status of a LocalQueue, and of resources in each
    - ``gates_checked``: the annotation of admission gates is checked, and gates can only be removed
    - ``queue_stays_named``: with quota reserved, ``queueName`` can be neither added nor removed
    - ``slice_sizes``: ``podSetSliceSize`` and ``podSetSliceRequiredTopology`` need each other
    - ``no_negative_amounts``: amounts below 0 in pod templates are refused
    - ``pods_nowhere``: the resource called pods is refused in limits and in requests of the pod as a whole, too
    - ``template_metadata``: labels and annotations of pod templates are checked
    - ``admission_required``: reserved quota without an admission is refused with a cause, else the webhook panics
    - ``subgroups_warned``: a negative ``subGroupCount`` has a warning
    - ``clusters_ordered``: clusters of a MultiKueueConfig are a list whose names a rule compares, else a set
    - ``policies_known``: ``concurrentAdmissionPolicy`` and ``quotaManagement`` are known, else pruned
    - ``counts_shrink``: with quota reserved, counts of pod sets may become smaller
    - ``elastic_counts``: slices of elastic jobs may keep counts of reclaimable pods, and may not have a ``minCount``
    - ``source_optional``: with quota reserved, a Workload in v1beta1 may lack a ``priorityClassSource``
    - ``knows_scheduling_group``: pod templates have ``schedulingGroup``, else ``workloadRef``
    """

    most_pod_sets: int = 18
    most_flavors_used: int = 64
    gates_checked: bool = True
    queue_stays_named: bool = True
    slice_sizes: bool = True
    no_negative_amounts: bool = True
    pods_nowhere: bool = True
    template_metadata: bool = True
    admission_required: bool = True
    subgroups_warned: bool = True
    clusters_ordered: bool = True
    policies_known: bool = True
    counts_shrink: bool = True
    elastic_counts: bool = True
    source_optional: bool = True
    knows_scheduling_group: bool = True


def write_laws(release: KueueRelease, gates: Collection[str]) -> WriteLaws:
    """The laws of writes of a release whose manager runs with these feature gates on.

    A release before 0.16, or one that is only deduced from names, is taken as 0.19 here: its writes were not compared.
    """
    if release.deduced or release.number < (0, 16, 0):
        return WriteLaws()
    since_18, since_19 = release.number >= (0, 18, 0), release.number >= (0, 19, 0)
    return WriteLaws(
        most_pod_sets=release.most_pod_sets,
        most_flavors_used=64 if since_18 else 16,
        gates_checked="AdmissionGatedBy" in gates,
        queue_stays_named=since_19,
        slice_sizes="TASValidateWorkloadSliceSize" in gates,
        no_negative_amounts="WorkloadValidateResourcesAreNonNegative" in gates,
        pods_nowhere=since_19,
        template_metadata="WorkloadValidationForPodSetMetadata" in gates,
        admission_required=since_19,
        subgroups_warned=since_19,
        clusters_ordered=since_19,
        policies_known=since_18,
        counts_shrink="ElasticJobsViaWorkloadSlices" in gates,
        elastic_counts=since_18 and "ElasticJobsViaWorkloadSlices" in gates,
        source_optional=since_18,
        knows_scheduling_group=since_18,
    )


NEWEST = WriteLaws()
"""The laws of 0.19.2 with its default gates."""
