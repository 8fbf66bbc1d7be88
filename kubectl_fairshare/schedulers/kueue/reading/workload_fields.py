"""The fields of a Workload with quota that its reader looks at: of ten thousand, no other is decoded.

A reader of another field adds it here. What is `Json` may be anything: its reader looks at its type. Tested in
``tests/unit/schedulers/kueue/reading/test_workload_fields.py``.
"""

from msgspec import Raw

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.values import Value, field


class MetadataFields(Value, frozen=True, gc=False):
    """When and as what the server stored it."""

    uid: Json = None
    created: Json = field(name="creationTimestamp", default=None)


class PodSetFields(Value, frozen=True, gc=False):
    """A pod set of the job as it is now."""

    name: Json = None
    count: Json = 1


class SpecFields(Value, frozen=True, gc=False):
    """What is asked for."""

    active: Json = None
    pod_sets: list[PodSetFields] | None = field(name="podSets", default=None)
    priority: Json = None
    priority_class: Json = field(name="priorityClassRef", default=None)
    local_queue: Json = field(name="queueName", default=None)


class ConditionFields(Value, frozen=True, gc=False):
    """One condition."""

    type: Json
    status: Json
    since: Json = field(name="lastTransitionTime", default=None)


class AdmissionFields(Value, frozen=True, gc=False):
    """What was assigned. The assignments stay text, as many workloads have the same."""

    cluster_queue: Json = field(name="clusterQueue")
    assignments: Raw = field(name="podSetAssignments", default=Raw(b"null"))


class StatusFields(Value, frozen=True, gc=False):
    """What Kueue wrote."""

    admission: AdmissionFields | None = None
    conditions: list[ConditionFields] | None = None
    reclaimable: Json = field(name="reclaimablePods", default=None)
    unhealthy: Json = field(name="unhealthyNodes", default=None)


class WorkloadFields(Value, frozen=True, gc=False):
    """What is read of a Workload."""

    metadata: MetadataFields
    spec: SpecFields | None = None
    status: StatusFields | None = None
