"""Changes that would help, each simulated before it is proposed.

The change that a search finds is decided in full, and a change that is one unit smaller is shown to fail.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import inf
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.amounts import UNLIMITED, subtract
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, current_counts
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Limit, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.size_remedies import lower_minimum, smaller
from kubectl_fairshare.schedulers.kueue.explain.trying import decision, fits_now, gets_in, smallest_that
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending
from kubectl_fairshare.schedulers.kueue.tree.derivation import quota_place
from kubectl_fairshare.schedulers.kueue.tree.state import State

_HIGHEST_PRIORITY: Final = 1_000_000_000
_WIDEST_WEIGHT: Final = 64
# A search with more candidates than this is too slow to repeat a dozen times for one remedy.
_CHEAP: Final = 500
_LENDERS: Final = 3


def remedies(
    state: State, nomination: Nomination, outcome: Outcome, bindings: tuple[Binding, ...]
) -> tuple[Remedy, ...]:
    """The changes that admit the workload; if it preempts, the changes that admit it without victims."""
    queue = nomination.queue
    if queue is None or nomination.assignment is None or outcome is Outcome.ADMITTED:
        return ()
    found = [
        *smaller(state, queue, nomination.workload),
        *lower_minimum(state, queue, nomination.workload),
        *_more_quota(state, queue, nomination.workload, bindings),
        *_quota_for_fewest(state, queue, nomination.workload, bindings),
    ]
    if outcome is Outcome.PREEMPTS:
        return tuple(r for r in found if r.outcome is Outcome.ADMITTED)
    if outcome is Outcome.WAITS and _trial_count(nomination) <= _CHEAP:
        found += [*_heavier(state, nomination), *_more_important(state, queue, nomination.workload)]
    return tuple(found)


def _trial_count(nomination: Nomination) -> int:
    return max((len(search.trials) for _, _, search in nomination.simulations), default=0)


def _more_quota(
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


def _quota_for_fewest(state: State, queue: int, workload: Pending, bindings: Iterable[Binding]) -> Iterator[Remedy]:
    """The smallest raise of one quota or limit with which the fewest pods of partial admission fit at once."""
    fewest = _at_minimum(workload)
    if fewest is None:
        return
    pods = (sum(current_counts(fewest.pod_sets)), sum(current_counts(workload.pod_sets)))
    for remedy in _more_quota(state, queue, fewest, bindings, workload):
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
    quota = state.forest.quota(node, pair)

    def with_more(more: int) -> State:
        return state.with_quota(node, pair, _larger(quota, kind, more))

    more = smallest_that(1, missing, lambda m: fits_now(with_more(m), queue, asked[0]), guess=missing)
    decided = None if more is None else decision(with_more(more), asked[1])
    if more is None or decided is None:
        return None
    this, before = state.forest.nodes[node], _figure(quota, kind)
    return Remedy(
        RemedyKind(str(kind)),
        before,
        before + more,
        decided.outcome,
        len(decided.leaving),
        leaving=decided.leaving,
        doubted=decided.doubted,
        pair=pair,
        object=None if this.spec is None else this.spec.key,
        place=quota_place(this, pair, str(kind)),
    )


def _figure(quota: Quota, kind: Limit) -> int:
    found = {
        Limit.NOMINAL: quota.nominal,
        Limit.BORROWING_LIMIT: quota.borrowing_limit,
        Limit.LENDING_LIMIT: quota.lending_limit,
    }[kind]
    return found or 0


def _larger(quota: Quota, kind: Limit, more: int) -> Quota:
    value = _figure(quota, kind) + more
    if kind is Limit.NOMINAL:
        return replace(quota, nominal=value)
    if kind is Limit.BORROWING_LIMIT:
        return replace(quota, borrowing_limit=value)
    return replace(quota, lending_limit=value)


def _heavier(state: State, nomination: Nomination) -> Iterator[Remedy]:
    """The smallest weight, in tenths, of a node on the preemptor's side whose share was too large."""
    sides = {
        t.at[0]
        for _, _, search in nomination.simulations
        for t in search.trials
        if t.at is not None and t.law in (Law.S2A, Law.S2B) and not t.taken
    }
    for node in sorted(sides):
        this = state.forest.nodes[node]
        if this.spec is None or not 0 < this.weight < inf:
            continue
        tenths = round(this.weight * 10)
        weight = smallest_that(tenths + 1, tenths * _WIDEST_WEIGHT, _gets_in_with_weight(state, nomination, node))
        if weight is not None:
            decided = decision(state.with_weight(node, weight / 10), nomination.workload)
            if decided is not None:
                place = Place(this.spec.key, ("spec", "fairSharing", "weight"))
                yield Remedy(
                    RemedyKind.WEIGHT,
                    this.weight,
                    weight / 10,
                    decided.outcome,
                    len(decided.leaving),
                    object=this.spec.key,
                    place=place,
                    leaving=decided.leaving,
                    doubted=decided.doubted,
                )


def _gets_in_with_weight(state: State, nomination: Nomination, node: int) -> Callable[[int], bool]:
    return lambda tenths: gets_in(state.with_weight(node, tenths / 10), nomination.workload)


def _more_important(state: State, queue: int, workload: Pending) -> Iterator[Remedy]:
    """The lowest priority that is enough: that of some workload of the tree, or one more."""
    holders = (h for q in state.forest.queues_below(state.forest.root(queue)) for h in state.holders.in_no_order(q))
    steps = {priority for h in holders for priority in (h.priority, h.priority + 1)}
    above = sorted(p for p in steps if workload.priority < p <= _HIGHEST_PRIORITY)
    if not above:
        return
    place = smallest_that(0, len(above) - 1, lambda i: gets_in(state, replace(workload, priority=above[i])))
    if place is None:
        return
    priority = above[place]
    decided = decision(state, replace(workload, priority=priority))
    if decided is not None:
        yield Remedy(
            RemedyKind.PRIORITY,
            workload.priority,
            priority,
            decided.outcome,
            len(decided.leaving),
            named=_class_named(state, workload, priority),
            leaving=decided.leaving,
            doubted=decided.doubted,
        )


def _class_named(state: State, workload: Pending, priority: int) -> str | None:
    """The lowest WorkloadPriorityClass that is enough, but none that only other namespaces use."""
    from kubectl_fairshare.schedulers.kueue.explain.class_users import class_users

    users = class_users(state)
    enough = [
        (value, name)
        for name, value in state.kueue.workload_priorities.items()
        if value >= priority and workload.key.namespace in users.get(name, (workload.key.namespace,))
    ]
    return min(enough)[1] if enough else None
