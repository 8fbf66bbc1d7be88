"""What a workload requests of a resource, and the parts that it is made of.

Tested in ``tests/unit/jobs/test_request_parts.py``.
"""

from enum import StrEnum

from kubectl_fairshare.answers.documents import AnswerPart
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.quantity import nano_text
from kubectl_fairshare.model.values import field


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


class RequestTerm(AnswerPart, frozen=True):
    """One part of what each of ``pods`` pods requests of a resource: a container, an overhead; and its field.

    ``source`` says who states the amount: the manifest (``written``), its ``limit``, a ``LimitRange``, or what ``note``
    says (``added``). ``name`` is that of the container, the RuntimeClass, the transformed resource or the claim.
    ``podSet`` is empty where the workload is one pod.
    """

    DOCUMENT = ("resource", "kind", "name", "source", "note", "pods", "count", "per_pod", "place")
    resource: str
    nano: int  # of each pod, in 10⁻⁹
    kind: PartKind
    name: str
    source: PartSource
    place: Place
    note: str = ""
    pods: str = field(default="", name="podSet")
    count: int = field(default=1, name="pods")

    @property
    def per_pod(self) -> str:
        """The amount of each pod."""
        return nano_text(self.resource, self.nano)

    @property
    def as_written(self) -> bool:
        """Whether it is a container's own request, or its limit."""
        return self.kind is PartKind.CONTAINER and self.source in (PartSource.WRITTEN, PartSource.LIMIT)
