"""Who holds what, as a screen."""

from collections.abc import Sequence

from kubectl_fairshare.report.text import figures
from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.figures import NOTHING, count
from kubectl_fairshare.report.text.heading import gap_lines, release_lines
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, table, wrapped_items
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.trees import branches, walk
from kubectl_fairshare.schedulers.kueue.explain.shares import NodeReport, PairFigures, ShareTree, UsageLine
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.loans import Loan
from kubectl_fairshare.schedulers.kueue.words.figures import pair_text, share_text

BORROWS = "▲"
_SHARE_NOTE = (
    "share = the largest borrowed ÷ lendable of all resources, ÷ weight; Kueue's weightedShare is 1000 times it. "
    "▲ borrows."
)
_CONVENTION = (
    "Kueue keeps balances only, so lenders are named by convention. At each cohort, from the borrower's parent up, "
    "the cohort lends its own quota first, then its children lend what they do not use; lenders and borrowers go in "
    "order of their names. What a cohort lends is split in the same way over the nodes below it."
)


def shares_screen(tree: ShareTree, view: View, users: Sequence[UsageLine] = ()) -> str:
    """The forest: shares, then a tree of amounts for each flavor-resource, then the loans.

    ``users`` are LocalQueues whose own usage is shown.
    """
    lines = [*_opening(tree, view), *gap_lines(tree.fidelity, view), ""]
    lines += _share_table(tree, view)
    for pair in _pairs(tree):
        lines += ["", *_pair_section(tree, pair, view)]
    if users:
        lines += ["", *_usage_table(users, "LOCALQUEUE", view)]
    lines += _loan_lines(tree, view)
    lines += _stray_lines(tree, view)
    return "\n".join(lines) + "\n"


def usage_screen(tree: ShareTree, lines_of: Sequence[UsageLine], title: str, view: View) -> str:
    """Usage added up by LocalQueue or namespace: a line for each flavor-resource that is used."""
    body = _usage_table(lines_of, title, view)
    if title == "LOCALQUEUE" and tree.past is not None:
        from kubectl_fairshare.schedulers.kueue.words.screens.past_usage import past_usage_lines

        body += past_usage_lines(tree.past, {node.name for node in walk(tree.trees)}, view)
    return (
        "\n".join([*_opening(tree, view), *gap_lines(tree.fidelity, view), "", *body, *_stray_lines(tree, view)]) + "\n"
    )


def _usage_table(lines_of: Sequence[UsageLine], title: str, view: View) -> list[str]:
    columns = (
        Column(title, right=False),
        Column("CLUSTERQUEUE", right=False),
        Column("RUNNING"),
        Column("PENDING"),
        Column("USED"),
        Column("RESOURCE", right=False),
    )
    rows = [row for line in lines_of for row in _usage_rows(line)]
    return table(columns, rows, view) if rows else [view.paint("dim", "no workload waits or runs")]


def _opening(tree: ShareTree, view: View) -> list[str]:
    parts = ("fair sharing" if tree.fair else "classical", count(len(tree.trees), "tree"))
    return release_lines(parts, tree.fidelity, view)


def _share_table(tree: ShareTree, view: View) -> list[str]:
    columns = (
        Column("COHORTS AND QUEUES", right=False),
        Column("WEIGHT"),
        *((Column("WEIGHTEDSHARE"),) if view.wide else ()),
        Column("SHARE"),
        Column("", right=False, kept=False),
        Column("OF", right=False, kept=False),
        Column("RUNNING", rank=2),
        Column("PENDING", rank=1),
        Column("BORROWS IN", right=False, kept=False),
    )
    if not tree.trees:
        return [view.paint("dim", "the input has no Cohort and no ClusterQueue")]
    rows = [
        Row((name, *_share_cells(node, wide=view.wide)), _tone(node))
        for name, node in branches(tree.trees, label=node_label)
    ]
    note = _SHARE_NOTE if tree.fair else f"{_SHARE_NOTE} Fair sharing is off, so shares have no effect."
    return [*table(columns, rows, view), *paragraph(note, view, "", "", "dim")]


def _share_cells(node: NodeReport, *, wide: bool) -> tuple[str, ...]:
    implicit = node.kind == "Cohort" and not node.declared
    return (
        NOTHING if implicit else figures.weight(node.weight),
        *((str(node.rounded_share),) if wide else ()),
        share_text(node.share),
        BORROWS if node.share.borrowing else "",
        node.share.dominant or "",
        str(node.running),
        str(node.pending),
        ", ".join(node.borrow_path),
    )


def node_label(node: NodeReport) -> str:
    """The node's name, and what is unusual about it."""
    if node.inactive is not None:
        return f"{node.name} (inactive: {', '.join(node.inactive.reasons)})"
    return node.name if node.declared else f"{node.name} (implicit)"


def _tone(node: NodeReport) -> Tone:
    return "dim" if node.inactive is not None else ""


def _pairs(tree: ShareTree) -> list[FlavorResource]:
    """The flavor-resources of all trees, resource by resource."""
    found = {pair for node in tree.trees for pair in node.pairs}
    return sorted(found, key=lambda p: (p.resource, p.flavor))


def _pair_section(tree: ShareTree, pair: FlavorResource, view: View) -> list[str]:
    columns = (
        Column(pair_text(pair), right=False),
        Column("NOMINAL"),
        Column("SUBTREE", rank=2),
        Column("USED"),
        Column("BORROWED"),
        Column("LENT"),
        Column("FREE"),
        Column("POTENTIAL", rank=1),
        *((Column("LIMITS", right=False, kept=False),) if view.wide else ()),
    )
    rows = []
    for name, node in branches(tree.trees, lambda n: pair in n.pairs, _short_label):
        cells = _amount_cells(pair.resource, node.pairs[pair], admits=node.inactive is None)
        limits = (", ".join(_limits(pair.resource, node.pairs[pair])),) if view.wide else ()
        rows.append(Row((name, *cells, *limits), _tone(node)))
    nominal, used = tree.totals.get(pair, (0, 0))
    if len(rows) > 1:
        total = (figures.amount(pair.resource, nominal), "", figures.amount(pair.resource, used), "", "", "", "")
        rows.append(Row(("total", *total, *(("",) if view.wide else ())), "dim"))
    return [*table(columns, rows, view), *([] if view.wide else _limit_lines(tree, pair, view))]


def _short_label(node: NodeReport) -> str:
    """The same without the reasons of an inactive queue, which the first table has."""
    return node_label(node) if node.inactive is None else node.name


def _amount_cells(resource: str, at: PairFigures, *, admits: bool) -> tuple[str, ...]:
    """The figures of a node; an inactive queue ``admits`` nothing, so nothing is free to it."""
    return (
        figures.some(resource, at.nominal),
        figures.amount(resource, at.subtree),
        figures.amount(resource, at.usage),
        figures.some(resource, at.borrowed),
        figures.some(resource, at.lent),
        figures.amount(resource, at.available) if admits else NOTHING,
        figures.amount(resource, at.potential),
    )


def _limits(resource: str, at: PairFigures) -> list[str]:
    found = []
    if at.borrowing_limit is not None:
        found.append(f"borrows at most {figures.amount(resource, at.borrowing_limit)}")
    if at.lending_limit is not None:
        found.append(f"lends at most {figures.amount(resource, at.lending_limit)}")
    return found


def _limit_lines(tree: ShareTree, pair: FlavorResource, view: View) -> list[str]:
    items = [
        f"{node.name} {' and '.join(limits)}"
        for node in walk(tree.trees)
        if pair in node.pairs and (limits := _limits(pair.resource, node.pairs[pair]))
    ]
    return [view.paint("dim", line) for line in wrapped_items("limits: ", items, view.width)]


def _loan_lines(tree: ShareTree, view: View) -> list[str]:
    """What borrowers may have to return: the balance of each, then its lenders by convention."""
    if not tree.loans:
        return []
    lines = ["", "may have to return"]
    for borrower, pair in sorted({(loan.borrower, loan.pair) for loan in tree.loans}):
        loans = [loan for loan in tree.loans if (loan.borrower, loan.pair) == (borrower, pair)]
        total = figures.amount(pair.resource, sum(loan.amount for loan in loans))
        balance = f"  {borrower}: {total} {pair_text(pair)} = "
        lines += wrapped_items(balance, [_lender(loan) for loan in loans], view.width, " + ", "    ")
    return [*lines, *paragraph(_CONVENTION, view, "", "", "dim")]


def _lender(loan: Loan) -> str:
    amount = figures.amount(loan.pair.resource, loan.amount)
    if loan.lender is None:
        return f"{amount} beyond the whole quota of {loan.cohort}"
    if loan.lender == loan.cohort and loan.lender_kind == "Cohort":
        return f"{amount} of {loan.lender} itself"
    return f"{amount} of {loan.lender} in {loan.cohort}"


def _usage_rows(line: UsageLine) -> list[Row]:
    first = (line.name, ", ".join(line.cluster_queues), str(line.running), str(line.pending))
    used = [
        (figures.amount(pair.resource, amount), pair_text(pair))
        for pair, amount in sorted(line.usage.items(), key=lambda item: (item[0].resource, item[0].flavor))
    ] or [(NOTHING, "")]
    return [Row((*(first if i == 0 else ("",) * len(first)), *cells)) for i, cells in enumerate(used)]


def _stray_lines(tree: ShareTree, view: View) -> list[str]:
    """What belongs to no tree: cohort cycles, and workloads in queues that do not exist."""
    lines = []
    if tree.cycles:
        lines += wrapped_items("in a cohort cycle, so without figures: ", tree.cycles, view.width, ", ")
    if tree.stray:
        lines += wrapped_items("hold quota in a queue that is not in the input: ", tree.stray, view.width, ", ")
    return ["", *(view.paint("wait", line) for line in lines)] if lines else []
