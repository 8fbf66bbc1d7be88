"""The quotas' figures as the answer that all schedulers share."""

from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.shares import QueueFigures, QueueNode, Shares
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.report.printable import Document, Places
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.elasticquota.documents.shares import shares_document
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import Figures, QuotaReport, QuotaTable
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import SCHEDULER, amount_of
from kubectl_fairshare.schedulers.elasticquota.words.rows import shares_csv, shares_names
from kubectl_fairshare.schedulers.elasticquota.words.shares_screen import shares_screen
from kubectl_fairshare.schedulers.question import SharesQuestion

TITLES: Final[Mapping[str, str]] = {
    "guaranteed": "MIN",
    "limit": "MAX",
    "used": "USED",
    "borrowed": "BORROWED",
    "reachable": "REACHABLE",
}
_HELP: Final = "ElasticQuotas have `--queue`, `--resource` and `-o`"


class QuotaSharesDetail(Value, frozen=True):
    """What only ElasticQuotas' shares have: the origin of each max, ResourceQuotas, sums over all, ``status.used``."""

    table: QuotaTable

    def screen(self, view: View) -> str:
        """One table per resource."""
        return shares_screen(self.table, view)

    def document(self, places: Places) -> Document:
        """The quotas as a document."""
        return shares_document(self.table, places)

    def names(self) -> Iterable[str]:
        """The quotas."""
        return shares_names(self.table)

    def csv(self) -> str:
        """One line per quota and resource."""
        return shares_csv(self.table)


def shares_answer(table: QuotaTable, question: SharesQuestion) -> Shares[QuotaSharesDetail]:
    """The answer for the quotas and resources of the question.

    Raises ``UsageError`` for an unknown quota or resource, and for options that ElasticQuotas lack.
    """
    _refuse(question)
    table = _table_in_question(table, question)
    trees = tuple(_queue(report, table.resources) for report in table.quotas)
    return Shares(SCHEDULER, trees, TITLES, table.fidelity, QuotaSharesDetail(table))


def quota_named(table: QuotaTable, name: str, option: str) -> QuotaReport:
    """The quota of a namespace, or NAMESPACE/NAME. Raises ``UsageError`` with similar names."""
    for report in table.quotas:
        if name in (report.quota.namespace, f"{report.quota.namespace}/{report.quota.key.name}"):
            return report
    namespaces = [report.quota.namespace for report in table.quotas]
    remedy = did_you_mean(likely(name, namespaces, 1)) or f"namespaces with an ElasticQuota: {quoted(namespaces)}"
    raise UsageError(Problem(f"namespace `{name}` has no ElasticQuota", option, remedy))


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


def _queue(report: QuotaReport, resources: tuple[str, ...]) -> QueueNode[None, None]:
    figures = tuple(_figures(resource, report.figures[resource]) for resource in resources)
    return QueueNode(report.quota.key, figures, report.running, report.pending, None)


def _figures(resource: str, of: Figures) -> QueueFigures[None]:
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
        reachable=amount(max(0, of.reachable)),
    )
