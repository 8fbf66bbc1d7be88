"""The work of a snapshot as a simulation begins with it: who holds quota, who waits, who backs off.

Kueue's manager keeps in memory which workloads it has set aside, and no object says so: here all that wait are tried
at once, as after a start of the manager.
Example: a workload was refused an hour ago and is set aside. After a start of the manager it is tried once more, and so
it is here; only if something has been released since does that make a difference.
Source: https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/queue/manager.go, where ``AddLocalQueue`` adds
all pending Workloads to the heap; "simulation" in ``docs/laws.md``.
Tested in ``tests/unit/policy/forecast/test_plays.py``.
"""

from collections.abc import Iterator
from heapq import heappush
from itertools import count

from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.cycle.equivalence import Equivalence
from kubectl_fairshare.schedulers.kueue.cycle.lines import QueuedWorkload, queued_workload
from kubectl_fairshare.schedulers.kueue.cycle.motion.roster import Roster, Running
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.pending import pending_of
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_APART = 1 << 32
"""Shapes of a snapshot's work have numbers from here on, in both directions: those of later jobs are below."""


class StandingWork(Value, frozen=True):
    """What a snapshot holds. ``running`` hold quota, ``leaving`` hold it until the pods of an eviction are gone.

    ``waiting`` are eligible at once, ``backing_off`` from a moment on. ``first`` are the names of those for which
    others were preempted last.
    """

    running: tuple[Running, ...]
    leaving: tuple[Running, ...]
    waiting: tuple[QueuedWorkload, ...]
    backing_off: tuple[tuple[int, QueuedWorkload], ...]
    first: frozenset[str]

    @property
    def holders(self) -> tuple[Holder, ...]:
        """All that hold quota."""
        return tuple(each.holder for each in (*self.running, *self.leaving))

    def pending(self) -> Iterator[Pending]:
        """All that wait, now or later."""
        yield from (each.workload for each in self.waiting)
        yield from (each.workload for _, each in self.backing_off)


def standing_work(state: State, now: int) -> StandingWork:
    """The work of the state's snapshot at a moment. Raises ``FairshareError`` for a Workload that cannot be read."""
    kueue = state.snapshot.part(KueueState)
    lines = _Lines(state)
    running = [_running(state, holder, lines, now) for holder in kueue.holders]
    waiting, later = [], []
    for workload in kueue.pending:
        ends = [block.until for block in workload.blocks if block.until is not None]
        each = lines.queued(replace(workload, blocks=tuple(b for b in workload.blocks if b.until is None)))
        if max(ends, default=now) > now:
            later.append((max(ends), each))
        else:
            waiting.append(each)
    return StandingWork(
        tuple(each for each in running if not each.holder.evicted),
        tuple(each for each in running if each.holder.evicted),
        tuple(waiting),
        tuple(later),
        frozenset(workload.name for workload in kueue.pending if workload.preempting),
    )


def take_over(roster: Roster, work: StandingWork, until: int) -> None:
    """Lets the work of a snapshot run and wait; what is being evicted holds its quota ``until`` a moment."""
    roster.running.update((each.holder.name, each) for each in work.running)
    for each in work.leaving:
        heappush(roster.leaving, (until, each.holder.name, each))
    for moment, later in work.backing_off:
        heappush(roster.backing_off, (moment, later.workload.name, later))
    for waiting in work.waiting:
        if roster.wait(waiting) and waiting.workload.name in work.first:
            roster.lines[roster.state.cluster_queue_of(waiting.workload)].put_first(waiting)


class _Lines:
    """Numbers shapes and arrivals. A workload without a UID gets its name for one: nominations are known by it."""

    def __init__(self, state: State) -> None:
        self._equivalence = Equivalence(state)
        self._arrivals = count()

    def queued(self, workload: Pending) -> QueuedWorkload:
        """The workload as it waits."""
        number = self._equivalence.number(workload)
        apart = number + _APART if number >= 0 else number - _APART
        named = workload if workload.uid else replace(workload, uid=workload.name)
        return queued_workload(named, apart, next(self._arrivals))


def _running(state: State, holder: Holder, lines: _Lines, now: int) -> Running:
    """A workload that holds quota, and how it queues again after an eviction."""
    snapshot = state.snapshot
    again = pending_of(snapshot.manifests[holder.key], snapshot.part(Context))
    if not holder.evicted:  # what its status says of earlier waiting is over
        again = replace(again, blocks=())
    named = holder if holder.uid else replace(holder, uid=holder.name)
    return Running(named, lines.queued(replace(again, uid=named.uid)), min(_since(state, holder, now), now))


def _since(state: State, holder: Holder, now: int) -> int:
    """When a workload began to run: once it was admitted, which is at once where its queue has no checks."""
    if holder.admitted is not None:
        return holder.admitted
    queue = state.kueue.cluster_queues.get(holder.cluster_queue)
    return now if queue is None or queue.checks else holder.reserved
