"""The limit that keeps a request out: on which ancestor, by how much, and in which field.

The walk goes from the root down. A node can reach what its parent can reach plus its own free local part, cut by its
borrowingLimit. The last cut binds; without a cut, the root's whole quota binds. If a node next to the path keeps back
enough, its lendingLimit binds.
"""

from collections.abc import Mapping
from itertools import pairwise

from kubectl_fairshare.model.amounts import add, subtract
from kubectl_fairshare.schedulers.kueue.accounting import borrowing_ceiling
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Limit
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment
from kubectl_fairshare.schedulers.kueue.flavors.requests import total_with
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, pair_of
from kubectl_fairshare.schedulers.kueue.tree.derivation import quota_place
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Step


def bindings(state: State, queue: int, assignment: Assignment) -> tuple[Binding, ...]:
    """The limits behind every shortage of the assignment, one for each flavor-resource."""
    found: dict[FlavorResource, Binding] = {}
    for pod_set in assignment.pod_sets:
        for attempt in pod_set.attempts:
            for reason in attempt.reasons:
                binding = _of(state, queue, reason)
                if binding is not None:
                    found[binding.pair] = binding
    return tuple(found[pair] for pair in sorted(found))


def bindings_of_usage(state: State, queue: int, usage: Mapping[FlavorResource, int]) -> tuple[Binding, ...]:
    """The limits behind what is missing now for a usage that fits once running work has ended."""
    free = {pair: state.ledger.available(queue, pair) for pair in sorted(usage)}
    return tuple(
        _bind(state, queue, pair, usage[pair], free[pair], ever=False) for pair in free if usage[pair] > free[pair]
    )


def bindings_out_of_reach(state: State, queue: int, usage: Mapping[FlavorResource, int]) -> tuple[Binding, ...]:
    """The limits behind a usage that the queue can never have."""
    reach = {pair: state.forest.potential(queue, pair) for pair in sorted(usage)}
    return tuple(_bind(state, queue, pair, usage[pair], most, ever=True) for pair, most in reach.items())


def _of(state: State, queue: int, reason: Step) -> Binding | None:
    if reason.law not in (Law.EXCEEDS_POTENTIAL, Law.EXCEEDS_AVAILABLE):
        return None
    names = dict(reason.operands)
    pair = pair_of(str(names["flavor"]), str(names["resource"]))
    if reason.law is Law.EXCEEDS_POTENTIAL:
        needed = total_with(_int(names["assumed"]), _int(names["request"]), saturates=True)
        return _bind(state, queue, pair, needed, _int(names["potential"]), ever=True)
    return _bind(state, queue, pair, _int(names["needed"]), _int(names["free"]), ever=False)


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def _bind(state: State, queue: int, pair: FlavorResource, needed: int, reachable: int, *, ever: bool) -> Binding:
    path = state.forest.path(queue)[::-1]
    binding, kind = path[0], Limit.NOMINAL
    for parent, node in pairwise(path):
        limit = state.forest.quota(node, pair).borrowing_limit
        if limit is not None and _cuts(state, parent, node, pair, limit, ever=ever):
            binding, kind = node, Limit.BORROWING_LIMIT
    if kind is Limit.NOMINAL:
        keeper = _keeper(state, queue, pair, subtract(needed, reachable), ever=ever)
        if keeper is not None:
            binding, kind = keeper, Limit.LENDING_LIMIT
    this = state.forest.nodes[binding]
    node_kind = "ClusterQueue" if this.is_queue else "Cohort"
    value = _value(state, binding, kind, pair)
    place, amount_there = quota_place(this, pair, str(kind)), value
    if kind is Limit.NOMINAL:
        # No field has a cohort's whole quota: cite a part of it, and for an implicit cohort the queue's own quota.
        owner = binding if place is not None else queue
        place = quota_place(state.forest.nodes[owner], pair, str(kind))
        amount_there = state.forest.quota(owner, pair).nominal
    return Binding(pair, this.name, node_kind, kind, value, place, needed, reachable, ever, amount_there)


def _value(state: State, node: int, kind: Limit, pair: FlavorResource) -> int:
    quota = state.forest.quota(node, pair)
    limits = {Limit.BORROWING_LIMIT: quota.borrowing_limit, Limit.LENDING_LIMIT: quota.lending_limit}
    return state.forest.subtree(node, pair) if kind is Limit.NOMINAL else limits[kind] or 0


def _keeper(state: State, queue: int, pair: FlavorResource, missing: int, *, ever: bool) -> int | None:
    """The nearest node next to the path whose lendingLimit keeps back at least the missing amount."""
    if missing.__class__ is int and missing > 0 and not state.forest.kept(state.forest.root(queue), pair):
        return None  # nothing is kept back in its tree
    for node in state.forest.beside(queue):
        used = 0 if ever else state.ledger.usage(node, pair)
        if subtract(state.forest.local(node, pair), used) >= missing:
            return node
    return None


def _cuts(state: State, parent: int, node: int, pair: FlavorResource, limit: int, *, ever: bool) -> bool:
    """Whether the node's borrowingLimit allows less than its parent could lend."""
    forest, ledger = state.forest, state.ledger
    subtree, local = forest.subtree(node, pair), forest.local(node, pair)
    if ever:
        return add(subtree, limit) < add(local, forest.potential(parent, pair))
    return borrowing_ceiling(subtree, local, ledger.usage(node, pair), limit) < ledger.available(parent, pair)
