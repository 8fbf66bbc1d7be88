"""The fields of a Workload with quota that its reader looks at: of ten thousand packed ones, no other is decoded.

A reader of another field adds it here. Tested in ``tests/unit/schedulers/kueue/reading/test_workload_fields.py``.
"""

from typing import TypedDict

from kubectl_fairshare.model.json import Json


def workload_fields() -> type:
    """What ``holders`` and ``workloads`` read. The assignments stay text, as many workloads have the same."""
    from msgspec import Raw

    class Metadata(TypedDict, total=False):
        uid: Json
        creationTimestamp: Json

    class PodSet(TypedDict, total=False):
        name: Json
        count: Json

    class Spec(TypedDict, total=False):
        active: Json
        podSets: list[PodSet]
        priority: Json
        priorityClassRef: Json
        queueName: Json

    class Condition(TypedDict, total=False):
        type: Json
        status: Json
        lastTransitionTime: Json

    class Admitted(TypedDict):
        clusterQueue: Json  # required: an admission with other fields alone is one, too

    class Admission(Admitted, total=False):
        podSetAssignments: Raw

    class Status(TypedDict, total=False):
        admission: Admission
        conditions: list[Condition]
        reclaimablePods: Json
        unhealthyNodes: Json

    class Workload(TypedDict, total=False):
        metadata: Metadata
        spec: Spec
        status: Status

    return Workload
