"""What a cluster recorded about a workload: conditions, admission checks, evictions, requeues, events.

Source: Kueue v0.19 API, ``status`` of a Workload; Events as core/v1 and events.k8s.io/v1 write them.
"""

from collections.abc import Iterable, Mapping

from kubectl_fairshare.answers.documents import Moment
from kubectl_fairshare.jobs.events import Condition, condition_of, note_of
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP


class CheckState(Value, frozen=True):
    """The state of one admission check for the workload: Pending, Ready, Retry or Rejected."""

    name: str
    state: str
    message: str
    moment: Moment = field(name="at")
    place: Place


class EvictionCount(Value, frozen=True):
    """How often the workload was evicted for one reason."""

    reason: str
    cause: str
    count: int
    place: Place


class Assigned(Value, frozen=True):
    """What one pod set got: ``count`` pods, and a flavor for each resource."""

    name: str
    count: int | None
    flavors: Mapping[str, str]
    place: Place


class Record(Value, frozen=True):
    """The status of one Workload. ``requeue_at`` is the end of its backoff, nanoseconds since the epoch."""

    conditions: tuple[Condition, ...] = ()
    checks: tuple[CheckState, ...] = ()
    evictions: tuple[EvictionCount, ...] = ()
    assigned: tuple[Assigned, ...] = ()
    cluster_queue: str = ""
    requeues: int = 0
    requeue_at: int | None = None

    def condition(self, kind: str) -> Condition | None:
        """The condition of that type, None if the status has none."""
        return next((c for c in self.conditions if c.type == kind), None)

    def holds(self, kind: str) -> bool:
        """Whether the condition exists and is True."""
        return any(c.type == kind and c.holds for c in self.conditions)


def record_of(workload: Manifest) -> Record:
    """The status of a Workload. Raises ``FairshareError`` for fields of another type than Kueue's."""
    status = Field(workload.key, (), workload.passing_data).at("status")
    admission = status.at("admission")
    requeue = status.at("requeueState")
    return Record(
        conditions=tuple(condition_of(c) for c in status.at("conditions").entries()),
        checks=tuple(_check(c) for c in status.at("admissionChecks").entries()),
        evictions=tuple(_eviction(e) for e in status.at("schedulingStats", "evictions").entries()),
        assigned=tuple(_assignment(a) for a in admission.at("podSetAssignments").entries()),
        cluster_queue=admission.at("clusterQueue").text(),
        requeues=requeue.at("count").integer(0),
        requeue_at=requeue.at("requeueAt").moment(),
    )


def _check(field: Field) -> CheckState:
    return CheckState(
        field.at("name").text(),
        field.at("state").text("Pending"),
        field.at("message").text(),
        field.at("lastTransitionTime").moment(),
        field.place,
    )


def _eviction(field: Field) -> EvictionCount:
    reason, cause = field.at("reason").text(), field.at("underlyingCause").text()
    return EvictionCount(reason, cause, field.at("count").integer(0), field.place)


def _assignment(field: Field) -> Assigned:
    count = field.at("count")
    whole = None if count.value is None else count.natural(0)
    return Assigned(field.at("name").text("main"), whole, field.at("flavors").texts(), field.place)


def latest_moment(manifests: Iterable[Manifest]) -> int:
    """The last moment in Workloads and Events, in nanoseconds since the epoch; 0 without one."""
    latest = 0
    for manifest in manifests:
        if is_workload(manifest.key):
            latest = max(latest, *(c.moment or 0 for c in record_of(manifest).conditions), 0)
        elif manifest.key.kind == "Event":
            latest = max(latest, note_of(root_of(manifest)).moment or 0)
    return latest


def is_workload(key: ObjectKey) -> bool:
    """Whether the object is a Workload of Kueue's."""
    return (key.group, key.kind) == (GROUP, "Workload")
