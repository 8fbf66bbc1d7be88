"""The order in which a scheduler of single pods tries those that wait.

Pods are tried by priority, then by the time since which they are queued. That is the creation of a pod that was never
tried, and the last attempt otherwise, which no object records. Source: Kubernetes 1.35, ``PrioritySort`` and the
scheduler's queue. Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from kubectl_fairshare.model.location import ObjectKey

NEWEST: Final = 1 << 63
"""The creation of a pod that is not there yet."""


class RankedPod(Protocol):
    """A pod, as far as the scheduler's queue knows it."""

    @property
    def key(self) -> ObjectKey:
        """The object."""

    @property
    def priority(self) -> int:
        """The priority."""


AnyPod = TypeVar("AnyPod", bound=RankedPod)


class QueueEntry(NamedTuple):
    """The queue of a waiting pod, its creation if that is known, and whether the scheduler has tried it."""

    queue: str
    created: int | None
    tried: bool


class PodLine(Generic[AnyPod]):
    """Waiting pods in the order in which they are tried; of one priority, the oldest first."""

    def __init__(self, pods: Sequence[AnyPod], queued: Callable[[AnyPod], QueueEntry]) -> None:
        self._queued = {pod.key: queued(pod) for pod in pods}
        self.pods = sorted(pods, key=lambda pod: (-pod.priority, self._age(pod), pod.key))
        self._ahead: dict[ObjectKey, tuple[int, int]] = {}
        start = 0
        for block in self.blocks(self.pods, self.pods):
            self._ahead |= {pod.key: (start, len(block) - 1) for pod in block}
            start += len(block)

    def _age(self, pod: AnyPod) -> int:
        created = self._queued[pod.key].created
        return NEWEST if created is None else created

    @property
    def classes(self) -> list[list[AnyPod]]:
        """The pods by priority; all in one where they are in several queues, among which there is no order."""
        if len({each.queue for each in self._queued.values()}) > 1:
            return [self.pods]
        return [list(each) for _, each in groupby(self.pods, key=lambda pod: pod.priority)]

    def ahead(self, pod: AnyPod) -> Sequence[AnyPod]:
        """The pods that are certainly tried before it."""
        if pod.key in self._ahead:
            return self.pods[: self._ahead[pod.key][0]]
        return [other for other in self.pods if other.priority > pod.priority]

    def equals(self, pod: AnyPod) -> int:
        """The number of pods that may be tried before it or after it."""
        if pod.key in self._ahead:
            return self._ahead[pod.key][1]
        return sum(other.priority == pod.priority for other in self.pods)

    def blocks(self, pods: Sequence[AnyPod], rivals: Iterable[AnyPod]) -> Iterator[list[AnyPod]]:
        """Pods in order, in blocks of those among which no order is known; only ``rivals`` can get in."""
        known = [(rival.priority, self._queued[rival.key]) for rival in rivals]
        if len({each.queue for _, each in known}) > 1:
            yield list(pods)
            return
        loose = {priority for priority, each in known if each.tried or each.created is None}
        for _, block in groupby(pods, key=lambda pod: (pod.priority, pod.priority in loose or self._age(pod))):
            yield list(block)


class PodLines(Generic[AnyPod]):
    """The waiting pods of each scheduler, by their queues; those of the ``tried`` line are answered in turn.

    That is the line of the profiles with the plugin, whose queue has no name, or all in one if those are not known.
    """

    def __init__(self, pods: Iterable[AnyPod], queued: Callable[[AnyPod], QueueEntry], *, known: bool) -> None:
        self._queued = queued
        queues: dict[str, list[AnyPod]] = {}
        for pod in pods:
            queues.setdefault(queued(pod).queue, []).append(pod)
        self._lines = {name: PodLine(each, queued) for name, each in queues.items()}
        mine = [pods for name, pods in queues.items() if not (known and name)]
        self.tried = PodLine([pod for pods in mine for pod in pods], queued)

    def of(self, pod: AnyPod) -> PodLine[AnyPod]:
        """The line that the pod is in, or would be."""
        return self._lines.get(self._queued(pod).queue) or PodLine((), self._queued)
