"""The holders of what a workload waits for, what an admitted workload holds, and the queues that could preempt it.

Tested in ``tests/unit/cli/test_why_reasons.py``.
"""

from collections.abc import Iterable, Iterator

from kubectl_fairshare.answers.fidelity import merged_fidelity, untried_gaps
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.review import PossiblePreemptor
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.refusal import inactivity
from kubectl_fairshare.schedulers.kueue.cycle.stopping import stopping_head
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Limit
from kubectl_fairshare.schedulers.kueue.explain.preemptors.takers import left_below, takers
from kubectl_fairshare.schedulers.kueue.jobs.record import Record
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.why.verdict import HeldBy, Holding, Taker, Why


def held_by(state: State, queue: int, bindings: Iterable[Binding]) -> tuple[HeldBy, ...]:
    """The workloads that hold what is missing: those of borrowing queues first, then the largest.

    If a borrowingLimit binds, these are the workloads below its node, else all of the tree. A limit that binds even
    without other workloads has no holders.
    """
    found = []
    for binding in bindings:
        if not binding.ever:
            node = _above(state, queue, binding)
            found += [
                held for below in state.forest.queues_below(node) for held in _holders_of(state, below, binding.pair)
            ]
    return tuple(sorted(found, key=lambda h: (h.pair, not h.borrows, -h.amount, h.holder.reserved, h.holder.key)))


def _above(state: State, queue: int, binding: Binding) -> int:
    """The node below which all usage counts towards the limit."""
    if binding.kind is not Limit.BORROWING_LIMIT:
        return state.forest.root(queue)
    ids = state.forest.queue_ids if binding.node_kind == "ClusterQueue" else state.forest.cohort_ids
    return ids[binding.node]


def _holders_of(state: State, queue: int, pair: FlavorResource) -> Iterator[HeldBy]:
    borrows = state.ledger.usage(queue, pair) > state.forest.subtree(queue, pair)
    for holder in state.holders.of(queue):
        amount = holder.usage.get(pair, 0)
        if amount > 0:
            yield HeldBy(holder, pair, amount, borrows)


def with_holding(found: Why, state: State, holder: Holder, asked: int, record: Record) -> Why:
    """The answer with what an admitted workload holds, whose quota it is, and which queues could preempt it."""
    queue = state.forest.queue_ids.get(holder.cluster_queue)
    over = () if queue is None else tuple(_over(state, queue, holder))
    of, doubt, _ = takers(state, PreemptorNumbers(), (holder,))
    able = tuple(_takers(state, holder, of[holder.key], over))
    below = tuple(left_below(state, holder))
    known = holder.cluster_queue in state.inactive
    reason = inactivity(state, holder.cluster_queue) if known else None
    head = stopping_head(state)
    stop = None if head is None else head.refused
    holding = Holding(holder, record.assigned, asked, over, able, reason, below, stop)
    return replace(found, holding=holding, fidelity=merged_fidelity([found.fidelity], untried_gaps(doubt)))


def _over(state: State, queue: int, holder: Holder) -> Iterator[tuple[FlavorResource, int]]:
    """The amounts that the queue borrows, for the flavor-resources that the workload holds."""
    for pair in sorted(holder.usage):
        more = state.ledger.usage(queue, pair) - state.forest.subtree(queue, pair)
        if more > 0 and holder.usage[pair] > 0:
            yield pair, more


def _takers(
    state: State, holder: Holder, able: Iterable[PossiblePreemptor], over: tuple[tuple[FlavorResource, int], ...]
) -> Iterator[Taker]:
    """The queues that may preempt the workload, its own first, each with the field that allows it."""
    for each in sorted(able, key=lambda each: (each.queue != holder.cluster_queue, each)):
        spec = state.forest.nodes[state.forest.queue_ids[each.queue]].queue
        own = each.queue == holder.cluster_queue
        useful = () if own else tuple((pair, more) for pair, more in over if pair in spec.quotas)
        policies = spec.preemption
        policy, *path = {
            Law.IN_QUEUE_PRIORITY: (policies.within_cluster_queue, "withinClusterQueue"),
            Law.RECLAIM_WHILE_BORROWING: (policies.borrow_within_cohort, "borrowWithinCohort", "policy"),
        }.get(law := Law(each.law), (policies.reclaim_within_cohort, "reclaimWithinCohort"))
        yield Taker(spec.name, policy, own, useful, Place(spec.key, ("spec", "preemption", *path)), law)
