"""Changes that would help, each simulated before it is proposed.

The change that a search finds is decided in full, and a change that is one unit smaller is shown to fail.
"""

from collections.abc import Callable, Iterator
from math import inf
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import smallest
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.remedies.joint import less_borrowing, moved_quota, raised_together
from kubectl_fairshare.schedulers.kueue.explain.remedies.quota import more_quota, quota_for_fewest
from kubectl_fairshare.schedulers.kueue.explain.remedies.size import lower_minimum, smaller
from kubectl_fairshare.schedulers.kueue.explain.remedies.trying import decision, gets_in
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_HIGHEST_PRIORITY: Final = 1_000_000_000
_WIDEST_WEIGHT: Final = 64
# A search with more candidates than this is too slow to repeat a dozen times for one remedy.
_CHEAP: Final = 500
_QUOTAS: Final = (RemedyKind.NOMINAL, RemedyKind.BORROWING_LIMIT, RemedyKind.LENDING_LIMIT)


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
        *more_quota(state, queue, nomination.workload, bindings),
    ]
    same = {_change(remedy) for remedy in found}
    found += [r for r in quota_for_fewest(state, queue, nomination.workload, bindings) if _change(r) not in same]
    if not any(remedy.kind in _QUOTAS for remedy in found):
        found += raised_together(state, queue, nomination.workload, bindings)
    if outcome is Outcome.PREEMPTS:
        return tuple(r for r in found if r.outcome is Outcome.ADMITTED)
    if _trial_count(nomination) > _CHEAP:
        return tuple(found)
    found += moved_quota(state, queue, nomination.workload, bindings)
    if outcome is Outcome.WAITS:
        found += less_borrowing(state, queue, nomination)
        found += [*_heavier(state, nomination), *_more_important(state, queue, nomination.workload)]
    return tuple(found)


def _change(remedy: Remedy) -> tuple[object, ...]:
    """What a remedy changes, without what it comes to."""
    return remedy.kind, remedy.object, remedy.pair, remedy.after


def _trial_count(nomination: Nomination) -> int:
    return max((len(search.trials) for _, _, search in nomination.simulations), default=0)


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
        weight = smallest(tenths + 1, tenths * _WIDEST_WEIGHT, _gets_in_with_weight(state, nomination, node))
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
    place = smallest(0, len(above) - 1, lambda i: gets_in(state, replace(workload, priority=above[i])))
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
