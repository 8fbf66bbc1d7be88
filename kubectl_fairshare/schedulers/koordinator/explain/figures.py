"""The figures of every quota: what it has, requests, may use and uses, resource by resource.

Source: koordinator v1.8.0; ``docs/koordinator.md`` names the terms.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from kubectl_fairshare.answers.answer import Amount, amount_of
from kubectl_fairshare.answers.counts import NO_WORK, QueueCounts, QueueWork, own_counts, total_counts
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import OMITTED, Quantity
from kubectl_fairshare.answers.shares import QueueFigures, QueueNode
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.koordinator.gaps import state_gaps
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, inner, whole
from kubectl_fairshare.schedulers.koordinator.model.names import DEFAULT, ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import QuotaGroup
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, TreeFigures
from kubectl_fairshare.schedulers.manifests.creation import Creation, unknown_creation

_FIRST = ("cpu", "memory", "ephemeral-storage")


class RuntimeResourceFigures(Value, frozen=True, rename="camel"):
    """One resource of one quota, in inner units (cpu in millicores, the rest in units).

    A null max does not limit: max does not list it, so it is not charged. A null runtime is not limited, or not known.
    ``scaledMin`` is the min after scaling, ``guaranteed`` what a gate guarantees beyond that. ``usedNonPreemptible``
    is used by pods that are not preemptible. ``lent`` is the part of its min that the division gives to others now.
    """

    resource: str
    min: Quantity
    max: Quantity | None
    weight: Quantity
    least: Quantity = field(name="scaledMin")
    guaranteed: Quantity
    request: Quantity
    asked: Annotated[int, OMITTED]
    runtime: Quantity | None
    used: Quantity
    firm: Quantity = field(name="usedNonPreemptible")
    borrowed: Quantity
    lent: Quantity


class KoordinatorQuotaReport(Value, frozen=True, rename="camel"):
    """A quota with Koordinator's own figures. ``orphan``: no parents lead to root, so nothing limits it."""

    tree: str
    is_parent: bool
    lends: bool
    assumed: bool
    orphan: bool
    group: Annotated[QuotaGroup, OMITTED]
    uncomputed: Annotated[bool, OMITTED]
    placed: Annotated[int, OMITTED]
    waiting: Annotated[int, OMITTED]


RuntimeNode = QueueNode[KoordinatorQuotaReport, RuntimeResourceFigures]


class TreeEntry(Value, frozen=True):
    """One tree: what it divides, in inner units, and its quotas at the top. ``total`` None: not known."""

    id: str
    total: Mapping[str, int] | None
    shared: Mapping[str, int] | None
    roots: tuple[RuntimeNode, ...]


class RuntimeTable(Value, frozen=True):
    """All quotas by tree. ``nodes`` counts nodes, then those that are cordoned or not ready, which count as well.

    ``outside`` counts pods without any quota; ``over`` are quotas that use more than their runtime.
    """

    trees: tuple[TreeEntry, ...]
    resources: tuple[str, ...]
    nodes: tuple[int, int]
    outside: int
    over: tuple[str, ...]
    skipped: Mapping[str, int]
    fidelity: Fidelity

    @property
    def quotas(self) -> Iterator[RuntimeNode]:
        """The quotas of all trees, parents before their children."""
        return (node for tree in self.trees for root in tree.roots for node in root)


class TreeTotal(Value, frozen=True):
    """What a tree has of one resource, and what it shares; null if the input has no nodes."""

    tree: str
    resource: str
    total: Quantity | None
    shared: Quantity | None


class RuntimeShares(Value, frozen=True, rename="camel"):
    """The trees of quotas; parents come before their children."""

    fidelity: Fidelity
    roots: tuple[RuntimeNode, ...] = field(name="queues")
    totals: tuple[TreeTotal, ...]
    nodes: int
    odd_nodes: int
    pods_without_quota: int
    over_used: tuple[str, ...]
    skipped: Mapping[str, int]


def runtime_table(state: State, skipped: Mapping[str, int], created: Creation = unknown_creation) -> RuntimeTable:
    """The figures of every quota."""
    from kubectl_fairshare.schedulers.koordinator.preemption.revoking import over_used

    counts = _counts(state, created)
    resources = resources_of(state)
    trees = tuple(_tree(state, name, figures, counts, resources) for name, figures in state.trees.items())
    source = state.source
    odd = sum(1 for node in source.nodes.values() if node.unschedulable or not node.ready)
    outside = sum(1 for pod in source.pods if not state.quota_of[pod.key].quota)
    over = over_used(state) if is_known(state, "") or len(state.trees) > 1 else ()
    return RuntimeTable(
        trees, resources, (len(source.nodes), odd), outside, over, skipped, state_gaps(state, figures=True)
    )


def is_known(state: State, tree: str) -> bool:
    """Whether the total of a tree is known: the default tree has that of the nodes, a named one that of its root."""
    return bool(tree) or bool(state.nodes)


def resources_of(state: State) -> tuple[str, ...]:
    """The resources that quotas of the input name: the standard ones first, the others by name."""
    groups = [group for group in state.source.quotas.values() if group.name != ROOT]
    named = {r for group in groups for r in (*group.min, *group.max)}
    if any(pod.node and state.quota_of[pod.key].quota in SPECIAL for pod in state.source.pods) or not named:
        named |= {r for r in ("cpu", "memory") if r in state.quotas[DEFAULT].max}
    return (*(r for r in _FIRST if r in named), *sorted(named.difference(_FIRST)))


def _counts(state: State, created: Creation) -> dict[str, QueueCounts]:
    """The pods on nodes, and those that wait, of each quota alone."""
    waiting = {pod.key: created(pod.key) for pod in state.source.pods if not pod.node}
    return own_counts(
        (state.quota_of[pod.key].quota, QueueWork(bool(pod.node), not pod.node, waiting.get(pod.key)))
        for pod in state.source.pods
    )


def _tree(
    state: State, name: str, figures: TreeFigures, counts: Mapping[str, QueueCounts], resources: tuple[str, ...]
) -> TreeEntry:
    entries: dict[str, RuntimeNode] = {}
    tree = figures.tree
    for quota in reversed(tree.order):
        below = tuple(entries[child] for child in tree.children.get(quota, ()) if child in entries)
        if quota != ROOT:
            entries[quota] = _entry(state, figures, quota, below, counts.get(quota, NO_WORK), resources)
    tops = [*tree.children.get(ROOT, ()), *(q for q in SPECIAL if q in tree.quotas and _is_shown(state, q, counts))]
    strays = [q for q in tree.order if q in tree.orphans and tree.quotas[q].parent not in tree.quotas]
    roots = tuple(entries[each] for each in (*tops, *strays))
    known = is_known(state, name)
    return TreeEntry(name, inner(figures.total) if known else None, inner(figures.shared) if known else None, roots)


def _is_shown(state: State, quota: str, counts: Mapping[str, QueueCounts]) -> bool:
    return quota in counts or not state.quotas[quota].assumed


def _entry(
    state: State,
    figures: TreeFigures,
    name: str,
    below: tuple[RuntimeNode, ...],
    counts: QueueCounts,
    resources: tuple[str, ...],
) -> RuntimeNode:
    group, orphan = figures.tree.quotas[name], name in figures.tree.orphans
    uncomputed = not figures.runtimes.has(name) and not orphan
    work = total_counts(counts, (each.counts for each in below))
    kind = (group.is_parent, group.lends, group.assumed, orphan)
    own = KoordinatorQuotaReport(figures.tree.id, *kind, group, uncomputed, work.running, work.pending)
    return QueueNode(
        group.key,
        tuple(_shown(group, runtime_figures(state, figures, name, r)) for r in resources),
        work,
        own,
        parent="" if group.parent == ROOT else group.parent,
        children=below,
        dim=orphan or name in SPECIAL,
    )


def _shown(group: QuotaGroup, of: RuntimeResourceFigures) -> QueueFigures[RuntimeResourceFigures]:
    """The figures of a quota. The max of one that the scheduler creates is left out: a huge number without effect."""
    own = replace(of, max=None) if group.assumed else of

    def amount(value: int | None) -> Amount | None:
        return None if value is None else amount_of(of.resource, value)

    return QueueFigures(
        of.resource,
        "",
        used=amount_of(of.resource, of.used),
        own=own,
        guaranteed=amount(of.min),
        limit=amount(own.max),
        borrowed=amount(of.borrowed),
        lent=amount(of.lent),
        reachable=amount(of.runtime),
    )


def runtime_figures(state: State, figures: TreeFigures, name: str, resource: str) -> RuntimeResourceFigures:
    """The figures of one resource of a quota."""
    group, sums = figures.tree.quotas[name], figures.sums[name]

    def amount(of: Amounts) -> int:
        return whole(resource, of.get(resource, 0))

    limit = state.limit(name).get(resource)
    known = is_known(state, figures.tree.id) or not state.source.arguments.uses_runtime
    least, used = amount(figures.runtimes.least(name)) if known else amount(group.min), amount(sums.used)
    runtime = whole(resource, limit) if limit is not None and known else None
    return RuntimeResourceFigures(
        resource,
        amount(group.min),
        amount(group.max) if resource in group.max else None,
        amount(group.shared_weight),
        least,
        amount(sums.guaranteed),
        amount(sums.limit_request),
        amount(sums.child_request),
        runtime,
        used,
        amount(sums.firm_used),
        borrowed=max(0, used - amount(group.min)),
        lent=0 if runtime is None else max(0, least - runtime),
    )
