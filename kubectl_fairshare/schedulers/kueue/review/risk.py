"""Who may preempt a running workload, by the policies of both queues and by what their cohorts use now.

A queue is listed where its policies make the workload a candidate for some newcomer of it: whether one newcomer really
takes it depends on its size and priority, and is for ``plan`` to say. Source: Kueue v0.19; "targets" and
"classical preemption" in ``docs/laws.md``.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, TypedDict

from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import Exposure, PossiblePreemptor
from kubectl_fairshare.model.json import Json, rows
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.words.figures import amount_of

_NEVER: Final = "Never"
_WITHIN: Final = {
    "LowerPriority": "priority",
    "LowerOrNewerEqualPriority": "priority, or age at equal priority",
}
_ACROSS: Final = {"Any": "reclaim", "LowerPriority": "reclaim, by higher priority"}


class _CountedAssignment(TypedDict, total=False):
    count: Json


class _CountedAdmission(TypedDict, total=False):
    podSetAssignments: list[_CountedAssignment]


class _CountedStatus(TypedDict, total=False):
    admission: _CountedAdmission


class _CountedWorkload(TypedDict, total=False):
    """The fields that say how many pods there are: the others of ten thousand workloads are not decoded."""

    status: _CountedStatus


def exposures(state: State, numbers: PreemptorNumbers) -> tuple[Exposure, ...]:
    """Every workload that holds quota, sorted by key."""
    risk = _Risk(state, numbers)
    return tuple(risk.exposure(holder) for holder in sorted(state.kueue.holders, key=lambda h: h.key))


class _Risk:
    """The takers from each side of each cohort, and from each queue, found once."""

    def __init__(self, state: State, numbers: PreemptorNumbers) -> None:
        self._state = state
        self._numbers = numbers
        self._known: dict[tuple[int, frozenset[FlavorResource]], Preemptors] = {}
        self._below: dict[tuple[int, FlavorResource], Preemptors] = {}
        self._beside: dict[tuple[int, int, FlavorResource], Preemptors] = {}

    def exposure(self, holder: Holder) -> Exposure:
        """Who may preempt one workload; one in a queue that does not exist, or is out of service, is safe."""
        pairs = frozenset(pair for pair, amount in holder.usage.items() if amount > 0)
        queue = self._state.forest.queue_ids.get(holder.cluster_queue)
        takers = self._numbers.having(0)
        borrows = False
        if queue is not None and self._state.is_active(queue):
            takers = self._takers(queue, pairs)
            borrows = not self._state.ledger.is_within(queue, pairs)
        holds = tuple(amount_of(pair, holder.usage[pair]) for pair in sorted(pairs))
        pods = _pods(self._state, holder)
        return Exposure(holder.key, holder.cluster_queue, holder.priority, holds, borrows, takers, pods)

    def _takers(self, queue: int, pairs: frozenset[FlavorResource]) -> Preemptors:
        if (queue, pairs) not in self._known:
            own = self._numbers.set_of(_own(self._state, queue))
            self._known[queue, pairs] = own.union(side for pair in pairs for side in self._sides(queue, pair))
        return self._known[queue, pairs]

    def _sides(self, queue: int, pair: FlavorResource) -> Iterator[Preemptors]:
        """Who may take the pair back, cohort by cohort up to the first node that does not borrow."""
        path = self._state.forest.path(queue)
        for below, cohort in pairwise(path):
            if self._state.ledger.is_within(below, (pair,)):
                return
            if (cohort, below, pair) not in self._beside:
                self._beside[cohort, below, pair] = self._side(cohort, below, pair)
            yield self._beside[cohort, below, pair]

    def _side(self, cohort: int, below: int, pair: FlavorResource) -> Preemptors:
        """The takers below a cohort that are not below one of its children."""
        if (cohort, pair) not in self._below:
            self._below[cohort, pair] = self._numbers.set_of(_rules(self._state, cohort, cohort, pair))
        return self._below[cohort, pair].without(self._numbers.set_of(_rules(self._state, below, cohort, pair)))


def _pods(state: State, holder: Holder) -> int:
    """How many pods its admission counts; 1 where that is not known."""
    manifest = state.snapshot.manifests.get(holder.key)
    data = {} if manifest is None else manifest.passing_fields(_CountedWorkload)
    assigned = rows(data, "status", "admission", "podSetAssignments")
    counts = (each.get("count") for each in assigned)
    return sum(count for count in counts if isinstance(count, int)) or 1


def _own(state: State, queue: int) -> Iterator[PossiblePreemptor]:
    node = state.forest.nodes[queue]
    policy = node.queue.preemption.within_cluster_queue
    if policy != _NEVER:
        yield PossiblePreemptor(node.name, str(Law.IN_QUEUE_PRIORITY), _WITHIN[policy])


def _rules(state: State, node: int, cohort: int, pair: FlavorResource) -> Iterator[PossiblePreemptor]:
    """Who of the queues below a node may take the pair from another side of the cohort."""
    queues = (queue for queue in state.forest.queues_below(node) if state.is_active(queue))
    return filter(None, (_rule(state, queue, cohort, pair) for queue in queues))


def _rule(state: State, taker: int, cohort: int, pair: FlavorResource) -> PossiblePreemptor | None:
    """By which rule a queue may take the pair from another side of the cohort; None where it may not."""
    node = state.forest.nodes[taker]
    policy = node.queue.preemption.reclaim_within_cohort
    if policy == _NEVER or pair not in node.quotas:
        return None
    if state.fair:
        return PossiblePreemptor(node.name, str(Law.S2A), f"fair sharing, {_ACROSS[policy]}")
    path = state.forest.path(taker)
    own = any(state.forest.subtree(each, pair) > 0 for each in path[: path.index(cohort)])
    if own:
        return PossiblePreemptor(node.name, str(Law.RECLAIM_HIERARCHY), _ACROSS[policy])
    if node.queue.preemption.borrow_within_cohort != _NEVER:
        return PossiblePreemptor(node.name, str(Law.RECLAIM_WHILE_BORROWING), "reclaim while borrowing")
    return None
