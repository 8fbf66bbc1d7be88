"""The smallest raise of one quota or limit with which a workload fits at once.

Tested in ``tests/property/test_remedies.py``.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from kubectl_fairshare.model.amounts import UNLIMITED, subtract
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import smallest
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Limit, Remedy
from kubectl_fairshare.schedulers.kueue.explain.remedies.quota_changes import LimitChange, remedy_of, with_changes
from kubectl_fairshare.schedulers.kueue.explain.remedies.trying import decision, fits_now
from kubectl_fairshare.schedulers.kueue.flavors.requests import current_counts
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_LENDERS: Final = 3


def more_quota(
    state: State, queue: int, workload: Pending, bindings: Iterable[Binding], decided: Pending | None = None
) -> Iterator[Remedy]:
    """The smallest raise of one quota or limit with which the workload fits at once.

    ``decided`` is the workload that is decided then, if it is larger than what must fit.
    """
    for binding in (b for b in bindings if b.kind is not Limit.DOMAIN):
        missing = subtract(binding.needed, state.ledger.available(queue, binding.pair))
        if not 0 < missing < UNLIMITED:
            continue
        for node, kind in _raisable(state, queue, binding, missing):
            asked = (workload, workload if decided is None else decided)
            remedy = _quota_remedy(state, queue, asked, node, kind, binding.pair, missing)
            if remedy is not None:
                yield remedy


def quota_for_fewest(state: State, queue: int, workload: Pending, bindings: Iterable[Binding]) -> Iterator[Remedy]:
    """The smallest raise of one quota or limit with which the fewest pods of partial admission fit at once."""
    fewest = _at_minimum(workload)
    if fewest is None:
        return
    pods = (sum(current_counts(fewest.pod_sets)), sum(current_counts(workload.pod_sets)))
    for remedy in more_quota(state, queue, fewest, bindings, workload):
        yield replace(remedy, pods=pods)


def _at_minimum(workload: Pending) -> Pending | None:
    """The workload with the fewest pods that it may start with; None if it may not shrink."""
    if all(p.min_count is None for p in workload.pod_sets):
        return None
    pod_sets = (p if p.min_count is None else replace(p, count=p.min_count, min_count=None) for p in workload.pod_sets)
    return replace(workload, pod_sets=tuple(pod_sets))


def _raisable(state: State, queue: int, binding: Binding, missing: int) -> Iterator[tuple[int, Limit]]:
    forest, pair = state.forest, binding.pair
    if binding.kind is Limit.BORROWING_LIMIT:
        ids = forest.queue_ids if binding.node_kind == "ClusterQueue" else forest.cohort_ids
        yield ids[binding.node], Limit.BORROWING_LIMIT
    else:
        keepers = (n for n in state.forest.beside(queue) if _kept_back(state, n, pair) >= missing)
        for node in islice(keepers, _LENDERS):
            yield node, Limit.LENDING_LIMIT
    if pair in forest.nodes[queue].quotas:
        yield queue, Limit.NOMINAL


def _kept_back(state: State, node: int, pair: FlavorResource) -> int:
    """The unused amount that a node keeps back because of its lendingLimit."""
    return subtract(state.forest.local(node, pair), state.ledger.usage(node, pair))


def _quota_remedy(
    state: State, queue: int, asked: tuple[Pending, Pending], node: int, kind: Limit, pair: FlavorResource, missing: int
) -> Remedy | None:
    """The raise with which the first workload of ``asked`` fits, and the decision for the second."""

    def with_more(more: int) -> State:
        return with_changes(state, [LimitChange(node, pair, kind, more)])

    more = smallest(1, missing, lambda m: fits_now(with_more(m), queue, asked[0]), guess=missing)
    decided = None if more is None else decision(with_more(more), asked[1])
    if more is None or decided is None:
        return None
    if decided.leaving:  # it preempts in a flavor that comes before the one in which it fits: less may be enough
        most, victims = more, len(decided.leaving)

        def is_enough(amount: int) -> bool:
            less = decision(with_more(amount), asked[1])
            return less is not None and len(less.leaving) <= victims

        more = smallest(1, most, is_enough, guess=most) or most
        decided = decision(with_more(more), asked[1]) or decided
    return remedy_of(state, [LimitChange(node, pair, kind, more)], decided)
