"""The figures of every quota: what it has, requests, may use and uses, resource by resource.

Source: koordinator v1.8.0; ``docs/koordinator.md`` names the terms.
"""

from collections.abc import Iterator, Mapping

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.koordinator.gaps import state_gaps
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, inner, whole
from kubectl_fairshare.schedulers.koordinator.model.names import DEFAULT, ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import QuotaGroup
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, TreeFigures

_FIRST = ("cpu", "memory", "ephemeral-storage")


class RuntimeFigures(Value, frozen=True):
    """One resource of one quota, in inner units (cpu in millicores, the rest in units).

    ``max`` None: max does not list it, so it is not charged. ``runtime`` None: not limited. ``least`` is the min after
    scaling, ``guaranteed`` what a gate guarantees beyond that. ``firm`` is used by pods that are not preemptible.
    """

    min: int
    max: int | None
    weight: int
    least: int
    guaranteed: int
    request: int
    asked: int
    runtime: int | None
    used: int
    firm: int

    @property
    def borrowed(self) -> int:
        """What is used above min."""
        return max(0, self.used - self.min)

    @property
    def lent(self) -> int:
        """The part of its min that the division gives to others now."""
        return 0 if self.runtime is None else max(0, self.least - self.runtime)

    @property
    def room(self) -> int | None:
        """What is left up to the runtime; negative if more is used. None if nothing limits it."""
        return None if self.runtime is None else self.runtime - self.used


class RuntimeEntry(Value, frozen=True):
    """One quota with those below it. ``placed`` and ``waiting`` count pods, with those of descendants.

    ``orphan``: no chain of parents leads to root, so nothing limits it. ``uncomputed``: the scheduler computes no
    runtime for it.
    """

    group: QuotaGroup
    figures: Mapping[str, RuntimeFigures]
    placed: int
    waiting: int
    orphan: bool
    uncomputed: bool
    children: tuple["RuntimeEntry", ...] = ()

    @property
    def name(self) -> str:
        """Its name."""
        return self.group.name


class TreeEntry(Value, frozen=True):
    """One tree: what it divides, in inner units, and its quotas at the top. ``total`` None: not known."""

    id: str
    total: Mapping[str, int] | None
    shared: Mapping[str, int] | None
    roots: tuple[RuntimeEntry, ...]


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
    def roots(self) -> tuple[RuntimeEntry, ...]:
        """The quotas at the top of all trees."""
        return tuple(root for tree in self.trees for root in tree.roots)


def runtime_table(state: State, skipped: Mapping[str, int]) -> RuntimeTable:
    """The figures of every quota."""
    from kubectl_fairshare.schedulers.koordinator.preemption.revoking import over_used

    counts = _counts(state)
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


def _counts(state: State) -> dict[str, tuple[int, int]]:
    """The pods on nodes, and those that wait, of each quota alone."""
    found: dict[str, tuple[int, int]] = {}
    for pod in state.source.pods:
        quota = state.quota_of[pod.key].quota
        placed, waiting = found.get(quota, (0, 0))
        found[quota] = (placed + 1, waiting) if pod.node else (placed, waiting + 1)
    return found


def _tree(
    state: State, name: str, figures: TreeFigures, counts: Mapping[str, tuple[int, int]], resources: tuple[str, ...]
) -> TreeEntry:
    entries: dict[str, RuntimeEntry] = {}
    tree = figures.tree
    for quota in reversed(tree.order):
        below = tuple(entries[child] for child in tree.children.get(quota, ()) if child in entries)
        if quota != ROOT:
            entries[quota] = _entry(state, figures, quota, below, counts.get(quota, (0, 0)), resources)
    tops = [*tree.children.get(ROOT, ()), *(q for q in SPECIAL if q in tree.quotas and _is_shown(state, q, counts))]
    strays = [q for q in tree.order if q in tree.orphans and tree.quotas[q].parent not in tree.quotas]
    roots = tuple(entries[each] for each in (*tops, *strays))
    known = is_known(state, name)
    return TreeEntry(name, inner(figures.total) if known else None, inner(figures.shared) if known else None, roots)


def _is_shown(state: State, quota: str, counts: Mapping[str, tuple[int, int]]) -> bool:
    return quota in counts or not state.quotas[quota].assumed


def _entry(
    state: State,
    figures: TreeFigures,
    name: str,
    below: tuple[RuntimeEntry, ...],
    own: tuple[int, int],
    resources: tuple[str, ...],
) -> RuntimeEntry:
    group = figures.tree.quotas[name]
    runtimes = figures.runtimes
    return RuntimeEntry(
        group,
        {r: _figures(state, figures, name, r) for r in resources},
        own[0] + sum(child.placed for child in below),
        own[1] + sum(child.waiting for child in below),
        name in figures.tree.orphans,
        not runtimes.has(name) and name not in figures.tree.orphans,
        below,
    )


def _figures(state: State, figures: TreeFigures, name: str, resource: str) -> RuntimeFigures:
    group, sums = figures.tree.quotas[name], figures.sums[name]

    def amount(of: Amounts) -> int:
        return whole(resource, of.get(resource, 0))

    limit = state.limit(name).get(resource)
    known = is_known(state, figures.tree.id) or not state.source.arguments.uses_runtime
    return RuntimeFigures(
        amount(group.min),
        amount(group.max) if resource in group.max else None,
        amount(group.shared_weight),
        amount(figures.runtimes.least(name)) if known else amount(group.min),
        amount(sums.guaranteed),
        amount(sums.limit_request),
        amount(sums.child_request),
        whole(resource, limit) if limit is not None and known else None,
        amount(sums.used),
        amount(sums.firm_used),
    )


def shown_figures(entry: RuntimeEntry, resource: str) -> RuntimeFigures:
    """The figures of a quota. The max of one that the scheduler creates is left out: a huge number without effect."""
    figures = entry.figures[resource]
    return replace(figures, max=None) if entry.group.assumed else figures


def walk_entries(roots: tuple[RuntimeEntry, ...]) -> Iterator[RuntimeEntry]:
    """Every quota, parents before their children."""
    waiting = list(reversed(roots))
    while waiting:
        entry = waiting.pop()
        yield entry
        waiting.extend(reversed(entry.children))
