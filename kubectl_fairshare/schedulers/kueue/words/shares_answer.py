"""Kueue's cohort forest as the answer that all schedulers share."""

from collections.abc import Iterable, Mapping
from math import inf
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.shares import QueueFigures, QueueNode, Shares
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.printable import Document, Places
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.explain.shares import NodeReport, PairFigures, ShareTree, UsageLine
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.release import NAME
from kubectl_fairshare.schedulers.kueue.words.figures import amount_of
from kubectl_fairshare.schedulers.kueue.words.screens.shares import shares_screen, usage_screen
from kubectl_fairshare.schedulers.kueue.words.shares_rows import shares_csv, shares_names, usage_csv
from kubectl_fairshare.schedulers.question import SharesQuestion

TITLES: Final[Mapping[str, str]] = {
    "guaranteed": "SUBTREE",
    "limit": "LIMIT",
    "used": "USED",
    "borrowed": "BORROWED",
    "lent": "LENT",
    "reachable": "POTENTIAL",
}


class KueueSharesDetail(Value, frozen=True):
    """What only Kueue's shares have: flavors, loans, usage by LocalQueue and namespace."""

    tree: ShareTree
    question: SharesQuestion

    def screen(self, view: View) -> str:
        """The forest, or usage added up by LocalQueue or namespace."""
        if self.question.by:
            return usage_screen(self.tree, self._lines, self.question.by.upper(), view)
        return shares_screen(self.tree, view, self.tree.local_queues if "/" in self.question.queue else ())

    def document(self, places: Places) -> Document:
        """The forest as a document."""
        from kubectl_fairshare.schedulers.kueue.documents.shares import shares_document

        return shares_document(self.tree, places)

    def names(self) -> Iterable[str]:
        """Cohorts and ClusterQueues. Raises ``UsageError`` with ``--by``, which has no names to print."""
        if self.question.by:
            raise UsageError(Problem("`--by` has no `-o name`", help="use `-o csv`, `json`, `yaml` or `text`"))
        return shares_names(self.tree)

    def csv(self) -> str:
        """A line for each node and flavor-resource."""
        return usage_csv(self._lines) if self.question.by else shares_csv(self.tree)

    @property
    def _lines(self) -> tuple[UsageLine, ...]:
        return self.tree.local_queues if self.question.by == "localqueue" else self.tree.namespaces


def shares_answer(tree: ShareTree, question: SharesQuestion) -> Shares[KueueSharesDetail]:
    """The answer about all trees."""
    return Shares(
        NAME, tuple(_queue(tree) for tree in tree.trees), TITLES, tree.fidelity, KueueSharesDetail(tree, question)
    )


def _queue(root: NodeReport) -> QueueNode:
    """The tree in the form that all schedulers share; without recursion, as cohorts may be deep."""
    order: list[tuple[NodeReport, str]] = [(root, "")]
    for node, _ in order:
        order.extend((child, node.name) for child in node.children)
    made: dict[int, QueueNode] = {}
    for node, parent in reversed(order):
        made[id(node)] = QueueNode(
            key=cluster_key(node.kind, node.name),
            figures=tuple(_figures(pair, at) for pair, at in sorted(node.pairs.items())),
            running=node.running,
            pending=node.pending,
            parent=parent,
            weight=node.weight,
            share=inf if node.share.rank else node.share.value / 1000,
            children=tuple(made.pop(id(child)) for child in node.children),
        )
    return made[id(root)]


def _figures(pair: FlavorResource, at: PairFigures) -> QueueFigures:
    limit = None if at.borrowing_limit is None else at.subtree + at.borrowing_limit
    return QueueFigures(
        pair.resource,
        pair.flavor,
        used=amount_of(pair, at.usage),
        guaranteed=amount_of(pair, at.subtree),
        limit=_limited_amount(pair, limit),
        borrowed=amount_of(pair, at.borrowed),
        lent=amount_of(pair, at.lent),
        reachable=_limited_amount(pair, at.potential),
    )


def _limited_amount(pair: FlavorResource, value: int | None) -> Amount | None:
    return None if value is None or value >= UNLIMITED else amount_of(pair, value)
