"""A forest by column: its flavor-resources numbered, so that usage can stand in lists.

Hundreds of workloads are taken away for one answer, each from every node on its path: that is where the
time goes, and a list is read and copied several times faster than a mapping.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Usage
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest

ShareTerms: TypeAlias = tuple[tuple[str, float, tuple[tuple[int, int], ...]], ...]
Amounts: TypeAlias = list[tuple[int, int]]
_NOTHING: Final[dict[int, int]] = {}


class Columns:
    """The number of each flavor-resource, and what quota says of a node in these numbers."""

    __slots__ = ("_locals", "_terms", "forest", "numbers")

    def __init__(self, forest: Forest, others: Iterable[FlavorResource] = ()) -> None:
        pairs = {pair for node in forest.nodes if node.parent is None for pair in node.subtree}
        self.forest = forest
        self.numbers = {pair: i for i, pair in enumerate(sorted({*pairs, *others}))}
        self._locals: dict[int, dict[int, int]] = {}
        self._terms: dict[int, ShareTerms] = {}

    def amounts(self, usage: Usage) -> Amounts:
        """Usage by number; raises ``KeyError`` for a flavor-resource that has none."""
        numbers = self.numbers
        return [(numbers[pair], amount) for pair, amount in usage.items()]

    def listed(self, usage: Usage) -> list[int]:
        """Usage as a list, one amount for each number."""
        found = [0] * len(self.numbers)
        for pair, amount in usage.items():
            found[self.numbers[pair]] = amount
        return found

    def local(self, node: int) -> dict[int, int]:
        """local(n) by number; absent means 0."""
        local = self.forest.nodes[node].local
        if not local:
            return _NOTHING
        known = self._locals.get(node)
        if known is None:
            known = self._locals[node] = {self.numbers[pair]: amount for pair, amount in local.items()}
        return known

    def share_terms(self, node: int) -> ShareTerms:
        """What a node's share is made of: per resource, by name, lendable and the subtree quota of each flavor.

        Empty for a root: it has nobody to borrow from.
        """
        known = self._terms.get(node)
        if known is None:
            known = self._terms[node] = self._find_terms(node)
        return known

    def _find_terms(self, node: int) -> ShareTerms:
        this = self.forest.nodes[node]
        if this.parent is None:
            return ()
        quotas: dict[str, list[tuple[int, int]]] = {}
        for pair, quota in this.subtree.items():
            quotas.setdefault(pair.resource, []).append((self.numbers[pair], quota))
        return tuple((r, float(self.forest.lendable(this.parent, r)), tuple(quotas[r])) for r in sorted(quotas))
