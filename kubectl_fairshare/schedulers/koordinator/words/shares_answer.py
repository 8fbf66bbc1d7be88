"""Koordinator's quotas as the answer that all schedulers share."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.shares import QueueFigures, QueueNode, Shares
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.report.printable import Document, Places
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.koordinator.documents.shares import shares_fields
from kubectl_fairshare.schedulers.koordinator.explain.figures import (
    RuntimeEntry,
    RuntimeFigures,
    RuntimeTable,
    shown_figures,
    walk_entries,
)
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.release import NAME
from kubectl_fairshare.schedulers.koordinator.words.amounts import amount_of
from kubectl_fairshare.schedulers.koordinator.words.rows import shares_csv, shares_names
from kubectl_fairshare.schedulers.koordinator.words.shares_screen import shares_screen
from kubectl_fairshare.schedulers.question import SharesQuestion, unanswered

TITLES: Final[Mapping[str, str]] = {
    "guaranteed": "MIN",
    "limit": "MAX",
    "used": "USED",
    "borrowed": "BORROWED",
    "lent": "LENT",
    "reachable": "RUNTIME",
}


class RuntimeSharesDetail(Value, frozen=True):
    """What only Koordinator's shares have: weights, requests, runtime quotas, what each tree divides."""

    table: RuntimeTable

    def screen(self, view: View) -> str:
        """One tree per resource."""
        return shares_screen(self.table, view)

    def document(self, places: Places) -> Document:
        """The quotas as a document."""
        return shares_fields(self.table, places)

    def names(self) -> Iterable[str]:
        """The quotas."""
        return shares_names(self.table)

    def csv(self) -> str:
        """One line per quota and resource."""
        return shares_csv(self.table)


def shares_answer(table: RuntimeTable, question: SharesQuestion) -> Shares[RuntimeSharesDetail]:
    """The answer for the quotas and resources of the question.

    Raises ``UsageError`` for an unknown quota or resource, ``UnansweredError`` for a view that Koordinator lacks.
    """
    _refuse(question)
    table = _in_question(table, question)
    roots = tuple(_node(root, table.resources) for root in table.roots)
    return Shares(NAME, roots, TITLES, table.fidelity, RuntimeSharesDetail(table))


def quota_called(table: RuntimeTable, name: str, option: str) -> RuntimeEntry:
    """The quota of a name, or NAMESPACE/NAME. Raises ``UsageError`` with similar names."""
    for entry in walk_entries(table.roots):
        if name in (entry.name, f"{entry.group.key.namespace}/{entry.name}"):
            return entry
    names = [entry.name for entry in walk_entries(table.roots)]
    remedy = did_you_mean(likely(name, names, 1)) or f"the quotas are {quoted(names)}"
    raise UsageError(Problem(f"no quota is called `{name}`", option, remedy))


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
    if question.resources:
        table = replace(table, resources=tuple(r for r in table.resources if r in question.resources))
    if question.queue:
        wanted = quota_called(table, question.queue, "--queue").name
        table = _kept(table, lambda entry: entry.name == wanted, whole=True)
    if question.labelled is not None:
        labelled = question.labelled
        table = _kept(table, lambda entry: entry.group.key in labelled, whole=False)
    return table


def _kept(table: RuntimeTable, picks: Callable[[RuntimeEntry], bool], *, whole: bool) -> RuntimeTable:
    """The chosen quotas with their ancestors; ``whole`` adds all that are below them."""
    trees = tuple(replace(tree, roots=_with_ancestors(tree.roots, picks, whole=whole)) for tree in table.trees)
    return replace(table, trees=tuple(tree for tree in trees if tree.roots))


def _with_ancestors(
    roots: tuple[RuntimeEntry, ...], picks: Callable[[RuntimeEntry], bool], *, whole: bool
) -> tuple[RuntimeEntry, ...]:
    kept = []
    for root in roots:
        if whole and picks(root):
            kept.append(root)
            continue
        below = _with_ancestors(root.children, picks, whole=whole)
        if below or picks(root):
            kept.append(replace(root, children=below))
    return tuple(kept)


def _node(entry: RuntimeEntry, resources: tuple[str, ...]) -> QueueNode[None, None]:
    parent = entry.group.parent
    return QueueNode(
        entry.group.key,
        tuple(_figures(resource, shown_figures(entry, resource)) for resource in resources),
        entry.placed,
        entry.waiting,
        None,
        parent="" if parent == ROOT else parent,
        children=tuple(_node(child, resources) for child in entry.children),
    )


def _figures(resource: str, of: RuntimeFigures) -> QueueFigures[None]:
    def amount(value: int | None) -> Amount | None:
        return None if value is None else amount_of(resource, value)

    return QueueFigures(
        resource,
        "",
        used=amount_of(resource, of.used),
        own=None,
        guaranteed=amount(of.min),
        limit=amount(of.max),
        borrowed=amount(of.borrowed),
        lent=amount(of.lent),
        reachable=amount(of.runtime),
    )
