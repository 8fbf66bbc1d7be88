"""The rules that keep a workload from being considered, in the order of Kueue's checks."""

from enum import StrEnum
from typing import Final

from kubectl_fairshare.schedulers.kueue.model.workload import Pending


class JobLaw(StrEnum):
    """Names for ``Refusal.law``. The comment after each member lists its operands."""

    FRAMEWORK_OFF = "FrameworkOff"  # framework
    FRAMEWORK_UNKNOWN = "FrameworkUnknown"  # release, framework
    NAMESPACE_NOT_MANAGED = "NamespaceNotManaged"  # namespace
    NO_QUEUE_NAME = "NoQueueName"  # kind, namespace, name, keys that look like the label
    EXISTING_CLUSTER = "ExistingCluster"  # kind
    TOO_MANY_POD_SETS = "TooManyPodSets"  # count, bound
    PRIORITY_CLASS_MISSING = "PriorityClassMissing"  # kind of the class, name of the class
    RUNTIME_MISSING = "RuntimeMissing"  # kind of the runtime, name of the runtime
    POD_GROUP_INCOMPLETE = "PodGroupIncomplete"  # group, pods that it counts, pods that are there
    POD_GROUP_DIFFERS = "PodGroupDiffers"  # group, name of the label or annotation
    NOT_CREATED = "NotCreated"  # what, which ResourceQuotas reject its pods now
    NEVER_CREATED = "NeverCreated"  # what, which ResourceQuotas reject its pods whatever others use
    REQUESTS_ABOVE_LIMITS = "RequestsAboveLimits"  # violations
    LIMIT_RANGE = "LimitRange"  # violations
    DEVICES = "Devices"  # Kueue's message


UNCHECKED: Final = frozenset(
    {JobLaw.FRAMEWORK_OFF, JobLaw.FRAMEWORK_UNKNOWN, JobLaw.NAMESPACE_NOT_MANAGED, JobLaw.EXISTING_CLUSTER}
)
"""Kueue's webhook does not look at the job."""

UNMANAGED: Final = UNCHECKED | {JobLaw.NO_QUEUE_NAME}
"""Kueue does not manage the job: it starts, or stays suspended, and no quota applies."""

NO_WORKLOAD: Final = UNMANAGED | {
    JobLaw.TOO_MANY_POD_SETS,
    JobLaw.PRIORITY_CLASS_MISSING,
    JobLaw.RUNTIME_MISSING,
    JobLaw.POD_GROUP_INCOMPLETE,
    JobLaw.POD_GROUP_DIFFERS,
    JobLaw.NOT_CREATED,
    JobLaw.NEVER_CREATED,
}
"""Kueue makes no Workload, so nothing is ever queued and Kueue writes no message."""
NEVER_QUEUED: Final = NO_WORKLOAD | {JobLaw.DEVICES}
"""No Workload comes into a queue: Kueue makes none, or cannot count what its pods claim."""


def is_left_alone(workload: Pending) -> bool:
    """Whether Kueue does not manage the job of a workload."""
    return workload.refusal is not None and workload.refusal.law in UNMANAGED


def starts(workload: Pending) -> bool:
    """Whether Kueue does not manage the job of a workload, and the job is not suspended by itself."""
    return is_left_alone(workload) and workload.refusal is not None and not workload.refusal.suspended
