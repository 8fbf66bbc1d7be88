"""How far up the tree a request has to borrow, and whether it fits.

Why not the number of cohorts that are climbed: of two queues that borrow from one root, one is directly below it and
the other two cohorts further down. Both have the root's height as their level, so neither flavor looks more local.
Source: ``FindHeightOfLowestSubtreeThatFits`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/classical/hierarchical_preemption.go;
"borrowing level" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/explain/test_binding.py``.
"""

from typing import NamedTuple

from kubectl_fairshare.model.amounts import add, subtract
from kubectl_fairshare.schedulers.kueue.accounting import free_local
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Usage
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger


class Reach(NamedTuple):
    """The borrowing level of a request, and whether it could be reclaimed below the root."""

    level: int
    may_reclaim: bool


def reach(ledger: Ledger, queue: int, pair: FlavorResource, amount: int) -> Reach:
    """The borrowing level of ``amount``: 0, or the height of the first cohort that does not borrow for it."""
    nodes = ledger.forest.nodes
    parent = nodes[queue].parent
    if parent is None:
        return Reach(0, may_reclaim=False)
    if not ledger.borrows_with(queue, pair, amount):
        # Within its own quota it need not borrow, whatever others have taken of that.
        return Reach(0, may_reclaim=True)
    rest = subtract(amount, free_local_of(ledger, queue, pair))
    while True:
        node = nodes[parent]
        if not ledger.borrows_with(parent, pair, rest):
            # A request that only the root can hold borrows from the whole tree: there is no part of it that owns the
            # quota.
            return Reach(node.height, may_reclaim=node.parent is not None)
        rest = subtract(rest, free_local_of(ledger, parent, pair))
        if node.parent is None:
            # It fits nowhere, and counts as what borrows from the whole tree.
            return Reach(node.height, may_reclaim=False)
        parent = node.parent


def free_local_of(ledger: Ledger, node: int, pair: FlavorResource) -> int:
    """The unused part of a node's local quota."""
    return free_local(ledger.forest.local(node, pair), ledger.usage(node, pair))


def fits(ledger: Ledger, queue: int, usage: Usage, *, borrowing: bool) -> bool:
    """Whether all of ``usage`` is available now, and without ``borrowing`` also within nominal quota."""
    for pair, amount in usage.items():
        # An amount of 0 fits in a queue that is overdrawn.
        if amount > ledger.free(queue, pair):
            return False
        if not borrowing and ledger.borrows_with(queue, pair, amount):
            return False
    return True


def within_nominal_with(ledger: Ledger, queue: int, usage: Usage) -> bool:
    """Whether the queue stays within its quota with ``usage`` added."""
    return all(add(ledger.usage(queue, p), amount) <= ledger.forest.subtree(queue, p) for p, amount in usage.items())
