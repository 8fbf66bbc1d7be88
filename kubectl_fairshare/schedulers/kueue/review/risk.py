"""Who may preempt a running workload, by the policies of both queues and by what their cohorts use now.

A queue is listed where its policies make the workload a candidate for some newcomer of it: whether one newcomer really
takes it depends on its size and priority, and is for ``plan`` to say. Source: Kueue v0.19; "targets" and
"classical preemption" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, TypedDict

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


def exposures(state: State) -> tuple[Exposure, ...]:
    """Every workload that holds quota, sorted by key."""
    risk = _Risk(state)
    return tuple(risk.exposure(holder) for holder in sorted(state.kueue.holders, key=lambda h: h.key))


class _Risk:
    """The takers from each side of each cohort, and from each queue, found once."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._known: dict[tuple[int, frozenset[FlavorResource]], frozenset[PossiblePreemptor]] = {}
        self._beside: dict[tuple[int, int, FlavorResource], frozenset[PossiblePreemptor]] = {}

    def exposure(self, holder: Holder) -> Exposure:
        """Who may preempt one workload; one in a queue that does not exist, or is out of service, is safe."""
        pairs = frozenset(pair for pair, amount in holder.usage.items() if amount > 0)
        queue = self._state.forest.queue_ids.get(holder.cluster_queue)
        takers: frozenset[PossiblePreemptor] = frozenset()
        borrows = False
        if queue is not None and self._state.is_active(queue):
            takers = self._takers(queue, pairs)
            borrows = not self._state.ledger.is_within(queue, pairs)
        holds = tuple(amount_of(pair, holder.usage[pair]) for pair in sorted(pairs))
        pods = _pods(self._state, holder)
        return Exposure(holder.key, holder.cluster_queue, holder.priority, holds, borrows, takers, pods)

    def _takers(self, queue: int, pairs: frozenset[FlavorResource]) -> frozenset[PossiblePreemptor]:
        if (queue, pairs) not in self._known:
            sides = (side for pair in pairs for side in self._sides(queue, pair))
            self._known[queue, pairs] = frozenset(_own(self._state, queue)).union(*sides)
        return self._known[queue, pairs]

    def _sides(self, queue: int, pair: FlavorResource) -> Iterator[frozenset[PossiblePreemptor]]:
        """Who may take the pair back, cohort by cohort up to the first node that does not borrow."""
        path = self._state.forest.path(queue)
        for below, cohort in pairwise(path):
            if self._state.ledger.is_within(below, (pair,)):
                return
            if (cohort, below, pair) not in self._beside:
                found = (_rule(self._state, taker, cohort, pair) for taker in _besides(self._state, cohort, below))
                self._beside[cohort, below, pair] = frozenset(filter(None, found))
            yield self._beside[cohort, below, pair]


def _pods(state: State, holder: Holder) -> int:
    """How many pods its admission counts; 1 where that is not known."""
    manifest = state.snapshot.manifests.get(holder.key)
    data = {} if manifest is None else manifest.passing_fields(_counted)
    assigned = rows(data, "status", "admission", "podSetAssignments")
    counts = (each.get("count") for each in assigned)
    return sum(count for count in counts if isinstance(count, int)) or 1


def _counted() -> type:
    """The fields that say how many pods there are: the others of ten thousand workloads are not decoded."""

    class Assignment(TypedDict, total=False):
        count: Json

    class Admission(TypedDict, total=False):
        podSetAssignments: list[Assignment]

    class Status(TypedDict, total=False):
        admission: Admission

    class Workload(TypedDict, total=False):
        status: Status

    return Workload


def _own(state: State, queue: int) -> Iterator[PossiblePreemptor]:
    node = state.forest.nodes[queue]
    policy = node.queue.preemption.within_cluster_queue
    if policy != _NEVER:
        yield PossiblePreemptor(node.name, str(Law.IN_QUEUE_PRIORITY), _WITHIN[policy])


def _besides(state: State, cohort: int, below: int) -> Iterable[int]:
    """The queues below a cohort that are not below one of its children."""
    mine = {*state.forest.queues_below(below)} | {below}
    return (queue for queue in state.forest.queues_below(cohort) if queue not in mine and state.is_active(queue))


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
