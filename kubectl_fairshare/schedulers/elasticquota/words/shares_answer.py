"""The quotas' figures as the answer that all schedulers share."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.answers.answer import Amount, amount_of
from kubectl_fairshare.answers.blocks import CsvColumns, Layout
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.number_text import NOTHING, amount, count, some
from kubectl_fairshare.answers.shares import PoolTotal, QueueFigures, QueueNode, Shares
from kubectl_fairshare.model.errors import AbsentSubjectError, Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.elasticquota.documents.shares import SHARES
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import (
    QuotaFigures,
    QuotaNode,
    QuotaReport,
    QuotaResourceFigures,
    QuotaShares,
    QuotaTable,
)
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import SCHEDULER
from kubectl_fairshare.schedulers.elasticquota.words.shares_layout import shares_layout
from kubectl_fairshare.schedulers.question import SharesQuestion

TITLES: Final[Mapping[str, str]] = {
    "guaranteed": "MIN",
    "limit": "MAX",
    "used": "USED",
    "borrowed": "BORROWED",
    "reachable": "REACHABLE",
}
_QUOTA: Final = (Figure("namespace"), Figure("name"), Figure("placed"), Figure("waiting"))
_RESOURCE: Final = (
    Figure("min", "MIN", some, rank=1),
    Figure("max", "MAX", amount, none=NOTHING, rank=2),
    Figure("maxIs", read=lambda of: of.bounded.value),
    Figure("hard", "HARD", amount, read=lambda of: of.hard and of.hard.value, rank=5, kept=False),
    Figure("used", "USED", some),
    Figure("borrowed", "BORROWED", some, rank=3),
    Figure("lendable", "LENDABLE", some, rank=4),
    Figure("ownHeadroom", "ROOM", amount, none=NOTHING, rank=6),
    Figure("poolHeadroom"),
    Figure("reachable"),
    Figure("", "REACHABLE", amount, read=lambda of: max(0, of.reachable), csv=False),
    Figure("statusUsed", read=lambda of: of.status and of.status.value),
)
_HELP: Final = "ElasticQuotas have `--queue`, `--resource` and `-o`"


class QuotaSharesDetail(Value, frozen=True):
    """What only ElasticQuotas' shares have: the origin of each max, ResourceQuotas, sums over all, ``status.used``."""

    shares: QuotaShares

    def document(self) -> WrittenAnswer:
        """The quotas as a document."""
        return WrittenAnswer(SHARES, self.shares)

    def columns(self) -> CsvColumns:
        """One line per quota and resource."""
        return CsvColumns(_QUOTA, _RESOURCE)

    def layout(self) -> Layout:
        """One table per resource, and what is odd about quotas."""
        return shares_layout(self.shares, self._opening, _RESOURCE)

    @property
    def _opening(self) -> tuple[str, ...]:
        of = self.shares
        parts = [count(len(of.trees), "quota")]
        if of.nodes:
            parts.append(f"{of.schedulable_nodes} of {count(of.nodes, 'node')} schedulable")
        if of.pods_outside_quotas:
            parts.append(f"{count(of.pods_outside_quotas, 'pod')} outside quotas")
        return tuple(parts)


def shares_answer(table: QuotaTable, question: SharesQuestion) -> Shares[QuotaSharesDetail]:
    """The answer for the quotas and resources of the question.

    Raises ``UsageError`` for an unknown quota or resource, and for options that ElasticQuotas lack.
    """
    _refuse(question)
    table = _table_in_question(table, question)
    trees = tuple(_queue(report, table.resources) for report in table.quotas)
    sums = tuple(table.sums[resource] for resource in table.resources)
    own = QuotaShares(trees, sums, *table.nodes, table.unquoted, table.skipped, table.fidelity)
    totals = tuple(PoolTotal(amount_of(o.resource, o.min), amount_of(o.resource, o.used), o.resource) for o in sums)
    return Shares(SCHEDULER, trees, TITLES, table.fidelity, QuotaSharesDetail(own), totals=totals)


def quota_named(table: QuotaTable, name: str, option: str) -> QuotaReport:
    """The quota of a namespace, or NAMESPACE/NAME. Raises ``UsageError`` with similar names."""
    for report in table.quotas:
        if name in (report.quota.namespace, f"{report.quota.namespace}/{report.quota.key.name}"):
            return report
    namespaces = [report.quota.namespace for report in table.quotas]
    remedy = did_you_mean(likely(name, namespaces, 1)) or f"namespaces with an ElasticQuota: {quoted(namespaces)}"
    raise AbsentSubjectError(Problem(f"namespace `{name}` has no ElasticQuota", option, remedy))


def _refuse(question: SharesQuestion) -> None:
    given = {"--by": question.by, "--flavor": question.flavors, "--sort": question.sort != "name"}
    problems = [Problem("ElasticQuotas do not have this", name, _HELP) for name, on in given.items() if on]
    if problems:
        raise UsageError(*problems)


def _table_in_question(table: QuotaTable, question: SharesQuestion) -> QuotaTable:
    """The table with the quotas and resources in question; the sums stay those of all quotas."""
    quotas = table.quotas
    if question.queue:
        quotas = (quota_named(table, question.queue, "--queue"),)
    if question.labelled is not None:
        quotas = tuple(report for report in quotas if report.quota.key in question.labelled)
    for name in question.resources:
        if name not in table.resources:
            raise UsageError(_unknown_resource(name, table.resources))
    resources = tuple(r for r in table.resources if not question.resources or r in question.resources)
    return replace(table, quotas=quotas, resources=resources)


def _unknown_resource(name: str, known: tuple[str, ...]) -> Problem:
    remedy = did_you_mean(likely(name, known, 1)) or f"write one of {quoted(known)}"
    return Problem(f"no resource `{name}` in the input", "--resource", remedy)


def _queue(report: QuotaReport, resources: tuple[str, ...]) -> QuotaNode:
    quota = report.quota
    ignored = tuple(key.name for key in report.others)
    counts = (report.counts.running, report.counts.pending)
    own = QuotaFigures(quota.namespace, quota.key.name, *counts, report.dropped, ignored, report.scoped)
    figures = tuple(_figures(report.figures[resource]) for resource in resources)
    return QueueNode(quota.key, figures, report.counts, own, label=quota.namespace)


def _figures(of: QuotaResourceFigures) -> QueueFigures[QuotaResourceFigures]:
    def amount(value: int | None) -> Amount | None:
        return None if value is None else amount_of(of.resource, value)

    return QueueFigures(
        of.resource,
        "",
        used=amount_of(of.resource, of.used),
        own=of,
        guaranteed=amount(of.min),
        limit=amount(of.max),
        borrowed=amount(of.borrowed),
        reachable=amount(max(0, of.reachable)),
    )
