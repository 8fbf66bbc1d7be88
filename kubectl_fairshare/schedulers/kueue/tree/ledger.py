"""The usage of all nodes, as a value: adding or removing a workload gives another ledger.

A ledger has the usage of every node. A changed ledger copies the path from a queue to its root and shares the rest, so
any number of what-ifs can exist at the same time, and there is nothing to undo.
Why a cohort does not simply add up its queues: a queue with nominal 8 and lendingLimit 5 uses 2. Its cohort counts 0 of
that, as the first 3 stay in the queue; with 4 it counts 1.
Source: ``addUsage``, ``removeUsage``, ``available`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/resource_node.go; ``dominantResourceShare`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/fair_sharing.go; "usage" and "share" in
``docs/laws.md``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from kubectl_fairshare.model.amounts import UNLIMITED, add, is_unlimited, subtract
from kubectl_fairshare.schedulers.kueue.accounting import available, free_local, taken
from kubectl_fairshare.schedulers.kueue.laws import NO_SHARE, Share, may_have_victims, weighted_share
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Usage
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest, top_down

_ShareTerms: TypeAlias = tuple[tuple[str, float, tuple[tuple[int, int], ...]], ...]
_Amounts: TypeAlias = list[tuple[int, int]]
Side: TypeAlias = tuple[int, float, tuple[()], int]
"""A child of a cohort: its share, so that the largest comes first, and its number at the end."""
_NOTHING: Final[dict[int, int]] = {}
_MOST_APART: Final = 64
"""The most nodes that a ledger keeps apart from those that it shares with others."""


class Columns:
    """The column number of each flavor-resource, and the quota of a node by column.

    One answer removes hundreds of workloads, each from every node on its path. This takes most of the time, and a list
    is read and copied several times faster than a mapping.
    """

    __slots__ = ("_alike", "_locals", "_terms", "forest", "numbers")

    def __init__(self, forest: Forest, others: Iterable[FlavorResource] = ()) -> None:
        pairs = {pair for node in forest.nodes if node.parent is None for pair in node.subtree}
        self.forest = forest
        self.numbers = {pair: i for i, pair in enumerate(sorted({*pairs, *others}))}
        self._locals: dict[int, dict[int, int]] = {}
        self._terms: dict[int, _ShareTerms] = {}
        self._alike: dict[_ShareTerms, _ShareTerms] = {}

    def amounts(self, usage: Usage) -> _Amounts:
        """Usage by column. Raises ``KeyError`` for a flavor-resource without a column."""
        numbers = self.numbers
        return [(numbers[pair], amount) for pair, amount in usage.items()]

    def as_list(self, usage: Usage) -> list[int]:
        """Usage as a list, one amount for each column."""
        found = [0] * len(self.numbers)
        for pair, amount in usage.items():
            found[self.numbers[pair]] = amount
        return found

    def local(self, node: int) -> dict[int, int]:
        """local(n) by column; absent means 0."""
        local = self.forest.nodes[node].local
        if not local:
            return _NOTHING
        known = self._locals.get(node)
        if known is None:
            known = self._locals[node] = {self.numbers[pair]: amount for pair, amount in local.items()}
        return known

    def share_terms(self, node: int) -> _ShareTerms:
        """What a node's share is made of: per resource, by name, lendable and the subtree quota of each flavor.

        Empty for a root: it has nothing to borrow from.
        """
        known = self._terms.get(node)
        if known is None:
            known = self._terms[node] = self._find_terms(node)
        return known

    def _find_terms(self, node: int) -> _ShareTerms:
        this = self.forest.nodes[node]
        # So a root never has a share, however much its queues use: it has no parent to borrow from.
        if this.parent is None:
            return ()
        quotas: dict[str, list[tuple[int, int]]] = {}
        for pair, quota in this.subtree.items():
            quotas.setdefault(pair.resource, []).append((self.numbers[pair], quota))
        # Of the parent, not of the root: what the cohort itself can get, its borrowingLimit included.
        lendable = {r: self.forest.lendable(this.parent, r) for r in quotas}
        counted = int if self.forest.exact_shares else float
        # By name, because of resources with equal ratios Kueue reports the first.
        found = tuple((r, counted(lendable[r]), tuple(quotas[r])) for r in sorted(quotas))
        return self._alike.setdefault(found, found)  # queues of one cohort often have the same quota


class NodeUsage:
    """The usage of one node by column; never changed. Its share is computed once, when it is first read."""

    __slots__ = ("share", "usage")

    def __init__(self, usage: list[int]) -> None:
        self.usage = usage
        self.share: Share | None = None


class Ledger:
    """The usage of all nodes of a forest.

    ``_apart`` has the nodes that differ from the ``_shared`` ones: a change copies those few, and of a forest of ten
    thousand queues nothing else. A cycle of as many heads keeps ten ledgers for each of them.
    """

    __slots__ = ("_apart", "_columns", "_passed", "_shared", "_sides", "forest")

    def __init__(self, columns: Columns, shared: list[NodeUsage], apart: dict[int, NodeUsage]) -> None:
        self.forest = columns.forest
        self._columns = columns
        self._shared = shared
        self._apart = apart
        self._sides: dict[tuple[int, bool], tuple[list[Side], list[Side]]] | None = None
        self._passed: dict[tuple[int, frozenset[FlavorResource], bool], PassedOn] | None = None

    def _figures(self, node: int) -> NodeUsage:
        return self._apart.get(node) or self._shared[node]

    def usages(self, node: int) -> Mapping[FlavorResource, int]:
        """The node's usage per flavor-resource; absent means 0."""
        used = self._figures(node).usage
        return {pair: used[i] for pair, i in self._columns.numbers.items() if used[i]}

    def changed_since(self, other: "Ledger") -> Iterator[int]:
        """The nodes of one forest whose figures are not those that the other ledger has, by their identity."""
        alike = self._shared is other._shared
        nodes = sorted({*self._apart, *other._apart}) if alike else range(len(self._shared))
        return (node for node in nodes if self._figures(node) is not other._figures(node))

    def equals(self, other: "Ledger") -> bool:
        """Whether all figures of one forest are those that the other ledger has."""
        if self._columns is not other._columns:
            return False
        return all(self._figures(node).usage == other._figures(node).usage for node in self.changed_since(other))

    def usage(self, node: int, pair: FlavorResource) -> int:
        """usage(n): what the workloads of a queue hold, or what the children of a cohort take from it."""
        i = self._columns.numbers.get(pair)
        return 0 if i is None else (self._apart.get(node) or self._shared[node]).usage[i]

    def usages_along(self, path: Iterable[int], pair: FlavorResource) -> list[int]:
        """The usage of each of some nodes."""
        i, apart, shared = self._columns.numbers.get(pair), self._apart, self._shared
        return [0 if i is None else (apart.get(node) or shared[node]).usage[i] for node in path]

    def available(self, node: int, pair: FlavorResource) -> int:
        """available(n): what the node could still take now; may be negative."""
        this = self.forest.nodes[node]
        above = None if this.parent is None else self.available(this.parent, pair)
        limit = this.quotas[pair].borrowing_limit if pair in this.quotas else None
        return available(this.subtree.get(pair, 0), this.local.get(pair, 0), self.usage(node, pair), limit, above)

    def free(self, queue: int, pair: FlavorResource) -> int:
        """What a workload may take in the queue now: the available amount, at least 0."""
        # Kueue cuts it for a ClusterQueue alone; inside the tree it may be below 0, and then takes from what is free
        # above.
        return max(0, self.available(queue, pair))

    def borrows_with(self, node: int, pair: FlavorResource, more: int) -> bool:
        """Whether the node borrows once ``more`` is added: queue over nominal, cohort over subtree."""
        return self.forest.subtree(node, pair) < add(self.usage(node, pair), more)

    def is_within(self, node: int, pairs: Iterable[FlavorResource]) -> bool:
        """Whether the node uses no more than its subtree quota of every one of ``pairs``."""
        used, numbers = (self._apart.get(node) or self._shared[node]).usage, self._columns.numbers
        subtree = self.forest.nodes[node].subtree
        for pair in pairs:
            i = numbers.get(pair)
            if i is not None and used[i] > subtree.get(pair, 0):
                return False
        return True

    def plus(self, queue: int, usage: Usage) -> "Ledger":
        """The ledger with ``usage`` added to the queue; what exceeds its free local part counts above it too."""
        return self._with_change(queue, usage, _add_to)

    def minus(self, queue: int, usage: Usage) -> "Ledger":
        """The ledger with ``usage`` removed from the queue, and from its ancestors the part that counts there."""
        return self._with_change(queue, usage, _take_from)

    def _with_change(self, queue: int, usage: Usage, move: "_Move") -> "Ledger":
        try:
            amounts = self._columns.amounts(usage)
        except KeyError:
            return self._with_columns(usage)._with_change(queue, usage, move)
        return self._moved(queue, amounts, move)

    def _moved(self, lowest: int, rest: _Amounts, move: "_Move") -> "Ledger":
        columns, shared, apart = self._columns, self._shared, self._apart.copy()
        if len(apart) > _MOST_APART:
            shared, apart = self._whole(), {}
        for node in self.forest.path(lowest):
            used = (apart.get(node) or shared[node]).usage.copy()
            apart[node] = NodeUsage(used)
            rest = move(used, columns.local(node), rest)
            # All of it stays in local quotas: the nodes above do not change, and are shared with the ledger before.
            if not rest:
                break
        return Ledger(columns, shared, apart)

    def _whole(self) -> list[NodeUsage]:
        """The figures of all nodes."""
        figures = self._shared.copy()
        for node, changed in self._apart.items():
            figures[node] = changed
        return figures

    def _with_columns(self, pairs: Iterable[FlavorResource]) -> "Ledger":
        """The same ledger with columns for ``pairs`` without quota."""
        columns = Columns(self.forest, {*self._columns.numbers, *pairs})
        return _ledger(columns, (columns.as_list(self.usages(node.id)) for node in self.forest.nodes))

    def share(self, node: int) -> Share:
        """The node's weighted share (KEP-1714 DRS); ``NO_SHARE`` for roots and queues without cohort."""
        figures = self._apart.get(node) or self._shared[node]
        share = figures.share
        if share is None:
            share = figures.share = self._share_of(node, figures.usage)
        return share

    def sides(self, cohort: int, *, by_share: bool) -> tuple[list[Side], list[Side]]:
        """The queues and the cohorts under a cohort that may have victims, the largest share first.

        They are found once, and never changed: all searches of a cycle begin on one ledger.
        """
        if self._sides is None:
            self._sides = {}
        known = self._sides.get((cohort, by_share))
        if known is None:
            node = self.forest.nodes[cohort]
            known = self._sides[cohort, by_share] = (
                self._borrowers(node.queues, by_share=by_share),
                self._borrowers(node.cohorts, by_share=by_share),
            )
        return known

    def _borrowers(self, nodes: Iterable[int], *, by_share: bool) -> list[Side]:
        shares = ((node, self.share(node)) for node in nodes)
        return sorted((-s.rank, -s.value, (), n) for n, s in shares if may_have_victims(s, by_share=by_share))

    def passed(
        self, cohort: int, short: frozenset[FlavorResource], *, by_share: bool, asked: "Ledger | None" = None
    ) -> "PassedOn":
        """What the children of a cohort that may have victims pass on to it, the largest share first.

        Of its queues those count that borrow something of what is ``short``, on the ledger ``asked`` if that is not
        this one. It is summed up once, as the sides are.
        """
        if asked is not None and asked is not self:
            return self._summed(cohort, short, asked, by_share=by_share)
        if self._passed is None:
            self._passed = {}
        known = self._passed.get((cohort, short, by_share))
        if known is None:
            known = self._passed[cohort, short, by_share] = self._summed(cohort, short, self, by_share=by_share)
        return known

    def _summed(self, cohort: int, short: frozenset[FlavorResource], asked: "Ledger", *, by_share: bool) -> "PassedOn":
        queues, cohorts = self.sides(cohort, by_share=by_share)
        every = sorted((*(each for each in queues if not asked.is_within(each[3], short)), *cohorts))
        amounts = []
        for *_, side in every:
            used, local = self._figures(side).usage, self._columns.local(side)
            amounts.append([taken(each, local.get(i, 0)) for i, each in enumerate(used)] if local else used)
        return PassedOn(self._columns, [each[:2] for each in every], [each[3] for each in every], amounts)

    def share_with(self, node: int, pair: FlavorResource, more: int) -> Share:
        """The share of the node if it used so much more of a flavor-resource; ``more`` may be below 0."""
        used = self._figures(node).usage.copy()
        used[self._columns.numbers[pair]] += more
        return self._share_of(node, used)

    def share_without(self, node: int, usage: Iterable[tuple[FlavorResource, int]]) -> Share:
        """The share of the node if it used so much less."""
        used, numbers = self._figures(node).usage.copy(), self._columns.numbers
        for pair, amount in usage:
            used[numbers[pair]] = subtract(used[numbers[pair]], amount)
        return self._share_of(node, used)

    def _share_of(self, node: int, used: list[int]) -> Share:
        borrowed = _borrowed_amounts(used, self._columns.share_terms(node))
        return weighted_share(borrowed, self.forest.nodes[node].weight) if borrowed else NO_SHARE

    def with_quota(self, forest: Forest, node: int, pair: FlavorResource) -> "Ledger":
        """The same workloads in ``forest``, which differs only in the quota of ``pair`` at ``node``."""
        if pair not in self._columns.numbers:
            return self._with_columns((pair,)).with_quota(forest, node, pair)
        columns = Columns(forest, self._columns.numbers)
        base = [figures.usage for figures in self._whole()]
        number = columns.numbers[pair]
        for parent in forest.path(node)[1:]:
            this, total = forest.nodes[parent], 0
            for child in this.children:
                total = add(total, taken(base[child][number], forest.local(child, pair)))
            base[parent] = [*base[parent][:number], total, *base[parent][number + 1 :]]
        return _ledger(columns, base)

    def with_weights(self, forest: Forest) -> "Ledger":
        """The same workloads in ``forest``, which differs only in weights."""
        columns = Columns(forest, self._columns.numbers)
        return _ledger(columns, (figures.usage for figures in self._whole()))


_FAR: Final = 1 << 53
"""Amounts below this are numbers in the sum of any sides, which is not without bound."""


class PassedOn:
    """What children of a cohort pass on to it: ``sums`` has for each number of them what the first do together.

    ``ranks`` sort the ``sides`` as ``Ledger.sides`` does. There are no sums where an amount may be without bound.
    """

    __slots__ = ("_amounts", "_columns", "_places", "_sums", "ranks", "sides")

    def __init__(
        self, columns: Columns, ranks: list[tuple[float, float]], sides: list[int], amounts: list[list[int]]
    ) -> None:
        self._columns = columns
        self._places = {side: place for place, side in enumerate(sides)}
        self._amounts = amounts
        self.ranks = ranks
        self.sides = sides
        self._sums = self._summed() if all(each < _FAR for amount in amounts for each in amount) else None

    def _summed(self) -> list[list[int]]:
        total = [0] * len(self._columns.numbers)
        sums = [total]
        for passed in self._amounts:
            total = [before + each if each > 0 else before for before, each in zip(total, passed, strict=True)]
            sums.append(total)
        return sums

    def before(self, last: int, own: int) -> dict[FlavorResource, int]:
        """What the first sides up to ``last`` pass on, without ``own``."""
        place = self._places.get(own, last)
        if self._sums is None:
            return self._added(each for at, each in enumerate(self._amounts[:last]) if at != place)
        found = self._sums[last]
        if place < last:
            found = [each - max(0, more) for each, more in zip(found, self._amounts[place], strict=True)]
        return {pair: found[i] for pair, i in self._columns.numbers.items() if found[i] > 0}

    def of(self, place: int) -> dict[FlavorResource, int]:
        """What the side at this place passes on."""
        return self._added(self._amounts[place : place + 1])

    def _added(self, amounts: Iterable[list[int]]) -> dict[FlavorResource, int]:
        found: dict[FlavorResource, int] = {}
        for passed in amounts:
            for pair, i in self._columns.numbers.items():
                if passed[i] > 0:
                    found[pair] = add(found.get(pair, 0), passed[i])
        return found


class PathUsage:
    """The usage of a node and all above it, which amounts leave: a ledger for questions about these alone."""

    __slots__ = ("_columns", "_ledger", "_path", "_used")

    def __init__(self, ledger: Ledger, path: Sequence[int]) -> None:
        self._ledger = ledger
        self._columns = ledger._columns
        self._path = path
        self._used = [ledger._figures(node).usage for node in path]

    def take(self, place: int, less: Usage) -> None:
        """Takes ``less`` from the node at this place, and from those above it the part that counts there."""
        rest = self._columns.amounts(less)
        for at in range(place, len(self._path)):
            used = self._used[at] = self._used[at].copy()
            rest = _take_from(used, self._columns.local(self._path[at]), rest)
            if not rest:
                break

    def of(self, pair: FlavorResource) -> list[int]:
        """The usage of each node of the path."""
        i = self._columns.numbers.get(pair)
        return [0] * len(self._used) if i is None else [used[i] for used in self._used]

    def share_with(self, place: int, more: Usage) -> Share:
        """The share of the node at this place with ``more`` in the lowest node."""
        numbers = self._columns.numbers
        rest = [(numbers[pair], amount) for pair, amount in more.items() if pair in numbers]
        for at in range(place):
            used, local = self._used[at], self._columns.local(self._path[at])
            rest = [(i, r) for i, n in rest if (r := subtract(n, free_local(local.get(i, 0), used[i]))) > 0]
        found = self._used[place].copy()
        for i, amount in rest:
            found[i] = add(found[i], amount)
        return self._ledger._share_of(self._path[place], found)


_Move: TypeAlias = Callable[[list[int], Mapping[int, int], _Amounts], _Amounts]


def _add_to(used: list[int], local: Mapping[int, int], more: _Amounts) -> _Amounts:
    """Adds ``more`` to a node's usage; what of it the node's parent has to bear."""
    passed = []
    for i, amount in more:
        before = used[i]
        used[i] = add(before, amount)
        # The local part is filled first.
        rest = amount if before >= 0 and i not in local else subtract(amount, free_local(local.get(i, 0), before))
        if rest > 0:
            passed.append((i, rest))
    return passed


def _take_from(used: list[int], local: Mapping[int, int], less: _Amounts) -> _Amounts:
    """Takes ``less`` from a node's usage; what of it the node's parent bore."""
    passed = []
    for i, amount in less:
        before = used[i]
        # The common case without a call; it is the same figure.
        used[i] = before - amount if 0 <= amount <= before < UNLIMITED else subtract(before, amount)
        # And empties last: what counted above leaves first. Measured before the removal, as Kueue does.
        above = subtract(before, local[i]) if i in local else before
        if above > 0:
            passed.append((i, amount if amount < above else above))
    return passed


def _borrowed_amounts(usage: list[int], terms: _ShareTerms) -> list[tuple[str, int, float]]:
    """The borrowed and the lendable amount of each resource that a node borrows, summed over flavors, by name."""
    found = []
    for resource, lendable, pairs in terms:
        borrowed = 0
        for i, quota in pairs:
            used = usage[i]
            more = used - quota
            if more > 0:
                # Flavors add up before they are divided: a queue far above its quota in one flavor and below it in
                # another borrows the first whole.
                borrowed += more if used < UNLIMITED or not is_unlimited(used) else UNLIMITED
        if borrowed:
            # From v0.19.5 on amounts are exact integers; before, a sum ends at the largest of 64 bits.
            plain = borrowed < UNLIMITED or lendable.__class__ is int
            found.append((resource, borrowed if plain else UNLIMITED, lendable))
    return found


def borrowed_by_resource(subtree: Mapping[FlavorResource, int], usage: Mapping[FlavorResource, int]) -> dict[str, int]:
    """What a node uses above its subtree quota, summed over flavors; only resources that it borrows."""
    borrowed: dict[str, int] = {}
    for pair, quota in subtree.items():
        used = usage.get(pair, 0)
        if used > quota:
            borrowed[pair.resource] = add(borrowed.get(pair.resource, 0), subtract(used, quota))
    return borrowed


def open_ledger(forest: Forest, queue_usages: Mapping[int, Mapping[FlavorResource, int]]) -> Ledger:
    """The ledger with the given usage of each queue: usage(cohort) = Σ max(0, usage − local)."""
    columns = Columns(forest, {pair for usage in queue_usages.values() for pair in usage})
    nothing: Usage = {}
    totals = [columns.as_list(queue_usages.get(node.id, nothing)) for node in forest.nodes]
    for node in reversed(top_down(forest.nodes, forest.roots)):
        parent = forest.nodes[node].parent
        if parent is None:
            continue
        local, above = columns.local(node), totals[parent]
        for i, used in enumerate(totals[node]):
            passed = taken(used, local.get(i, 0))
            if passed > 0:
                above[i] = add(above[i], passed)
    return _ledger(columns, totals)


def _ledger(columns: Columns, usages: Iterable[list[int]]) -> Ledger:
    """A ledger of which nothing is shared yet; usage by node and column."""
    return Ledger(columns, [*map(NodeUsage, usages)], {})
