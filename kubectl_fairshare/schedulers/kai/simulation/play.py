"""The cycles of a simulation: jobs arrive, are placed, evict others, and end.

States are values; a ``SimulationRun`` holds the current one. A cycle opens a session, which fixes the fair shares,
allocates what is idle in the order of the queues, then lets jobs reclaim.
Example: two queues have a fair share of 4 each, and one places 4 in a cycle. Its share stays 4 to the end of the
session, whatever has been placed meanwhile.
Source: ``runOnce`` in https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/scheduler.go.
Tested in ``tests/unit/schedulers/kai/simulation/test_simulation.py``.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.model.amounts import minus, plus
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import (
    Charge,
    GpuKind,
    GpuRequest,
    KaiState,
    Phase,
    Pod,
    PodGroup,
    Rank,
    Resources,
)
from kubectl_fairshare.schedulers.kai.model.scenario import Backlog
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction, evictions
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import asker_of, can_reclaim, candidates, takes
from kubectl_fairshare.schedulers.kai.session.gangs import GangPod
from kubectl_fairshare.schedulers.kai.session.gates import gate
from kubectl_fairshare.schedulers.kai.session.job_order import QueueWalk, victims_in_order
from kubectl_fairshare.schedulers.kai.session.jobs import Job, job_of
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session, reopen


class _Running(Value):
    """A job of the simulation: its group and pods, and for how long it has run complete."""

    group: PodGroup
    pods: list[Pod]
    duration: int | None
    ran: int = 0


class SimulationRun:
    """A simulation in progress. ``session`` is that of the last cycle, with its placements."""

    def __init__(self, state: KaiState, backlogs: Sequence[Backlog]) -> None:
        self._coming = sorted(_jobs(backlogs), key=lambda job: (job[0], job[1].group.key))
        self._jobs: dict[str, _Running] = {}
        self.session: Session = open_session(state)
        self._known: dict[str, Job] = {}
        self._free = self._room()

    def cycle(self, number: int, usage: Mapping[str, Resources]) -> None:
        """One cycle, with the past usage of each queue."""
        self._advance(number)
        jobs = {name: self._known.get(name) or self._job(running) for name, running in sorted(self._jobs.items())}
        self.session = reopen(self.session, jobs, usage, number)
        self._free = self._room()
        self._allocate()
        self._reclaim()

    def picture(self) -> Hashable:
        """All that decides about later cycles besides past usage; None while jobs are still to come.

        Two moments with the same picture and the same past usage have the same future. Which job runs is part of it,
        and for how long yet a minimum runtime protects it.
        """
        if self._coming:
            return None
        return tuple((name, self._of_job(job)) for name, job in sorted(self._jobs.items()))

    def _of_job(self, job: _Running) -> Hashable:
        places = tuple(pod.node if pod.phase is Phase.RUNNING else None for pod in job.pods)
        start, now = job.group.last_start, self.session.now
        protection = 0 if start is None or now is None else start + self.session.shard.reclaim_min_runtime - now
        return places, 0 if job.duration is None else job.ran, max(protection, 0)

    def _advance(self, number: int) -> None:
        """Ends jobs whose duration is over, and adds jobs whose start has come."""
        for name, job in list(self._jobs.items()):
            if sum(pod.phase is Phase.RUNNING for pod in job.pods) >= (job.group.min_member or 1):
                job.ran += 1
            if job.duration is not None and job.ran >= job.duration:
                del self._jobs[name]
                self._known.pop(name, None)
        while self._coming and self._coming[0][0] <= number:
            _, job = self._coming.pop(0)
            self._jobs[job.group.name] = job

    def _waiting(self) -> list[Job]:
        """The waiting jobs. Equal jobs of a queue: only as many as the cluster could hold."""
        counts: dict[tuple[str, float, int], int] = {}
        found = []
        total = self.session.totals.total.gpu
        waiting = (job for job in self.session.jobs.values() if job.pending and job.ready)
        for job in sorted(waiting, key=lambda job: job.order):
            key = job.queue, job.request.gpu, job.order[1]
            counts[key] = counts.get(key, 0) + 1
            if job.request.gpu <= 0 or (counts[key] - 1) * job.request.gpu <= total:
                found.append(job)
        return found

    def _allocate(self) -> None:
        """Places jobs in the order of their queues while their pods fit."""
        walk = QueueWalk(self.session, self._waiting())
        for job in walk:
            current = self.session.jobs[job.name]
            chain = self.session.chain(current.queue)
            if gate(chain, current.asked, preemptible=current.preemptible) is not None:
                continue
            places = self._places(current.next)
            if places is None:
                continue
            self._move(current, places)
            walk.session = self.session
            after = self.session.jobs[job.name]
            if after.pending:
                walk.push(after)

    def _reclaim(self) -> None:
        """Lets waiting jobs reclaim; after a failure, a queue tries no other job with as large a request."""
        failed: dict[str, float] = {}
        walk = QueueWalk(self.session, self._waiting())
        for job in walk:
            current = self.session.jobs[job.name]
            asker = asker_of(current)
            if not can_reclaim(self.session, asker) or asker.request.gpu >= failed.get(job.queue, float("inf")):
                continue
            taken = self._victims(current)
            if taken is None:
                failed[job.queue] = asker.request.gpu
                continue
            for eviction in taken:
                self._evict(eviction)
            places = self._places(current.next)
            if places is not None:
                self._move(current, places)
            walk.session = self.session

    def _victims(self, job: Job) -> list[Eviction] | None:
        """The first evictions in order that make the job's pods fit and are fair; None without any."""
        asker = asker_of(job)
        order = victims_in_order(self.session, list(candidates(self.session, asker))).value
        free = dict(self._free)
        taken: list[Eviction] = []
        losses: dict[str, list[GangPod]] = {}
        for eviction in evictions(order):
            taken.append(eviction)
            losses.setdefault(eviction.job.name, []).extend(eviction.tasks)
            for task in eviction.tasks:
                free[task.pod.node] += task.accepted.gpu
            if _nodes_for(free, job.next) is not None:
                minimum, verdict = takes(self.session, asker, losses)
                if minimum and verdict.allowed:
                    return taken
        return None

    def _room(self) -> dict[str, float]:
        """The idle amount on each node."""
        free = {name: node.allocatable.gpu for name, node in self.session.nodes.items()}
        for job in self.session.jobs.values():
            for task in job.active:
                free[task.pod.node] -= task.accepted.gpu
        return free

    def _places(self, tasks: Sequence[GangPod]) -> dict[str, str] | None:
        return _nodes_for(self._free, tasks)

    def _move(self, job: Job, places: Mapping[str, str]) -> None:
        """Starts pods on their nodes."""
        running = self._jobs[job.name]
        if not job.active:
            running.group = replace(running.group, last_start=self.session.now)
            running.ran = 0
        for i, pod in enumerate(running.pods):
            node = places.get(pod.key.name)
            if node is not None:
                running.pods[i] = _at(pod, Phase.RUNNING, node)
                self._free[node] -= pod.request.gpu
        self._rebuild(job)

    def _evict(self, eviction: Eviction) -> None:
        """Evicts pods; they wait again."""
        names = {task.name for task in eviction.tasks}
        for task in eviction.tasks:
            self._free[task.pod.node] += task.accepted.gpu
        running = self._jobs[eviction.job.name]
        running.pods = [_at(pod, Phase.PENDING, "") if pod.key.name in names else pod for pod in running.pods]
        self._rebuild(eviction.job)

    def _rebuild(self, job: Job) -> None:
        """The session with the job as it is now, and the holdings of its queues."""
        session, running = self.session, self._jobs[job.name]
        now = self._job(running)
        change = minus(_holding(now), _holding(session.jobs[job.name]))
        standings = dict(session.standings)
        for above in session.chain(job.queue):
            standing = standings[above.queue.name]
            fixed = standing.non_preemptible if job.preemptible else plus(standing.non_preemptible, change)
            held = plus(standing.allocated, change)
            standings[above.queue.name] = replace(standing, allocated=held, non_preemptible=fixed)
        self.session = replace(session, jobs={**session.jobs, job.name: now}, standings=standings)

    def _job(self, running: _Running) -> Job:
        session = self.session
        found = job_of(running.group, running.pods, True, session.state, session.nodes, session.memories)
        self._known[found.name] = found
        return found


def _holding(job: Job) -> Resources:
    total = Resources(0.0, 0.0, 0.0)
    for task in job.active:
        total = plus(total, task.accepted.total)
    return total


def _nodes_for(free: Mapping[str, float], tasks: Iterable[GangPod]) -> dict[str, str] | None:
    """A node for each pod, the fullest that has room; None if a pod finds none."""
    left, found = dict(free), {}
    for task in tasks:
        wanted = task.pod.request.gpu
        fitting = [(room, name) for name, room in left.items() if room >= wanted]
        if not fitting:
            return None
        _, name = min(fitting)
        left[name] -= wanted
        found[task.name] = name
    return found


def _at(pod: Pod, phase: Phase, node: str) -> Pod:
    return replace(pod, phase=phase, node=node)


def _jobs(backlogs: Sequence[Backlog]) -> Iterable[tuple[int, _Running]]:
    """All jobs with the cycle of their start, those of a queue in order."""
    for place, backlog in enumerate(backlogs):
        for number in range(backlog.jobs):
            name = f"{backlog.queue}-{place:02}-{number:05}"
            group = PodGroup(
                ObjectKey(QUEUE_GROUP, "PodGroup", "simulation", name),
                backlog.queue,
                created=backlog.start * 10**6 + number,
                min_member=backlog.minimum,
                preemptible=backlog.preemptible,
            )
            pods = [_pod(name, i, backlog.gpus) for i in range(backlog.pods)]
            yield backlog.start, _Running(group, pods, backlog.duration)


def _pod(group: str, number: int, gpus: float) -> Pod:
    name = f"{group}-{number:04}"
    whole = gpus >= 1
    gpu = GpuRequest(GpuKind.WHOLE if whole else GpuKind.FRACTION, int(gpus) if whole else 1, min(gpus, 1.0), 0)
    rank = Rank(True, True, 2, 0, 0, name)
    key = ObjectKey("", "Pod", "simulation", name)
    return Pod(key, name, group, "", "", Phase.PENDING, Charge(0.0, 0.0, gpus), gpu, rank)
