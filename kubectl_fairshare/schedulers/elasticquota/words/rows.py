"""Quotas as rows for other programs: CSV, or names."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import Figures, QuotaTable
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP

_COLUMNS: Final = (
    *("namespace", "name", "placed", "waiting", "resource", "min", "max", "maxIs", "hard", "used", "borrowed"),
    *("lendable", "ownHeadroom", "poolHeadroom", "reachable", "statusUsed"),
)


def shares_csv(found: QuotaTable) -> str:
    """One row per quota and resource, RFC 4180 with a header; an empty bound means no bound."""
    return csv_text(_COLUMNS, _rows(found))


def shares_names(found: QuotaTable) -> Iterator[str]:
    """``elasticquota.group/namespace/name`` of each quota."""
    return (f"elasticquota.{GROUP}/{r.quota.namespace}/{r.quota.key.name}" for r in found.quotas)


def _rows(found: QuotaTable) -> Iterator[tuple[str, ...]]:
    for report in found.quotas:
        start = (report.quota.namespace, report.quota.key.name, str(report.running), str(report.pending))
        for resource in found.resources:
            yield (*start, resource, *_amounts(resource, report.figures[resource]))


def _amounts(resource: str, of: Figures) -> Iterator[str]:
    hard = None if of.hard is None else of.hard.value
    status = None if of.status is None else of.status.value
    rest = (of.used, of.borrowed, of.lendable, of.own_headroom, of.pool_headroom, of.reachable, status)
    texts = ["" if v is None else quantity.text(resource, v) for v in (of.min, of.max, hard, *rest)]
    yield from (*texts[:2], of.bounded.value, *texts[2:])
