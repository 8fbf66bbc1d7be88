"""waitForPodsReady.blockAdmission over time: the scheduler stops within a cycle until all pods are ready.

Kueue processes the heads of a cycle one by one. Before it admits one, it waits until every workload that holds quota
has ready pods; meanwhile no head is processed, not even one that preempts. Then it goes on with what the cycle decided,
on the state before the wait. Up to 0.18.4 and in 0.19.0 and 0.19.1 second passes wait, too; they are not played here.
Example: heads a and b of one cycle both fit, and the pods of an earlier workload are not ready. Neither gets in until
they are, and then both do, without a new cycle.
Source: ``waitForPodsReadyIfNeeded`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go; "simulation" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_blocking.py``.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.cycle.lines import QueuedWorkload, WaitingLine
from kubectl_fairshare.schedulers.kueue.cycle.motion.carrying import CarriedOut
from kubectl_fairshare.schedulers.kueue.cycle.motion.readiness import Readiness
from kubectl_fairshare.schedulers.kueue.cycle.motion.roster import Roster
from kubectl_fairshare.schedulers.kueue.cycle.motion.trees import TreeGroup
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration

PODS: Final = "WaitForPodsReady"
"""Where pods are not known to be ready, and others would wait for them."""
_TREES: Final = "WaitForPodsReady.blockAdmission"


class DecidedHead(NamedTuple):
    """What a cycle decided for one head, which waits in a line."""

    entry: ProcessedHead
    line: WaitingLine
    head: QueuedWorkload

    @property
    def admits(self) -> bool:
        """Whether the head is admitted."""
        return self.entry.status is HeadStatus.ASSUMED

    @property
    def moves(self) -> bool:
        """Whether something starts or stops for the head."""
        return self.admits or self.entry.preempts


class StoppedCycle(NamedTuple):
    """A cycle that waits for pods: its group, and the heads that are still to be processed, in order."""

    group: TreeGroup
    left: Sequence[DecidedHead]

    def still_there(self, roster: Roster) -> list[DecidedHead]:
        """The heads of which all that they preempt still holds quota, or leaves already."""

        def holds(each: DecidedHead) -> bool:
            return all(t.holder.evicted or t.holder.name in roster.running for t in each.entry.targets)

        return [each for each in self.left if holds(each)]


def carried_out(
    carrying: CarriedOut, decided: Sequence[DecidedHead], readiness: Readiness, configuration: Configuration, now: int
) -> list[DecidedHead]:
    """Does what a cycle decided; returns the heads that are left, from the one on that waits for pods, if one does.

    A head for which nothing starts or stops is processed at once: until the cycle ends, it waits as it did before, and
    what releases quota meanwhile makes it eligible again, as it does in Kueue.
    """
    left: list[DecidedHead] = []
    for each in decided:
        stops = configuration.block_admission and each.admits and readiness.is_awaited(now)
        # After the first that waits nothing moves: the scheduler is one loop, and it is blocked.
        if each.moves and (left or stops):
            left.append(each)
            continue
        carrying.apply(*each)
        if each.admits:
            readiness.start(carrying.started[-1], now, configuration)
    for stopped in carrying.stopped:
        readiness.stop(stopped.unit)
    return left


def doubts(
    roster: Roster,
    decided: Sequence[DecidedHead],
    left: Sequence[DecidedHead],
    configuration: Configuration,
    *,
    is_leaving: bool,
) -> set[str]:
    """What is not known of the wait: who of several trees comes first, and whether pods that leave count as ready."""
    admitted = {roster.tree_of(each.line.name) for each in decided if each.admits}
    found = {_TREES} if left and len(admitted) > 1 else set()
    return found | ({PODS} if configuration.block_admission and admitted and is_leaving else set())
