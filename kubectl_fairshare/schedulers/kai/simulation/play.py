"""The cycles of a simulation: jobs arrive, end, and in between KAI's own actions place and evict their pods.

A cycle is one session, with all its actions, on nodes that have GPUs alone. It is long enough for what is evicted to be
gone: pods for which others leave run at its end.
Example: two queues have a fair share of 4 each, and one places 4 in a cycle. Its share stays 4 to the end of the
session, whatever has been placed meanwhile.
Source: ``runOnce`` in https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/scheduler.go.
Tested in ``tests/unit/schedulers/kai/simulation/test_simulation.py``.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, replace
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
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.kai.solver.moves import after_moves, pod_moves


class _Coming(Value):
    """A job of the simulation: its group and pods, and for how many cycles it runs; None for ever."""

    start: int
    group: PodGroup
    pods: tuple[Pod, ...]
    duration: int | None


class SimulationRun:
    """A simulation in progress. ``session`` is that of the last cycle."""

    def __init__(self, state: KaiState, backlogs: Sequence[Backlog]) -> None:
        self._coming = sorted(_jobs(backlogs), key=lambda job: (job.start, job.group.key))
        self._durations: dict[str, int] = {}
        self._ran: dict[str, int] = {}
        self._state = state
        self._idle: Hashable = None
        self.session: Session = open_session(state)

    def cycle(self, number: int, usage: Mapping[str, Resources]) -> None:
        """One cycle, with the past usage of each queue."""
        self._advance()
        self._state = replace(self._state, now=number, usage=usage)
        self._arrive(number)
        self.session = open_session(self._state, before=self.session)
        if (deciding := self._deciding()) == self._idle:
            return
        moves = pod_moves(self.session, self._tried())
        self._idle = None if moves.any or moves.pipelined else deciding
        ran = {pod.group for pod in self._state.pods if pod.node}
        self._state = after_moves(self._state, moves.settled)
        started = {pod.group for pod in self._state.pods if pod.node} - ran
        self._ran |= dict.fromkeys(started, 0)
        groups = (replace(g, last_start=number) if g.name in started else g for g in self._state.pod_groups)
        self._state = replace(self._state, pod_groups=tuple(groups))

    def _tried(self) -> Collection[str]:
        """The jobs that may get something: of equal jobs that wait, no more than all nodes could hold."""
        counts = Counter[Hashable]()
        found = set()
        total = self.session.totals.total.gpu
        for job in sorted(self.session.jobs.values(), key=lambda job: job.order):
            alike = job.queue, job.request.gpu, job.group.min_member, job.group.preemptible
            if job.active or counts[alike] * job.request.gpu <= total:
                found.add(job.name)
            counts[alike] += not job.active
        return found

    def _deciding(self) -> Hashable:
        """All that a session decides by: as long as it stays, so does what KAI does, and nothing stays nothing."""
        shares = tuple((name, each.fair_share) for name, each in self.session.standings.items())
        spared = tuple((group.name, self._protected(group) > 0) for group in self._state.pod_groups)
        return shares, spared, self._places()

    @property
    def held(self) -> Mapping[str, float]:
        """The GPUs that each queue holds now, with the queues below it."""
        found = dict.fromkeys(self.session.standings, 0.0)
        queues = {group.name: group.queue for group in self._state.pod_groups}
        for pod in self._state.pods:
            if pod.node and (above := self.session.chain(queues[pod.group])):
                for each in above:
                    found[each.queue.name] += pod.request.gpu
        return found

    def picture(self) -> Hashable:
        """All that decides about later cycles besides past usage; None while jobs are still to come.

        Two moments with the same picture and the same past usage have the same future. Which job runs is part of it,
        and for how long yet a minimum runtime protects it.
        """
        if self._coming:
            return None
        return self._places(), tuple(map(self._of_group, self._state.pod_groups))

    def _places(self) -> Hashable:
        """The node and the shared GPUs of each pod."""
        numbers: dict[str, int] = {}  # each session makes names for shared GPUs anew
        return tuple(
            (pod.node, *(numbers.setdefault(name, len(numbers)) for name in pod.groups)) for pod in self._state.pods
        )

    def _of_group(self, group: PodGroup) -> Hashable:
        ran = self._ran.get(group.name, 0) if group.name in self._durations else 0
        return group.name, ran, self._protected(group)

    def _protected(self, group: PodGroup) -> int:
        """For how many cycles a minimum runtime protects the job yet."""
        if group.last_start is None or self._state.now is None:
            return 0
        return max(group.last_start + self.session.shard.reclaim_min_runtime - self._state.now, 0)

    def _advance(self) -> None:
        """Ends jobs that have run for as long as they do."""
        running = Counter(pod.group for pod in self._state.pods if pod.node)
        ended = set[str]()
        for group in self._state.pod_groups:
            if running[group.name] >= (group.min_member or 1):
                self._ran[group.name] = self._ran.get(group.name, 0) + 1
            if self._ran.get(group.name, 0) >= self._durations.get(group.name, self._ran.get(group.name, 0) + 1):
                ended.add(group.name)
        groups = tuple(group for group in self._state.pod_groups if group.name not in ended)
        pods = tuple(pod for pod in self._state.pods if pod.group not in ended)
        self._state = replace(self._state, pod_groups=groups, pods=pods)

    def _arrive(self, number: int) -> None:
        """Adds the jobs whose start has come."""
        groups, pods = list(self._state.pod_groups), list(self._state.pods)
        while self._coming and self._coming[0].start <= number:
            job = self._coming.pop(0)
            groups.append(job.group)
            pods.extend(job.pods)
            if job.duration is not None:
                self._durations[job.group.name] = job.duration
        self._state = replace(self._state, pod_groups=tuple(groups), pods=tuple(pods))


def _jobs(backlogs: Sequence[Backlog]) -> Iterable[_Coming]:
    """All jobs, those of a queue in order."""
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
            pods = tuple(_pod(name, i, backlog.gpus) for i in range(backlog.pods))
            yield _Coming(backlog.start, group, pods, backlog.duration)


def _pod(group: str, number: int, gpus: float) -> Pod:
    name = f"{group}-{number:04}"
    whole = gpus >= 1
    gpu = GpuRequest(GpuKind.WHOLE if whole else GpuKind.FRACTION, int(gpus) if whole else 1, min(gpus, 1.0), 0)
    rank = Rank(True, True, 2, 0, 0, name)
    key = ObjectKey("", "Pod", "simulation", name)
    return Pod(key, name, group, "", "", Phase.PENDING, Charge(0.0, 0.0, gpus), gpu, rank)
