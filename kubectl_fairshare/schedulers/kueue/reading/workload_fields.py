"""The fields of a Workload with quota that its reader looks at: of ten thousand packed ones, no other is decoded.

A reader of another field adds it here. Tested in ``tests/unit/schedulers/kueue/reading/test_workload_fields.py``.
"""

from typing import TypedDict

from kubectl_fairshare.model.json import Json


class _MetadataFields(TypedDict, total=False):
    uid: Json
    creationTimestamp: Json


class _PodSetFields(TypedDict, total=False):
    name: Json
    count: Json


class _SpecFields(TypedDict, total=False):
    active: Json
    podSets: list[_PodSetFields]
    priority: Json
    priorityClassRef: Json
    queueName: Json


class _ConditionFields(TypedDict, total=False):
    type: Json
    status: Json
    lastTransitionTime: Json


class _AssignmentFields(TypedDict, total=False):
    name: Json
    count: Json
    flavors: Json
    resourceUsage: Json


class _AdmittedFields(TypedDict):
    clusterQueue: Json  # required: an admission with other fields alone is one, too


class _AdmissionFields(_AdmittedFields, total=False):
    podSetAssignments: list[_AssignmentFields]


class _StatusFields(TypedDict, total=False):
    admission: _AdmissionFields
    conditions: list[_ConditionFields]
    reclaimablePods: Json
    unhealthyNodes: Json


class WorkloadFields(TypedDict, total=False):
    """What ``holders`` and ``workloads`` read."""

    metadata: _MetadataFields
    spec: _SpecFields
    status: _StatusFields
