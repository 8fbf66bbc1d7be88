"""The derivation of one quota's runtime, printed: each level's division, round by round."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.number_text import NOTHING, amount, some
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.heading import gap_lines, heading
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.table import Column, Row, table
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.koordinator.documents.shares import DERIVATION, FORMS
from kubectl_fairshare.schedulers.koordinator.explain.derivation import (
    DerivedResource,
    DivisionLevel,
    NamedAmounts,
    RuntimeDerivation,
)
from kubectl_fairshare.schedulers.koordinator.laws import Partition
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.release import Rounding

_ROUNDS: Final = 4
_SIBLINGS: Final = 12


class RuntimeDerivationReport(Value, frozen=True):
    """The answer to ``shares --explain``."""

    derivation: RuntimeDerivation
    rounding: Rounding

    @property
    def exit_code(self) -> int:
        """0: the question is answered."""
        return 0

    def screen(self, view: View) -> str:
        """One block per resource, and the closing line."""
        of, group = self.derivation, self.derivation.group
        opening = [heading((), of.fidelity, view), *gap_lines(of.fidelity, view), str(group.key)]
        if of.orphan:
            opening += paragraph(f"no quota {group.parent} leads from it to root, so it gets no runtime", view)
        elif of.uncomputed:
            opening += paragraph("the scheduler computes no runtime for it, so nothing limits it", view)
        closing = closing_lines(f"{group.key}, term by term", "strong", of.fidelity, (), view, "")
        return blocks_text([opening, *(self._resource(each, view) for each in of.resources), closing])

    def document(self, places: Places) -> Document:
        """The runtime with every division behind it."""
        return FORMS.document(DERIVATION, self.derivation, places)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: a derivation lists no objects."""
        raise UsageError(Problem("`--explain` has no `-o name`", help="use `-o json`, `yaml` or `text`"))

    def csv(self) -> str:
        """Raises ``UsageError``: a derivation is not a table."""
        raise UsageError(Problem("`--explain` has no `-o csv`", help="use `-o json`, `yaml` or `text`"))

    def _resource(self, of: DerivedResource, view: View) -> list[str]:
        figures, group, r = of.figures, self.derivation.group, of.resource
        lines = [view.paint("strong", r)]
        where = "" if group.assumed else view.cite(group.place("min", r))
        lines += cited(f"min {amount(r, figures.min)}", where, view)
        bound = "not listed" if figures.max is None else amount(r, figures.max)
        lines += cited(f"max {bound}", "" if group.assumed else view.cite(group.place("max", r)), view)
        total = sum(term.amount for term in of.pods)
        lines += _sum_lines(f"requested by its pods {amount(r, total)}", r, of.pods, view)
        if of.children:
            total = sum(term.amount for term in of.children)
            lines += _sum_lines(f"requested by its children {amount(r, total)}", r, of.children, view)
        text = f"request {amount(r, figures.request)}"
        if figures.request < figures.asked:
            text += f": {amount(r, figures.asked)}, at most max"
        elif figures.request > figures.asked:
            text += f": {amount(r, figures.asked)}, at least min, as it does not lend"
        lines += paragraph(text, view)
        for level in of.levels:
            lines += ["", *self._level(r, level, view)]
        runtime = "not limited" if figures.runtime is None else amount(r, figures.runtime)
        return [*lines, *paragraph(f"runtime {runtime}, used {amount(r, figures.used)}", view)]

    def _level(self, resource: str, level: DivisionLevel, view: View) -> list[str]:
        division = level.division
        parent = "the tree" if level.parent == ROOT else level.parent
        lines = paragraph(f"{parent} divides {amount(resource, level.held)}", view)
        if level.sum_of_min > max(0, level.held):
            text = f"the sum of all min, {amount(resource, level.sum_of_min)}, is above that: each min is scaled"
            lines += paragraph(text, view, "    ", "      ")
        rounds = division.rounds[:_ROUNDS]
        columns = (
            Column("QUOTA", right=False),
            Column("MIN", rank=1),
            Column("REQUEST", rank=2),
            Column("WEIGHT", rank=3),
            Column("FIRST"),
            *(Column(f"ROUND {i + 1}") for i in range(len(rounds))),
            Column("RUNTIME"),
        )
        lines += table(columns, _rows(resource, level, view), view, "    ")
        hidden = len(division.claims) - min(len(division.claims), _SIBLINGS + 1)
        if hidden and not view.wide:
            lines.append(view.paint("dim", f"      … and {hidden} more (-o wide shows all)"))
        for i, each in enumerate(rounds):
            text = f"round {i + 1}: {amount(resource, each.left)} left, weights {amount(resource, each.weight)}"
            back = sum(given[2] for given in each.given)
            text += f", {amount(resource, back)} returned above requests" if back else ""
            lines += paragraph(text, view, "    ", "      ")
        return lines + self._remainder(resource, division, view)

    def _remainder(self, resource: str, division: Partition, view: View) -> list[str]:
        """What rounding leaves over, or gives beyond the total."""
        if not division.rounds:
            return []
        spare = division.total - sum(division.shares)
        wanting = any(s < c.request for s, c in zip(division.shares, division.claims, strict=True))
        if spare < 0:
            text = f"each part is rounded alone: together {amount(resource, -spare)} more than there is"
            return paragraph(text, view, "    ", "      ")
        if spare and wanting and self.rounding is Rounding.EACH:
            text = f"each part is rounded alone: {amount(resource, spare)} is given to none"
            return paragraph(text, view, "    ", "      ")
        return []


def _rows(resource: str, level: DivisionLevel, view: View) -> list[Row]:
    division = level.division
    given = [{name: (more, back) for name, more, back in each.given} for each in division.rounds[:_ROUNDS]]
    rows = []
    for i, claim in enumerate(division.claims):
        if not view.wide and i > _SIBLINGS and claim.name != level.child:
            continue
        cells = [claim.name, some(resource, claim.least), some(resource, claim.request), amount(resource, claim.weight)]
        cells.append(amount(resource, division.first[i]))
        for each in given:
            more, back = each.get(claim.name, (0, 0))
            cells.append(_signed(resource, more - back) if more else NOTHING)
        cells.append(amount(resource, division.shares[i]))
        rows.append(Row(tuple(cells), "strong" if claim.name == level.child else ""))
    return rows


def _signed(resource: str, value: int) -> str:
    """An amount with its sign; a negative weight gives a negative part."""
    return f"+{amount(resource, value)}" if value >= 0 else f"−{amount(resource, -value)}"


def _sum_lines(title: str, resource: str, terms: NamedAmounts, view: View) -> list[str]:
    if not terms:
        return paragraph(title, view)
    text = " + ".join(f"{amount(resource, term.amount)} {term.name}" for term in shown_items(terms, view))
    return [*paragraph(f"{title} = {text}", view), *rest(terms, view)]
