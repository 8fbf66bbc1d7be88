"""One job of a trace: what it asked for, when it came, how long it ran, and what really happened, as far as known.

Moments are nanoseconds since the epoch, durations nanoseconds, amounts in the units of ``model.amounts``.
"""

from collections.abc import Mapping
from typing import NamedTuple

from kubectl_fairshare.model.selectors import Toleration
from kubectl_fairshare.model.values import Value, field


class TracedPods(Value, frozen=True):
    """``count`` equal pods of a job; ``requests`` is per pod. ``min_count``: the job can start with so many."""

    name: str
    count: int
    requests: Mapping[str, int]
    min_count: int | None = None
    node_selector: Mapping[str, str] = field(default_factory=dict)
    tolerations: tuple[Toleration, ...] = ()

    def __hash__(self) -> int:
        return hash((self.name, self.count, self.min_count, self.tolerations))


class TracedEviction(NamedTuple):
    """A real eviction: when, and the reason that the cluster recorded."""

    at: int
    reason: str


class TracedJob(Value, frozen=True):
    """A job. ``namespace`` and ``name`` identify it; ``queue`` is the name that users give, empty where there is none.

    ``duration`` is the time that it needs to run without interruption, None if it never ends. ``reserved``,
    ``admitted``, ``readmitted`` (the admissions after the first), ``evictions`` and ``finished`` are what a cluster
    recorded; a simulation does not read them.
    ``uncounted`` are further evictions that the cluster counted, and whose moments are lost.
    ``lacks`` names what decides where the job runs and is not here, such as ``node affinity``.
    """

    name: str
    namespace: str
    queue: str
    created: int
    pod_sets: tuple[TracedPods, ...]
    priority: int = 0
    priority_class: str = ""
    duration: int | None = None
    reserved: int | None = None
    admitted: int | None = None
    readmitted: tuple[int, ...] = ()
    evictions: tuple[TracedEviction, ...] = ()
    finished: int | None = None
    uncounted: int = 0
    lacks: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """``namespace/name``."""
        return f"{self.namespace}/{self.name}"

    @property
    def total(self) -> dict[str, int]:
        """What all its pods request."""
        found: dict[str, int] = {}
        for pods in self.pod_sets:
            for resource, amount in pods.requests.items():
                found[resource] = found.get(resource, 0) + amount * pods.count
        return found
