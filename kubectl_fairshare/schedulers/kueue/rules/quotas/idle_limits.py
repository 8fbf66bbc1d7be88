"""Limits that never bind."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy, Remove
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import figure
from kubectl_fairshare.model.amounts import UNLIMITED, add, subtract
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.rules.cohorts.names import lonely
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import Tree, known_trees, quota_place, title
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.donors import pointless
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest, TreeNode


def headroom(forest: Forest, node: TreeNode, pair: FlavorResource) -> int:
    """What a node with a parent could borrow without a borrowingLimit: local + potential(parent) − subtree."""
    if node.parent is None:
        return 0
    reach = add(forest.local(node.id, pair), forest.potential(node.parent, pair))
    return subtract(reach, forest.subtree(node.id, pair))


def declared_quotas(tree: Tree) -> Iterator[tuple[TreeNode, FlavorResource]]:
    """The quotas of a tree, each with its node."""
    for node in tree.nodes:
        for pair in node.quotas:
            yield node, pair


@warning_rule("K090")
def borrowing_limit_never_binds(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each limit above 0 that is not below the amount that can be borrowed.

    If nothing can be borrowed, another rule reports that.
    """
    forest = given.forest
    for tree in known_trees(given):
        idle = pointless(forest, tree) is not None
        for node, pair in declared_quotas(tree):
            limit = node.quotas[pair].borrowing_limit
            if not limit or limit == UNLIMITED or node.parent is None or lonely(given, node):
                continue
            most = headroom(forest, node, pair)
            nothing = most <= 0 and (idle or forest.subtree(node.id, pair) == 0)
            if limit >= most and not nothing:
                yield _useless(forest, node, pair, limit, most)


def _useless(forest: Forest, node: TreeNode, pair: FlavorResource, limit: int, most: int) -> Finding:
    place = quota_place(node, pair, "borrowingLimit")
    parent = forest.nodes[node.parent] if node.parent is not None else node
    most = max(0, most)
    lent = "all that others lend" if limit == most else "but others lend none"
    if 0 < most < limit:
        lent = f"but others lend at most {figure(pair.resource, most)}"
    return Finding(
        place,
        f"borrowingLimit of {title(node)} is {figure(pair.resource, limit)} in `{pair.flavor}`, {lent}",
        Remedy("lower the limit below that amount, or remove it", (Remove(place),)),
        evidence=(
            ("borrowingLimit", figure(pair.resource, limit)),
            ("subtree quota", figure(pair.resource, forest.subtree(node.id, pair))),
            (f"potential of {parent.name}", figure(pair.resource, forest.potential(parent.id, pair))),
            ("to borrow", figure(pair.resource, most)),
        ),
        related=_parent_quota(parent, pair),
        elsewhere=f"quota in cohort {forest.nodes[forest.root(node.id)].name}",
    )


def _parent_quota(parent: TreeNode, pair: FlavorResource) -> tuple[Related, ...]:
    if parent.spec is None:
        return ()
    if pair in parent.quotas:
        return (Related("quota of the parent", quota_place(parent, pair, "nominalQuota")),)
    return (Related("the parent", Place(parent.spec.key, ("metadata", "name"))),)


@info_rule("K091")
def lending_limit_never_binds(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each limit that is not below the subtree quota."""
    forest = given.forest
    for tree in known_trees(given):
        for node, pair in declared_quotas(tree):
            limit, subtree = node.quotas[pair].lending_limit, forest.subtree(node.id, pair)
            if limit is None or node.parent is None or limit < subtree or subtree == 0 or limit == UNLIMITED:
                continue
            place = quota_place(node, pair, "lendingLimit")
            above = f"{figure(pair.resource, limit - subtree)} more than" if limit > subtree else "all that"
            yield Finding(
                place,
                f"{title(node)} may lend {figure(pair.resource, limit)} in `{pair.flavor}`, {above} it has",
                Remedy("lower the limit by the amount that the node should keep, or remove it", (Remove(place),)),
                evidence=(
                    ("lendingLimit", figure(pair.resource, limit)),
                    ("subtree quota", figure(pair.resource, subtree)),
                ),
                elsewhere="" if node.is_queue else f"quota below cohort {node.name}",
            )


@info_rule("K096", advice=True)
def cohort_lends_less(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Cohort's limit that keeps something back."""
    forest = given.forest
    for tree in known_trees(given):
        for node, pair in declared_quotas(tree):
            limit, kept = node.quotas[pair].lending_limit, forest.local(node.id, pair)
            if not node.is_queue and limit is not None and kept > 0:
                yield Finding(
                    quota_place(node, pair, "lendingLimit"),
                    f"{title(node)} never lends {figure(pair.resource, kept)} in `{pair.flavor}`",
                    Remedy("raise the limit if it may lend them"),
                    evidence=(
                        ("lendingLimit", figure(pair.resource, limit)),
                        ("subtree quota", figure(pair.resource, forest.subtree(node.id, pair))),
                    ),
                )
