"""The cohort trees of the input, and the places of their quotas and limits."""

from typing import Final, NamedTuple

from kubectl_fairshare.lint.given import Examined, worked_out_once
from kubectl_fairshare.lint.strays import is_meant
from kubectl_fairshare.model.json import inside
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest, TreeNode

_DEEPEST: Final = 200
_MEMBERSHIPS: Final = ("cohortName", "cohort", "parentName")


class Tree(NamedTuple):
    """A tree: its root, and all its cohorts and queues, every parent before its children, then by name."""

    root: TreeNode
    cohorts: tuple[TreeNode, ...]
    queues: tuple[TreeNode, ...]

    @property
    def nodes(self) -> tuple[TreeNode, ...]:
        """Cohorts and queues."""
        return (*self.cohorts, *self.queues)


@worked_out_once
def trees(given: KueueGiven) -> tuple[Tree, ...]:
    """The trees of the input by their roots; a queue without a cohort is a tree.

    A tree with too many levels is left out; the reader reports it.
    """
    found = (_tree(given.forest, node) for node in given.forest.nodes if node.parent is None)
    return tuple(tree for tree in found if tree is not None)


def _tree(forest: Forest, root: TreeNode) -> Tree | None:
    cohorts: list[TreeNode] = []
    queues: list[TreeNode] = []
    level, depth = [root], 0
    while level:
        if depth > _DEEPEST:
            return None
        cohorts += (node for node in level if not node.is_queue)
        queues += (node for node in level if node.is_queue)
        level = [forest.nodes[i] for node in level for i in (*node.cohorts, *node.queues)]
        depth += 1
    return Tree(root, tuple(cohorts), tuple(queues))


@worked_out_once
def known_trees(given: KueueGiven) -> tuple[Tree, ...]:
    """The trees whose quota is all known: without objects that the API server rejects."""
    unknown = unknown_cohorts(given)
    found = trees(given)
    if not unknown:
        return found
    return tuple(tree for tree in found if unknown.isdisjoint(node.name for node in tree.cohorts))


@worked_out_once
def unknown_cohorts(given: KueueGiven) -> frozenset[str]:
    """The cohorts of objects that are rejected or lose a quota: their quota is unknown."""
    found: set[str] = set()
    for kind in ("Cohort", "ClusterQueue"):
        for examined in given.of(kind):
            if examined.stored is None or _loses_quota(given, examined):
                named = [inside(examined.manifest.passing_data, "spec", field) for field in _MEMBERSHIPS]
                found.update(name for name in named if isinstance(name, str))
                found.update([examined.key.name] if kind == "Cohort" else [])
    return frozenset(found)


def _loses_quota(given: KueueGiven, each: Examined) -> bool:
    """Whether a dropped field was probably a quota, a limit or a cohort."""
    if each.judgement is None or not each.judgement.unknown_fields:
        return False
    fields = (("spec", "resourceGroups"), *(("spec", name) for name in _MEMBERSHIPS))
    return any(is_meant(given, each.at(*field)) for field in fields)


def quota_place(node: TreeNode, pair: FlavorResource, field: str) -> Place:
    """The place of a quota or limit of a declared node."""
    if node.spec is None:
        raise ValueError(f"cohort {node.name} is not declared")
    return Place(node.spec.key, (*node.spec.paths[pair], field))


def membership_place(node: TreeNode) -> Place:
    """The place where a declared node names its parent cohort."""
    if isinstance(node.spec, ClusterQueue):
        return Place(node.spec.key, ("spec", "cohortName"))
    return Place(cluster_key("Cohort", node.name), ("spec", "parentName"))


def title(node: TreeNode) -> str:
    """The node's name in messages: ``ClusterQueue `a```, ``Cohort `b```."""
    return f"{'ClusterQueue' if node.is_queue else 'Cohort'} `{node.name}`"
