"""Schedulers that place pods one by one, over time: one cycle for one pod, decided by the house.

A victim leaves, and its job makes another pod. The preemptor is nominated to its node and waits out its backoff.
Tested in ``tests/unit/policy/simulation/test_quotas.py``.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from heapq import heappop, heappush
from typing import Any, Final, Generic, NamedTuple, Protocol, cast

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.pod_queue import TRIED, AnyPod, NewPod, PodQueue, QueuedPod
from kubectl_fairshare.schedulers.replay import (
    LOST_NODES,
    FiguresSeen,
    HeldNow,
    Moves,
    ReplayTerms,
    SampledQueue,
    Stopped,
    Submitted,
    UserStanding,
)

NODE_SCORES: Final = Gap("NodeScores", (), touches=True)
"""The choice among several nodes, which the house words."""
MOST_MOVING: Final = 64
"""The most pods that may be on other nodes and are looked at one by one."""


class PodAssumption(StrEnum):
    """What a simulation of single pods takes for granted."""

    PODS = "pods start as soon as they are placed; each pod of a job runs for the job's duration"
    CYCLES = "scheduling cycles take no time"
    BACKOFF = "a pod without a place is tried again after a change, 1s to 10s after its last attempt"
    AGAIN = "the job of a preempted pod makes another one at once"


class PodCourse(NamedTuple):
    """What one cycle did with a pod: a node that it gets, or one on which these victims leave for it, or neither.

    ``victims`` are units, each with the scheduler's rule. ``among`` is the number of nodes of which it is chosen.
    ``by_quota``: the quotas rejected it. ``gaps``: what of this decision is not modelled.
    """

    node: str = ""
    victims: Sequence[tuple[str, str]] = ()
    among: int = 1
    by_quota: bool = False
    gaps: Sequence[Gap] = ()


class WaitingPod(NamedTuple, Generic[AnyPod]):
    """A pod of a snapshot that waits ``since`` a moment; ``pod`` may have a node that is reserved for it.

    ``tried``: the scheduler has found no place for it before.
    """

    new: NewPod[AnyPod]
    pod: AnyPod
    since: int
    tried: bool


class PodsAtWork(NamedTuple, Generic[AnyPod]):
    """The pods of a snapshot: ``placed`` with how each waits again after an eviction, and the moment of its start."""

    placed: Sequence[tuple[NewPod[AnyPod], AnyPod, int]]
    waiting: Sequence[WaitingPod[AnyPod]]
    leaving: Sequence[AnyPod]


class PodMotion(Protocol[AnyPod]):
    """One scheduler of single pods, as a replay knows it. Its pods have node, nominated, started and running."""

    @property
    def assumptions(self) -> Sequence[str]:
        """What it assumes beyond ``PodAssumption``, in sentences."""

    @property
    def rechecks(self) -> int | None:
        """So many nanoseconds after any change, pods that its quotas rejected are tried again; None: they are not."""

    @property
    def presumed(self) -> str:
        """The name of the one node that is presumed where the input has none; empty where it has nodes."""

    @property
    def nodes(self) -> Collection[str]:
        """The names of the nodes."""

    def open(self, snapshot: Snapshot) -> None:
        """Quotas and nodes are those of the snapshot from now on."""

    def new_pods(self, job: TracedJob) -> Iterable[NewPod[AnyPod]]:
        """The pods of a job."""

    def queue_of(self, job: TracedJob) -> str:
        """The quota of the job's pods, by its name for users."""

    def changed(self, held: Mapping[str, AnyPod], waiting: Mapping[str, QueuedPod[AnyPod]]) -> None:
        """The pods are these from now on; ``held`` have a node, or one that is nominated for them."""

    def tried(self, new: NewPod[AnyPod], pod: AnyPod) -> PodCourse:
        """The scheduler's own cycle for a pod."""

    def leaving(self, pod: AnyPod) -> AnyPod:
        """The pod as one that is being deleted and still holds what it has."""

    def holding(self, pod: AnyPod) -> HeldNow:
        """What the pod adds to its quota."""

    def used(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """What each quota's pods hold."""

    def entitled(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """The min of each quota."""

    def fidelity(self) -> Fidelity:
        """What of the input is not modelled."""


class PodReplay(Generic[AnyPod]):
    """A scheduler of single pods on a state in motion. A unit is a pod, named ``namespace/name``."""

    def __init__(self, motion: PodMotion[AnyPod], snapshot: Snapshot, terms: ReplayTerms) -> None:
        self._motion = motion
        self._stopping = terms.stopping
        self._queue: PodQueue[AnyPod] = PodQueue()
        self._held: dict[str, Any] = {}
        self._new: dict[str, NewPod[AnyPod]] = {}
        self._queue_of: dict[str, str] = {}
        self._leaving: list[tuple[int, str]] = []
        self._left = 0
        self._refused: set[tuple[object, ...]] = set()
        self._by_quota: set[str] = set()
        self._recheck: int | None = None
        self._gaps: dict[Gap, None] = {}
        self._seen = FiguresSeen()
        motion.open(snapshot)
        self._change(terms.start)

    def _change(self, now: int) -> None:
        """Pods, quotas or nodes have changed."""
        self._motion.changed(self._held, self._queue.waiting)
        self._refused.clear()
        if self._motion.rechecks is not None and self._recheck is None:
            self._recheck = now + self._motion.rechecks

    # --- what comes and goes

    def submit(self, job: TracedJob, now: int) -> Submitted:
        """A job arrives: all its pods wait."""
        units, queue = [], self._motion.queue_of(job)
        for new in self._motion.new_pods(job):
            units.append(new.unit)
            self._new[new.unit], self._queue_of[new.unit] = new, queue
            self._queue.join(new, now)
        if self._motion.rechecks is not None:
            self._change(now)
        return Submitted(units, queue)

    def adopt(self, work: PodsAtWork[AnyPod], now: int) -> None:
        """Takes over the pods of a snapshot. All that wait are tried at once, as after a start of the scheduler."""
        for new, placed, since in work.placed:
            pod: Any = placed
            self._know(new, pod)
            node = self._motion.presumed or pod.node
            self._held[new.unit] = replace(pod, uid=new.unit, node=node, nominated="", started=since, running=True)
        for number, gone in enumerate(work.leaving):
            left: Any = gone
            uid = f"leaving/{number}/{left.name}"
            self._held[uid] = replace(left, uid=uid, node=self._motion.presumed or left.node)
            heappush(self._leaving, (now + self._stopping, uid))
        self._left = len(work.leaving)
        for each in sorted(work.waiting, key=lambda waiting: (waiting.since, waiting.new.unit)):
            waits: Any = each.pod
            self._know(each.new, waits)
            self._queue.join(each.new, each.since)
            if each.tried:
                self._queue.waiting[each.new.unit].attempts = TRIED
            if waits.nominated:
                self._held[each.new.unit] = replace(waits, uid=each.new.unit)
        self._change(now)

    def _know(self, new: NewPod[AnyPod], pod: AnyPod) -> None:
        self._new[new.unit], self._queue_of[new.unit] = new, self._motion.holding(pod).queue

    def finish(self, unit: str, now: int) -> None:
        """A pod has ended."""
        del self._held[unit], self._new[unit]
        self._change(now)
        self._queue.move(now)

    def change(self, snapshot: Snapshot, now: int) -> None:
        """Quotas and nodes are those of another snapshot; pods stay where they are.

        The outcome of those whose node is gone is not decided.
        """
        self._motion.open(snapshot)
        node = self._motion.presumed
        if node:
            self._held = {unit: replace(pod, node=node) if pod.node else pod for unit, pod in self._held.items()}
        elif not {pod.node or pod.nominated for pod in self._held.values()} <= {*self._motion.nodes}:
            self._gaps[LOST_NODES] = None
        self._change(now)
        self._queue.move(now)

    # --- cycles

    def wakes(self) -> int | None:
        """When the next backoff is over, the next victim is gone, or rejected pods are tried again."""
        leaving = self._leaving[0][0] if self._leaving else None
        recheck = self._recheck if self._by_quota else None
        return min((at for at in (self._queue.wakes(), leaving, recheck) if at is not None), default=None)

    def run(self, now: int) -> Moves:
        """The cycle of the first pod that is due."""
        self._advance(now)
        while (queued := self._queue.take(now)) is not None:
            if queued.new.unit in self._held or queued.new.shape not in self._refused:
                return self._cycle(queued, now)
            self._queue.fail(queued, now)  # nothing has changed since one like it was refused
        return Moves()

    def _advance(self, now: int) -> None:
        """Does what time alone does up to ``now``: victims leave, backoffs end, rejected pods are tried again."""
        while self._leaving and self._leaving[0][0] <= now:
            _, gone = heappop(self._leaving)
            del self._held[gone]
            self._change(now)
            self._queue.move(now)
        if self._recheck is not None and self._recheck <= now:
            self._recheck = None
            self._queue.move(now, lambda queued: queued.new.unit in self._by_quota)
        self._queue.advance(now)

    def _cycle(self, queued: QueuedPod[AnyPod], now: int) -> Moves:
        unit = queued.new.unit
        nominated = self._held.get(unit)
        course = self._motion.tried(queued.new, queued.new.pod if nominated is None else nominated)
        self._gaps |= dict.fromkeys(course.gaps)
        if course.node and (course.among > 1):
            self._gaps[NODE_SCORES] = None
        self._by_quota.discard(unit)
        if course.node and not course.victims:
            self._place(unit, queued.new.pod if nominated is None else nominated, course.node, now)
            return Moves((unit,), (), 1, 1, settled=False)
        if course.by_quota:
            self._by_quota.add(unit)
        if course.node:
            stopped = self._evict(queued, nominated, course, now)
            return Moves((), stopped, 1, 1, int(course.among > 1), settled=False)
        if nominated is None:
            self._refused.add(queued.new.shape)
        self._queue.fail(queued, now)
        return Moves((), (), 1, 1, settled=False)

    def _place(self, unit: str, pod: Any, node: str, now: int) -> None:
        self._held[unit] = replace(pod, node=node, nominated="", started=now, running=True)
        self._queue.leave(unit)
        self._change(now)

    def _evict(self, queued: QueuedPod[AnyPod], nominated: Any, course: PodCourse, now: int) -> list[Stopped]:
        """Victims leave for a pod, which is nominated to their node; those that leave already are not stopped again."""
        unit = queued.new.unit
        stopped = [Stopped(victim, unit, rule) for victim, rule in course.victims if victim in self._new]
        for victim in stopped:
            self._preempt(victim.unit, now)
        pod: Any = queued.new.pod if nominated is None else nominated
        self._held[unit] = replace(pod, nominated=course.node)
        self._queue.fail(queued, now)
        self._change(now)
        if not self._stopping:
            self._queue.move(now)
        return stopped

    def _preempt(self, unit: str, now: int) -> None:
        """A victim leaves, at once or once it has stopped; its job makes another pod of the same name."""
        victim = self._held.pop(unit)
        if self._stopping:
            self._left += 1
            key = victim.key._replace(name=f"{victim.key.name}.leaving-{self._left}")
            uid, gone = f"leaving/{self._left}/{unit}", cast("Any", self._motion.leaving(victim))
            self._held[uid] = replace(gone, key=key, uid=uid)
            heappush(self._leaving, (now + self._stopping, uid))
        self._queue.join(self._new[unit], now)

    # --- what is asked in between

    @property
    def fidelity(self) -> Fidelity:
        """What is not modelled in the input and in single decisions, and which of several nodes a pod gets."""
        found = self._motion.fidelity()
        gaps = [Gap("NoNodes", (), touches=True)] if self._motion.presumed else []
        known = {(gap.feature, gap.subject) for gap in found.gaps}
        gaps += [gap for gap in self._gaps if (gap.feature, gap.subject) not in known]
        return replace(found, gaps=(*found.gaps, *gaps))

    @property
    def notes(self) -> Sequence[str]:
        """What is assumed."""
        return (*(each.value for each in PodAssumption), *self._motion.assumptions)

    @property
    def drawn(self) -> bool:
        """Never: a seed decides nothing."""
        return False

    def holding(self, unit: str) -> HeldNow:
        """What a pod adds to its quota."""
        return self._motion.holding(self._held[unit])

    def figures(self, now: int) -> Mapping[str, SampledQueue]:  # noqa: ARG002 -- quotas have no shares
        """What each quota's pods hold, its min, and the number of pods that wait for it."""
        used, entitled, waiting = self._motion.used(), self._motion.entitled(), self._waiting()
        return self._seen.changes(
            {
                name: SampledQueue(used.get(name, {}), entitled.get(name, {}), waiting.get(name, 0))
                for name in sorted({*used, *entitled})
            }
        )

    @property
    def motion(self) -> PodMotion[AnyPod]:
        """The scheduler on the pods of now."""
        return self._motion

    def waiting_pod(self, unit: str) -> NewPod[AnyPod] | None:
        """A pod that waits; None if it does not."""
        queued = self._queue.waiting.get(unit)
        return None if queued is None else queued.new

    def _waiting(self) -> Counter[str]:
        """The number of pods that wait, by quota."""
        return Counter(self._queue_of[unit] for unit in self._queue.waiting)

    def users(self, now: int) -> Mapping[str, UserStanding]:  # noqa: ARG002 -- none is compared
        """None: users within quotas are not compared."""
        return {}
