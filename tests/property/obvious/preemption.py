"""What both preemption algorithms share: the question, candidates and their order, the last check of targets."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.property.obvious.amounts import Amounts, FlavorResource
from tests.property.obvious.tree import State, borrows, holding, is_active, releasing, takeable
from tests.property.obvious.world import Node, Workload


@dataclass(frozen=True)
class Question:
    """May ``workload``, in need of ``short``, find room in ``queue`` for ``wanted`` (all it would place)?"""

    state: State
    workload: Workload
    queue: str
    short: list[FlavorResource]
    wanted: Amounts

    @property
    def node(self) -> Node:
        """The queue as a node."""
        return ("ClusterQueue", self.queue)

    def policy(self, name: str) -> str:
        """One of the queue's preemption policies."""
        return str((self.state.world.queues[self.queue].get("preemption") or {}).get(name) or "Never")


@dataclass(frozen=True)
class Target:
    """A workload to evict, and why it may be."""

    victim: Workload
    reason: str


def borrow_within_cohort(state: State, queue: str) -> tuple[str, int | None]:
    """The queue's policy for preempting while it borrows, and the highest priority that it may preempt then."""
    preemption = state.world.queues[queue].get("preemption") or {}
    borrowing = preemption.get("borrowWithinCohort") or {}
    return borrowing.get("policy") or "Never", borrowing.get("maxPriorityThreshold")


def candidates(question: Question, queue: str) -> list[Workload]:
    """The workloads of one queue that the policies let the question's workload preempt, in candidate order."""
    world = question.state.world
    policy = question.policy("withinClusterQueue" if queue == question.queue else "reclaimWithinCohort")
    if not is_active(world, queue):
        return []
    found = [
        running
        for running in world.running.values()
        if running.queue == queue
        and running.assigned & set(question.short)
        and _allowed(policy, question.workload, running)
    ]
    return in_candidate_order(found, question.queue)


def _allowed(policy: str, preemptor: Workload, candidate: Workload) -> bool:
    if policy == "Any":
        return True
    if policy == "Never":
        return False
    if preemptor.priority > candidate.priority:
        return True
    equal = preemptor.priority == candidate.priority
    return policy == "LowerOrNewerEqualPriority" and equal and preemptor.queued_since < candidate.queued_since


def in_candidate_order(workloads: list[Workload], queue: str) -> list[Workload]:
    """Being evicted first; other queues before ``queue``; lower priority; newer reservation; UID."""
    return sorted(
        workloads,
        key=lambda w: (not w.being_evicted, w.queue == queue, w.priority, -w.reserved_at.timestamp(), w.uid),
    )


def fits(state: State, question: Question, may_borrow: bool = True) -> bool:
    """Whether all that is wanted is available, and without borrowing where that is not allowed."""
    return all(
        amount <= takeable(state, question.queue, fr) and (may_borrow or not borrows(state, question.node, fr, amount))
        for fr, amount in question.wanted.items()
    )


def without(state: State, victims: list[Workload]) -> State:
    """The state in which none of the victims holds anything."""
    for victim in victims:
        state = releasing(state, victim.queue, victim.usage)
    return state


def needed_targets(state: State, targets: list[Target], fit: Callable[[State], bool]) -> list[Target]:
    """The targets that must go: walking backwards from the last but one, each that could stay is put back.

    ``state`` is the one without all the targets. The last of the list takes the place of one put back.
    """
    kept = list(targets)
    for i in range(len(targets) - 2, -1, -1):
        victim = kept[i].victim
        with_it_back = holding(state, victim.queue, victim.usage)
        if fit(with_it_back):
            state = with_it_back
            kept[i] = kept[-1]
            kept.pop()
    return kept


def asking(question: Question, state: State) -> Question:
    """The same question on another state."""
    return replace(question, state=state)
