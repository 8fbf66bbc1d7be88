"""Koordinator's quotas as the answer that all schedulers share."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.answers.answer import amount_of
from kubectl_fairshare.answers.blocks import CsvColumns, Layout
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.number_text import NOTHING, amount, some
from kubectl_fairshare.answers.shares import PoolTotal, Shares, selected
from kubectl_fairshare.model.errors import AbsentSubjectError, Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.koordinator.documents.shares import SHARES
from kubectl_fairshare.schedulers.koordinator.explain.figures import (
    RuntimeNode,
    RuntimeResourceFigures,
    RuntimeShares,
    RuntimeTable,
    TreeEntry,
    TreeTotal,
)
from kubectl_fairshare.schedulers.koordinator.release import NAME
from kubectl_fairshare.schedulers.koordinator.words.shares_layout import shares_layout
from kubectl_fairshare.schedulers.question import SharesQuestion, unanswered

TITLES: Final[Mapping[str, str]] = {
    "guaranteed": "MIN",
    "limit": "MAX",
    "used": "USED",
    "borrowed": "BORROWED",
    "lent": "LENT",
    "reachable": "RUNTIME",
}


def _min(of: RuntimeResourceFigures) -> str:
    """The min, with the scaled one behind it where the total is too small for all."""
    text = some(of.resource, of.min)
    return text if of.least == of.min else f"{text} → {amount(of.resource, of.least)}"


_QUOTA: Final = (
    Figure("tree"),
    Figure("namespace", read=lambda of: of.group.key.namespace),
    Figure("name", read=lambda of: of.group.name),
    Figure("parent", read=lambda of: of.group.parent),
    Figure("placed"),
    Figure("waiting"),
)
_RESOURCE: Final = (
    Figure("", "MIN", read=_min, csv=False, rank=1),
    Figure("", "GUARANTEED", some, read=lambda of: of.guaranteed, csv=False, scarce=True, rank=2),
    Figure("min"),
    Figure("max", "MAX", amount, none=NOTHING, rank=6),
    Figure("", "WEIGHT", amount, read=lambda of: None if of.max is None else of.weight, csv=False, rank=7),
    Figure("weight"),
    Figure("scaledMin", read=lambda of: of.least),
    Figure("guaranteed"),
    Figure("request", "REQUEST", some, rank=3),
    Figure("runtime", "RUNTIME", amount, none=NOTHING),
    Figure("used", "USED", some),
    Figure("usedNonPreemptible", read=lambda of: of.firm),
    Figure("borrowed", "BORROWED", some, rank=4),
    Figure("lent", "LENT", some, rank=5),
)


class RuntimeSharesDetail(Value, frozen=True):
    """What only Koordinator's shares have: weights, requests, runtime quotas, what each tree divides."""

    table: RuntimeTable

    def document(self) -> WrittenAnswer:
        """The quotas as a document."""
        of = self.table
        roots = tuple(root for tree in of.trees for root in tree.roots)
        totals = tuple(_total(tree, resource) for tree in of.trees for resource in of.resources)
        shares = RuntimeShares(of.fidelity, roots, totals, *of.nodes, of.outside, of.over, of.skipped)
        return WrittenAnswer(SHARES, shares)

    def columns(self) -> CsvColumns:
        """One line per quota and resource."""
        return CsvColumns(_QUOTA, _RESOURCE)

    def layout(self) -> Layout:
        """One tree per resource."""
        return shares_layout(self.table, _RESOURCE)


def shares_answer(table: RuntimeTable, question: SharesQuestion) -> Shares[RuntimeSharesDetail]:
    """The answer for the quotas and resources of the question.

    Raises ``UsageError`` for an unknown quota or resource, ``UnansweredError`` for a view that Koordinator lacks.
    """
    _refuse(question)
    table = _in_question(table, question)
    roots = tuple(root for tree in table.trees for root in tree.roots)
    totals = tuple(_pool(tree, resource) for tree in table.trees if tree.total for resource in table.resources)
    return Shares(NAME, roots, TITLES, table.fidelity, RuntimeSharesDetail(table), totals=totals)


def _pool(tree: TreeEntry, resource: str) -> PoolTotal:
    used = sum(root.pairs["", resource].used for root in tree.roots)
    whole = (tree.total or {}).get(resource, 0)
    return PoolTotal(amount_of(resource, whole), amount_of(resource, used), resource)


def quota_called(table: RuntimeTable, name: str, option: str) -> RuntimeNode:
    """The quota of a name, or NAMESPACE/NAME. Raises ``UsageError`` with similar names."""
    for node in table.quotas:
        if name in (node.name, f"{node.key.namespace}/{node.name}"):
            return node
    names = [node.name for node in table.quotas]
    remedy = did_you_mean(likely(name, names, 1)) or f"the quotas are {quoted(names)}"
    raise AbsentSubjectError(Problem(f"no quota is called `{name}`", option, remedy))


def _refuse(question: SharesQuestion) -> None:
    reasons = {
        "shares --by": (question.by, "it keeps no sums by namespace"),
        "shares --flavor": (question.flavors, "its quotas name resources, not flavors"),
        "shares --sort": (question.sort != "name", "it does not order quotas"),
    }
    for view, (given, reason) in reasons.items():
        if given:
            raise unanswered("Koordinator", view, reason, f"leave `{view.split()[1]}` out")


def _in_question(table: RuntimeTable, question: SharesQuestion) -> RuntimeTable:
    """The table with the quotas and resources in question; totals stay those of the whole trees."""
    for name in question.resources:
        if name not in table.resources:
            remedy = did_you_mean(likely(name, table.resources, 1)) or f"write one of {quoted(table.resources)}"
            raise UsageError(Problem(f"no resource `{name}` in the input", "--resource", remedy))
    resources = tuple(r for r in table.resources if not question.resources or r in question.resources)
    wanted = quota_called(table, question.queue, "--queue").name if question.queue else ""
    labelled = question.labelled
    trees = []
    for tree in table.trees:
        roots = selected(
            tree.roots,
            lambda node: wanted in ("", node.name),
            lambda node: labelled is None or node.key in labelled,
            lambda figures: figures.resource in resources,
        )
        trees += [replace(tree, roots=roots)] if roots or not (wanted or labelled is not None) else []
    return replace(table, trees=tuple(trees), resources=resources)


def _total(tree: TreeEntry, resource: str) -> TreeTotal:
    if tree.total is None or tree.shared is None:
        return TreeTotal(tree.id, resource, None, None)
    return TreeTotal(tree.id, resource, tree.total.get(resource, 0), tree.shared.get(resource, 0))
