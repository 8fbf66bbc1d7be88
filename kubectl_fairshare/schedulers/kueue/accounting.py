"""The laws of quota, local quota, lending and borrowing, each as a function of amounts.

Amounts are those of one node and one flavor-resource, in the units of ``model.amounts``.
Why a lendingLimit is not subtracted from the cohort once: nominal 8, lendingLimit 5, usage 2. The 3 that stay are used
first, so all 5 can still be borrowed; with usage 4, one of the 5 is gone.
Source: ``pkg/cache/scheduler/resource_node.go`` and KEP-79 in https://github.com/kubernetes-sigs/kueue/tree/v0.19.2;
"the tree" and "usage" in ``docs/laws.md``. Tested in ``tests/unit/schedulers/kueue/test_laws.py``.
"""

from kubectl_fairshare.model.amounts import add, subtract


def local_quota(subtree: int, lending_limit: int | None) -> int:
    """The subtree quota that a node never lends: subtree − lendingLimit, at least 0; 0 without lendingLimit."""
    # Of a cohort the subtree counts, not its own nominal quota: its lendingLimit bounds what leaves all of it.
    return 0 if lending_limit is None else max(0, subtract(subtree, lending_limit))


def free_local(local: int, usage: int) -> int:
    """The local quota that a node does not use."""
    return max(0, subtract(local, usage))


def taken(usage: int, local: int) -> int:
    """What a node takes from its cohort: it uses its local quota first."""
    return max(0, subtract(usage, local))


def over_quota(usage: int, subtree: int) -> int:
    """What a node borrows."""
    return max(0, subtract(usage, subtree))


def borrowing_ceiling(subtree: int, local: int, usage: int, limit: int) -> int:
    """What a node may still take from its cohort under its borrowingLimit: the quota that it lends, and the limit."""
    return add(subtract(subtract(subtree, local), taken(usage, local)), limit)


def available(subtree: int, local: int, usage: int, limit: int | None, above: int | None) -> int:
    """What a node can still take now; may be negative. ``above`` is what its cohort can take, None for a root."""
    if above is None:
        return subtract(subtree, usage)
    if limit is not None:
        # A borrowingLimit bounds what comes from above alone; the local part is added after it.
        above = min(above, borrowing_ceiling(subtree, local, usage, limit))
    if not local and usage >= 0:  # nothing is its own: as most nodes have it
        return above
    return add(free_local(local, usage), above)


def potential(subtree: int, local: int, limit: int | None, above: int | None) -> int:
    """The most that a node can use if nothing else is used; ``above`` is its cohort's, None for a root."""
    if above is None:
        return subtree
    most = add(local, above)
    # Here the limit is on all that the node has, local quota included, as nothing is used.
    return most if limit is None else min(most, add(subtree, limit))
