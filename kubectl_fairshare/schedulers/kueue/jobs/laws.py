"""The rules that keep a workload from being considered at all, in the order in which Kueue meets them."""

from enum import StrEnum
from typing import Final


class JobLaw(StrEnum):
    """Names for ``Refusal.law``. Every member's operands are told beside it."""

    FRAMEWORK_OFF = "FrameworkOff"  # framework
    NAMESPACE_NOT_MANAGED = "NamespaceNotManaged"  # namespace
    NO_QUEUE_NAME = "NoQueueName"  # kind, namespace, name, keys that look like the label
    TOO_MANY_POD_SETS = "TooManyPodSets"  # count, bound
    PRIORITY_CLASS_MISSING = "PriorityClassMissing"  # kind of the class, name of the class
    POD_GROUP_INCOMPLETE = "PodGroupIncomplete"  # group, pods that it counts, pods that are there
    POD_GROUP_DIFFERS = "PodGroupDiffers"  # group, name of the label or annotation
    REQUESTS_ABOVE_LIMITS = "RequestsAboveLimits"  # violations
    LIMIT_RANGE = "LimitRange"  # violations


UNMANAGED: Final = frozenset({JobLaw.FRAMEWORK_OFF, JobLaw.NAMESPACE_NOT_MANAGED, JobLaw.NO_QUEUE_NAME})
"""Kueue leaves the job alone: it starts, or stays suspended, and no quota applies."""

NO_WORKLOAD: Final = UNMANAGED | {
    JobLaw.TOO_MANY_POD_SETS,
    JobLaw.PRIORITY_CLASS_MISSING,
    JobLaw.POD_GROUP_INCOMPLETE,
    JobLaw.POD_GROUP_DIFFERS,
}
"""Kueue makes no Workload, so nothing ever stands in a queue and no message is written."""
