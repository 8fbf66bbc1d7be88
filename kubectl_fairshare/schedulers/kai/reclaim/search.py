"""The search for victims: pods are added in victim order until the set makes room, opens the gates and is fair.

Problem: KAI's solver tries sets of victims, each simulated on the nodes, until one passes or its time is over.
Counter-example to the first set that makes room: the victims of another department alone are not fair, but together
with those of the reclaimer's own department they are. Decision: victims that no strategy allows are left out, and the
set grows until it passes; before the whole set, its victims on one node are tried, as in KAI. Limit: the nodes of the
pods are not decided, and after ``_MOST`` sets the search ends.
Source: ``solve`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/actions/common/solvers/by_pod_solver.go, of which
``solver/`` here is the whole; "kai reclaim" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kai/explain/test_planning.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kai.model.amounts import minus
from kubectl_fairshare.schedulers.kai.model.objects import Allocated, Requested
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction, sequence
from kubectl_fairshare.schedulers.kai.reclaim.min_runtime import protected
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import asker_of, takes
from kubectl_fairshare.schedulers.kai.reclaim.strategies import allowing_strategies, compared_queues
from kubectl_fairshare.schedulers.kai.reclaim.validator import FairnessVerdict
from kubectl_fairshare.schedulers.kai.session.gangs import GangPod
from kubectl_fairshare.schedulers.kai.session.gates import gate
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.room import IdleRoom, Space
from kubectl_fairshare.schedulers.kai.session.session import Session

_MOST: Final = 100
Losses = Mapping[str, Sequence[GangPod]]


class SearchEnd(Value, frozen=True):
    """The end of a search. ``verdict`` and ``losses`` are about ``taken``, otherwise about the first set with room.

    ``left_out`` are the jobs that no strategy allows, in victim order.
    """

    taken: tuple[Eviction, ...] = ()
    verdict: FairnessVerdict | None = None
    losses: Losses = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    @property
    def enough(self) -> bool:
        """Whether a set made enough room."""
        return self.verdict is not None


class VictimSearch:
    """A search for ``job``, which starts from what is idle."""

    def __init__(self, session: Session, job: Job, room: IdleRoom) -> None:
        self.session, self.job, self.room = session, job, room
        self.asker, self.chain = asker_of(job), session.chain(job.queue)
        self.held: dict[str, Allocated] = {}
        self.space = self._space()

    def _space(self) -> Space:
        return Space(self.session, self.room, self.job.next, self.job.request.total)

    def through(self, order: Sequence[Job], *, in_turns: bool = False) -> SearchEnd:
        """The first set that passes, in victim order: job by job, or ``in_turns`` a few pods of each."""
        taken: list[Eviction] = []
        left_out: dict[str, None] = {}
        first, tries = SearchEnd(), 0
        for eviction in self._allowed_evictions(sequence(order, in_turns=in_turns), left_out):
            taken.append(eviction)
            # Room before fairness, as KAI simulates before it validates.
            if not (self.space.enough and self._open(self.held)):
                continue
            for some in self._sets(taken):
                found = self._judge(some)
                if found.taken:
                    return replace(found, left_out=tuple(left_out))
                # The first set with room says why none was fair.
                first, tries = (first if first.enough else found), tries + 1
            if tries >= _MOST:
                break
        return replace(first, left_out=tuple(left_out))

    def _allowed_evictions(self, all_: Iterable[Eviction], left_out: dict[str, None]) -> Iterator[Eviction]:
        """The evictions that a strategy allows at their turn; after the first that none allows, its job is left out."""
        for eviction in all_:
            job = eviction.job
            if job.name in left_out:
                continue
            safe = not eviction.surplus and job.elastic and protected(self.session, self.job.queue, job)
            if safe or not self._is_allowed(job):
                left_out[job.name] = None
                continue
            take(self.session, eviction, self.held)
            self.space.free(eviction.tasks)
            yield eviction

    def _is_allowed(self, job: Job) -> bool:
        pair = compared_queues(self.chain, self.session.chain(job.queue))
        assert pair is not None
        held = self.held.get(pair[1].queue.name, pair[1].allocated)
        return any(allowing_strategies(pair, Requested(self.asker.request.total), held))

    def _sets(self, taken: Sequence[Eviction]) -> Iterator[tuple[Eviction, ...]]:
        """The sets with room that the last eviction makes possible: first its victims on one node, then all."""
        for node in sorted({task.pod.node for task in taken[-1].tasks}):
            some = tuple(e for e in taken if any(task.pod.node == node for task in e.tasks))
            if len(some) < len(taken) and self._enough(some):
                yield some
        yield tuple(taken)

    def _enough(self, some: Sequence[Eviction]) -> bool:
        """Whether there is room without these pods, and the gates are open."""
        space, held = self._space(), dict[str, Allocated]()
        for eviction in some:
            space.free(eviction.tasks)
            take(self.session, eviction, held)
        return space.enough and self._open(held)

    def _open(self, held: Mapping[str, Allocated]) -> bool:
        now = [replace(known, allocated=held.get(known.queue.name, known.allocated)) for known in self.chain]
        return gate(now, self.job.asked, preemptible=self.job.preemptible) is None

    def _judge(self, some: tuple[Eviction, ...]) -> SearchEnd:
        losses: dict[str, list[GangPod]] = {}
        for eviction in some:
            losses.setdefault(eviction.job.name, []).extend(eviction.tasks)
        ordered = {name: _ordered(self.session.jobs[name], tasks) for name, tasks in losses.items()}
        minimum, verdict = takes(self.session, self.asker, ordered)
        return SearchEnd(some if minimum and verdict.allowed else (), verdict, ordered)


def take(session: Session, eviction: Eviction, held: dict[str, Allocated]) -> None:
    """Subtracts the evicted pods from what the queues above hold."""
    for standing in session.chain(eviction.job.queue):
        name = standing.queue.name
        for task in eviction.tasks:
            held[name] = minus(held.get(name, standing.allocated), task.accepted.total)


def _ordered(job: Job, lost: Sequence[GangPod]) -> list[GangPod]:
    """The pods that a job loses, in its own order."""
    names = {task.name for task in lost}
    return [task for task in job.tasks if task.name in names]
