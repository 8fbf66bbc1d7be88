"""Lending in a cohort: none, too much, or the same quota twice."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy, Replace
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few, figure, several
from kubectl_fairshare.model.amounts import UNLIMITED, add
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import (
    Tree,
    known_trees,
    membership_place,
    quota_place,
    title,
)
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest, TreeNode


def pointless(forest: Forest, tree: Tree) -> str | None:
    """Why no queue of the tree can use more than its own quota although they share pairs; None if one can.

    Another rule reports a Cohort with its own quota that no queue can use.
    """
    listing: dict[FlavorResource, list[TreeNode]] = {}
    for queue in tree.queues:
        for pair in queue.quotas:
            listing.setdefault(pair, []).append(queue)
    shared = {pair: queues for pair, queues in listing.items() if len(queues) > 1}
    if not shared or any(quota.nominal for cohort in tree.cohorts for quota in cohort.quotas.values()):
        return None
    for pair, queues in shared.items():
        for queue in queues:
            nominal = queue.quotas[pair].nominal
            if nominal == UNLIMITED or forest.potential(queue.id, pair) > nominal:
                return None
    quotas = [queue.quotas[pair] for pair, queues in shared.items() for queue in queues]
    if not any(quota.nominal for quota in quotas) or any(not q.nominal and q.borrowing_limit for q in quotas):
        return None
    if all(quota.borrowing_limit == 0 for quota in quotas):
        return f"none of its {several(len(tree.queues), 'queue')} may borrow"
    if all(quota.lending_limit == 0 for quota in quotas if quota.nominal):
        return "every member with quota has a lendingLimit of 0"
    return "the limits in between leave nothing to borrow"


def tree_place(tree: Tree) -> Place:
    """The place that names a tree: its Cohort, otherwise the first queue's `cohortName`."""
    if tree.root.spec is not None:
        return Place(tree.root.spec.key, ("metadata", "name"))
    return membership_place((*tree.cohorts[1:], *tree.queues)[0])


@warning_rule("K092")
def cohort_without_effect(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each tree whose queues share pairs, and can use no more than their own."""
    for tree in known_trees(given):
        why = pointless(given.forest, tree) if len(tree.queues) > 1 else None
        if why is not None:
            yield Finding(
                tree_place(tree),
                f"cohort `{tree.root.name}` has no effect: {why}",
                Remedy("raise a lendingLimit or a borrowingLimit, or remove the cohort"),
                evidence=(("queues", few([queue.name for queue in tree.queues])),),
                elsewhere=f"members of cohort {tree.root.name}",
            )


@info_rule("K095", advice=True)
def unlimited_borrowing(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue, at its first quota without limit if larger lenders do not reclaim."""
    for tree in known_trees(given):
        lent: dict[FlavorResource, int] = {}
        for queue in tree.queues:
            for pair in queue.quotas:
                lent[pair] = add(lent.get(pair, 0), _defenceless(queue, pair))
        for queue in tree.queues:
            for pair, quota in queue.quotas.items():
                others = lent[pair] - _defenceless(queue, pair)
                borrowed = given.forest.potential(queue.id, pair) - quota.nominal
                if quota.borrowing_limit is None and borrowed > 0 and quota.nominal < others < UNLIMITED:
                    yield Finding(
                        quota_place(queue, pair, "nominalQuota"),
                        f"{title(queue)} may borrow {figure(pair.resource, borrowed)} in `{pair.flavor}` from owners "
                        "that cannot reclaim",
                        Remedy("write a borrowingLimit, or let the owners reclaim"),
                        evidence=(
                            ("nominalQuota", figure(pair.resource, quota.nominal)),
                            ("quota of the owners", figure(pair.resource, others)),
                        ),
                    )
                    break


def _defenceless(queue: TreeNode, pair: FlavorResource) -> int:
    """The quota that the queue may lose to borrowers and cannot reclaim."""
    quota = queue.quotas[pair]
    if queue.queue.preemption.reclaim_within_cohort != "Never":
        return 0
    return quota.nominal if quota.lending_limit is None else min(quota.nominal, quota.lending_limit)


@warning_rule("K097")
def cohort_quota_counted_twice(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Cohort whose quotas all repeat the sums below it, at the first quota."""
    forest = given.forest
    for tree in known_trees(given):
        for node in tree.cohorts:
            own = {pair: quota.nominal for pair, quota in node.quotas.items() if quota.nominal}
            if own and all(0 < nominal == _below(forest, node, pair) < UNLIMITED for pair, nominal in own.items()):
                yield _twice(forest, node, own)


def _below(forest: Forest, node: TreeNode, pair: FlavorResource) -> int:
    """The total subtree quota of a cohort's children."""
    total = 0
    for child in (*node.cohorts, *node.queues):
        total = add(total, forest.subtree(child, pair))
    return total


def _twice(forest: Forest, node: TreeNode, own: dict[FlavorResource, int]) -> Finding:
    pair, total = next(iter(own.items()))
    children = [forest.nodes[i] for i in (*node.cohorts, *node.queues) if forest.subtree(i, pair)]
    places = [quota_place(child, pair, "nominalQuota") for child in children if pair in child.quotas]
    return Finding(
        quota_place(node, pair, "nominalQuota"),
        f"{title(node)} adds {figure(pair.resource, total)} in `{pair.flavor}` to the same amount below it: "
        f"{figure(pair.resource, 2 * total)} in all",
        Remedy(
            "write only the quota in addition to that of the members; for none, write 0",
            tuple(Replace(quota_place(node, pair, "nominalQuota"), 0) for pair in own),
        ),
        evidence=(
            ("nominalQuota", figure(pair.resource, total)),
            *((f"of {child.name}", figure(pair.resource, forest.subtree(child.id, pair))) for child in children[:5]),
        ),
        related=tuple(Related("counted here", place) for place in places[:10]),
    )
