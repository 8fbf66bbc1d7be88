"""Who may preempt a running workload, by the policies of both queues and by what their cohorts use now.

A queue is listed where its policies make the workload a candidate for some newcomer of it: whether one newcomer really
takes it depends on its size and priority, and is for ``plan`` to say. A newcomer may ask for several flavors and
resources, and what borrows any of them is open to it. Source: Kueue v0.19; "targets" and "classical preemption" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/preemption/test_exposures.py``.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias, TypedDict

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


class _Group(NamedTuple):
    """Queues that may take the same pairs back from another side of a cohort."""

    pairs: frozenset[FlavorResource]
    takers: Preemptors


class _Risk:
    """The takers from each side of each cohort, and from each queue, found once."""

    def __init__(self, state: State, numbers: PreemptorNumbers) -> None:
        self._state = state
        self._numbers = numbers
        self._known: dict[tuple[int, frozenset[FlavorResource]], Preemptors] = {}
        self._below: dict[int, tuple[_Group, ...]] = {}
        self._beside: dict[tuple[int, int], tuple[_Group, ...]] = {}
        self._within: dict[tuple[int, frozenset[FlavorResource]], bool] = {}

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
            self._known[queue, pairs] = own.union(self._sides(queue, pairs))
        return self._known[queue, pairs]

    def _sides(self, queue: int, pairs: frozenset[FlavorResource]) -> Iterator[Preemptors]:
        """Who may take any of the pairs back, cohort by cohort."""
        path = self._state.forest.path(queue)
        for height, (below, cohort) in enumerate(pairwise(path), 1):
            for group in self._groups_beside(cohort, below):
                if not pairs.isdisjoint(group.pairs) and self._is_open(path[:height], group.pairs):
                    yield group.takers

    def _is_open(self, path: Sequence[int], pairs: frozenset[FlavorResource]) -> bool:
        """Whether each node of the path, the queue first, borrows something that a newcomer asks for.

        With fair sharing, it is enough for a cohort to borrow anything.
        """
        nodes = self._state.forest.nodes
        asked = (frozenset(nodes[n].subtree) if self._state.fair and not nodes[n].is_queue else pairs for n in path)
        return not any(map(self._is_within, path, asked))

    def _is_within(self, node: int, pairs: frozenset[FlavorResource]) -> bool:
        if (node, pairs) not in self._within:
            self._within[node, pairs] = self._state.ledger.is_within(node, pairs)
        return self._within[node, pairs]

    def _groups_beside(self, cohort: int, below: int) -> tuple[_Group, ...]:
        """The takers below a cohort that are not below one of its children."""
        if (cohort, below) not in self._beside:
            if cohort not in self._below:
                self._below[cohort] = self._groups(cohort)
            near = self._numbers.set_of(taker for taker, _ in _rules(self._state, below, cohort))
            groups = self._below[cohort]
            self._beside[cohort, below] = tuple(_Group(pairs, takers.without(near)) for pairs, takers in groups)
        return self._beside[cohort, below]

    def _groups(self, cohort: int) -> tuple[_Group, ...]:
        found: dict[frozenset[FlavorResource], list[PossiblePreemptor]] = {}
        for taker, pairs in _rules(self._state, cohort, cohort):
            found.setdefault(pairs, []).append(taker)
        return tuple(_Group(pairs, self._numbers.set_of(takers)) for pairs, takers in found.items())


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


_Rule: TypeAlias = tuple[PossiblePreemptor, frozenset[FlavorResource]]


def _rules(state: State, node: int, cohort: int) -> Iterator[_Rule]:
    """Who of the queues below a node may take something from another side of the cohort, by which rule, and what."""
    for queue in state.forest.queues_below(node):
        if state.is_active(queue):
            yield from _rules_of(state, queue, cohort)


def _rules_of(state: State, taker: int, cohort: int) -> Iterator[_Rule]:
    """The rules by which a queue may take pairs from another side of the cohort."""
    node = state.forest.nodes[taker]
    policy = node.queue.preemption.reclaim_within_cohort
    pairs = frozenset(node.quotas)
    if policy == _NEVER:
        return
    if state.fair:
        yield PossiblePreemptor(node.name, str(Law.S2A), f"fair sharing, {_ACROSS[policy]}"), pairs
        return
    path = state.forest.path(taker)
    below = path[: path.index(cohort)]
    own = frozenset(pair for pair in pairs if any(state.forest.subtree(each, pair) > 0 for each in below))
    if own:
        yield PossiblePreemptor(node.name, str(Law.RECLAIM_HIERARCHY), _ACROSS[policy]), own
    if own != pairs and node.queue.preemption.borrow_within_cohort != _NEVER:
        yield PossiblePreemptor(node.name, str(Law.RECLAIM_WHILE_BORROWING), "reclaim while borrowing"), pairs
