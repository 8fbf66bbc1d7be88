"""What orders a workload in its queue: a moment, and whether others were preempted for it."""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration

_PREEMPTING: Final = ". Pending the preemption of "


def created_at(root: Field, default: int) -> int:
    """The creation of the object, in nanoseconds since the epoch; ``default`` if it has none."""
    moment = root.at("metadata", "creationTimestamp").moment()
    return default if moment is None else moment


def is_preempting(conditions: Iterable[Field]) -> bool:
    """Whether Kueue last recorded that the Workload of these conditions preempts others and waits for them to leave."""
    reserved = [c for c in conditions if c.at("type").value == "QuotaReserved"]
    return any(c.at("status").value == "False" and _PREEMPTING in c.at("message").text() for c in reserved)


def has_condition(workload: Field, kind: str) -> bool:
    """Whether a Workload has a condition of the kind, whatever its status."""
    return any(c.at("type").value == kind for c in workload.at("status", "conditions").entries())


def has_failed_checks(checks: Iterable[Field]) -> bool:
    """Whether one of the admission checks of a Workload is rejected, or is to be retried."""
    return any(check.at("state").value in ("Retry", "Rejected") for check in checks)


def queued_at(conditions: Iterable[Field], configuration: Configuration, created: int) -> int:
    """The moment that orders a Workload with these conditions in its queue, in nanoseconds since the epoch.

    It is ``created``, or the last eviction if an admission check caused it, or if the pods were not ready in time and
    the configuration counts that moment.
    """
    counted = {"AdmissionCheck"}
    if configuration.requeuing_timestamp == "Eviction":
        counted.add("PodsReadyTimeout")
    for condition in conditions:
        if condition.at("type").value != "Evicted":
            continue
        if condition.at("status").value == "True" and condition.at("reason").text() in counted:
            moment = condition.at("lastTransitionTime").moment()
            return created if moment is None else moment
        return created
    return created
