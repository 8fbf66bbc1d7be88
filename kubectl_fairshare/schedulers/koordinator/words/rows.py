"""Quotas as rows for other programs: CSV, or names."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.schedulers.koordinator.explain.figures import (
    RuntimeFigures,
    RuntimeTable,
    shown_figures,
    walk_entries,
)
from kubectl_fairshare.schedulers.koordinator.model.names import GROUP

_COLUMNS: Final = (
    *("tree", "namespace", "name", "parent", "placed", "waiting", "resource", "min", "max", "weight", "scaledMin"),
    *("guaranteed", "request", "runtime", "used", "usedNonPreemptible", "borrowed", "lent"),
)


def shares_csv(found: RuntimeTable) -> str:
    """One row per quota and resource, RFC 4180 with a header; an empty bound means no bound."""
    return csv_text(_COLUMNS, _rows(found))


def shares_names(found: RuntimeTable) -> Iterator[str]:
    """``elasticquota.group/namespace/name`` of each quota."""
    groups = (entry.group for entry in walk_entries(found.roots))
    return (f"elasticquota.{GROUP}/{group.key.namespace}/{group.name}" for group in groups)


def _rows(found: RuntimeTable) -> Iterator[tuple[str, ...]]:
    for tree in found.trees:
        for entry in walk_entries(tree.roots):
            key, counts = entry.group.key, (str(entry.placed), str(entry.waiting))
            for resource in found.resources:
                start = (tree.id, key.namespace, key.name, entry.group.parent, *counts, resource)
                yield (*start, *_amounts(resource, shown_figures(entry, resource)))


def _amounts(resource: str, of: RuntimeFigures) -> Iterator[str]:
    held = (of.min, of.max, of.weight, of.least, of.guaranteed, of.request, of.runtime, of.used, of.firm)
    for value in (*held, of.borrowed, of.lent):
        yield "" if value is None else quantity.text(resource, value)
