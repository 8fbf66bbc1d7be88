"""Whether priorities differ: if not, policies that compare priorities have no effect."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.lint.given import worked_out_once
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

ELSEWHERE: Final = "a WorkloadPriorityClass or PriorityClass"
_OF_KUBERNETES: Final = "system-"


@worked_out_once
def priorities(given: KueueGiven) -> tuple[int, ...]:
    """Every priority that a workload of the input has, or may get from a class of the input, ascending."""
    return tuple(sorted({given.context.default_priority or 0, *_of_classes(given), *_of_workloads(given)}))


def _of_classes(given: KueueGiven) -> Iterator[int]:
    yield from given.kueue.workload_priorities.values()
    for name, value in given.context.priority_classes.items():
        if not name.startswith(_OF_KUBERNETES):
            yield value


def _of_workloads(given: KueueGiven) -> Iterator[int]:
    for held in given.kueue.holders:
        yield held.priority
    for pending in given.submitted:
        yield pending.priority


def may_preempt(queue: ClusterQueue) -> bool:
    """Whether the queue may preempt any workload."""
    policies = queue.preemption
    across = queue.cohort is not None and policies.reclaim_within_cohort != "Never"
    return across or policies.within_cluster_queue != "Never"
