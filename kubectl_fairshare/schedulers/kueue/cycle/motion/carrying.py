"""What a cycle decided is carried out: who is admitted, who is evicted, who is set aside.

Why eviction and release are two steps: a victim keeps its quota while its pods end, and the preemptor waits at the
front of its queue until then.
Source: ``admit``, ``issuePreemptions``, ``requeueAndUpdate`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.cycle.lines import QueuedWorkload, WaitingLine
from kubectl_fairshare.schedulers.kueue.cycle.motion.assumptions import Sayings
from kubectl_fairshare.schedulers.kueue.cycle.motion.roster import Roster, Running
from kubectl_fairshare.schedulers.kueue.cycle.motion.trees import TreeGroup
from kubectl_fairshare.schedulers.kueue.cycle.play import holder_of
from kubectl_fairshare.schedulers.kueue.laws import candidate_order
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.replay import Stopped

_SECOND: Final = 10**9


class CarriedOut:
    """One cycle that is carried out: who is admitted, who is evicted, who is set aside.

    ``endless``: a Workload was evicted a second time at this moment, so Workloads may evict each other without end.
    ``kept_first``: a Workload that others left for was not admitted, and stays the first of its queue.
    """

    def __init__(self, roster: Roster, group: TreeGroup, say: Sayings, now: int, stopping: int) -> None:
        self._roster = roster
        self._stopping = stopping
        self._group = group
        self._say = say
        self._now = now
        self.started: list[str] = []
        self.stopped: list[Stopped] = []
        self.arrived: list[Holder] = []
        self.left: list[Holder] = []
        self.admitted: list[tuple[str, Pending]] = []
        self.ties = 0
        self.endless = False
        self.kept_first = False

    def apply(self, entry: ProcessedHead, line: WaitingLine, head: QueuedWorkload) -> None:
        """Does what the cycle decided for one head."""
        scans, cycle = self._group.scans, self._group.cycles
        self.kept_first |= head is line.first and not _is_served(entry)
        if entry.status is HeadStatus.ASSUMED:
            self._admit(entry, line, head)
        elif entry.deferred:
            line.put_first(head)
        elif entry.preempts:
            line.put_first(head)
            self._evict(entry.targets, head)
        elif entry.status is HeadStatus.SKIPPED:
            scans.skip(entry.nomination, cycle)
        elif not (entry.nomination.goes_on and scans.go_on(entry.nomination, cycle)):
            line.reject(head, entry)

    def _admit(self, entry: ProcessedHead, line: WaitingLine, head: QueuedWorkload) -> None:
        self.ties += line.has_equal(head)
        self._roster.take(line, head)
        # Conditions have whole seconds, and the order of candidates compares these.
        holder = holder_of(head.workload, entry, self._now // _SECOND * _SECOND)
        holder.admitted = holder.reserved
        self._roster.running[holder.name] = Running(holder, head, self._now)
        self.arrived.append(holder)
        self.admitted.append((line.name, head.workload))
        self.started.append(holder.name)

    def _evict(self, targets: Sequence[Target], by: QueuedWorkload) -> None:
        leaving = {target.holder.uid for target in targets}
        # One that leaves already is a target again, and is not evicted twice.
        for target in (each for each in targets if not each.holder.evicted):
            unit = target.holder.name
            was = self._roster.running.pop(unit)
            order = candidate_order(target.holder)[:3]
            others = self._roster.state.holders.of(target.queue)
            self.ties += any(candidate_order(h)[:3] == order for h in others if h.uid not in leaving)
            self.endless |= self._group.evict(unit, self._now)
            self.left.append(target.holder)
            self.stopped.append(Stopped(unit, by.workload.name, self._say.rule(target.trial.law)))
            if self._stopping:
                self.arrived.append(self._roster.keep(was, self._now + self._stopping))
            else:
                self._roster.wait(was.waiting)


def _is_served(entry: ProcessedHead) -> bool:
    """Whether the head is admitted, or others leave for it."""
    return entry.status is HeadStatus.ASSUMED or entry.deferred or entry.preempts
