"""waitForPodsReady over time: who runs without ready pods, when that ends, and how long who was evicted for it waits.

The timeout counts from the admission, and that of recovery from when pods ceased to be ready. An eviction is counted in
the status, and the backoff, which counts from the eviction, is doubled by each; after a number of them Kueue
deactivates the Workload.
Example: timeout 5 minutes, and a workload whose pods are never ready is admitted at 0. It is evicted at 5:00, waits 1
minute, is admitted again, evicted again, and then waits 2.
Source: ``reconcileNotReadyTimeout`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/controller/core/workload_controller.go; "simulation" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_readiness.py``.
"""

from collections.abc import Callable, Mapping
from heapq import heappop, heappush
from typing import Final, NamedTuple

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.lines import QueuedWorkload, queued_workload
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration

_BY_EVICTION: Final = "Eviction"


class Readied(NamedTuple):
    """What a status says: evictions that it counts, whether pods are ready or not, and since when they are no longer.

    Neither ``ready`` nor ``unready``: it says nothing of them.
    """

    evictions: int = 0
    ready: bool = False
    unready: bool = False
    lost: int | None = None


NOT_READIED: Final[Mapping[str, Readied]] = {}


class Readiness:
    """The Workloads that run and may time out. ``ready`` says how long after an admission the pods of one are ready."""

    def __init__(self, ready: Callable[[str], int]) -> None:
        self._ready = ready
        self._ends: list[tuple[int, str]] = []
        self._over_at: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._ready_at: dict[str, int] = {}

    def note_earlier(self, known: Mapping[str, Readied]) -> None:
        """Evictions of Workloads that their statuses count."""
        self._counts.update({unit: each.evictions for unit, each in known.items() if each.evictions})

    def adopt(self, unit: str, since: int, known: Readied, configuration: Configuration) -> None:
        """A Workload runs from the start on. One whose pods are ready, or are ready by then, does not time out."""
        policy = configuration.pods_ready
        if policy is None or known.ready:
            return
        if known.lost is None:
            self.start(unit, since, configuration)
            return
        self._await(unit, known.lost, configuration)
        if policy.recovery is not None and self._ready(unit) > policy.recovery:
            self._expect(unit, known.lost + policy.recovery)

    def start(self, unit: str, at: int, configuration: Configuration) -> None:
        """A Workload was admitted: it times out, unless its pods are ready before."""
        policy = configuration.pods_ready
        self._await(unit, at, configuration)
        if policy is not None and self._ready(unit) > policy.timeout:
            self._expect(unit, at + policy.timeout)

    def _await(self, unit: str, since: int, configuration: Configuration) -> None:
        """With ``blockAdmission``, others wait until the pods of a Workload are ready."""
        if configuration.block_admission and self._ready(unit):
            self._ready_at[unit] = since + self._ready(unit)

    def is_awaited(self, now: int) -> bool:
        """Whether pods of a Workload that runs are not ready."""
        return any(at > now for at in self._ready_at.values())

    def next_ready(self) -> int | None:
        """When the pods of all that run are ready, unless one times out before; None where they are."""
        return max(self._ready_at.values(), default=None)

    def _expect(self, unit: str, at: int) -> None:
        self._over_at[unit] = at
        heappush(self._ends, (at, unit))

    def stop(self, unit: str) -> None:
        """A Workload does not run any more."""
        self._over_at.pop(unit, None)
        self._ready_at.pop(unit, None)

    def next(self) -> int | None:
        """When the next Workload times out."""
        while self._ends and self._over_at.get(self._ends[0][1]) != self._ends[0][0]:
            heappop(self._ends)
        return self._ends[0][0] if self._ends else None

    def timed_out(self, now: int) -> list[str]:
        """The Workloads whose time is over."""
        found = []
        while (at := self.next()) is not None and at <= now:
            unit = heappop(self._ends)[1]
            self.stop(unit)
            found.append(unit)
        return found

    def again(
        self, waiting: QueuedWorkload, now: int, configuration: Configuration
    ) -> tuple[QueuedWorkload, int | None]:
        """How a Workload that timed out queues again, and from when on; None: it is deactivated."""
        workload, policy = waiting.workload, configuration.pods_ready
        count = self._counts[workload.name] = self._counts.get(workload.name, 0) + 1
        backoff = None if policy is None else policy.backoff(count)
        if configuration.requeuing_timestamp == _BY_EVICTION:
            later = replace(workload, queued=now // 10**9 * 10**9)
            waiting = queued_workload(later, waiting.shape, waiting.order[3])
        return waiting, None if backoff is None else now + backoff
