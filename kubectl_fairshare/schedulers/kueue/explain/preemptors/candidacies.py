"""Which queues have some newcomer for which a workload is a candidate, by the policies of both and by what they use.

Quick, for large states: whether a newcomer really takes the workload is for ``newcomers`` to try. A newcomer may ask
for several flavors and resources, and what borrows any of them is open to it. Source: Kueue v0.19; "targets" and
"classical preemption" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/preemption/test_exposures.py`` and
``tests/property/exact/test_kueue_preemptors.py``.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import PossiblePreemptor
from kubectl_fairshare.schedulers.kueue.explain.preemptors.shortage import ShortPairs
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State

_NEVER: Final = "Never"
_WITHIN: Final = {
    "LowerPriority": "priority",
    "LowerOrNewerEqualPriority": "priority, or age at equal priority",
}
_ACROSS: Final = {"Any": "reclaim", "LowerPriority": "reclaim, by higher priority"}


class _Group(NamedTuple):
    """Queues that may take the same pairs back from another side of a cohort."""

    pairs: frozenset[FlavorResource]
    takers: Preemptors


class Candidacies:
    """The takers from each side of each cohort, and from each queue, found once."""

    def __init__(self, state: State, numbers: PreemptorNumbers, shortage: ShortPairs) -> None:
        self._state = state
        self._numbers = numbers
        self._shortage = shortage
        self._thresholds = _thresholds(state)
        self._known: dict[tuple[int, frozenset[FlavorResource]], Preemptors] = {}
        self._below: dict[int, tuple[_Group, ...]] = {}
        self._beside: dict[tuple[int, int], tuple[_Group, ...]] = {}
        self._within: dict[tuple[int, frozenset[FlavorResource]], bool] = {}

    def of(self, holder: Holder) -> Preemptors:
        """The queues whose newcomers may have the workload as a candidate; none for one that is out of service."""
        queue = self._state.forest.queue_ids.get(holder.cluster_queue)
        if queue is None or not self._state.is_active(queue):
            return self._numbers.having(0)
        return self._takers(queue, frozenset(holder.usage)).without(self._above(holder.priority))

    def _above(self, priority: int) -> Preemptors:
        """Those that may not preempt a workload of this priority while they borrow."""
        return self._numbers.set_of(taker for taker, most in self._thresholds.items() if most < priority)

    def _takers(self, queue: int, pairs: frozenset[FlavorResource]) -> Preemptors:
        if (queue, pairs) not in self._known:
            own = self._numbers.set_of(self._own(queue, pairs))
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
            near = self._numbers.set_of(taker for taker, _ in self._rules(below, cohort))
            groups = self._below[cohort]
            self._beside[cohort, below] = tuple(_Group(pairs, takers.without(near)) for pairs, takers in groups)
        return self._beside[cohort, below]

    def _groups(self, cohort: int) -> tuple[_Group, ...]:
        found: dict[frozenset[FlavorResource], list[PossiblePreemptor]] = {}
        for taker, pairs in self._rules(cohort, cohort):
            found.setdefault(pairs, []).append(taker)
        return tuple(_Group(pairs, self._numbers.set_of(takers)) for pairs, takers in found.items())

    def _own(self, queue: int, pairs: frozenset[FlavorResource]) -> Iterator[PossiblePreemptor]:
        node = self._state.forest.nodes[queue]
        policy = node.queue.preemption.within_cluster_queue
        if policy != _NEVER and not pairs.isdisjoint(self._shortage.of(queue)):
            yield PossiblePreemptor(node.name, str(Law.IN_QUEUE_PRIORITY), _WITHIN[policy])

    def _rules(self, node: int, cohort: int) -> Iterator["_Rule"]:
        """The queues below a node that may take something from another side of the cohort, each with rule and pairs."""
        for queue in self._state.forest.queues_below(node):
            if self._state.is_active(queue):
                yield from self._rules_of(queue, cohort)

    def _rules_of(self, taker: int, cohort: int) -> Iterator["_Rule"]:
        """The rules by which a queue may take pairs from another side of the cohort."""
        node = self._state.forest.nodes[taker]
        policy = node.queue.preemption.reclaim_within_cohort
        if policy == _NEVER:
            return
        short = self._shortage.of(taker)
        if self._state.fair:
            yield PossiblePreemptor(node.name, str(Law.S2A), f"fair sharing, {_ACROSS[policy]}"), short
            return
        reclaimed = self._shortage.reclaimed(taker, cohort)
        yield PossiblePreemptor(node.name, str(Law.RECLAIM_HIERARCHY), _ACROSS[policy]), reclaimed
        if node.queue.preemption.borrow_within_cohort != _NEVER:
            yield _while_borrowing(node.name), short


_Rule: TypeAlias = tuple[PossiblePreemptor, frozenset[FlavorResource]]


def _while_borrowing(queue: str) -> PossiblePreemptor:
    return PossiblePreemptor(queue, str(Law.RECLAIM_WHILE_BORROWING), "reclaim while borrowing")


def _thresholds(state: State) -> dict[PossiblePreemptor, int]:
    """The highest priority of what a queue may preempt while it borrows, of the queues that have such a limit."""
    policies = {name: state.forest.nodes[queue].queue.preemption for name, queue in state.forest.queue_ids.items()}
    limits = ((name, policy.max_priority_threshold) for name, policy in policies.items())
    return {_while_borrowing(name): most for name, most in limits if most is not None}
