"""The screen of ElasticQuotas: one table per resource, and notes on figures that need one."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.report.text.figures import NOTHING, amount, count, some
from kubectl_fairshare.report.text.heading import gap_lines, release_lines
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.table import Column, Row, table
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import (
    Bounded,
    Figures,
    QuotaReport,
    QuotaTable,
    StatusCause,
    StatusUsed,
    Sums,
)

_NOTE: Final = (
    "There are no weights and no fair shares: the first to ask borrows. ROOM: what is left up to MAX. REACHABLE: the "
    "most that a namespace can use while the others keep their use. USED: what the scheduler counts after a restart, "
    "every pod on a node."
)
BOUNDED: Final = {
    Bounded.MISSING_IS_ZERO: "max does not list {resource}, so it is 0",
    Bounded.MISSING_IS_UNBOUNDED: "max does not list {resource}, so it is unlimited",
    Bounded.MAX_ABSENT: "max is not set, so it is unlimited",
}
_CAUSES: Final = {
    StatusCause.NOT_RUNNING: "{amount} of pods on a node that are not running yet",
    StatusCause.OVERHEAD: "{amount} of overhead",
    StatusCause.STALE: "{amount} unexplained: is the controller running?",
}


def shares_screen(found: QuotaTable, view: View) -> str:
    """The quotas, resource by resource."""
    lines = [*_opening(found, view), *gap_lines(found.fidelity, view)]
    if not found.resources:
        lines += ["", view.paint("dim", "no quota names or uses a resource")]
    for resource in found.resources:
        lines += ["", *_section(found, resource, view)]
    oddities = [line for report in found.quotas for line in _oddities(report, view)]
    lines += ["", *oddities] if oddities else []
    lines += ["", *paragraph(_NOTE, view, "", "", "dim")]
    return "\n".join(lines) + "\n"


def _opening(found: QuotaTable, view: View) -> list[str]:
    """The release, and the number of quotas and nodes."""
    parts = [count(len(found.quotas), "quota")]
    if found.nodes[0]:
        parts.append(f"{found.nodes[1]} of {count(found.nodes[0], 'node')} schedulable")
    if found.unquoted:
        parts.append(f"{count(found.unquoted, 'pod')} outside quotas")
    return release_lines(parts, found.fidelity, view)


def _section(found: QuotaTable, resource: str, view: View) -> list[str]:
    columns = (
        Column(resource, right=False),
        Column("MIN"),
        Column("MAX"),
        Column("HARD", rank=1, kept=False),
        Column("USED"),
        Column("BORROWED"),
        Column("LENDABLE"),
        Column("ROOM", rank=2),
        Column("REACHABLE"),
    )
    rows = [Row((r.quota.namespace, *_cells(resource, r.figures[resource]))) for r in found.quotas]
    sums = found.sums[resource]
    rows.append(Row(("sum", amount(resource, sums.min), "", "", amount(resource, sums.used), "", "", "", ""), "strong"))
    lines = table(columns, rows, view)
    lines += paragraph(_pool(resource, sums), view)
    for report in found.quotas:
        lines += _notes(report, resource, report.figures[resource], view)
    return lines


def _cells(resource: str, of: Figures) -> tuple[str, ...]:
    return (
        some(resource, of.min),
        NOTHING if of.max is None else amount(resource, of.max),
        "" if of.hard is None else amount(resource, of.hard.value),
        some(resource, of.used),
        some(resource, of.borrowed),
        some(resource, of.lendable),
        NOTHING if of.own_headroom is None else amount(resource, of.own_headroom),
        amount(resource, max(0, of.reachable)),
    )


def _pool(resource: str, sums: Sums) -> str:
    """What all quotas together have left, and what the nodes have."""
    left = sums.min - sums.used
    text = f"{amount(resource, left)} left for all quotas together"
    if left < 0:
        text = f"all quotas use {amount(resource, -left)} more than the sum of all min: no pod with a quota is admitted"
    if sums.allocatable is None or sums.stranded is None:
        return f"{text}; the input has no nodes (see `--nodes`)"
    text += f"; nodes have {amount(resource, sums.allocatable)}"
    if sums.outside:
        text += f", {amount(resource, sums.outside)} of it used outside quotas"
    if sums.stranded > 0:
        text += f"; no quota can use {amount(resource, sums.stranded)} of it"
    if sums.stranded < 0:
        text += f"; the sum of all min is {amount(resource, -sums.stranded)} more than they can give"
    return text


def _notes(report: QuotaReport, resource: str, of: Figures, view: View) -> Iterator[str]:
    """Notes on figures of this row that would surprise a reader."""
    namespace, quota = report.quota.namespace, report.quota
    if of.bounded is Bounded.MISSING_IS_ZERO:
        text = f"{namespace}: {BOUNDED[of.bounded].format(resource=resource)}"
        yield from cited(text, view.cite(quota.place("max", resource)), view)
    if of.max is not None and of.max < of.min:
        text = f"{namespace}: max is below min, so {amount(resource, of.min - of.max)} of min cannot be used"
        yield from cited(text, view.cite(quota.place("max", resource)), view)
    yield from _of_hard(namespace, resource, of, view)
    if of.status is not None:
        yield from paragraph(_status(namespace, resource, of.status), view)


def _of_hard(namespace: str, resource: str, of: Figures, view: View) -> Iterator[str]:
    """A ResourceQuota that limits pods before the ElasticQuota does."""
    wanted = of.min if of.max is None else max(of.min, of.max)
    if of.hard is not None and of.hard.value < wanted:
        name = of.hard.place.object.name
        text = f"{namespace}: ResourceQuota {name} allows at most {amount(resource, of.hard.value)} {of.hard.name}"
        yield from cited(text, view.cite(of.hard.place), view)


def _status(namespace: str, resource: str, status: StatusUsed) -> str:
    causes = "; ".join(_CAUSES[cause].format(amount=amount(resource, by)) for cause, by in status.causes)
    return f"{namespace}: status.used is {amount(resource, status.value)}: {causes}"


def _oddities(report: QuotaReport, view: View) -> Iterator[str]:
    namespace = report.quota.namespace
    if report.dropped:
        names = ", ".join(report.dropped)
        yield from paragraph(f"{namespace}: the scheduler ignores {names} in min or max", view, "")
    if report.others:
        names = ", ".join(key.name for key in report.others)
        text = f"{namespace}: this answer uses ElasticQuota {report.quota.key.name} and ignores {names}"
        yield from paragraph(text, view, "")
    if report.scoped:
        names = ", ".join(report.scoped)
        text = f"{namespace}: ResourceQuota {names} limits only some pods, so it is not compared with min and max"
        yield from paragraph(text, view, "")
