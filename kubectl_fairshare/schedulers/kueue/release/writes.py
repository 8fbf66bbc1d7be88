"""What the API server and Kueue's webhooks take and refuse in each release, as a value that chooses.

Source: kube-apiserver 1.35.4 with v0.17.1, v0.18.4 and v0.19.2, asked the same 12,502 writes; the patch level of each
law was looked up in the CustomResourceDefinitions and the webhooks of the releases.
Tested in ``tests/unit/schedulers/kueue/admission/test_writes_by_release.py``.
"""

from collections.abc import Collection
from typing import Final

from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.release import KueueRelease
from kubectl_fairshare.schedulers.kueue.release.law import ReleaseLaw, values_at


class WriteLaws(Value, frozen=True):
    """The laws of writes that releases and their feature gates changed: ``WRITES`` has the sentence of each.

    Defaults are those of 0.19.2 with its default gates.
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
    elastic_whole: bool = True
    elastic_counts: bool = True
    elastic_shrinks: bool = True
    source_optional: bool = True
    knows_scheduling_group: bool = True
    flavors_fixed: bool = True
    levels_fixed: bool = True
    least_min_count: int = 1
    subgroups_refused: bool = False
    on_flavors_known: bool = False


_ELASTIC: Final = "ElasticJobsViaWorkloadSlices"
_NOTES: Final = "the notes and CustomResourceDefinitions of 0.20"
_OF_18_5: Final = {"0.18.5": True, "0.19.0": False, "0.19.1": True}
WRITES: Final = (
    ReleaseLaw(
        "most_pod_sets",
        "The largest number of pod sets of a Workload, and of what its status has for each.",
        "#11388; the CustomResourceDefinitions",
        8,
        {"0.18.0": 10, "0.19.0": 18},
    ),
    ReleaseLaw(
        "most_flavors_used",
        "The largest number of flavors in the status of a LocalQueue, and of resources in each.",
        "the CustomResourceDefinitions",
        16,
        {"0.17.5": 64, "0.18.0": 16, "0.18.1": 64},
    ),
    ReleaseLaw(
        "gates_checked",
        "The annotation of admission gates is checked, and gates can only be removed.",
        "12,502 writes",
        True,
        {},
        "AdmissionGatedBy",
    ),
    ReleaseLaw(
        "queue_stays_named",
        "With quota reserved, `queueName` can be neither added nor removed.",
        "12,502 writes",
        False,
        {"0.18.5": True},
    ),
    ReleaseLaw(
        "slice_sizes",
        "`podSetSliceSize` and `podSetSliceRequiredTopology` need each other.",
        "12,502 writes",
        True,
        {},
        "TASValidateWorkloadSliceSize",
    ),
    ReleaseLaw(
        "no_negative_amounts",
        "Amounts below 0 in pod templates are refused.",
        "12,502 writes",
        True,
        {},
        "WorkloadValidateResourcesAreNonNegative",
    ),
    ReleaseLaw(
        "pods_nowhere",
        "The resource called pods is refused in limits and in requests of the pod as a whole, too.",
        "12,502 writes",
        False,
        _OF_18_5,
    ),
    ReleaseLaw(
        "template_metadata",
        "Labels and annotations of pod templates are checked.",
        "12,502 writes",
        True,
        {},
        "WorkloadValidationForPodSetMetadata",
    ),
    ReleaseLaw(
        "admission_required",
        "Reserved quota without an admission is refused with a cause, otherwise the webhook panics.",
        "12,502 writes",
        False,
        _OF_18_5,
    ),
    ReleaseLaw(
        "subgroups_warned",
        "A negative `subGroupCount` has a warning.",
        "12,502 writes",
        False,
        {"0.19.0": True, "0.20.0": False},
    ),
    ReleaseLaw(
        "clusters_ordered",
        "Clusters of a MultiKueueConfig are a list whose names a rule compares, otherwise a set.",
        "12,502 writes",
        False,
        {"0.19.0": True},
    ),
    ReleaseLaw(
        "policies_known",
        "`concurrentAdmissionPolicy` and `quotaManagement` are known, otherwise pruned.",
        "12,502 writes",
        False,
        {"0.18.0": True},
    ),
    ReleaseLaw(
        "counts_shrink",
        "With quota reserved, counts of pod sets may become smaller.",
        "12,502 writes",
        True,
        {},
        _ELASTIC,
    ),
    ReleaseLaw(
        "elastic_whole",
        "Slices of elastic jobs may not have a `minCount`.",
        "12,502 writes",
        False,
        {"0.18.0": True},
        _ELASTIC,
    ),
    ReleaseLaw(
        "elastic_counts",
        "Slices of elastic jobs may keep counts of reclaimable pods that have become too large.",
        "12,502 writes; #12959",
        False,
        {"0.17.7": True, "0.18.0": False, "0.18.3": True},
        _ELASTIC,
    ),
    ReleaseLaw(
        "elastic_shrinks",
        "Counts of reclaimable pods may fall, or go, where a slice of an elastic job has become smaller.",
        "12,502 writes; #13178",
        False,
        {"0.17.8": True, "0.18.0": False, "0.18.4": True},
        _ELASTIC,
    ),
    ReleaseLaw(
        "source_optional",
        "With quota reserved, a Workload in v1beta1 may lack a `priorityClassSource`.",
        "12,502 writes; #10630, #10631",
        False,
        {"0.16.7": True, "0.17.0": False, "0.17.2": True},
    ),
    ReleaseLaw(
        "knows_scheduling_group",
        "Pod templates have `schedulingGroup`, otherwise `workloadRef`.",
        "12,502 writes",
        False,
        {"0.18.0": True},
    ),
    ReleaseLaw(
        "flavors_fixed",
        "Labels and tolerations of a ResourceFlavor with a topology can't change; otherwise its topology alone.",
        _NOTES,
        True,
        {"0.20.0": False},
    ),
    ReleaseLaw(
        "levels_fixed",
        "Levels of a Topology can't change; otherwise those whose lowest is `kubernetes.io/hostname` can, if it stays.",
        _NOTES,
        True,
        {"0.20.0": False},
    ),
    ReleaseLaw("least_min_count", "The least `minCount` of a pod set.", _NOTES, 1, {"0.20.0": 0}),
    ReleaseLaw("subgroups_refused", "A negative `subGroupCount` is refused.", _NOTES, False, {"0.20.0": True}),
    ReleaseLaw(
        "on_flavors_known",
        "An update of a ClusterQueue can't keep `onFlavors` that the queue does not have.",
        "CQ14; the gate is on by default since 0.20",
        True,
        {},
        "RejectUpdatesToCQWithInvalidOnFlavors",
    ),
)
"""The table; what was asked in 12,502 writes is named so."""


def write_laws(release: KueueRelease, gates: Collection[str]) -> WriteLaws:
    """The laws of writes of a release whose manager runs with these feature gates on.

    A release before 0.16 is taken as 0.19 here: its writes were not compared.
    """
    if release.number < (0, 16, 0):
        return WriteLaws()
    values = values_at(WRITES, release.number)
    off = {law.field: False for law in WRITES if law.gate and law.gate not in gates}
    return replace(WriteLaws(), **(values | off))


NEWEST: Final = WriteLaws()
"""The laws of 0.19.2 with its default gates."""
