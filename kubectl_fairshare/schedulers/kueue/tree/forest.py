"""The trees of cohorts and queues, with the figures of each node that follow from quota alone.

Nodes are numbered in a fixed order: cohorts by name, then ClusterQueues by name. Everything here is
independent of usage.
Why not subtract what a child does not lend from the sum: a cohort with a child of nominal 8 and lendingLimit 5 has 5 of
it, and one with lendingLimit 12 has 8; the local part is at least 0, and never gives more than there is.
Source: ``updateCohortResourceNode``, ``accumulateFromChild``, ``potentialAvailable`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/resource_node.go; "the tree" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/tree/test_ledger.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from kubectl_fairshare.model.amounts import add, subtract
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kueue.accounting import local_quota, potential
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, Cohort, Preemption, Quota, QuotaTable
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource

NO_QUOTA: Final = Quota(0)


class NodeQuota(NamedTuple):
    """The quota of one node on a path; ``limit`` is its borrowingLimit."""

    subtree: int
    local: int
    limit: int | None


class TreeNode(Value, frozen=True):
    """A Cohort or ClusterQueue in its tree.

    ``subtree`` and ``local`` are per flavor-resource: the quota of the node and all nodes below, and the part of it
    that the node never lends (absent means 0). ``height`` is a cohort's, counting only active queues. ``spec`` is None
    for an implicit cohort.
    """

    id: int
    name: str
    spec: ClusterQueue | Cohort | None
    parent: int | None
    weight: float
    quotas: QuotaTable
    queues: tuple[int, ...] = ()
    cohorts: tuple[int, ...] = ()
    subtree: Mapping[FlavorResource, int] = field(default_factory=dict)
    local: Mapping[FlavorResource, int] = field(default_factory=dict)
    height: int = 0

    @property
    def is_queue(self) -> bool:
        """Whether the node is a ClusterQueue."""
        return isinstance(self.spec, ClusterQueue)

    @property
    def children(self) -> tuple[int, ...]:
        """The cohorts, then the queues directly below."""
        return (*self.cohorts, *self.queues)

    @property
    def queue(self) -> ClusterQueue:
        """The ClusterQueue. Raises ``TypeError`` for a cohort."""
        if not isinstance(self.spec, ClusterQueue):
            raise TypeError(f"{self.name} is not a ClusterQueue")
        return self.spec


class Forest:
    """All trees of a state. ``inactive`` maps an inactive queue to the reasons.

    ``cyclic_cohorts`` and ``cyclic_queues`` are names. Their ancestors form a cycle: the forest has no nodes for them.
    ``exact_shares``: a share is rounded once, from exact amounts.
    """

    __slots__ = (
        "_figures",
        "_kept",
        "_lendable",
        "_paths",
        "_potential",
        "cohort_ids",
        "cyclic_cohorts",
        "cyclic_queues",
        "exact_shares",
        "nodes",
        "queue_ids",
    )

    def __init__(
        self,
        nodes: tuple[TreeNode, ...],
        cohort_ids: Mapping[str, int],
        queue_ids: Mapping[str, int],
        cyclic_cohorts: frozenset[str],
        cyclic_queues: frozenset[str],
        *,
        exact_shares: bool = False,
    ) -> None:
        self.nodes = nodes
        self.exact_shares = exact_shares
        self.cohort_ids = cohort_ids
        self.queue_ids = queue_ids
        self.cyclic_cohorts = cyclic_cohorts
        self.cyclic_queues = cyclic_queues
        self._potential: dict[FlavorResource, dict[int, int]] = {}
        self._figures: dict[tuple[int, FlavorResource], NodeQuota] = {}
        self._kept: dict[tuple[int, FlavorResource], int] | None = None
        self._lendable: dict[tuple[int, str], int] = {}
        self._paths: dict[int, tuple[int, ...]] = {}

    def _with_nodes(self, nodes: Sequence[TreeNode]) -> "Forest":
        names = self.cohort_ids, self.queue_ids, self.cyclic_cohorts, self.cyclic_queues
        return Forest(tuple(nodes), *names, exact_shares=self.exact_shares)

    def path(self, node: int) -> tuple[int, ...]:
        """The node and its ancestors up to the root."""
        known = self._paths.get(node)
        if known is None:
            known = self._paths[node] = self._find_path(node)
        return known

    def _find_path(self, node: int) -> tuple[int, ...]:
        found = [node]
        while (parent := self.nodes[found[-1]].parent) is not None:
            found.append(parent)
        return tuple(found)

    def root(self, node: int) -> int:
        """The root of the node's tree."""
        while (parent := self.nodes[node].parent) is not None:
            node = parent
        return node

    def quota(self, node: int, pair: FlavorResource) -> Quota:
        """The node's own quota for a flavor-resource; 0 without limits if it has no such quota."""
        return self.nodes[node].quotas.get(pair, NO_QUOTA)

    def subtree(self, node: int, pair: FlavorResource) -> int:
        """subtree(n): nominal, plus for a cohort what its children lend."""
        return self.nodes[node].subtree.get(pair, 0)

    def local(self, node: int, pair: FlavorResource) -> int:
        """local(n): the part of subtree(n) that n never lends because of its lendingLimit."""
        return self.nodes[node].local.get(pair, 0)

    def figures(self, node: int, pair: FlavorResource) -> NodeQuota:
        """The node's quota, for a search along its path; those of cohorts are kept, as many queues ask for them."""
        known = self._figures.get((node, pair))
        if known is None:
            limit = self.quota(node, pair).borrowing_limit
            known = NodeQuota(self.subtree(node, pair), self.local(node, pair), limit)
            if not self.nodes[node].is_queue:
                self._figures[node, pair] = known
        return known

    def potential(self, node: int, pair: FlavorResource) -> int:
        """potential(n): the most that n could use if no other node used anything."""
        of_pair = self._potential.get(pair)
        if of_pair is None:
            of_pair = self._potential[pair] = {}
        known = of_pair.get(node)
        if known is None:
            known = of_pair[node] = self._find_potential(node, pair)
        return known

    def _find_potential(self, node: int, pair: FlavorResource) -> int:
        parent, limit = self.nodes[node].parent, self.quota(node, pair).borrowing_limit
        above = None if parent is None else self.potential(parent, pair)
        return potential(self.subtree(node, pair), self.local(node, pair), limit, above)

    def lendable(self, parent: int, resource: str) -> int:
        """lendable(resource) for the children of ``parent``: Σ potential(parent, FR) over the root's FRs."""
        known = self._lendable.get((parent, resource))
        if known is None:
            # The flavor-resources of the root and not of the parent: a cohort may borrow in a flavor that it has no
            # quota of.
            pairs = (p for p in self.nodes[self.root(parent)].subtree if p.resource == resource)
            known = 0
            for pair in pairs:
                known = add(known, self.potential(parent, pair))
            self._lendable[parent, resource] = known
        return known

    def kept(self, root: int, pair: FlavorResource) -> int:
        """The total that the nodes of a tree do not lend: Σ local(n); 0 without a lendingLimit."""
        if self._kept is None:
            self._kept = {}
            for node in self.nodes:
                for key, amount in node.local.items():
                    place = (self.root(node.id), key)
                    self._kept[place] = add(self._kept.get(place, 0), amount)
        return self._kept.get((root, pair), 0)

    @property
    def roots(self) -> list[int]:
        """The root of every tree."""
        return _roots(self.nodes)

    def below(self, root: int) -> list[int]:
        """A node and all nodes below it, every parent before its children."""
        return top_down(self.nodes, (root,))

    def beside(self, node: int) -> Iterator[int]:
        """The nodes next to the path from a node to its root, nearest first."""
        for below, above in pairwise(self.path(node)):
            yield from (n for n in self.nodes[above].children if n != below)

    def queues_below(self, node: int) -> Iterator[int]:
        """The ids of all ClusterQueues of the subtree, by name within each cohort."""
        to_come = [node]
        while to_come:
            this = self.nodes[to_come.pop()]
            if this.is_queue:
                yield this.id
            yield from this.queues
            # Reversed for the stack, so that cohorts come by name.
            to_come.extend(reversed(this.cohorts))

    def with_quota(self, node: int, pair: FlavorResource, quota: Quota) -> "Forest":
        """The forest with one quota changed; only the nodes from there to the root are new."""
        nodes = list(self.nodes)
        nodes[node] = replace(nodes[node], quotas={**nodes[node].quotas, pair: quota})
        for step in self.path(node):
            nodes[step] = _with_figures(nodes, nodes[step])
        return self._with_nodes(nodes)

    def with_weight(self, node: int, weight: float) -> "Forest":
        """The forest with one fair sharing weight changed."""
        nodes = list(self.nodes)
        nodes[node] = replace(nodes[node], weight=weight)
        return self._with_nodes(nodes)

    def with_preemption(self, queue: int, preemption: Preemption) -> "Forest":
        """The forest with the preemption policies of one ClusterQueue changed."""
        nodes = list(self.nodes)
        nodes[queue] = replace(nodes[queue], spec=replace(nodes[queue].queue, preemption=preemption))
        return self._with_nodes(nodes)


def _with_figures(nodes: list[TreeNode], node: TreeNode) -> TreeNode:
    """The node with ``subtree`` and ``local`` computed from its quotas and its children."""
    subtree = {pair: quota.nominal for pair, quota in node.quotas.items()}
    for child in node.children:
        below = nodes[child]
        for pair, amount in below.subtree.items():
            # Absent is 0 without the call: most nodes have no lendingLimit.
            lent = subtract(amount, below.local[pair]) if pair in below.local else amount
            subtree[pair] = add(subtree.get(pair, 0), lent)
    return replace(node, subtree=subtree, local=_locals(subtree, node.quotas))


def _locals(subtree: Mapping[FlavorResource, int], quotas: QuotaTable) -> dict[FlavorResource, int]:
    """local(n) of each flavor-resource that has a lendingLimit."""
    limits = ((pair, quota.lending_limit) for pair, quota in quotas.items() if quota.lending_limit is not None)
    return {pair: local_quota(subtree[pair], limit) for pair, limit in limits}


def grow(state: KueueState, inactive: frozenset[str]) -> Forest:
    """The forest of a state; ``inactive`` queues are in it, but do not count for the height of cohorts."""
    parents = _parents(state)
    cyclic = _run_into_cycle(parents)
    cyclic_queues = frozenset(q.name for q in state.cluster_queues.values() if q.cohort in cyclic)
    cohort_names = [name for name in sorted(parents) if name not in cyclic]
    queue_names = [name for name in sorted(state.cluster_queues) if name not in cyclic_queues]
    cohort_ids = {name: i for i, name in enumerate(cohort_names)}
    queue_ids = {name: i + len(cohort_names) for i, name in enumerate(queue_names)}
    nodes = [_cohort_node(state, i, name, parents, cohort_ids) for name, i in cohort_ids.items()]
    nodes += [_queue_node(state.cluster_queues[name], i, cohort_ids) for name, i in queue_ids.items()]
    _link(nodes)
    cohorts_up = [i for i in reversed(top_down(nodes, _roots(nodes))) if not nodes[i].is_queue]
    for i in cohorts_up:
        nodes[i] = _with_figures(nodes, nodes[i])
    _measure_heights(nodes, cohorts_up, inactive)
    exact = state.configuration.release.exact_amounts
    return Forest(tuple(nodes), cohort_ids, queue_ids, cyclic, cyclic_queues, exact_shares=exact)


def _parents(state: KueueState) -> dict[str, str | None]:
    """Every cohort, declared or implied, with its parent."""
    parents: dict[str, str | None] = {c.name: c.parent for c in state.cohorts.values()}
    named = [c.parent for c in state.cohorts.values()] + [q.cohort for q in state.cluster_queues.values()]
    for name in named:
        if name is not None:
            parents.setdefault(name, None)
    return parents


def _run_into_cycle(parents: Mapping[str, str | None]) -> frozenset[str]:
    """The names whose ancestors form a cycle. A walk stops at a node that an earlier walk has visited."""
    known: dict[str, bool] = {}
    for name in parents:
        way: dict[str, None] = {}
        at: str | None = name
        while at is not None and at not in known and at not in way:
            way[at] = None
            at = parents[at]
        # All of a walk that runs into a cycle are lost, those before it too: Kueue computes no quota for a tree whose
        # root it does not find.
        known.update(dict.fromkeys(way, at is not None and (at in way or known[at])))
    return frozenset(name for name, cyclic in known.items() if cyclic)


def _cohort_node(
    state: KueueState, i: int, name: str, parents: Mapping[str, str | None], ids: Mapping[str, int]
) -> TreeNode:
    spec = state.cohorts.get(name)
    parent = parents[name]
    # A cohort without an object has the zero of Go as its weight, not the default 1: Kueue parses weights of objects
    # alone.
    weight = spec.weight if spec else 0.0
    return TreeNode(i, name, spec, None if parent is None else ids[parent], weight, spec.quotas if spec else {})


def _queue_node(queue: ClusterQueue, i: int, ids: Mapping[str, int]) -> TreeNode:
    parent = None if queue.cohort is None else ids[queue.cohort]
    subtree = {pair: quota.nominal for pair, quota in queue.quotas.items()}
    local = _locals(subtree, queue.quotas)
    return TreeNode(i, queue.name, queue, parent, queue.weight, queue.quotas, subtree=subtree, local=local)


def _link(nodes: list[TreeNode]) -> None:
    queues: dict[int, list[int]] = {}
    cohorts: dict[int, list[int]] = {}
    for node in nodes:
        if node.parent is not None:
            (queues if node.is_queue else cohorts).setdefault(node.parent, []).append(node.id)
    for parent in sorted({*queues, *cohorts}):
        nodes[parent] = replace(
            nodes[parent], queues=tuple(queues.get(parent, ())), cohorts=tuple(cohorts.get(parent, ()))
        )


def top_down(nodes: Sequence[TreeNode], roots: Iterable[int]) -> list[int]:
    """The ids of the trees below ``roots``, every parent before its children."""
    found = [*roots]
    for node in found:
        found.extend(nodes[node].children)
    return found


def _roots(nodes: Sequence[TreeNode]) -> list[int]:
    return [node.id for node in nodes if node.parent is None]


def _measure_heights(nodes: list[TreeNode], cohorts_up: Iterable[int], inactive: frozenset[str]) -> None:
    for i in cohorts_up:
        below = [nodes[c].height for c in nodes[i].cohorts]
        active = any(nodes[q].name not in inactive for q in nodes[i].queues)
        # A cycle's snapshot has no inactive queues, so a cohort with no others has height 0.
        nodes[i] = replace(nodes[i], height=1 + max(below) if below else int(active))
