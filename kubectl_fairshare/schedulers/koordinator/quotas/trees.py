"""The trees of quotas: who is below whom, and what each tree divides.

Example: of quotas ``a`` and ``b`` each names the other as its parent. Neither is below root, and the scheduler walks up
without end: such a tree is an error here, and no figure is given.
Source:
https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/core/group_quota_manager.go,
``GroupQuotaManager``, one for each tree; ``getCurToAllParentGroupQuotaInfoNoLock``.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, fingerprint, minus, plus, total_of
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates, Node, QuotaGroup


class QuotaTree(Value, frozen=True):
    """One tree of quotas. ``order`` has every quota after its parent; orphans and those below them come last.

    ``children`` are by parent, without the default and the system quota. ``orphans`` reach no root. ``rank`` is the
    place in the order, and ``minima`` the sum of the children's min by parent. ``paths`` are the quotas on the path to
    one without ``is-parent``. Quotas of one ``sort`` differ in nothing that sums and divisions ask of them, but for the
    name and the parent; where names decide, each has its own. ``divided`` are the resources that root divides: those
    that a max lists, sorted, without the maxima of the quotas that the scheduler creates itself.
    """

    id: str
    quotas: Mapping[str, QuotaGroup]
    children: Mapping[str, Sequence[str]]
    order: Sequence[str]
    orphans: frozenset[str]
    rank: Mapping[str, int]
    minima: Mapping[str, Amounts]
    paths: frozenset[str]
    sort: Mapping[str, int]
    divided: tuple[str, ...]

    def ancestors(self, name: str) -> Iterator[str]:
        """The quotas above one, nearest first, with root; up to the one whose parent is unknown.

        Root is above all, whatever parent its own object names.
        """
        while name != ROOT and (name := self.quotas[name].parent) in self.quotas:
            yield name

    def path(self, name: str) -> list[str]:
        """The quotas from below root down to this one."""
        return [*reversed([above for above in self.ancestors(name) if above != ROOT]), name]


class ParentCycleError(Exception):
    """Raised for quotas that are their own ancestors: ``names`` in order. The scheduler loops on them without end."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(" → ".join((*names, names[0])))
        self.names = names


def first_cycle(quotas: Mapping[str, QuotaGroup]) -> tuple[str, ...]:
    """The first cycle of parents by name, from its least name on; empty without one."""
    return next(cycles(quotas), ())


def cycles(quotas: Mapping[str, QuotaGroup]) -> Iterator[tuple[str, ...]]:
    """The cycles of parents, in the order of the quotas that lead to them, each from its least name on."""
    done: set[str] = set()
    for start in quotas:
        path: dict[str, None] = {}
        name = start
        while name in quotas and name not in done and name not in path:
            path[name] = None
            name = quotas[name].parent if name != ROOT else ""
        if name in path:
            cycle = list(path)[list(path).index(name) :]
            first = cycle.index(min(cycle))
            yield (*cycle[first:], *cycle[:first])
        done.update(path)


def tree_of(tree: str, quotas: Mapping[str, QuotaGroup], *, by_name: bool = False) -> QuotaTree:
    """The tree of these quotas, which include root. Raises ``ParentCycleError``.

    ``by_name``: names decide what of a division each quota gets.
    """
    if cycle := first_cycle(quotas):
        raise ParentCycleError(cycle)
    children: dict[str, list[str]] = {}
    for name in sorted(quotas):
        if name not in SPECIAL and name != ROOT:
            children.setdefault(quotas[name].parent, []).append(name)
    order = [ROOT]
    for name in order:
        order += children.get(name, ())
    reached = {*order}
    special = [name for name in SPECIAL if name in quotas]
    strays = [name for name in sorted(quotas) if name not in reached and name not in special]
    tops = [name for name in strays if quotas[name].parent not in strays]
    below = list(tops)
    for name in below:
        below += children.get(name, ())
    whole, orphans = (*order, *special, *below), frozenset(below)
    ends = (name for name, quota in quotas.items() if not quota.is_parent)
    paths = on_paths(quotas, orphans, ends)
    ordinary = [quota for name, quota in quotas.items() if name not in (ROOT, *SPECIAL)]
    return QuotaTree(
        tree,
        quotas,
        children,
        whole,
        orphans,
        {name: number for number, name in enumerate(whole)},
        {parent: total_of(quotas[name].min for name in names) for parent, names in children.items()},
        paths,
        _sorts(quotas, paths, by_name=by_name),
        tuple(sorted({r for quota in ordinary for r in quota.max})),
    )


def on_paths(quotas: Mapping[str, QuotaGroup], orphans: Collection[str], ends: Iterable[str]) -> frozenset[str]:
    """The quotas on the paths from below root to these, without orphans, the default and the system quota."""
    found: set[str] = set()
    for end in ends:
        name = end if end in quotas and end not in SPECIAL and end not in orphans else ROOT
        while name != ROOT and name not in found:
            found.add(name)
            name = quotas[name].parent
    return frozenset(found)


def _sorts(quotas: Mapping[str, QuotaGroup], paths: Collection[str], *, by_name: bool) -> dict[str, int]:
    """A number for each quota: the same for quotas that differ in nothing that sums and divisions ask.

    A quota that is on no path has a runtime only while a pod asks for it, and a number of its own.
    """
    numbers: dict[Hashable, int] = {}
    found: dict[str, int] = {}
    for name, quota in quotas.items():
        amounts = (fingerprint(quota.min), fingerprint(quota.max), fingerprint(quota.shared_weight))
        alone = name if by_name or name not in paths else ""
        found[name] = numbers.setdefault((alone, quota.lends, *amounts), len(numbers))
    return found


def trees_of(quotas: Mapping[str, QuotaGroup], gates: Gates, *, by_name: bool = False) -> dict[str, QuotaTree]:
    """All trees by their id; without the gate everything is in the default tree, whose id is empty."""
    by_tree: dict[str, dict[str, QuotaGroup]] = {"": {}}
    root = quotas[ROOT]
    for name, quota in quotas.items():
        # The quotas that the scheduler makes itself are in the default tree only.
        default = not gates.multi_tree or name in (ROOT, *SPECIAL)
        by_tree.setdefault("" if default else quota.tree, {})[name] = quota
    return {tree: tree_of(tree, {ROOT: root, **by_tree[tree]}, by_name=by_name) for tree in sorted(by_tree)}


def named_totals(quotas: Iterable[QuotaGroup], gates: Gates) -> tuple[dict[str, Amounts], Amounts]:
    """The totals of named trees by id, and what they take off the default tree. The last of two roots counts."""
    totals: dict[str, Amounts] = {}
    taken: Amounts = {}
    for quota in quotas:
        # The total of a tree is what its root states, even if no node has so much.
        if gates.multi_tree and quota.tree and quota.is_root and quota.total is not None:
            delta = minus(quota.total, totals.get(quota.tree, {}))
            totals[quota.tree] = quota.total
            if not quota.ignores_default_tree:
                taken = plus(taken, delta)
    return totals, taken


def node_total(nodes: Iterable[Node]) -> Amounts:
    """What all nodes have; cordoned and NotReady ones count, those that are being deleted do not."""
    # The scheduler adds up what nodes can allocate, and looks at no taint, condition or ``unschedulable``.
    return total_of(node.allocatable for node in nodes if not node.leaving)
