"""Shares as rows for other programs: CSV, and names alone."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.amounts import is_unlimited
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.trees import walk, with_parents
from kubectl_fairshare.schedulers.kueue.explain.shares import NodeReport, PairFigures, ShareTree, UsageLine
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

_COLUMNS: Final = (
    *("kind", "name", "parent", "implicit", "inactive", "weight", "share", "weightedShare", "dominantResource"),
    *("borrowing", "borrowsIn", "running", "pending", "flavor", "resource", "nominal", "subtree", "usage", "borrowed"),
    *("lent", "available", "potential", "borrowingLimit", "lendingLimit"),
)
_USAGE_COLUMNS: Final = ("name", "clusterQueues", "running", "pending", "flavor", "resource", "usage")


def shares_csv(tree: ShareTree) -> str:
    """A row for each node and flavor-resource, RFC 4180 with a header; quantities in canonical form.

    A node without quota has one row in which these columns are empty. ``unlimited`` is an amount without bound; a
    limit that is not set is empty.
    """
    return csv_text(_COLUMNS, (row for node, parent in with_parents(tree.trees) for row in _node_rows(node, parent)))


def usage_csv(lines: Sequence[UsageLine]) -> str:
    """A row for each LocalQueue or namespace and flavor-resource."""
    return csv_text(_USAGE_COLUMNS, (row for line in lines for row in _usage_rows(line)))


def shares_names(tree: ShareTree) -> Iterator[str]:
    """``kind.group/name`` of each node, as ``kubectl get -o name`` writes it; implicit cohorts are left out."""
    return (f"{n.kind.lower()}.{GROUP}/{n.name}" for n in walk(tree.trees) if n.declared)


def _node_rows(node: NodeReport, parent: str) -> Iterator[tuple[str, ...]]:
    share = "Inf" if node.share.rank else repr(node.share.value / 1000)
    of_node = (
        node.kind,
        node.name,
        parent,
        _flag(not node.declared),
        " ".join(node.inactive.reasons) if node.inactive is not None else "",
        repr(node.weight),
        share,
        str(node.rounded_share),
        node.share.dominant or "",
        _flag(node.share.borrowing),
        " ".join(node.borrow_path),
        str(node.running),
        str(node.pending),
    )
    empty = ("",) * (len(_COLUMNS) - len(of_node))
    for pair, at in sorted(node.pairs.items()):
        yield (*of_node, pair.flavor, pair.resource, *_amounts(pair.resource, at))
    if not node.pairs:
        yield (*of_node, *empty)


def _amounts(resource: str, at: PairFigures) -> tuple[str, ...]:
    values = (at.nominal, at.subtree, at.usage, at.borrowed, at.lent, at.available, at.potential)
    limits = (at.borrowing_limit, at.lending_limit)
    return tuple("" if v is None else _amount(resource, v) for v in (*values, *limits))


def _amount(resource: str, value: int) -> str:
    return "unlimited" if is_unlimited(value) else quantity.text(resource, value)


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _usage_rows(line: UsageLine) -> Iterator[tuple[str, ...]]:
    start = (line.name, " ".join(line.cluster_queues), str(line.running), str(line.pending))
    for pair, amount in sorted(line.usage.items()):
        yield (*start, pair.flavor, pair.resource, _amount(pair.resource, amount))
    if not line.usage:
        yield (*start, "", "", "")
