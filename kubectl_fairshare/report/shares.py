"""``shares``, printed: screen, CSV, Markdown and document of any scheduler's queues, from its figures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.blocks import Block, CsvColumns, Grid, Layout, Section
from kubectl_fairshare.answers.counts import COUNTED, QueueCounts, counts_text
from kubectl_fairshare.answers.details import Document, Places, SharesDetail
from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.shares import AnyFigures, AnyQueue, Shares
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.answers.trees import branches
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.documents.parts import stated_amount
from kubectl_fairshare.report.documents.structs import Forms, written
from kubectl_fairshare.report.plan import object_name
from kubectl_fairshare.report.queue_names import queue_names
from kubectl_fairshare.report.text.closing import closing_lines, exactness
from kubectl_fairshare.report.text.drawing import lines_of
from kubectl_fairshare.report.text.heading import gap_lines, release_lines, verdict_lines
from kubectl_fairshare.report.text.table import table
from kubectl_fairshare.report.text.view import View

_FIGURES: Final = {
    "guaranteed": "guaranteed",
    "limit": "limit",
    "used": "used",
    "borrowed": "borrowed",
    "lent": "lent",
    "fairShare": "fair_share",
    "reachable": "reachable",
}
_FORMS: Final = Forms()
_Index = Mapping[int, Mapping[tuple[str, str], AnyFigures]]
"""The figures of each queue, by its identity, then by pool and resource."""


class SharesReport(Value, frozen=True):
    """The answer to ``shares``."""

    shares: Shares[SharesDetail]

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The queues as text; the first line and the last sum up."""
        fidelity, layout = self.shares.fidelity, self.shares.detail.layout()
        lines = verdict_lines(self._sum(), self._tone, fidelity, view)
        lines += release_lines(layout.opening, fidelity, view)
        alike: dict[tuple[str, str], tuple[str, str]] = {}  # ten thousand queues have the same pairs
        index = {
            id(n): {alike.setdefault(pair := (f.pool, f.resource), pair): f for f in n.figures}
            for tree in self.shares.trees
            for n in tree
        }
        lines += [*gap_lines(fidelity, view), *_lines(layout.above, view, index)]
        for group in self._groups(layout, view):
            found = _lines(group, view, index)
            lines += ["", *found] if found else []
        return "\n".join([*lines, "", *self._closing(view), ""])

    def markdown(self, view: View) -> str:  # noqa: ARG002 -- the same on every screen
        """A table of figures for each resource."""
        from kubectl_fairshare.report.markdown import md_table, md_text, prose

        lines = [f"**{prose(self._sum())}**", ""]
        for resource, pool in self._resources():
            titles = ["queue", *(self.shares.titles.get(name, name).lower() for name in _FIGURES.values())]
            lines += [f"{prose(resource)}{f' in {prose(pool)}' if pool else ''}", ""]
            lines += [*md_table(titles, self._rows(resource, pool)), ""]
        return md_text([*lines, f"⇒ {prose(self._sum())} · {prose(exactness(self.shares.fidelity))}"])

    def document(self, places: Places) -> Document:
        """The queues as a document; entries of ``queues`` have the fields of all schedulers, and those of this one."""
        queues = [_queue(node) for tree in self.shares.trees for node in tree]
        own = written(self.shares.detail.document(), places)
        more = own.get("queues", [{}] * len(queues))
        joined = [_joined(ours, theirs) for ours, theirs in zip(queues, more, strict=True)]
        counts = {"running": self.shares.counts.running, "pending": self.shares.counts.pending}
        shared = {"scheduler": self.shares.scheduler, "titles": dict(self.shares.titles)}
        return {**own, **shared, **counts, "queues": joined}

    def names(self) -> Iterable[str]:
        """The queues, as kubectl names objects; those that no object declares have no name there."""
        return (object_name(node.key) for tree in self.shares.trees for node in tree if not node.implicit)

    def csv(self) -> str:
        """A row for each queue and resource, RFC 4180 with a header; quantities in canonical form.

        A queue without figures has one row in which these columns are empty, if its house lists such.
        """
        from kubectl_fairshare.report.csv_text import csv_text

        of = self.shares.detail.columns()
        if isinstance(of, Grid):
            return csv_text(of.titles, of.rows)
        pair = ("flavor", "resource") if of.pools else ("resource",)
        queue = (f.key for f in of.queue if f.csv)
        titles = (*queue, *pair, *(f.key for f in (*of.figures, *COUNTED) if f.csv))
        return csv_text(titles, (row for tree in self.shares.trees for node in tree for row in _csv_rows(of, node)))

    def _groups(self, layout: Layout, view: View) -> Sequence[Sequence[Block]]:
        """The groups of the screen; where queues are shown by resource alone, a table of what all queues have first."""
        sections = [each for group in layout.groups for each in group if isinstance(each, Section)]
        nodes = [node for tree in self.shares.trees for node in tree]
        counted = [f for f in COUNTED if view.wide or not f.wide]
        known = any(figure.value(node.counts) for figure in counted for node in nodes)
        if not sections or not known or not all(each.resource for each in sections):
            return layout.groups
        return [[Section("QUEUE", self.shares.trees, ())], *layout.groups]

    def _closing(self, view: View) -> list[str]:
        return closing_lines(self._sum(), self._tone, self.shares.fidelity, (), view, "")

    @property
    def _tone(self) -> Tone:
        return "good" if self.shares.fidelity.settled else "wait"

    def _sum(self) -> str:
        """How many queues borrow, and how many workloads run and wait, in those that were asked for; or the split."""
        if self.shares.split:
            return self.shares.split
        leaves = [node for tree in self.shares.trees for node in tree if not node.children]
        borrow = sum(any(f.borrowed is not None and f.borrowed.value > 0 for f in node.figures) for node in leaves)
        if not leaves:
            return "no queue"
        verb = "borrows" if 1 in (borrow, len(leaves)) else "borrow"
        counts = counts_text(self.shares.counts, self.shares.outside, self.shares.elsewhere)
        return f"{borrow} of {count(len(leaves), 'queue')} {verb} · {counts}"

    def _resources(self) -> list[tuple[str, str]]:
        figures = (f for tree in self.shares.trees for node in tree for f in node.figures)
        return list(dict.fromkeys((f.resource, f.pool) for f in figures))

    def _rows(self, resource: str, pool: str) -> Iterable[tuple[str, ...]]:
        names = queue_names(self.shares.trees)
        for tree in self.shares.trees:
            for node in tree:
                for figures in node.figures:
                    if (figures.resource, figures.pool) == (resource, pool):
                        amounts = (getattr(figures, name) for name in _FIGURES.values())
                        yield names[node.key], *("" if each is None else each.text for each in amounts)


def _lines(blocks: Iterable[Block], view: View, index: _Index) -> list[str]:
    return [
        line
        for block in blocks
        for line in (_table(block, view, index) if isinstance(block, Section) else lines_of((block,), view))
    ]


def _table(of: Section, view: View, index: _Index) -> list[str]:
    """The queues that have figures of the section's resource, or all of them if it is about none."""
    rows = list(_resource_rows(of, index) if of.resource else _queue_rows(of))
    shown = [f for f in of.figures if f.title is not None and (view.wide or not f.wide)]
    shown = [f for f in shown if not f.scarce or any(f.value(row.record) for row in rows)]
    counted = [] if of.resource else [f for f in COUNTED if view.wide or not f.wide]
    columns = [Column(of.title, right=False)]
    columns += [Column(f.title or "", right=f.right, rank=f.rank, kept=f.kept, idle=f.idle) for f in (*shown, *counted)]
    cells = [
        Row(
            (
                row.label,
                *(_cell(f, of.resource, row.record, row.tone) for f in shown),
                *(_cell(f, "", row.counts, "") for f in counted),
            ),
            row.tone,
        )
        for row in rows
    ]
    if of.total is not None:
        cells.append(Row((of.total_label, *(of.total.get(f.key, "") for f in shown)), of.tone))
    return table(columns, cells, view)


class _QueueRow(NamedTuple):
    """A queue in a table: what it is called there, what figures are read from, and its tone."""

    label: str
    record: object
    counts: QueueCounts
    tone: Tone


def _queue_rows(of: Section) -> Iterator[_QueueRow]:
    """A row for each queue."""
    for label, node in branches(of.trees, label=lambda node: f"{node.label or node.name}{node.remark}"):
        yield _QueueRow(label, node.own, node.counts, "dim" if node.dim else "")


def _resource_rows(of: Section, index: _Index) -> Iterator[_QueueRow]:
    """A row for each queue that has figures of the resource."""
    pair = of.pool, of.resource
    for label, node in branches(of.trees, lambda n: pair in index[id(n)], lambda n: n.label or n.name):
        figures = index[id(node)][pair]
        yield _QueueRow(label, figures.own, node.counts, "dim" if node.dim or figures.dim else "")


def _cell(of: Figure, resource: str, record: object, tone: Tone) -> str:
    value = None if of.live and tone == "dim" else of.value(record)
    return of.none if value is None else of.text(resource, value)


def _csv_rows(of: CsvColumns, node: AnyQueue) -> Iterator[tuple[str, ...]]:
    first = [_csv_cell(f.value(node.own)) for f in of.queue if f.csv]
    last = [_csv_cell(f.value(node.counts)) for f in COUNTED if f.csv]
    read = [f.value for f in of.figures if f.csv]
    for each in node.figures:
        pair = (each.pool, each.resource) if of.pools else (each.resource,)
        yield (*first, *pair, *(_csv_cell(value(each.own), each.resource) for value in read), *last)
    if not node.figures and of.pools:
        yield (*first, "", "", *("" for _ in read), *last)


def _csv_cell(value: object, resource: str = "") -> str:
    """A value for other programs: no value is empty, an amount of a resource is a quantity."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return amount(resource, value) if resource else str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return " ".join(value) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)


def _queue(node: AnyQueue) -> Document:
    return {
        "kind": node.key.kind,
        "namespace": node.key.namespace,
        "name": node.key.name,
        "parent": node.parent,
        "weight": node.weight,
        "share": node.share,
        **_FORMS.part(node.counts, {}),
        "figures": [_figures(figures) for figures in node.figures],
    }


def _joined(queue: Document, own: Document) -> Document:
    """A queue with what one scheduler says of it, and of its figures."""
    figures = own.get("figures")
    if not isinstance(figures, list):
        return {**queue, **own}
    shared = queue["figures"]
    assert isinstance(shared, list)
    return {**queue, **own, "figures": [{**ours, **theirs} for ours, theirs in zip(shared, figures, strict=True)]}


def _figures(of: AnyFigures) -> Document:
    return {
        "resource": of.resource,
        "flavor": of.pool,
        **{name: _amount(getattr(of, field)) for name, field in _FIGURES.items()},
    }


def _amount(of: Amount | None) -> Document | None:
    return None if of is None else stated_amount(of.text, of.value)
