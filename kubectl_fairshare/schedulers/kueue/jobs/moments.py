"""What a workload stands in its queue by: a moment, and whether others were preempted for it."""

from typing import Final

from kubectl_fairshare.jobs.events import moment_of
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration

_PREEMPTING: Final = ". Pending the preemption of "


def created_at(root: Field, default: int) -> int:
    """When the object was created, in nanoseconds since the epoch; ``default`` when it does not say."""
    moment = moment_of(root.at("metadata", "creationTimestamp"))
    return default if moment is None else moment


def is_preempting(workload: Field) -> bool:
    """Whether Kueue's last word on a Workload was that it preempts others, and waits for them to leave."""
    reserved = [c for c in workload.at("status", "conditions").entries() if c.at("type").value == "QuotaReserved"]
    return any(c.at("status").value == "False" and _PREEMPTING in c.at("message").text() for c in reserved)


def has_condition(workload: Field, kind: str) -> bool:
    """Whether a Workload has a condition of the kind, whatever its status."""
    return any(c.at("type").value == kind for c in workload.at("status", "conditions").entries())


def queued_at(workload: Field, configuration: Configuration, created: int) -> int:
    """The moment that orders a Workload in its queue, in nanoseconds since the epoch.

    That is ``created``, or the eviction that the workload still suffers from when an admission check
    asked for it, or when its pods were not ready in time and the configuration counts that moment.
    """
    counted = {"AdmissionCheck"}
    if configuration.requeuing_timestamp == "Eviction":
        counted.add("PodsReadyTimeout")
    for condition in workload.at("status", "conditions").entries():
        if condition.at("type").value != "Evicted":
            continue
        if condition.at("status").value == "True" and condition.at("reason").value in counted:
            moment = moment_of(condition.at("lastTransitionTime"))
            return created if moment is None else moment
        return created
    return created
