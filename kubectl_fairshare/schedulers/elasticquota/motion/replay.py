"""CapacityScheduling's decisions over time: one cycle for one pod, with the laws of ``plan``.

Pods wait in the order of the scheduler's queue. One that finds no place is tried again once a pod has left or quotas or
nodes have changed, and its backoff is over: 1 s after the first attempt, twice as long after each further one, at most
10 s. A victim leaves, and its job makes another pod. The preemptor is nominated to its node and waits out its backoff.
Source: Kubernetes 1.35, the scheduler's queue; "simulation" in ``docs/laws.md``.
Tested in ``tests/unit/policy/simulation/test_quotas.py``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from heapq import heappop, heappush
from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.gaps import state_gaps
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState, Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, Vector, is_held, vector_from
from kubectl_fairshare.schedulers.elasticquota.motion.pods import NewPod, pods_of
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import CycleEnd, schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of
from kubectl_fairshare.schedulers.replay import HeldNow, Moves, ReplayTerms, Stopped, Submitted, UserStanding

_SECOND: Final = 10**9
_LONGEST: Final = 10 * _SECOND
_LARGE: Final = 1 << 50


class Assumption(StrEnum):
    """What a simulation takes for granted."""

    PODS = "pods"
    CYCLES = "cycles"
    BACKOFF = "backoff"
    AGAIN = "again"


@dataclass(frozen=True, slots=True)
class Sayings:
    """How facts are put in words: an assumption, and the rule of a preemption."""

    assumption: Callable[[Assumption], str]
    rule: Callable[[Law], str]


@dataclass(slots=True)
class QueuedPod:
    """A pod that waits: its place, how often it was tried, and when it is tried again; None: after a change."""

    new: NewPod
    order: tuple[int, int, int]
    attempts: int = 0
    ready: int = 0
    due: int | None = None


class QuotaReplay:
    """CapacityScheduling on a state in motion. A unit is a pod, named ``namespace/name``."""

    def __init__(self, snapshot: Snapshot, terms: ReplayTerms, say: Sayings) -> None:
        self._say = say
        self._stopping = terms.stopping
        self._pods: dict[str, Pod] = {}
        self._new: dict[str, NewPod] = {}
        self._waiting: dict[str, QueuedPod] = {}
        self._leaving: list[tuple[int, str]] = []
        self._queue: list[tuple[tuple[int, int, int], str]] = []
        self._later: list[tuple[int, str]] = []
        self._refused: set[tuple[object, ...]] = set()
        self._arrivals = 0
        self._chosen = False
        self._open(snapshot)

    def _open(self, snapshot: Snapshot) -> None:
        source = snapshot.part(ElasticQuotaState)
        self._presumed = not source.nodes
        if self._presumed:
            node = _presumed_node(source)
            source = replace(source, nodes={node.name: node})
        self._source = source
        self._state: State | None = None

    @property
    def state(self) -> State:
        """The state now."""
        if self._state is None:
            pods = tuple(self._pods[unit] for unit in sorted(self._pods))
            self._state = state_of(replace(self._source, pods=pods))
        return self._state

    def _change(self) -> None:
        """Pods, quotas or nodes have changed."""
        self._state = None
        self._refused.clear()

    # --- what comes and goes

    def submit(self, job: TracedJob, now: int) -> Submitted:
        """A job arrives: all its pods wait."""
        units = []
        for new in pods_of(job, self._source):
            units.append(new.pod.uid)
            self._new[new.pod.uid] = new
            self._wait(new, now)
        return Submitted(units, job.namespace)

    def _wait(self, new: NewPod, now: int) -> None:
        self._arrivals += 1
        order = (-new.pod.priority, now, self._arrivals)
        self._waiting[new.pod.uid] = QueuedPod(new, order, ready=now, due=now)
        heappush(self._queue, (order, new.pod.uid))

    def finish(self, unit: str, now: int) -> None:
        """A pod has ended."""
        del self._pods[unit], self._new[unit]
        self._change()
        self._move(now)

    def _move(self, now: int) -> None:
        """Pods that found no place are tried again once their backoff is over."""
        for unit, queued in self._waiting.items():
            if queued.due is None:
                queued.due = max(now, queued.ready)
                if queued.due <= now:
                    heappush(self._queue, (queued.order, unit))
                else:
                    heappush(self._later, (queued.due, unit))

    def change(self, snapshot: Snapshot, now: int) -> None:
        """Quotas and nodes are those of another snapshot; pods stay where they are, unless their node is gone."""
        self._open(snapshot)
        if self._presumed:
            node = next(iter(self._source.nodes))
            self._pods = {unit: replace(pod, node=node) if pod.node else pod for unit, pod in self._pods.items()}
        self._change()
        self._move(now)

    # --- cycles

    def wakes(self) -> int | None:
        """When the next backoff is over, or the next victim is gone."""
        moments = [heap[0][0] for heap in (self._later, self._leaving) if heap]
        return min(moments, default=None)

    def run(self, now: int) -> Moves:
        """The cycle of the first pod that is due."""
        self.advance(now)
        while self._queue:
            _, unit = heappop(self._queue)
            queued = self._waiting.get(unit)
            if queued is None or queued.due is None or queued.due > now:
                continue
            return self._cycle(unit, queued, now)
        return Moves()

    def advance(self, now: int) -> None:
        """Does what time alone does up to ``now``: victims leave, backoffs end."""
        while self._leaving and self._leaving[0][0] <= now:
            _, unit = heappop(self._leaving)
            self._pods.pop(f"leaving/{unit}", None)
            self._change()
            self._move(now)
        while self._later and self._later[0][0] <= now:
            _, unit = heappop(self._later)
            if unit in self._waiting and self._waiting[unit].due is not None:
                heappush(self._queue, (self._waiting[unit].order, unit))

    def _cycle(self, unit: str, queued: QueuedPod, now: int) -> Moves:
        nominated = self._pods.get(unit)
        if nominated is None and queued.new.shape in self._refused:
            self._fail(queued, now)
            return Moves(settled=not self._queue)
        pod = queued.new.pod if nominated is None else nominated
        attempt = schedule(self.state, pod, queued.new.demand)
        if attempt.course is CycleEnd.SCHEDULABLE:
            self._chosen = self._chosen or (len(attempt.feasible) > 1 and not pod.nominated)
            self._place(unit, pod, attempt.feasible[0], now)
            return Moves((unit,), (), 1, 1, settled=False)
        if attempt.course is CycleEnd.PREEMPT and attempt.choice is not None:
            node = attempt.choice.nodes[0]
            self._chosen = self._chosen or len(attempt.choice.nodes) > 1
            fates = [(fate.taken.pod, Law(fate.taken.law)) for fate in attempt.trials[node].victims]
            stopped = [Stopped(victim.uid, unit, self._say.rule(law)) for victim, law in fates]
            for victim, _ in fates:
                self._preempt(victim, now)
            self._pods[unit] = replace(pod, nominated=node)
            self._fail(queued, now)
            self._change()
            if not self._stopping:
                self._move(now)
            return Moves((), stopped, 1, 1, settled=False)
        if nominated is None:
            self._refused.add(queued.new.shape)
        self._fail(queued, now)
        return Moves((), (), 1, 1, settled=False)

    def _fail(self, queued: QueuedPod, now: int) -> None:
        """Lets a pod wait out its backoff, and then for a change."""
        queued.due = None
        queued.ready = now + min(_SECOND << min(queued.attempts, 10), _LONGEST)
        queued.attempts += 1

    def _place(self, unit: str, pod: Pod, node: str, now: int) -> None:
        self._pods[unit] = replace(pod, node=node, nominated="", started=now, running=True)
        del self._waiting[unit]
        self._change()

    def _preempt(self, victim: Pod, now: int) -> None:
        """A victim leaves, at once or once it has stopped; its job makes another pod of the same name."""
        unit = victim.uid
        self._pods.pop(unit)
        if self._stopping:
            key = ObjectKey("", "Pod", victim.namespace, f"{victim.key.name}.leaving")
            gone = replace(victim, key=key, uid=f"leaving/{unit}", terminating=True)
            self._pods[gone.uid] = gone
            heappush(self._leaving, (now + self._stopping, unit))
        self._wait(self._new[unit], now)

    # --- what is asked in between

    @property
    def fidelity(self) -> Fidelity:
        """What is not modelled: which of several nodes a pod gets; without nodes, whether it gets one."""
        found = state_gaps(self.state)
        gaps = [Gap("NodeScores", (), touches=True)] if self._chosen else []
        gaps += [Gap("NoNodes", (), touches=True)] if self._presumed else []
        return replace(found, gaps=(*found.gaps, *gaps))

    @property
    def notes(self) -> Sequence[str]:
        """What is assumed."""
        return tuple(map(self._say.assumption, Assumption))

    def holding(self, unit: str) -> HeldNow:
        """What a pod adds to its namespace."""
        pod = self._pods[unit]
        return HeldNow(pod.namespace, _amounts(pod.charge))

    def used(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """What each namespace with a quota holds."""
        ledger = self.state.ledger
        return {name: _amounts(ledger.used(name)) for name in sorted(self._source.quotas)}

    def entitled(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """The min of each namespace."""
        return {name: _amounts(quota.least) for name, quota in sorted(self._source.quotas.items())}

    def waiting(self) -> Mapping[str, int]:
        """The number of pods that wait in each namespace."""
        found = dict.fromkeys(sorted(self._source.quotas), 0)
        for queued in self._waiting.values():
            found[queued.new.pod.namespace] = found.get(queued.new.pod.namespace, 0) + 1
        return found

    def standings(self, now: int) -> Mapping[str, float | None]:  # noqa: ARG002 -- quotas have no shares
        """No numbers: quotas are not compared by shares."""
        return {}

    def users(self, now: int) -> Mapping[str, UserStanding]:  # noqa: ARG002 -- none is compared
        """None: users within queues are not compared."""
        return {}


def _amounts(vector: Vector) -> dict[PoolResource, int]:
    return {("", r): amount for r in vector.listed() if is_held(r) and (amount := vector.of(r))}


def _presumed_node(source: ElasticQuotaState) -> Node:
    """A node on which everything fits."""
    named = {r for quota in source.quotas.values() for r in (*quota.written_min, *quota.written_max) if is_held(r)}
    amounts = dict.fromkeys((*FIXED, *named), _LARGE)
    return Node(ObjectKey("", "Node", "", "presumed"), {}, (), False, vector_from(amounts))
