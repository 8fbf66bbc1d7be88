"""The queue of a scheduler that places pods one by one: who is tried next, and when one without a place is tried again.

Pods are tried by priority, then by the time since which they wait. One that finds no place is tried again once
something has changed, and its backoff is over: 1s after the first attempt, twice as long after each further one, at
most 10s. Source: Kubernetes 1.35, the scheduler's queue; "simulation" in ``docs/laws.md``.
Tested in ``tests/unit/policy/simulation/test_quotas.py``.
"""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Final, Generic, NamedTuple, TypeVar

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.limits import bounds_of
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import Requirement, Toleration
from kubectl_fairshare.model.values import Value

SECOND: Final = 10**9
MOST_PODS: Final = 100_000
"""The pods of one job that are played; Kubernetes advises against more."""
_LONGEST: Final = 10 * SECOND
TRIED: Final = 4
"""Attempts after which the backoff is the longest: that of a pod which has waited, as no object counts them."""
AnyPod = TypeVar("AnyPod")


class NewPod(NamedTuple, Generic[AnyPod]):
    """A pod that is created, the nodes that it may use, and what pods like it have in common.

    Without ``demand``, the nodes are those that the state says.
    """

    unit: str
    pod: AnyPod
    priority: int
    demand: NodeDemand | None
    shape: tuple[object, ...]


class PodPlan(NamedTuple):
    """What a trace says of one pod of a job: its name, what it requests, and where it may run."""

    key: ObjectKey
    requests: tuple[tuple[str, int], ...]
    selector: tuple[Requirement, ...]
    tolerations: tuple[Toleration, ...]

    @property
    def demand(self) -> NodeDemand:
        """The nodes that it may use."""
        return NodeDemand(self.selector, None, self.tolerations)

    @property
    def unit(self) -> str:
        """``namespace/name``."""
        return f"{self.key.namespace}/{self.key.name}"

    @property
    def shape(self) -> tuple[object, ...]:
        """What decides about the pod, apart from its job."""
        return self.key.namespace, self.requests, self.selector, self.tolerations


def pod_plans(job: TracedJob, context: PodContext) -> Iterator[PodPlan]:
    """The pods of a job, in order, with what LimitRanges of its namespace add.

    Raises ``FairshareError`` for more than a Job can have at once.
    """
    whole = sum(pods.count for pods in job.pod_sets)
    if whole > MOST_PODS:
        message = f"job `{job.key}` has {whole:,} pods; a scheduler of single pods plays jobs of {MOST_PODS:,} at most"
        raise FairshareError(Problem(message, help="leave the job out of the trace, or divide it"))
    bounds = bounds_of(context.limit_ranges.get(job.namespace) or {}, "Container", "defaultRequest")
    default = {resource: quantity.amount(resource, bound.text) for resource, bound in bounds.items()}
    single = whole == 1
    number = 0
    for pods in job.pod_sets:
        requests = tuple(sorted({**default, **pods.requests}.items()))
        selector = tuple(Requirement(key, "In", (value,)) for key, value in sorted(pods.node_selector.items()))
        for _ in range(pods.count):
            name = job.name if single else f"{job.name}-{number}"
            yield PodPlan(ObjectKey("", "Pod", job.namespace, name), requests, selector, pods.tolerations)
            number += 1


class QueuedPod(Value, Generic[AnyPod]):
    """A pod that waits: its place, how often it was tried, and when it is tried again; None: after a change."""

    new: NewPod[AnyPod]
    order: tuple[int, int, int]
    attempts: int = 0
    ready: int = 0
    due: int | None = None


class PodQueue(Generic[AnyPod]):
    """The pods that wait, by unit."""

    def __init__(self) -> None:
        self.waiting: dict[str, QueuedPod[AnyPod]] = {}
        self._line: list[tuple[tuple[int, int, int], str]] = []
        self._later: list[tuple[int, str]] = []
        self._arrivals = 0

    def join(self, new: NewPod[AnyPod], now: int) -> None:
        """A pod begins to wait."""
        self._arrivals += 1
        order = (-new.priority, now, self._arrivals)
        self.waiting[new.unit] = QueuedPod(new, order, ready=now, due=now)
        heappush(self._line, (order, new.unit))

    def leave(self, unit: str) -> None:
        """A pod has a place."""
        del self.waiting[unit]

    def move(self, now: int, concerned: Callable[[QueuedPod[AnyPod]], bool] = lambda _: True) -> None:
        """Something changed: pods without a place that it concerns are tried again once their backoff is over."""
        for unit, queued in self.waiting.items():
            if queued.due is not None or not concerned(queued):
                continue
            queued.due = max(now, queued.ready)
            if queued.due <= now:
                heappush(self._line, (queued.order, unit))
            else:
                heappush(self._later, (queued.due, unit))

    def fail(self, queued: QueuedPod[AnyPod], now: int) -> None:
        """A pod has found no place: it waits out its backoff, and then for a change."""
        queued.due = None
        queued.ready = now + min(SECOND << min(queued.attempts, 10), _LONGEST)
        queued.attempts += 1

    def wakes(self) -> int | None:
        """When the next backoff is over."""
        return self._later[0][0] if self._later else None

    def advance(self, now: int) -> None:
        """Puts those whose backoff is over into the line."""
        while self._later and self._later[0][0] <= now:
            _, unit = heappop(self._later)
            queued = self.waiting.get(unit)
            if queued is not None and queued.due is not None:
                heappush(self._line, (queued.order, unit))

    def take(self, now: int) -> QueuedPod[AnyPod] | None:
        """The next pod to try; None if none is due."""
        while self._line:
            _, unit = heappop(self._line)
            queued = self.waiting.get(unit)
            if queued is not None and queued.due is not None and queued.due <= now:
                return queued
        return None
