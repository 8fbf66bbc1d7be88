"""What a workload requests of a resource, and the parts that it is made of.

Tested in ``tests/unit/jobs/test_request_parts.py``.
"""

from enum import StrEnum

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value


class PartKind(StrEnum):
    """What of a pod, or of a scheduler's settings, adds to a request."""

    CONTAINER = "container"
    INIT_CONTAINER = "init container"
    SIDECAR = "sidecar"
    POD = "pod"
    OVERHEAD = "overhead"
    TRANSFORMATION = "transformation"
    DEVICES = "devices"


class PartSource(StrEnum):
    """Who states the amount: the manifest, as a request or as a limit, a LimitRange, or something else, as noted."""

    WRITTEN = "written"
    LIMIT = "limit"
    LIMIT_RANGE = "LimitRange"
    ADDED = "added"


class RequestTerm(Value, frozen=True):
    """One part of what each of ``count`` pods requests of a resource: ``nano``, in 10⁻⁹, stated at ``place``.

    ``name`` is that of the container, the RuntimeClass, the transformed resource or the claim. ``pods`` is the name of
    the pod set, or of the pod; empty where the workload is one pod.
    """

    resource: str
    nano: int
    kind: PartKind
    name: str
    source: PartSource
    place: Place
    note: str = ""
    pods: str = ""
    count: int = 1

    @property
    def as_written(self) -> bool:
        """Whether it is a container's own request, or its limit."""
        return self.kind is PartKind.CONTAINER and self.source in (PartSource.WRITTEN, PartSource.LIMIT)
