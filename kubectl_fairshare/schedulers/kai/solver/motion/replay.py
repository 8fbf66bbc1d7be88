"""KAI's decisions over time: sessions on a state that jobs enter and leave, each with the actions of ``cycle``.

A session runs when something has changed, at most once in a second, which is KAI's own period. Pods that it binds run
at once, pods that it evicts leave and wait again.
Example: two jobs come within one second. One session decides both, in the order of their queues and not in that of
their arrival.
Source: ``Run`` in https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/scheduler.go; "simulation" in
``docs/laws.md``.
Tested in ``tests/unit/policy/simulation/test_sessions.py``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from heapq import heappop, heappush
from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity, Gap, merged_fidelity, unread_gaps
from kubectl_fairshare.answers.simulation import PoolResource
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.gaps import fidelity_of, placing_gaps, reference_gaps
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, KaiState, Phase, Pod, Queue
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.kai.solver.motion.jobs import SubmittedJob, refusal, submitted_job
from kubectl_fairshare.schedulers.kai.solver.moves import NO_MOVES, PodMoves, after_moves, pod_moves
from kubectl_fairshare.schedulers.kai.solver.predicates import UnmodelledError
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

_PERIOD: Final = 10**9
_NAMES: Final = {"cpu": "cpu", "memory": "memory", "gpu": "nvidia.com/gpu"}


class Assumption(StrEnum):
    """What a simulation takes for granted."""

    PODS = "pods"
    SESSIONS = "sessions"
    USAGE = "usage"
    OTHERS = "others"


class Sayings(Value, frozen=True):
    """How facts are put in words: an assumption, and the rule of an eviction, by the action."""

    assumption: Callable[[Assumption], str]
    rule: Callable[[str], str]


class KaiReplay:
    """KAI on a state in motion. A unit is a job, which runs while at least its minimum of pods does."""

    def __init__(self, snapshot: Snapshot, terms: ReplayTerms, say: Sayings) -> None:
        self._say = say
        self._stopping = terms.stopping
        self.state = snapshot.part(KaiState)
        self._jobs: dict[str, SubmittedJob] = {}
        self._units: dict[str, str] = {}
        self._running: set[str] = set()
        self._leaving: list[tuple[int, ObjectKey]] = []
        self._left = 0
        self._due: int | None = None
        self._last: int | None = None
        self._varied = self._few = self._lost = False
        self._below: dict[str, int] = {}
        self._stale: dict[str, None] = {}
        self._seen = FiguresSeen()
        self._assumed = [Assumption.PODS, Assumption.SESSIONS, Assumption.USAGE]

    # --- what comes and goes

    def submit(self, job: TracedJob, now: int) -> Submitted:
        """A job arrives; its queue is known to KAI or not, which a later change may settle."""
        made = submitted_job(job, self.state, now)
        self._jobs[job.key] = made
        self._units[made.submission.group.name] = job.key
        group, pods = made.submission.group, made.submission.pods
        self.state = replace(self.state, pod_groups=(*self.state.pod_groups, group), pods=(*self.state.pods, *pods))
        self._wish(now)
        refused = refusal(self.state, group)
        return Submitted((job.key,), job.queue if job.queue in self.state.queues else "", refused)

    def adopt(self, jobs: Mapping[str, SubmittedJob], now: int) -> None:
        """Takes over the PodGroups of the state, by unit. Pods that are bound run; those of no PodGroup run on."""
        self._jobs = dict(jobs)
        self._units = {made.submission.group.name: unit for unit, made in jobs.items()}
        self.state = replace(self.state, pods=tuple(map(_run_at_once, self.state.pods)))
        for pod in self.state.pods:
            if pod.phase is Phase.RELEASING:
                heappush(self._leaving, (now + self._stopping, pod.key))
        if any(pod.node and pod.group not in self._units for pod in self.state.pods):
            self._assumed.append(Assumption.OTHERS)
        self._turns(NO_MOVES, now)
        self._wish(now)

    def _wish(self, now: int) -> None:
        """Something has changed: a session runs as soon as the period allows it."""
        due = now if self._last is None else max(now, self._last + _PERIOD)
        self._due = due if self._due is None else min(self._due, due)

    def finish(self, unit: str, now: int) -> None:
        """A job has ended, with all its pods."""
        name = self._jobs.pop(unit).submission.group.name
        del self._units[name]
        self._running.discard(unit)
        self._below.pop(unit, None)
        self.state = replace(
            self.state,
            pod_groups=tuple(group for group in self.state.pod_groups if group.name != name),
            pods=tuple(pod for pod in self.state.pods if pod.group != name),
        )
        self._wish(now)

    def change(self, snapshot: Snapshot, now: int) -> None:
        """Queues and nodes are those of another snapshot; jobs stay. The outcome of those on lost nodes is open."""
        found = snapshot.part(KaiState)
        groups, names = self.state.pod_groups, set(self._units)
        pods = [pod for pod in self.state.pods if pod.group in names]
        self._lost = self._lost or not {pod.node for pod in pods if pod.node} <= {node.name for node in found.nodes}
        self.state = replace(found, pod_groups=(*found.pod_groups, *groups), pods=(*found.pods, *pods))
        self._wish(now)

    # --- sessions

    def wakes(self) -> int | None:
        """When the next session is due, or evicted pods are gone."""
        moments = [self._due, self._leaving[0][0] if self._leaving else None]
        return min((moment for moment in moments if moment is not None), default=None)

    def run(self, now: int) -> Moves:
        """The session that is due. Raises ``FairshareError`` where the actions of KAI are not decided."""
        self._let_go(now)
        self._note_stale(now)
        if self._due is None or self._due > now:
            return Moves()
        self._due, self._last = None, now
        if not any(pod.phase is Phase.PENDING for pod in self.state.pods):
            return Moves()
        self.state = replace(self.state, now=now)
        waiting = _pending_groups(self.state.pods)
        moves = NO_MOVES
        try:
            for session in self._sessions():
                moves = moves.plus(pod_moves(session, doubting=True))
        except UnmodelledError as error:
            message = f"where pods are placed cannot be decided: {error}"
            raise FairshareError(Problem(message, help="leave these jobs out")) from None
        self._varied = self._varied or moves.varies
        self._few = self._few or moves.few
        self._carry_out(moves, now)
        if moves.any:
            self._due = now + _PERIOD
        else:
            self._due = min(self._protected_until(now), default=None)
        started, stopped = self._turns(moves, now)
        self._note_stale(now)
        return Moves(started, stopped, 1, waiting, int(moves.varies))

    def _sessions(self) -> list[Session]:
        """The session of each shard that has jobs; of one shard in any case."""
        pools = {group.pool for group in self.state.pod_groups}
        every = self.state.every_shard
        return [open_session(self.state, each) for each in every if each.pool in pools] or [open_session(self.state)]

    def _protected_until(self, now: int) -> Iterator[int]:
        """The moments at which jobs that run have run for a minimum, and may be victims from then on."""
        spans = {
            span for each in self.state.every_shard for span in (each.preempt_min_runtime, each.reclaim_min_runtime)
        }
        for queue in self.state.queues.values():
            spans |= {span for span in (queue.preempt_min_runtime, queue.reclaim_min_runtime) if span}
        for group in self.state.pod_groups:
            if group.last_start is not None:
                yield from (end for span in spans if span and (end := group.last_start + span) > now)

    def _carry_out(self, moves: PodMoves, now: int) -> None:
        gone = {*moves.evicted, *moves.moved}
        leaving = [pod for pod in self.state.pods if pod.key in gone] if self._stopping else []
        self.state = after_moves(self.state, moves)
        for pod in leaving:
            self._left += 1
            key = pod.key._replace(name=f"{pod.key.name}.leaving-{self._left}")
            ghost = replace(pod, key=key, uid=f"{pod.uid}.leaving-{self._left}", phase=Phase.RELEASING)
            self.state = replace(self.state, pods=(*self.state.pods, ghost))
            heappush(self._leaving, (now + self._stopping, key))

    def _let_go(self, now: int) -> None:
        """Evicted pods whose time is over are gone."""
        while self._leaving and self._leaving[0][0] <= now:
            _, key = heappop(self._leaving)
            self.state = replace(self.state, pods=tuple(pod for pod in self.state.pods if pod.key != key))
            self._wish(now)

    def _note_stale(self, now: int) -> None:
        """Jobs that have run fewer pods than their minimum for so long that KAI evicts them: that is not played."""
        for unit, since in self._below.items():
            grace = self._grace(unit)
            if 0 <= grace <= now - since:
                self._stale[unit] = None

    def _grace(self, unit: str) -> int:
        """For how long a job may run fewer pods than its minimum; negative without a bound."""
        shard = self.state.shard_of(self._jobs[unit].submission.group.pool)
        return -1 if shard is None else shard.staleness

    def _turns(self, moves: PodMoves, now: int) -> tuple[list[str], list[Stopped]]:
        """The jobs that run at their minimum now and did not before, and the other way round."""
        counts: dict[str, int] = {}
        for pod in self.state.pods:
            if pod.phase is Phase.RUNNING:
                counts[pod.group] = counts.get(pod.group, 0) + 1
        runs = {u for name, u in self._units.items() if counts.get(name, 0) >= self._jobs[u].minimum}
        below = (u for name, u in self._units.items() if counts.get(name, 0) and u not in runs)
        self._below = {unit: self._below.get(unit, now) for unit in below}
        started, ended = sorted(runs - self._running), sorted(self._running - runs)
        self._running = runs
        by_group = {pod.group: pod.key for pod in self.state.pods if pod.key in moves.evictors}
        return started, [self._stopped(unit, moves, by_group) for unit in ended]

    def _stopped(self, unit: str, moves: PodMoves, by_group: Mapping[str, ObjectKey]) -> Stopped:
        pod = by_group.get(self._jobs[unit].submission.group.name)
        if pod is None:
            return Stopped(unit, "", "")
        by = moves.evictors[pod]
        return Stopped(unit, self._units.get(by, by), self._say.rule(moves.actions[pod]))

    # --- what is asked in between

    @property
    def fidelity(self) -> Fidelity:
        """What is not modelled; past usage stays as it was given."""
        sessions = self._sessions()
        undefined = any(session.undefined for session in sessions)
        gaps = [Gap("MapOrder", (), touches=True)] if self._varied or undefined else []
        if self._few and not gaps:
            gaps.append(Gap("FewMapOrders", (), touches=True))
        gaps += [LOST_NODES] if self._lost else []
        gaps += unread_gaps(self.state.unread, [RESOURCE_QUOTA[1]])
        stale = {**self._stale, **{unit: None for unit in self._below if self._grace(unit) >= 0}}
        gaps += [Gap("StaleGang", (), touches=True, subject=unit) for unit in stale]
        if self.state.usage or self.state.past is not None:
            gaps.append(Gap("UsageOverTime", (), touches=True))
        known = (fidelity_of(each, *placing_gaps(each), *reference_gaps(each), *gaps) for each in sessions)
        return merged_fidelity([*known])

    @property
    def notes(self) -> Sequence[str]:
        """What is assumed."""
        return tuple(map(self._say.assumption, self._assumed))

    @property
    def drawn(self) -> bool:
        """Never: a seed decides nothing."""
        return False

    def holding(self, unit: str) -> HeldNow:
        """What the running pods of a job hold of its queue."""
        made = self._jobs[unit]
        name = made.submission.group.name
        used: dict[PoolResource, int] = {}
        for pod in self.state.pods:
            if pod.group == name and pod.phase is Phase.RUNNING:
                _add(used, made.requests[pod.key])
        return HeldNow(made.submission.group.queue, used)

    def figures(self, now: int) -> Mapping[str, SampledQueue]:
        """What each queue without children holds and deserves, the jobs that wait in it, and its fair share in GPUs."""
        state = replace(self.state, now=now)
        sessions = (open_session(state, shard) for shard in state.every_shard)
        used, entitled, waiting = self._used(), self._entitled(), self._waiting()
        shares = {name: each.fair_share.gpu for session in sessions for name, each in session.standings.items()}
        return self._seen.changes(
            {
                name: SampledQueue(used.get(name, {}), entitled.get(name, {}), waiting.get(name, 0), shares.get(name))
                for name in sorted({*used, *entitled})
            }
        )

    def _used(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """What each queue without children holds."""
        found: dict[str, dict[PoolResource, int]] = {name: {} for name in self._leaves()}
        made = {job.submission.group.name: job for job in self._jobs.values()}
        for pod in self.state.pods:
            job = made.get(pod.group)
            if job is not None and pod.phase is Phase.RUNNING:
                _add(found.setdefault(job.submission.group.queue, {}), job.requests[pod.key])
        return found

    def _entitled(self) -> Mapping[str, Mapping[PoolResource, int]]:
        """The deserved quota of each queue without children, where it is bounded: parents would count it again."""
        return {
            name: {("", _NAMES[r]): int(queue.quota[i]) for i, r in enumerate(RESOURCES) if queue.quota[i] != UNLIMITED}
            for name, queue in self._leaves().items()
        }

    def _leaves(self) -> dict[str, Queue]:
        """The queues that are the parent of none, by name."""
        parents = {queue.parent for queue in self.state.queues.values()}
        return {name: queue for name, queue in sorted(self.state.queues.items()) if name not in parents}

    def _waiting(self) -> Mapping[str, int]:
        """The number of jobs that wait in each queue."""
        found = dict.fromkeys(sorted(self.state.queues), 0)
        for unit, made in self._jobs.items():
            if unit not in self._running:
                queue = made.submission.group.queue
                found[queue] = found.get(queue, 0) + 1
        return found

    def users(self, now: int) -> Mapping[str, UserStanding]:  # noqa: ARG002 -- none is compared
        """None: users within queues are not compared."""
        return {}


def _add(used: dict[PoolResource, int], requests: Mapping[str, int]) -> None:
    for resource, amount in requests.items():
        used["", resource] = used.get(("", resource), 0) + amount


def _run_at_once(pod: Pod) -> Pod:
    """A pod that is bound, or about to be, as one that runs."""
    return replace(pod, phase=Phase.RUNNING) if pod.node and pod.phase in {Phase.BINDING, Phase.BOUND} else pod


def _pending_groups(pods: Sequence[Pod]) -> int:
    """The number of PodGroups with pods that wait."""
    return len({pod.group for pod in pods if pod.phase is Phase.PENDING})
