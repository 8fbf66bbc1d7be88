"""The derivation of one quota's figures, printed."""

from collections.abc import Iterator

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.heading import gap_lines, heading
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.elasticquota.documents.shares import DERIVATION, FORMS
from kubectl_fairshare.schedulers.elasticquota.explain.derivation import QuotaDerivation, ResourceTerms, Terms
from kubectl_fairshare.schedulers.elasticquota.words.shares_layout import BOUNDED


class DerivationReport(Value, frozen=True):
    """The answer to ``shares --explain``."""

    derivation: QuotaDerivation

    @property
    def exit_code(self) -> int:
        """0: the question is answered."""
        return 0

    def screen(self, view: View) -> str:
        """One block per resource, and the closing line."""
        of = self.derivation
        name = f"ElasticQuota {of.namespace}/{of.name}"
        blocks = [
            [heading((), of.fidelity, view), *gap_lines(of.fidelity, view), name],
            *(_resource_lines(terms, view) for terms in of.resources),
            closing_lines(f"{name}, term by term", "strong", of.fidelity, (), view, ""),
        ]
        return blocks_text(blocks)

    def document(self, places: Places) -> Document:
        """The figures with their terms."""
        return FORMS.document(DERIVATION, self.derivation, places)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: a derivation lists no objects."""
        raise UsageError(Problem("`--explain` has no `-o name`", help="use `-o json`, `yaml` or `text`"))

    def csv(self) -> str:
        """Raises ``UsageError``: a derivation is not a table."""
        raise UsageError(Problem("`--explain` has no `-o csv`", help="use `-o json`, `yaml` or `text`"))


def _resource_lines(terms: ResourceTerms, view: View) -> list[str]:
    figures = terms.figures

    def text(value: int) -> str:
        return amount(terms.resource, value)

    bound = text(figures.max) if figures.max is not None else "none"
    how = BOUNDED.get(figures.bounded)
    used, left = text(figures.used), text(figures.pool_headroom)
    pool, total = (sum(term.amount for term in part) for part in (terms.minima, terms.uses))
    reach = f"used {used} + left for all {left}"
    lines = [terms.resource, *cited(f"min {text(figures.min)}", view.cite(figures.min_place), view)]
    words = "" if how is None else f": {how.format(resource=terms.resource)}"
    lines += cited(f"max {bound}{words}", view.cite(figures.max_place), view)
    lines += _sum_lines(f"used {used}", terms.resource, terms.pods, view)
    if figures.borrowed:
        lines += paragraph(f"borrowed {text(figures.borrowed)} = used {used} - min {text(figures.min)}", view)
    if figures.lendable:
        lines += paragraph(f"lendable {text(figures.lendable)} = min {text(figures.min)} - used {used}", view)
    lines += _sum_lines(f"sum of all min {text(pool)}", terms.resource, terms.minima, view)
    lines += _sum_lines(f"used by all {text(total)}", terms.resource, terms.uses, view)
    lines += paragraph(f"left for all {left} = sum of all min {text(pool)} - used by all {text(total)}", view)
    whole = reach if figures.max is None else f"the smaller of max {bound} and {reach}"
    return [*lines, *paragraph(f"reachable {text(max(0, figures.reachable))} = {whole}", view)]


def _sum_lines(title: str, resource: str, terms: Terms, view: View) -> list[str]:
    if not terms:
        return paragraph(title, view)
    parts = " + ".join(f"{amount(resource, term.amount)} {term.name}" for term in shown_items(terms, view))
    return [*paragraph(f"{title} = {parts}", view), *rest(terms, view)]
