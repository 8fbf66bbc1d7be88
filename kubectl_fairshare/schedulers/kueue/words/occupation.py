"""What is free and used of each domain of each topology, printed.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from collections.abc import Iterator
from itertools import chain

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.heading import gap_lines, heading
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, table
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.documents.occupation import occupation_document
from kubectl_fairshare.schedulers.kueue.explain.occupation import DomainUse, Occupation, TopologyUse


class KueueOccupation(Value, frozen=True):
    """Free and used amounts of each domain; hosts only with ``-o wide``."""

    occupation: Occupation

    @property
    def exit_code(self) -> int:
        """Always 0."""
        return 0

    def screen(self, view: View) -> str:
        """A table for each flavor with a topology."""
        found = self.occupation
        title = count(len(found.topologies), "flavor") + " with a topology"
        lines = [heading((title,), found.fidelity, view), *gap_lines(found.fidelity, view)]
        for topology in found.topologies:
            lines += ["", *_topology_lines(topology, view)]
        closing = closing_lines(title, "good" if found.fidelity.settled else "wait", found.fidelity, (), view, "")
        return "\n".join([*lines, "", *closing]) + "\n"

    def document(self, places: Places) -> Document:
        """All domains, hosts too."""
        return occupation_document(self.occupation, places)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: domains are no objects."""
        raise UsageError(Problem("`--topology` has no `-o name`", help="use `-o json`, `yaml` or `text`"))

    def csv(self) -> str:
        """Raises ``UsageError``: flavors differ in their levels."""
        raise UsageError(Problem("`--topology` has no `-o csv`", help="use `-o json`, `yaml` or `text`"))


def _topology_lines(of: TopologyUse, view: View) -> list[str]:
    """The domains of one topology; without ``-o wide`` those above the lowest level, if there are any."""
    deepest = len(of.levels) - 1
    shown = [d for d in of.domains if view.wide or d.depth < deepest or deepest == 0]
    measures = [(f"USED {r}", f"FREE {r}") for r in of.resources]
    columns = (
        Column("DOMAIN", right=False),
        Column("LEVEL", right=False, rank=2),
        Column("NODES", rank=1),
        *map(Column, chain.from_iterable(measures)),
    )
    lines = paragraph(f"topology {of.topology}, flavor {of.flavor}", view, "", "  ")
    if not of.domains:
        return lines + paragraph(
            "no domain: no Node of the input has the labels of the flavor and its topology", view, "  ", "    ", "dim"
        )
    lines += table(columns, [_row(of, domain) for domain in shown], view, "  ")
    hosts = len(of.domains) - len(shown)
    note = f"and {count(hosts, 'domain')} of level {of.levels[-1]} (-o wide)"
    return lines + (paragraph(note, view, "  ", "    ", "dim") if hosts else [])


def _row(of: TopologyUse, domain: DomainUse) -> Row:
    amounts = [amount(r, value) for r in of.resources for value in (domain.used[r], domain.free[r])]
    return Row(("  " * domain.depth + domain.name, domain.level, str(domain.nodes), *amounts))
