"""The holders of what a workload waits for, what an admitted workload holds, and the queues that could preempt it.

Tested in ``tests/unit/cli/test_why_reasons.py``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.cycle.refusal import inactivity
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Limit
from kubectl_fairshare.schedulers.kueue.jobs.record import Record
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.why.verdict import HeldBy, Holding, Taker

_WITHIN: Final = ("spec", "preemption", "withinClusterQueue")
_RECLAIM: Final = ("spec", "preemption", "reclaimWithinCohort")


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


def holding(state: State, holder: Holder, record: Record, asked: int) -> Holding:
    """What an admitted workload holds, whose quota it is, and which queues could preempt it."""
    queue = state.forest.queue_ids.get(holder.cluster_queue)
    over = () if queue is None else tuple(_over(state, queue, holder))
    takers = () if queue is None else tuple(_takers(state, queue, over))
    known = holder.cluster_queue in state.inactive
    reason = inactivity(state, holder.cluster_queue) if known else None
    return Holding(holder, record.assigned, asked, over, takers, reason)


def _over(state: State, queue: int, holder: Holder) -> Iterator[tuple[FlavorResource, int]]:
    """The amounts that the queue borrows, for the flavor-resources that the workload holds."""
    for pair in sorted(holder.usage):
        more = state.ledger.usage(queue, pair) - state.forest.subtree(queue, pair)
        if more > 0 and holder.usage[pair] > 0:
            yield pair, more


def _takers(state: State, queue: int, over: tuple[tuple[FlavorResource, int], ...]) -> Iterator[Taker]:
    """The queues whose policies allow preemption: the workload's own, and others while its own queue borrows."""
    if not state.is_active(queue):
        return
    own = state.forest.nodes[queue].queue
    if own.preemption.within_cluster_queue != "Never":
        yield Taker(own.name, own.preemption.within_cluster_queue, True, (), Place(own.key, _WITHIN))
    for other in sorted(state.forest.queues_below(state.forest.root(queue))):
        spec = state.forest.nodes[other].queue
        policy = spec.preemption.reclaim_within_cohort
        useful = tuple((pair, more) for pair, more in over if pair in spec.quotas)
        if other != queue and policy != "Never" and useful and state.is_active(other):
            yield Taker(spec.name, policy, False, useful, Place(spec.key, _RECLAIM))
